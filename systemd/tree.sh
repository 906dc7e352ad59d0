# Sourced by the tests that need a Debian of their own: a clean tree in $tree, commands within it, its systemd booted in
# namespaces. As root, with a network and debootstrap. The bare tree is kept in $TMPDIR for the next time; nothing
# else stays, and no service of this machine is touched.
# shellcheck shell=bash disable=SC2016  # what is in single quotes is for the shell in the tree

[ "$(id -u)" = 0 ] || { echo "This makes a Debian tree and must be root: sudo $0" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "sudo apt install debootstrap lintian" >&2; exit 2; }
# All mounts are seen by this process alone and end with it.
[ -n "${COMPANION_TEST_APART:-}" ] || COMPANION_TEST_APART=yes exec unshare --mount --propagation private "$0" "$@"

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
        PIP_CERT=/etc/ssl/lent.crt chroot "$tree" "$@"
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
    mkdir -p "$tree" && tar -C "$tree" -xf "$bare"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    mkdir -p "$tree/etc/ssl"
    cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/lent.crt" # whom this machine believes
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

# verdict: the counts, and the exit status.
verdict() {
    printf '\n%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" = 0 ]
}
