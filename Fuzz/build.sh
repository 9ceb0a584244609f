#!/bin/sh
# Builds one fuzzer: Fuzz/build.sh XML [further compiler flags, as -sanitize=address]
set -eu
cd "$(dirname "$0")/.."
name=$1
shift
out=.build/fuzz
mkdir -p "$out"
xml="$(pkg-config --cflags libxml-2.0)"
flags="-swift-version 6 -package-name carrel -parse-as-library -O -g -sanitize=fuzzer
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature NonisolatedNonsendingByDefault
  -I $out -I Sources/C/CXML2 $(for flag in $xml; do printf -- '-Xcc %s ' "$flag"; done)"
for target in Markup XML; do
  # shellcheck disable=SC2086
  swiftc $flags "$@" -wmo -module-name "$target" -emit-module \
    -emit-module-path "$out/$target.swiftmodule" \
    -c Sources/Platform/"$target"/*.swift -o "$out/$target.o"
done
# shellcheck disable=SC2086
swiftc $flags "$@" -module-name "Fuzz$name" "Fuzz/$name.swift" "$out/Markup.o" "$out/XML.o" \
  $(pkg-config --libs libxml-2.0) -o "$out/$name"
