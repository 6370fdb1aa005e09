#!/usr/bin/env bash
# Builds what a release consists of into dist/, or $DIST: for each platform the stripped,
# static binary and its bill of materials, the licence texts of what is in them, and the
# checksums of all of them. The
# same commit gives the same bytes.
#
#   VERSION=… LDFLAGS=… tools/dist.sh OS/ARCH...
set -euo pipefail
cd "$(dirname "$0")/.."
: "${VERSION:?}" "${LDFLAGS:?}"

dist=${DIST:-dist}
rm -rf "$dist"
mkdir -p "$dist" bin
dist=$(cd "$dist" && pwd)
(cd tools && CGO_ENABLED=0 go build -trimpath -o ../bin/sbom ./sbom)
for platform in "$@"; do
	os=${platform%/*} arch=${platform#*/}
	file=$dist/goldenarch-$os-$arch
	[ "$os" != windows ] || file=$file.exe
	echo "dist: ${file##*/}"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -ldflags "$LDFLAGS" -o "$file" .
	bin/sbom "$file" "$VERSION" >"$file.cdx.json"
done
CGO_ENABLED=0 go run -trimpath tools/licenses/main.go $(find "$dist" -type f -perm -u+x | sort) >"$dist/THIRD_PARTY_LICENSES"
cp LICENSE CHANGELOG.md "$dist"
cd "$dist"
if command -v sha256sum >/dev/null; then # macOS has none
	sha256sum -- * >SHA256SUMS
else
	shasum -a 256 -- * >SHA256SUMS
fi
