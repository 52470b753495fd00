#!/usr/bin/env bash
# Run by ctest, which sets CLIENT_TESTS (a folder of this run), WATERMASTER, MOCK_PROVIDER, PLUGINS and POLICIES:
# run_tests.sh [FOLDER], a folder with tests and packages of its own beside this file.
set -euo pipefail
shared=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_folder=$shared/${1-}

mkdir -p "$CLIENT_TESTS"
cd "$CLIENT_TESTS"
rm -f ./*.mjs
cp "$shared"/{configuration,processes}.mjs "$source_folder"/*.mjs .
# The lock file is copied last: it stands for an installation that was finished.
if ! cmp -s "$source_folder/package-lock.json" installed-lock.json; then
    cp "$source_folder/package.json" "$source_folder/package-lock.json" .
    # Not "npm ci": it refuses a lock file without the packages of other platforms, which not every registry has.
    rm -rf node_modules
    npm install --no-save --ignore-scripts --no-audit --no-fund
    cp package-lock.json installed-lock.json
fi
exec node --test ./*.test.mjs
