#!/bin/sh
# Builds the packages companion and companion-kiosk, with what any Debian has:
#   systemd/package/build.sh [FOLDER]     where to put them; by default dist
#   VERSION=1.2 systemd/package/build.sh  another version than pyproject.toml's
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
units=$(dirname -- "$here")
project=$(dirname -- "$units")
out=${1:-$project/dist}
version=${VERSION:-$(sed -n 's/^version = "\(.*\)"$/\1/p' "$project/pyproject.toml")}
maintainer='The Companion authors <authors@companion.invalid>'
# The same sources give the same bytes, whenever they are built.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct 2>/dev/null || stat -c %Y "$project/README.md")}
export SOURCE_DATE_EPOCH

command -v dpkg-deb >/dev/null || { echo "Packages are built with dpkg-deb, which Debian and its kin have." >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# put FILE NAME [MODE]: one file of the package in $tree
put() { install -D -m "${3:-644}" "$1" "$tree$2"; }
packed() { gzip -9n >"$1"; }

# The rooms of the program, without what Python leaves behind.
program() {
    mkdir -p "$tree/usr/lib/companion"
    (cd "$project" && find companion calibration -name __pycache__ -prune -o -type f -print0 |
        xargs -0 cp --parents -t "$tree/usr/lib/companion" --)
    find "$tree/usr/lib/companion" -type f -exec chmod 644 {} +
}

# What every package has: licence, changes, and the files that dpkg keeps about it.
finish() {
    name=$1
    about=$tree/usr/share/doc/$name
    mkdir -p "$about" "$tree/DEBIAN"
    {
        sed -e "s|@COPYRIGHT@|$(sed -n 's/^Copyright (c) //p' "$project/LICENSE")|" -e '/@LICENSE@/,$d' "$here/copyright"
        sed -n '/^Permission/,$p' "$project/LICENSE" | sed -e 's/^$/./' -e 's/^/ /'
    } >"$about/copyright"
    printf '%s (%s) unstable; urgency=medium\n\n  * Companion %s.\n\n -- %s  %s\n' \
        "$name" "$version" "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | packed "$about/changelog.gz"
    sed -n "/^Package: $name\$/,/^\$/p" "$here/control" | sed '/^$/d' |
        sed -e "s|@VERSION@|$version|" -e "s|@MAINTAINER@|$maintainer|" \
            -e "/^Section:/i Installed-Size: $(du -sk --apparent-size "$tree" | cut -f1)" >"$tree/DEBIAN/control"
    for script in preinst postinst prerm postrm; do
        [ ! -e "$here/$name.$script" ] || install -m 755 "$here/$name.$script" "$tree/DEBIAN/$script"
    done
    if [ -d "$tree/etc" ]; then (cd "$tree" && find etc -type f -printf '/%p\n') >"$tree/DEBIAN/conffiles"; fi
    (cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
    find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group --build "$tree" "$out/${name}_${version}_all.deb"
}

mkdir -p "$out"

tree=$work/companion
put "$here/companion" /usr/bin/companion 755
program
put "$here/resvg_py.py" /usr/lib/companion/resvg_py.py
put "$units/first-config" /usr/lib/companion/first-config 755
put "$units/companion.service" /usr/lib/systemd/system/companion.service
put "$units/90-companion.rules" /usr/lib/udev/rules.d/90-companion.rules
put "$units/companion.sysusers" /usr/lib/sysusers.d/companion.conf
put "$units/companion.tmpfiles" /usr/lib/tmpfiles.d/companion.conf
# As they lie in the project, so that pages lead to each other, to their pictures and examples.
for page in "$project"/README.md "$project"/docs/*.md "$project"/docs/examples/*.py "$project"/docs/pictures/*; do
    put "$page" "/usr/share/doc/companion/${page#"$project"/}"
done
mkdir -p "$tree/usr/share/man/man1"
packed "$tree/usr/share/man/man1/companion.1.gz" <"$here/companion.1"
finish companion

tree=$work/companion-kiosk
put "$units/companion_kiosk.py" /usr/bin/companion-kiosk 755
put "$units/companion-kiosk.service" /usr/lib/systemd/system/companion-kiosk.service
put "$units/companion-kiosk.sysusers" /usr/lib/sysusers.d/companion-kiosk.conf
put "$units/companion-kiosk.pam" /etc/pam.d/companion-kiosk
mkdir -p "$tree/usr/share/man/man1"
packed "$tree/usr/share/man/man1/companion-kiosk.1.gz" <"$here/companion-kiosk.1"
finish companion-kiosk
