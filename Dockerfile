# The function and the command line in one static binary, for kustomize, kpt,
# Argo CD plugins and CI. It is compiled where the build runs, for the target:
# no stage runs a program of another architecture, so no emulation is needed.
# `make image` and `make image-multiarch` build it.
#
# The digest pins what compiles the program; a dependency bot moves both together.
ARG GO_IMAGE=docker.io/library/golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
FROM --platform=$BUILDPLATFORM $GO_IMAGE AS build
WORKDIR /src
# The tests name a cache of their own, with what is compiled already.
ARG GOCACHE=/cache/go-build
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
# Without defaults: in BuildKit a default here would win over the platform that
# is asked for. Empty, as in builders that set neither, they are the machine's.
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=dev
ARG COMMIT=unknown
ARG DATE=unknown
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -o /rootfs/usr/local/bin/goldenarch \
    -ldflags "-s -w -X github.com/goldenarch/goldenarch/internal/cli.version=$VERSION -X github.com/goldenarch/goldenarch/internal/cli.commit=$COMMIT -X github.com/goldenarch/goldenarch/internal/cli.date=$DATE" .
# The licences of what is in the binary want their texts to go with it.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/cache/go-build \
    mkdir -p /rootfs/usr/share/licenses/goldenarch && \
    cp LICENSE /rootfs/usr/share/licenses/goldenarch/ && \
    go run -trimpath tools/licenses/main.go /rootfs/usr/local/bin/goldenarch >/rootfs/usr/share/licenses/goldenarch/THIRD_PARTY_LICENSES
# kustomize and kpt run functions with `--user nobody`, by name: without passwd
# and group the container does not start. Every file gets the commit's time, so
# that building it again gives the same layer.
ARG SOURCE_DATE_EPOCH=0
RUN mkdir -p /rootfs/etc/ssl/certs && \
    cp -L /etc/ssl/certs/ca-certificates.crt /rootfs/etc/ssl/certs/ && \
    echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' >/rootfs/etc/passwd && \
    echo 'nobody:x:65534:' >/rootfs/etc/group && \
    chmod -R u=rwX,go=rX /rootfs && \
    find /rootfs -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

FROM scratch
ARG VERSION=dev
ARG COMMIT=unknown
ARG DATE=unknown
LABEL org.opencontainers.image.title="goldenarch" \
      org.opencontainers.image.description="Golden images that boot on every node: a KRM function for KubeVirt on clusters of mixed architectures" \
      org.opencontainers.image.source="https://github.com/goldenarch/goldenarch" \
      org.opencontainers.image.documentation="https://github.com/goldenarch/goldenarch/tree/main/docs" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT" \
      org.opencontainers.image.created="$DATE"
COPY --from=build /rootfs/ /
# An Argo CD plugin calls goldenarch by its name.
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# nobody, by number, so that Kubernetes' runAsNonRoot can see that it is not root.
USER 65534:65534
ENTRYPOINT ["/usr/local/bin/goldenarch"]
