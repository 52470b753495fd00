# shellcheck shell=bash
# A Debian 12 system that has nothing of this machine, in a folder. Sourced after lib.sh; needs root.

fresh=         # its folder
fresh_kept=    # not empty: it stays
fresh_mounts=() # what is mounted inside, and goes before it

# fresh_system FOLDER [PACKAGE...]: makes one there, with these packages beside the base system; one that is there already
# is used as it is. FOLDER empty: a temporary one. leave_fresh, which the caller traps, unmounts and removes it.
# DEBIAN_MIRROR chooses another mirror than this machine's.
fresh_system() {
    local folder=$1 mirror
    shift
    ((EUID == 0)) || die "debootstrap and chroot need root"
    install_packages debootstrap git
    mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)}
    [[ -n $mirror ]] || die "this machine's apt names no mirror; set DEBIAN_MIRROR"
    if [[ -n $folder ]]; then
        fresh_kept=yes
        mkdir -p "$folder"
        fresh=$(cd "$folder" && pwd)
    else
        fresh=$(mktemp -d)
    fi
    if [[ ! -x $fresh/bin/bash ]]; then
        say "making a Debian 12 base system in $fresh"
        local all="$*"
        debootstrap --variant=minbase ${all:+--include="${all// /,}"} bookworm "$fresh" "$mirror" >"$fresh.log" 2>&1 || {
            tail -n 20 "$fresh.log" >&2
            die "debootstrap failed, see above and $fresh.log"
        }
        rm -f "$fresh.log"
    fi
    rm -f "$fresh/etc/resolv.conf" # it may be a link to what only runs there
    cp -L /etc/resolv.conf "$fresh/etc/resolv.conf"
    printf '127.0.0.1\tlocalhost\n::1\tlocalhost\n' >"$fresh/etc/hosts" # an installer writes it, debootstrap does not
    local sources=/etc/apt/sources.list.d/debian.sources
    if [[ -e $sources ]]; then
        cp "$sources" "$fresh$sources"
        rm -f "$fresh/etc/apt/sources.list" # the same packages would be listed twice
    fi
}

# mount_fresh NAME...: folders of this machine, at the same place inside.
mount_fresh() {
    local name
    for name in "$@"; do
        if ! mountpoint -q "$fresh/$name" && mount --bind "/$name" "$fresh/$name" 2>/dev/null; then
            fresh_mounts+=("$fresh/$name")
        fi
    done
}

# in_fresh COMMAND...: inside, with nothing of this machine's environment but the way to its registries.
in_fresh() {
    chroot "$fresh" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        ${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} "$@" </dev/null
}

leave_fresh() {
    local folder
    for folder in ${fresh_mounts[@]+"${fresh_mounts[@]}"}; do
        umount "$folder" || true
    done
    fresh_mounts=()
    [[ -n $fresh && -z $fresh_kept ]] || return 0
    # Never removed while something of this machine may still be mounted inside.
    grep -q " $fresh/" /proc/mounts || rm -rf --one-file-system "$fresh"
}
