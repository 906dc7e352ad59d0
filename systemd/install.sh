#!/bin/sh
# Makes an appliance of a Raspberry Pi (64-bit Raspberry Pi OS, Trixie) or another Debian machine.
# From the project's folder:
#
#   sudo sh systemd/install.sh               the referee, and the kiosk where there is no desktop
#   sudo sh systemd/install.sh --uninstall   takes all of it away, but leaves games, log and configuration
#
#   --kiosk, --no-kiosk   with or without the page on a screen of its own
#   --dry-run             prints each step and changes nothing
#   --purge               with --uninstall: games, log and configuration too
#   --root FOLDER         puts the files under FOLDER and does nothing else: for images and tests
#   WHEEL                 installs from this wheel instead of the project's folder
#
# Running it again brings everything up to date and keeps games and configuration. The new version is made beside the
# old one, which goes on until the new one is whole.
set -eu
umask 022 # whatever this user's is: the referee's user must be able to read its program

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(dirname -- "$here")
source=$project
action=install kiosk=auto dry='' purge='' root=''

needed="python3 python3-venv systemd udev avahi-daemon v4l-utils"
# Raspberry Pi's own archive has these; where they are missing there are no pins and no ribbon-cable camera.
wanted="python3-lgpio python3-picamera2"
shown="cage chromium wlr-randr swayidle libpam-systemd fonts-dejavu-core fonts-noto-color-emoji"
shown_wanted="chromium-sandbox"

lib=/usr/local/lib/companion
command=/usr/local/bin/companion
files="
companion.service /usr/local/lib/systemd/system/companion.service 644
90-companion.rules /usr/local/lib/udev/rules.d/90-companion.rules 644
companion.sysusers /usr/local/lib/sysusers.d/companion.conf 644
companion.tmpfiles /usr/local/lib/tmpfiles.d/companion.conf 644
first-config /usr/local/lib/companion/first-config 755
package/companion.1 /usr/local/share/man/man1/companion.1 644
"
kiosk_files="
companion_kiosk.py /usr/local/bin/companion-kiosk 755
package/companion-kiosk.1 /usr/local/share/man/man1/companion-kiosk.1 644
companion-kiosk.service /usr/local/lib/systemd/system/companion-kiosk.service 644
companion-kiosk.sysusers /usr/local/lib/sysusers.d/companion-kiosk.conf 644
companion-kiosk.pam /etc/pam.d/companion-kiosk 644
"
config=/etc/companion/companion.toml
likely="Is there a network, is the time right (date), is there room (df -h /)? Then run this again."
page="import json, sys, urllib.request as u; json.load(u.urlopen(f'http://127.0.0.1:{sys.argv[1]}/health', timeout=5))['ok']"

main() {
    read_words "$@"
    if [ "$action" = uninstall ]; then uninstall; else install_all; fi
}

read_words() {
    while [ $# -gt 0 ]; do
        case "$1" in
        --kiosk) kiosk=yes ;;
        --no-kiosk) kiosk=no ;;
        --dry-run) dry=yes ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        --root) [ -n "${2:-}" ] || fail "--root wants a folder."; root=$2 && shift ;;
        --root=) fail "--root wants a folder." ;; # a name that is empty must not mean this system
        --root=*) root=${1#--root=} ;;
        -h | --help) sed -n '2,/^set -eu/{/^set -eu/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
        *.whl) source=$1 ;;
        *) fail "$1: unknown. There are --kiosk, --no-kiosk, --dry-run, --uninstall, --purge, --root, and a wheel." ;;
        esac
        shift
    done
    [ -z "$purge" ] || [ "$action" = uninstall ] || fail "--purge goes with --uninstall: it deletes all games."
    if [ "$kiosk" = auto ]; then
        kiosk=yes
        if [ -e "$root/etc/systemd/system/display-manager.service" ]; then
            kiosk=no
            say "There is a desktop here, so no kiosk; --kiosk makes one all the same."
        fi
    fi
}

# --- telling and doing ---

say() { printf '%s\n' "$*"; }
step() { printf '\n* %s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

# run WORDS: do it, or in a dry run only say it.
run() {
    if [ -n "$dry" ]; then printf '    %s\n' "$*"; else "$@"; fi
}

# Whether systemd runs here: not in a tree that is only being prepared.
lives() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# --- is this a place for it? ---

check() {
    step "Check: root, Debian or kin, 64 bits, Python 3.11 or newer, no package of the same name"
    if [ -n "$dry" ] || [ -n "$root" ]; then return; fi
    [ "$(id -u)" = 0 ] || fail "this changes the system, so it must be root: sudo sh $0"
    command -v apt-get >/dev/null ||
        fail "there is no apt here: this is for Raspberry Pi OS and Debian. Elsewhere ./companion.sh runs Companion."
    bits=$(dpkg --print-architecture)
    case "$bits" in
    arm64 | amd64) ;;
    *) fail "this system is $bits, and there is no OpenCV for that. Write the 64-bit Raspberry Pi OS on the card." ;;
    esac
    if dpkg-query -W -f '${Status}' companion 2>/dev/null | grep -q ' installed'; then
        fail "the package companion is installed. Upgrade that one, or first: sudo apt remove companion companion-kiosk"
    fi
    if command -v python3 >/dev/null && ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        fail "Companion needs Python 3.11 or newer; here is $(python3 -V). Write Raspberry Pi OS Trixie on the card."
    fi
    case "$source" in
    *.whl) [ -f "$source" ] || fail "$source: there is no such wheel." ;;
    *)
        [ -f "$source/pyproject.toml" ] ||
            fail "$source is not the project's folder. Run install.sh where it lies in it, or name a wheel."
        ;;
    esac
    room
}

# The program takes some 310 MB beside the old one, the kiosk's packages some 760 and as they come 220 (amd64).
room() {
    wants=450
    [ "$kiosk" = no ] || command -v cage >/dev/null || wants=1500
    has=$(df -Pm /usr/local | awk 'NR == 2 { print $4 }')
    [ "$has" -ge "$wants" ] ||
        fail "this card has $has MB of room, and it takes $wants: make room, or use a larger card. Nothing was changed."
}

# --- installing ---

install_all() {
    check
    if [ -z "$root" ]; then
        packages
        program
    fi
    put_files
    if [ -z "$root" ]; then
        settle
        begin
    fi
    farewell
}

packages() {
    step "Packages of the system (the first time some minutes)"
    names=$needed
    [ "$kiosk" = no ] || names="$names $shown" wanted="$wanted $shown_wanted"
    if [ -n "$dry" ]; then
        run apt-get update
        run apt-get install --no-install-recommends "$names"
        run apt-get install --no-install-recommends "$wanted" "(where the archive has them)"
        return
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || say "Some lists of packages could not be fetched; going on with those that there are."
    # shellcheck disable=SC2086 # the names are words
    apt_install $names || fail "apt could not install: $names. The lines above say why. $likely Nothing else was changed."
    for name in $wanted; do
        # of a name that is only mentioned by others, apt-cache says nothing, and that with success
        if [ -z "$(apt-cache show "$name" 2>/dev/null)" ]; then
            say "$name is not in this system's archive: done without."
        else
            apt_install "$name" || say "$name could not be installed: done without."
        fi
    done
    if command -v brltty >/dev/null; then
        say "brltty is installed, and may take the dice box for a braille display. If nobody reads with one here:"
        say "sudo apt remove brltty"
    fi
}

# Another apt is waited for: a system that has just been started looks for news. What was unpacked need not stay.
apt_install() {
    apt-get -o DPkg::Lock::Timeout=300 -o APT::Keep-Downloaded-Packages=false \
        install -y -qq --no-install-recommends "$@" >/dev/null
}

# The environment sees the system's packages, for picamera2 and lgpio, which pip cannot bring.
program() {
    step "The program, in an environment of its own (some minutes)"
    new=$lib/venv-a old=$lib/venv-b
    case "$(readlink "$command" 2>/dev/null || true)" in "$lib/venv-a/"*) new=$lib/venv-b old=$lib/venv-a ;; esac
    run rm -rf "$new"
    run python3 -m venv --system-site-packages "$new"
    what=$source
    if [ -z "$dry" ] && [ -d "$source" ]; then
        what=$(mktemp -d) # pip would leave what it builds in the folder, as root
        # shellcheck disable=SC2064 # the folder of now
        trap "rm -rf '$what'" EXIT
        cp -R "$source/pyproject.toml" "$source/README.md" "$source/companion" "$source/calibration" "$what"
    fi
    bring "$what" || {
        rm -rf "$new"
        fail "pip could not bring what Companion needs. The lines above say why. $likely What ran still runs."
    }
    bring "${what}[ble]" || say "No dice over Bluetooth: bleak could not be installed."
    run "$new/bin/python" -c "import companion.service.assembly" || {
        rm -rf "$new"
        fail "what was installed does not begin; the lines above say why. What ran still runs."
    }
    run sync # a power cut must not leave a link to a half-written program
    run ln -sfn "$new/bin/companion" "$command"
}

# A Wi-Fi that falters costs a part of a download, where pip is new enough for it.
export PIP_RESUME_RETRIES="${PIP_RESUME_RETRIES:-9}"
bring() { run "$new/bin/python" -m pip install --quiet --disable-pip-version-check "$1"; }

put_files() {
    step "Units, rules of devices, users"
    put "$files"
    if [ "$kiosk" = no ]; then
        end companion-kiosk.service
        take "$kiosk_files"
    else
        put "$kiosk_files"
    fi
}

put() {
    printf '%s' "$1" | while read -r name target mode; do
        [ -z "$name" ] || run install -D -m "$mode" "$here/$name" "$root$target"
    done
}

take() {
    printf '%s' "$1" | while read -r name target _; do
        if [ -n "$name" ] && { [ -n "$dry" ] || [ -e "$root$target" ]; }; then run rm -f "$root$target"; fi
    done
}

# end UNIT: now and for good, if it is there.
end() {
    if [ -n "$root" ]; then return; fi
    if [ -z "$dry" ] && [ ! -e "/usr/local/lib/systemd/system/$1" ]; then return; fi
    if [ -n "$dry" ] || lives; then run systemctl stop "$1"; fi
    run systemctl disable --quiet "$1"
}

settle() {
    step "The user, the configuration"
    run systemd-sysusers /usr/local/lib/sysusers.d/companion.conf
    [ "$kiosk" = no ] || run systemd-sysusers /usr/local/lib/sysusers.d/companion-kiosk.conf
    if [ -n "$dry" ]; then
        run "$lib/first-config >$config" "(where there is none yet)"
    elif [ ! -e "$config" ]; then
        mkdir -p "${config%/*}"
        PATH=${command%/*}:$PATH "$lib/first-config" >"$config.new"
        mv "$config.new" "$config"
    else
        say "$config stays as it is."
    fi
    run systemd-tmpfiles --create /usr/local/lib/tmpfiles.d/companion.conf
}

begin() {
    step "Begin now, and at each start of the system"
    names=companion.service
    [ "$kiosk" = no ] || names="$names companion-kiosk.service"
    run sync # before the old version goes
    # shellcheck disable=SC2086 # the names are words
    run systemctl enable --quiet $names
    if [ -n "$dry" ] || lives; then
        run udevadm control --reload || true
        run udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty --subsystem-match=video4linux || true
        run systemctl daemon-reload
        # shellcheck disable=SC2086
        run systemctl restart $names || back
    else
        say "systemd does not run here: it begins with the next start of the system."
    fi
    run rm -rf "$old"
}

# The new version does not start: the old one, if there was one, goes on.
back() {
    why="It says why: sudo journalctl -u companion -n 30"
    [ -d "$old" ] || fail "the referee does not start. $why"
    ln -sfn "$old/bin/companion" "$command"
    rm -rf "$new"
    systemctl restart companion.service ||
        fail "neither the new version nor the old one starts. $why Mend that, then run this again."
    fail "the new version does not start, so the old one goes on. $why"
}

farewell() {
    if [ -n "$dry" ]; then say && say "Nothing was changed." && return; fi
    if [ -n "$root" ]; then return; fi
    name=$(uname -n)
    port=$(sed -n 's/^[[:space:]]*port[[:space:]]*=[[:space:]]*\([0-9][0-9]*\).*/\1/p' "$config")
    host=$(sed -n "s/^[[:space:]]*host[[:space:]]*=[[:space:]]*[\"']\([^\"']*\).*/\1/p" "$config")
    say
    where=:${port:-8000}
    [ "$where" != :80 ] || where=
    if [ "${host:-0.0.0.0}" != 0.0.0.0 ]; then
        say "Companion is installed. Its page: http://$host$where/ (so says [page] host in $config)"
    else
        say "Companion is installed. On a phone in the same network: http://$name.local$where/"
    fi
    if [ "$name" != referee ] && [ "${host:-0.0.0.0}" = 0.0.0.0 ]; then
        rename="hostnamectl hostname referee"
        if command -v raspi-config >/dev/null; then rename="raspi-config nonint do_hostname referee"; fi
        say "If it shall be http://referee.local$where/: sudo $rename, then start it anew."
    fi
    say "What is at your table is in $config; after a change: sudo systemctl restart companion"
    say "How camera, dice and all the rest are: sudo companion doctor"
    if lives && [ "${host:-0.0.0.0}" = 0.0.0.0 ] && ! python3 -c "$page" "${port:-8000}" 2>/dev/null; then
        say
        say "But its page does not answer on port ${port:-8000}: another program may have it (Apache, Pi-hole). End that one,"
        say "or set another [page] port in $config."
    fi
}

# --- taking it away ---

uninstall() {
    if [ -z "$dry" ] && [ -z "$root" ] && [ "$(id -u)" != 0 ]; then
        fail "this changes the system, so it must be root: sudo sh $0 --uninstall"
    fi
    if [ -z "$root" ]; then
        step "End"
        end companion-kiosk.service
        end companion.service
    fi
    step "Take away the files"
    take "$kiosk_files"
    take "$files"
    run rm -rf "$root$lib"
    run rm -f "$root$command"
    if [ -n "$dry" ] || lives; then
        run systemctl daemon-reload
        run udevadm control --reload || true
    fi
    if [ -n "$purge" ]; then
        step "Games, log and configuration"
        run rm -rf "$root/var/lib/companion" "$root/var/log/companion" "$root/etc/companion"
    else
        say && say "Games, log and configuration stay: /var/lib/companion, /var/log/companion, /etc/companion."
    fi
    say "The packages of the system and the user companion stay too."
    if [ -n "$dry" ]; then say && say "Nothing was changed."; fi
}

main "$@"
