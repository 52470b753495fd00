# shellcheck shell=bash
# What the scripts beside this file share: packages, building, and processes that are stopped by their own id.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The reason of each package is in README.md.
build_packages=(g++ cmake ninja-build pkg-config ccache libpoco-dev libssl-dev zlib1g-dev rapidjson-dev liblua5.4-dev
    prometheus-cpp-dev libboost-dev libgtest-dev python3 curl ca-certificates openssl dpkg-dev file)
sanitizer_packages=(clang libclang-rt-14-dev)
lint_packages=(clang clang-format-14 clang-tidy-14)
bench_packages=(nginx-light wrk procps)

say() { printf '== %s\n' "$*"; }

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# install_packages NAME...: installs the Debian packages that are missing; asks apt for nothing when all are there.
install_packages() {
    command -v dpkg-query >/dev/null || die "expected a Debian 12 system, found no dpkg; install by hand: $*"
    local missing=() package
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            die "packages are missing, and this is neither root nor is sudo there; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null
}

# Debian's nodejs and npm cannot be installed beside a Node from elsewhere, so an npm that is there is used.
install_node() { command -v npm >/dev/null || install_packages nodejs npm; }

# configure PRESET
configure() {
    local log
    log=$(mktemp)
    if ! (cd "$root" && cmake --preset "$1") >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        die "the configuration of preset $1 failed, see above"
    fi
    rm -f "$log"
}

# build PRESET [TARGET...]: configures and builds what has changed since the last time; all of it if no target is named.
build() {
    local preset=$1
    shift
    say "building ${*:-everything} in build/$preset"
    configure "$preset"
    (cd "$root" && cmake --build --preset "$preset" -- ${1+"$@"})
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# wait_for_line FILE PID PATTERN: the first match of the pattern in a file that the process is writing.
wait_for_line() {
    local deadline=$((SECONDS + 30)) line
    while ((SECONDS < deadline)); do
        line=$(grep -m1 -oE "$3" "$1" 2>/dev/null || true)
        if [[ -n $line ]]; then
            printf '%s\n' "$line"
            return 0
        fi
        kill -0 "$2" 2>/dev/null || break
        sleep 0.05
    done
    return 1
}

# stop_process PID: asks it to end, and insists after 15 seconds.
stop_process() {
    kill -TERM "$1" 2>/dev/null || return 0
    local deadline=$((SECONDS + 15))
    while kill -0 "$1" 2>/dev/null; do
        if ((SECONDS >= deadline)); then
            kill -KILL "$1" 2>/dev/null || true
            say "process $1 did not end within 15 s and was killed"
            break
        fi
        sleep 0.05
    done
    wait "$1" 2>/dev/null || true
}
