#!/bin/bash
# Tries the packages in a clean Debian: builds them, has lintian look, installs, starts, upgrades and purges them in a
# tree of their own, and boots that tree's systemd in namespaces. As root, with a network; about five minutes:
#   sudo systemd/package/test.sh [--no-kiosk]
# Needs debootstrap. The bare tree is kept in $TMPDIR for the next time; nothing else stays, and no service of this
# machine is touched.
# shellcheck disable=SC2016  # what is in single quotes is for the shell in the tree
set -euo pipefail

[ "$(id -u)" = 0 ] || { echo "This makes a Debian tree and must be root: sudo $0" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "sudo apt install debootstrap lintian" >&2; exit 2; }
# All mounts are seen by this process alone and end with it.
[ -n "${COMPANION_TEST_APART:-}" ] || COMPANION_TEST_APART=yes exec unshare --mount --propagation private "$0" "$@"

here=$(cd "$(dirname "$0")" && pwd)
kiosk=yes
[ "${1:-}" != --no-kiosk ] || kiosk=
suite=trixie
bare=${TMPDIR:-/tmp}/companion-$suite.tar
work=$(mktemp -d)
tree=$work/tree
passed=0 failed=0

tidy() {
    if [ -n "${machine:-}" ]; then kill -KILL "$machine" 2>/dev/null || true; wait "$machine" 2>/dev/null || true; fi
    if [ -n "${groups:-}" ]; then find "$groups/companion-test" -depth -type d -exec rmdir {} + 2>/dev/null || true; fi
    umount -R "$tree"/{proc,sys,dev,run} 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap tidy EXIT

# check WHAT COMMAND: one line, and the count.
check() {
    local what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        printf 'ok    %s\n' "$what" && passed=$((passed + 1))
    else
        printf 'FAIL  %s\n' "$what" && failed=$((failed + 1))
        sed 's/^/      | /' "$work/said" | tail -n 20
    fi
}
skip() { printf 'skip  %s\n' "$*"; }
note() { printf '      %s\n' "$*"; }

within() {
    env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/bin:/usr/sbin:/usr/bin \
        chroot "$tree" "$@"
}
as_companion() { within setpriv --reuid=companion --regid=companion --init-groups env HOME=/var/lib/companion "$@"; }

# --- the tree ---

grow() {
    if [ ! -f "$bare" ]; then
        local mirror
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/$') # this machine's own
        debootstrap --variant=minbase "$suite" "$work/bare" "$mirror" >"$work/debootstrap.log"
        tar -C "$work/bare" -cf "$bare.new" . && mv "$bare.new" "$bare"
        rm -rf "$work/bare"
    fi
    mkdir "$tree" && tar -C "$tree" -xf "$bare"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do # how this machine reaches its mirror, if by a detour
        if grep -qsE '^Acquire::' "$file"; then cp "$file" "$tree/etc/apt/apt.conf.d/"; fi
    done
    mounts
    within apt-get update -qq
}

mounts() {
    mount -t proc proc "$tree/proc"
    mount -t sysfs -o ro sysfs "$tree/sys"
    mount -t tmpfs -o mode=755 tmpfs "$tree/dev"
    local node
    for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
        IFS=: read -r name major minor <<<"$node"
        mknod -m 666 "$tree/dev/$name" c "$major" "$minor"
    done
    mkdir "$tree/dev/pts" "$tree/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$tree/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
    ln -s pts/ptmx "$tree/dev/ptmx" && ln -s /proc/self/fd "$tree/dev/fd"
}

# --- systemd of the tree, as process 1 of its own world: no network but its own loopback ---

boot() {
    groups=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
    [ -n "$groups" ] && mkdir -p "$groups/companion-test" || return 1
    (
        echo $BASHPID >"$groups/companion-test/cgroup.procs"
        exec unshare --pid --fork --kill-child --mount --uts --ipc --cgroup --net --propagation private bash -c '
            mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc && mount -t tmpfs -o mode=755 tmpfs run
            mount -t tmpfs tmpfs sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none sys/fs/cgroup && hostname referee
            exec env -i container=test PATH=/usr/sbin:/usr/bin chroot . /usr/lib/systemd/systemd --show-status=0
        ' boot "$tree"
    ) >"$work/boot.log" 2>&1 &
    machine=$!
    for _ in $(seq 60); do
        first=$(pgrep -P "$machine" -f /usr/lib/systemd/systemd || true)
        if [ -n "$first" ] && booted systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded'; then
            return 0
        fi
        sleep 1
    done
    return 1
}
booted() { nsenter -t "$first" -a -r -w env -i PATH=/usr/sbin:/usr/bin LANG=C.UTF-8 "$@"; }
booted_status() { booted sh -c 'cat "/proc/$(systemctl show -p MainPID --value companion)/status"'; }
walled_in() {
    booted sh -c 'nsenter -t "$(systemctl show -p MainPID --value companion)" -m -r -w sh -c "
        test -r /proc/cpuinfo && test -d /sys/firmware && test -d /sys/class/tty && test -d /dev/pts &&
        touch here /var/lib/companion/here /var/log/companion/here &&
        rm here /var/lib/companion/here /var/log/companion/here && ! touch /etc/here /usr/here /home/here 2>/dev/null"'
}
answers() { booted python3 -c 'import urllib.request as u; u.urlopen("http://127.0.0.1/health", timeout=5)'; }
wait_for() { for _ in $(seq "$1"); do "${@:2}" >/dev/null 2>&1 && return 0; sleep 1; done; return 1; }
active() { [ "$(booted systemctl is-active companion)" = active ]; }
restarts() { booted systemctl show -p NRestarts --value companion; }
more_restarts() { [ "$(restarts)" -gt "$1" ] && active && answers; }
unplug_machine() { booted systemctl poweroff --force --force 2>/dev/null || true; wait "$machine" || true; machine=; }

# --- what is asked ---

the_packages() {
    local version
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../../pyproject.toml")
    check "both packages are built by one command" "$here/build.sh" "$work/one"
    check "and a later version" env VERSION="$version+1" "$here/build.sh" "$work/two"
    check "the same sources give the same bytes" same_again
    if command -v lintian >/dev/null; then
        check "lintian finds neither errors nor warnings" lintian --fail-on error,warning "$work"/one/*.deb
    else
        skip "lintian is not installed"
    fi
    cp -r "$work/one" "$work/two" "$tree/root/"
}
same_again() { "$here/build.sh" "$work/again" && diff -r "$work/one" "$work/again" && rm -r "$work/again"; }

the_install() {
    check "apt installs it with what it needs" \
        within sh -c 'apt-get install -y --no-install-recommends /root/one/companion_*.deb'
    check "its user is in video, dialout and gpio" \
        within sh -c 'id -nG companion | grep -w video | grep -w dialout | grep -w gpio'
    check "the configuration is there, for the referee's eyes" \
        test "$(within stat -c '%a %U %G' /etc/companion/companion.toml)" = "640 root companion"
    check "it begins with the system" within systemctl is-enabled companion.service
    check "the manual can be read" within sh -c 'zcat /usr/share/man/man1/companion.1.gz | grep -q SYNOPSIS'
}

the_units() {
    check "systemd-analyze verify" within systemd-analyze verify --man=no companion.service
    check "exposure at most 2.5" within systemd-analyze security --offline=true --threshold=25 companion.service
    note "$(within systemctl --version | head -n 1): $(exposure companion.service)"
    check "udevadm verify" within udevadm verify /usr/lib/udev/rules.d/90-companion.rules
}

exposure() { within systemd-analyze security --offline=true "$1" | tail -n 1; }

the_program() {
    check "every command can be asked" within sh -c '
        companion --help | sed -n "s/^    \([a-z]*\) .*/\1/p" | sort -u |
            while read -r c; do companion $c --help >/dev/null || exit 1; done'
    check "a board is drawn, PNG and all" \
        within sh -c 'companion sheet gloria --out /tmp/board && test -s /tmp/board/gloria.png'
    check "a demo is played" within companion demo --headless --turns 2 --seed 1 --cheat 0 --speed 6
    within install -d -o companion -g companion /run/by-hand
    printf '[%s]\n%s\n' camera 'source = "none"' dice 'port = "none"' page 'port = 8765' >"$tree/run/by-hand/c.toml"
    install -m 755 "$here/../../tests/systemd/notified.py" "$tree/run/by-hand/notified.py"
    check "the service's command tells systemd that it is ready and alive, serves the page, and ends in order" \
        as_companion env STATE_DIRECTORY=/run/by-hand/games LOGS_DIRECTORY=/run/by-hand/log \
        python3 /run/by-hand/notified.py http://127.0.0.1:8765/health companion run --config /run/by-hand/c.toml
    rm -rf "$tree/run/by-hand" "$tree/tmp/board"
}

the_service() {
    within apt-get install -y -qq --no-install-recommends dbus libpam-systemd >/dev/null 2>&1
    if ! boot; then skip "this machine lets no systemd boot in namespaces: $(tail -n 1 "$work/boot.log")"; return; fi
    check "systemd boots and starts it, sandboxed" wait_for 60 active
    check "its page answers" wait_for 20 answers
    check "systemd knows its state" sh -c "[ -n '$(booted systemctl show -p StatusText --value companion)' ]"
    check "its games are its own" test "$(booted stat -c %U:%a /var/lib/companion/games.db)" = companion:640
    check "no capability is left to it but to bind port 80" grep -q 'CapBnd:.0000000000000400' <(booted_status)
    check "it reads what pins and camera need, and writes nothing of the system" walled_in
    note "memory: $(booted_status | grep VmRSS)"
    local before
    before=$(restarts)
    booted systemctl kill -s KILL companion
    check "killed, it comes back" wait_for 30 more_restarts "$before"
    before=$(restarts)
    booted systemctl kill -s STOP companion
    check "stuck, the watchdog ends it and it comes back" wait_for 60 more_restarts "$before"
    printf '\n[nonsense]\n' >>"$tree/etc/companion/companion.toml"
    booted systemctl --no-block restart companion && sleep 5
    check "a wrong configuration is said" booted sh -c 'journalctl -u companion | grep -q "unknown part .nonsense."'
    sed -i '/nonsense/d' "$tree/etc/companion/companion.toml"
    check "mended, it begins by itself" wait_for 70 active
}

upgrade() {
    echo "# mine" >>"$tree/etc/companion/companion.toml"
    within install -o companion -g companion -m 640 /dev/null /var/lib/companion/mine
    local how=within
    [ -z "${machine:-}" ] || how=booted
    check "apt upgrades it" "$how" sh -c 'dpkg -i /root/two/companion_*.deb'
    check "configuration and games are kept" \
        within sh -c 'grep -q "# mine" /etc/companion/companion.toml && test -e /var/lib/companion/mine'
    [ -z "${machine:-}" ] || check "and the new version runs" wait_for 60 active
}

the_kiosk() {
    if [ -z "$kiosk" ]; then skip "the kiosk (--no-kiosk)"; return; fi
    check "apt installs the kiosk with cage and Chromium" \
        within sh -c 'apt-get install -y --no-install-recommends /root/two/companion-kiosk_*.deb swayidle'
    check "systemd-analyze verify" within systemd-analyze verify --man=no companion-kiosk.service
    note "$(exposure companion-kiosk.service)"
    check "it says where the page is" \
        within sh -c 'companion-kiosk prepare && grep -q http://127.0.0.1:80 /run/companion-kiosk.address'
    check "and is purged" within apt-get purge -y companion-kiosk
    rm -f "$tree/run/companion-kiosk.address"
}

away() {
    if [ -n "${machine:-}" ]; then
        check "removed, it stops" booted sh -c 'dpkg --remove companion && ! systemctl is-active companion'
        unplug_machine
    else
        check "it is removed" within dpkg --remove companion
    fi
    check "configuration and games stay" \
        within sh -c 'test -s /etc/companion/companion.toml && test -e /var/lib/companion/mine'
    check "it is purged" within dpkg --purge companion
    check "nothing of it is left" nothing_left
    check "but its user, as Debian has it" within id companion
}

# Other packages have files of that name too.
nothing_left() {
    within sh -c 'find / -xdev -name "*companion*" -not -path "/root/*" -not -path "*/__pycache__/*" |
        while read -r file; do dpkg -S "$file" >/dev/null 2>&1 || echo "$file"; done' >"$work/left"
    cat "$work/left"
    test ! -s "$work/left"
}

grow
the_packages
the_install
the_units
the_program
the_service
upgrade
the_kiosk
away
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
