#!/bin/sh
# Sets Companion up in .venv beside this file, once, and runs it:
#   ./companion.sh demo        any command of `companion`
#   ./companion.sh test        the tests (more words go to pytest)
set -eu
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0 # it may be a link, from a folder on the PATH
here=$(CDPATH='' cd -- "$(dirname -- "$self")" && pwd)
venv="$here/.venv"

say() { printf '%s\n' "$*" >&2; }

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null 2>&1; then
    say "Companion needs Python 3.11 or newer, and there is no $python here."
    say "On Debian or Raspberry Pi OS: sudo apt install python3 python3-venv"
    exit 2
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Companion needs Python 3.11 or newer; $python is $("$python" -V 2>&1)."
    say "Name a newer one: PYTHON=python3.13 ./companion.sh ..."
    exit 2
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    say "Python's venv is missing. On Debian or Raspberry Pi OS: sudo apt install python3-venv"
    exit 2
fi

# Megabytes: what the program takes, and what comes through pip's hands meanwhile.
room=450
enough_room() {
    [ -x "$venv/bin/companion" ] || [ "$(df -Pk "$here" | awk 'NR == 2 { print int($4 / 1024) }')" -ge "$room" ]
}

# The set-up is done again when what it installs has changed; the stamp says for what it was done. Where install() is
# asked whether it failed, `set -e` does not hold in it: each step says itself that it did.
wanted=main
[ "${1:-}" = test ] && wanted="test"
install() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv "$venv" || return 1
    what="$here"
    [ "$1" = test ] && what="${here}[test]"
    # A download that is torn goes on where it was, where pip is new enough for that. OpenCV is never compiled: on a
    # small machine for which there is no ready-made one it takes hours, and then fails.
    PIP_RESUME_RETRIES="${PIP_RESUME_RETRIES:-9}" PIP_ONLY_BINARY="${PIP_ONLY_BINARY:-numpy,opencv-python-headless}" \
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e "$what" || return 1
    cksum "$here/pyproject.toml" >"$venv/companion-$1" || return 1
    [ "$1" = main ] || cp "$venv/companion-$1" "$venv/companion-main"
}
# An upgrade of the system brings another Python, for which nothing is installed yet.
is_set_up() {
    [ -x "$venv/bin/companion" ] && cksum "$here/pyproject.toml" | cmp -s - "$venv/companion-$wanted" &&
        "$venv/bin/python" -I -c 'import companion' 2>/dev/null
}
if ! is_set_up; then
    if ! enough_room; then
        say "The set-up takes some $room MB, and there is less room for $venv (df -h): make room, then run this again."
        exit 2
    fi
    say "Setting Companion up in $venv (a few minutes the first time) ..."
    install "$wanted" || {
        say "The set-up failed. Is there a network? Then run this again."
        say "If there is: the lines above say why; the time may be wrong (date), or the disk full (df -h)."
        [ "$("$python" -c 'import sys; print(sys.maxsize >> 32)')" != 0 ] ||
            say "This is a 32-bit system, for which OpenCV is not ready-made: use a 64-bit one, like the 64-bit Raspberry Pi OS."
        exit 2
    }
fi

if [ "$wanted" = test ]; then
    shift
    cd "$here"
    exec "$venv/bin/python" -m pytest "$@"
fi
exec "$venv/bin/companion" "$@"
