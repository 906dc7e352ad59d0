#!/bin/bash
# Tries the packages in a clean Debian: builds them, has lintian look, installs, starts, upgrades and purges them in a
# tree of their own, and boots that tree's systemd in namespaces. As root, with a network; five to ten minutes:
#   sudo systemd/package/test.sh [--no-kiosk]
# shellcheck disable=SC2016,SC1091,SC2154  # single quotes are for the shell in the tree; names come from tree.sh
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tree.sh"
kiosk=yes
[ "${1:-}" != --no-kiosk ] || kiosk=

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
    within install -D /dev/null /usr/local/lib/systemd/system/companion.service
    check "beside install.sh's it is refused" beside_another
    within rm /usr/local/lib/systemd/system/companion.service
    check "apt installs it with what it needs" \
        within sh -c 'apt-get install -y --no-install-recommends /root/one/companion_*.deb'
    check "its user is in video, dialout and gpio" \
        within sh -c 'id -nG companion | grep -w video | grep -w dialout | grep -w gpio'
    check "the configuration is there, for the referee's eyes" \
        test "$(within stat -c '%a %U %G' /etc/companion/companion.toml)" = "640 root companion"
    check "it begins with the system" within systemctl is-enabled companion.service
    check "the manual can be read" within sh -c 'zcat /usr/share/man/man1/companion.1.gz | grep -q SYNOPSIS'
}

beside_another() {
    ! within sh -c 'apt-get install -y --no-install-recommends /root/one/companion_*.deb' >"$work/beside" 2>&1 &&
        grep -q 'install.sh --uninstall' "$work/beside" && ! within test -e /usr/bin/companion
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

wrong_is_said() { booted sh -c 'journalctl -u companion | grep -q "unknown part .nonsense."'; }

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
    booted systemctl --no-block restart companion
    check "a wrong configuration is said" wait_for 60 wrong_is_said
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
verdict
