#!/bin/sh
# Installs what the service needs to run into the working folder, without binaries of other platforms.
set -eu
npm ci --omit=dev --no-audit --no-fund --prefer-offline
platform=$(node -p process.platform)
architecture=$(node -p process.arch)
for folder in node_modules/onnxruntime-node/bin/napi-v*/*/*; do
  case $folder in
    */"$platform"/"$architecture") ;;
    *) rm -r "$folder" ;;
  esac
done
