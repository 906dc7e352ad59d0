#!/bin/bash
# Tries install.sh in a clean Debian: twice, then with the service running and no network, then taken away. As root,
# with a network; some five minutes:
#   sudo systemd/test_install.sh
# shellcheck disable=SC2016,SC1091,SC2154  # single quotes are for the shell in the tree; names come from tree.sh
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
. "$here/tree.sh"

files() { within find /usr/local/lib /usr/local/bin /etc/pam.d -name '*companion*' -not -path '*/venv-*' | sort; }

project() {
    mkdir "$tree/project"
    (cd "$here/.." && cp -r pyproject.toml README.md LICENSE companion calibration systemd "$tree/project")
}

twice() {
    check "it installs itself" within /project/systemd/install.sh --no-kiosk
    check "the command is there" within companion --version
    check "its user is in video, dialout and gpio" \
        within sh -c 'id -nG companion | grep -w video | grep -w dialout | grep -w gpio'
    check "the configuration is there, for the referee's eyes" \
        test "$(within stat -c '%a %U %G' /etc/companion/companion.toml)" = "640 root companion"
    check "systemd-analyze verify" within systemd-analyze verify --man=no companion.service
    check "exposure at most 2.5" \
        within systemd-analyze security --offline=true --threshold=25 /usr/local/lib/systemd/system/companion.service
    files >"$work/once"
    echo "# mine" >>"$tree/etc/companion/companion.toml"
    check "it installs itself again" within /project/systemd/install.sh --no-kiosk
    files >"$work/twice"
    check "the same files are there" diff "$work/once" "$work/twice"
    check "one version is there, the newer" \
        test "$(within sh -c 'echo /usr/local/lib/companion/venv-*')" = /usr/local/lib/companion/venv-b
    check "the configuration is kept" within grep -q "# mine" /etc/companion/companion.toml
}

alive() {
    within apt-get install -y -qq --no-install-recommends dbus libpam-systemd >/dev/null 2>&1
    if ! boot; then skip "this machine lets no systemd boot in namespaces: $(tail -n 1 "$work/boot.log")"; return; fi
    check "systemd boots and starts it" wait_for 60 active
    check "its page answers" wait_for 20 answers
    check "without a network it does not install" booted sh -c '! /project/systemd/install.sh --no-kiosk'
    check "and what ran still runs" active
    check "that was not even ended" test "$(restarts)" = 0
}

away() {
    local how=within
    [ -z "${machine:-}" ] || how=booted
    check "it is taken away" "$how" /project/systemd/install.sh --uninstall
    if [ -n "${machine:-}" ]; then
        check "and ended" sh -c "[ '$(booted systemctl is-active companion)' != active ]"
        unplug_machine
    fi
    check "nothing of the program is left" test -z "$(files)"
    check "games and configuration stay" within grep -q "# mine" /etc/companion/companion.toml
    check "told to, it takes those too" within /project/systemd/install.sh --uninstall --purge
    check "then they are gone" within sh -c '! ls -d /etc/companion /var/lib/companion /var/log/companion'
}

grow
project
twice
alive
away
verdict
