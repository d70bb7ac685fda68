#!/bin/sh
# Installs a server into a folder: what runs, without Node.js, with its bill of materials and the licences of others.
set -eu
umask 022
from=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
to=$(cd "$1" && pwd)

cd "$from"
tar --exclude=node_modules --exclude=dist -cf - package.json package-lock.json .npmrc ./*.md LICENSE schema.graphql \
  clients deploy/admin docs prisma rest src | tar -xf - -C "$to"

cd "$to"
npm ci --omit=dev --workspaces=false --ignore-scripts
# Prisma brings a query compiler for each database, in two sizes. The rail loads one.
find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql.*' -delete
find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
shift
npm run --silent sbom -- "$@"
rm -rf node_modules/node-* node_modules/.bin
# The checkout may be closed to others; the user of a rail is one of them.
chmod -R go+rX .
