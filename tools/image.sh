#!/usr/bin/env bash
# Builds the container image of this repository with docker (buildx), podman or
# buildah, the first of them that works here; ENGINE=podman chooses one.
#
# usage: tools/image.sh IMAGE                for this machine, into the engine's store
#        tools/image.sh IMAGE PLATFORM,...   for each platform, as one manifest list:
#                                            to the OCI archive dist/image.tar, or
#                                            with PUSH=yes to the registry of IMAGE
#
# VERSION, COMMIT, DATE and SOURCE_DATE_EPOCH are stamped in: the same commit with
# the same base image (GO_IMAGE) is the same image, byte for byte, whether podman
# or buildah made it. docker's has the same files each time; a BuildKit that does
# not heed SOURCE_DATE_EPOCH notes when it was built. IMAGE_FLAGS are added to the
# build, PUSH_FLAGS to the push of podman and buildah.
set -euo pipefail
cd "$(dirname "$0")/.."
image=${1:?usage: tools/image.sh IMAGE [PLATFORM,...]}
platforms=${2:-}
archive=dist/image.tar
# The bash of macOS (3.2) takes an empty array for an unset one: hence ${more[@]+…}.
read -ra more <<<"${IMAGE_FLAGS:-}"
read -ra push <<<"${PUSH_FLAGS:-}"

# A docker that is podman by another name is left to podman.
works() {
	case $1 in
	docker) docker info >/dev/null 2>&1 && docker buildx version 2>/dev/null | grep -q github.com/docker/buildx ;;
	podman | buildah) "$1" info >/dev/null 2>&1 ;;
	*) return 1 ;;
	esac
}

choose() {
	local engine
	for engine in ${ENGINE:-docker podman buildah}; do
		if works "$engine"; then
			echo "$engine"
			return
		fi
	done
	echo "image: no engine works here, looked for ${ENGINE:-docker (with buildx), podman and buildah}; see what '${ENGINE:-podman} info' says" >&2
	return 1
}

here() { # the platform of this machine, in Go's names
	case $(uname -m) in
	x86_64) echo linux/amd64 ;;
	aarch64 | arm64) echo linux/arm64 ;;
	*) echo "linux/$(uname -m)" ;;
	esac
}

epoch=${SOURCE_DATE_EPOCH:-0}
stamps=(--build-arg "VERSION=${VERSION:-dev}" --build-arg "COMMIT=${COMMIT:-unknown}" --build-arg "DATE=${DATE:-unknown}" --build-arg "SOURCE_DATE_EPOCH=$epoch")
if [ -n "${GO_IMAGE:-}" ]; then
	stamps+=(--build-arg "GO_IMAGE=$GO_IMAGE")
fi

with_docker() {
	local out=(--load)
	if [ "${PUSH:-}" = yes ]; then
		out=(--push)
	elif [ -n "$platforms" ]; then
		out=(--output "type=oci,dest=$archive")
	fi
	docker buildx build --provenance=false --platform "${platforms:-$(here)}" "${stamps[@]}" ${more[@]+"${more[@]}"} -t "$image" "${out[@]}" .
}

# podman and buildah take the same words. Layers of an earlier build are not used:
# the image's history would tell of them. The platforms are built one by one: a
# manifest list has them in the order in which they were done. An old buildah does
# not set BUILDPLATFORM for another platform, and a manifest list of an earlier
# build would be added to.
with_buildah() {
	local engine=$1 name=(-t "$image") list platform
	if [ -n "$platforms" ]; then
		name=(--manifest "$image")
		"$engine" manifest rm "$image" >/dev/null 2>&1 || "$engine" rmi "$image" >/dev/null 2>&1 || true
	fi
	IFS=, read -ra list <<<"${platforms:-$(here)}"
	for platform in "${list[@]}"; do
		"$engine" build --layers=false --timestamp "$epoch" --build-arg "BUILDPLATFORM=$(here)" --platform "$platform" \
			"${stamps[@]}" ${more[@]+"${more[@]}"} "${name[@]}" .
	done
	if [ "${PUSH:-}" = yes ] && [ -n "$platforms" ]; then
		"$engine" manifest push --all ${push[@]+"${push[@]}"} "$image" "docker://$image"
	elif [ "${PUSH:-}" = yes ]; then
		"$engine" push ${push[@]+"${push[@]}"} "$image"
	elif [ -n "$platforms" ]; then
		rm -f "$archive"
		"$engine" manifest push --all "$image" "oci-archive:$archive:$image"
	fi
}

engine=$(choose)
echo "image: building $image for ${platforms:-$(here)} with $engine"
if [ -n "$platforms" ]; then
	mkdir -p dist
fi
case $engine in
docker) with_docker ;;
*) with_buildah "$engine" ;;
esac
