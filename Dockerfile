# The function and the command line in one static binary, for kustomize, kpt,
# Argo CD plugins and CI. It is built where the build runs and only compiled
# for the target, so no emulation is needed.
FROM --platform=$BUILDPLATFORM docker.io/library/golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG TARGETOS=linux
ARG TARGETARCH=amd64
ARG VERSION=dev
ARG COMMIT=unknown
ARG DATE=unknown
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -o /out/goldenarch \
    -ldflags "-s -w -X github.com/goldenarch/goldenarch/cmd.version=$VERSION -X github.com/goldenarch/goldenarch/cmd.commit=$COMMIT -X github.com/goldenarch/goldenarch/cmd.date=$DATE" .
# kustomize and kpt run functions with `--user nobody`, by name: without these
# two files the container does not start.
RUN echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' >/out/passwd && \
    echo 'nobody:x:65534:' >/out/group

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
COPY --from=build /out/passwd /out/group /etc/
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/goldenarch /usr/local/bin/goldenarch
# By number, so that Kubernetes' runAsNonRoot can see that it is not root.
USER 65534:65534
ENTRYPOINT ["/usr/local/bin/goldenarch"]
