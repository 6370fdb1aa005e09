# Sourced before a release is built: the compiler does not inline where that only
# makes the binary larger. What the API types of Kubernetes, protobuf and
# kustomize bring along is generated code and tables, and what net and TLS do waits
# for the network (the arithmetic of crypto is left alone); it makes more than 1 MB of 21 (make build; wc -c bin/goldenarch).
# shellcheck shell=sh
lean=
for packages in k8s.io kubevirt.io google.golang.org sigs.k8s.io/kustomize/api go.podman.io \
	github.com/google/gnostic-models github.com/fxamacker github.com/json-iterator github.com/go-openapi github.com/BurntSushi \
	github.com/spf13 golang.org/x sigs.k8s.io/structured-merge-diff \
	net crypto/tls crypto/x509 vendor encoding/asn1 encoding/xml text mime compress log; do
	lean="$lean -gcflags=$packages/...=-l"
done
export GOFLAGS="${GOFLAGS:-}$lean"
