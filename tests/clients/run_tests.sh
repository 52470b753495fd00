#!/usr/bin/env bash
# Run by ctest, which sets CLIENT_TESTS (a folder of this run), WATERMASTER, MOCK_PROVIDER, PLUGINS and POLICIES.
set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mkdir -p "$CLIENT_TESTS"
cd "$CLIENT_TESTS"
rm -f ./*.mjs
cp "$source_folder"/*.mjs .
# The lock file is copied last: it stands for an installation that was finished.
if ! cmp -s "$source_folder/package-lock.json" installed-lock.json; then
    cp "$source_folder/package.json" "$source_folder/package-lock.json" .
    npm ci --ignore-scripts --no-audit --no-fund
    cp package-lock.json installed-lock.json
fi
exec node --test ./*.test.mjs
