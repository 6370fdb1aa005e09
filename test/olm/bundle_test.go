package olm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// container is a container of a deployment: its name and its image below x/.
type container struct{ name, image string }

// bundle is a bundle of one ClusterServiceVersion with one deployment.
type bundle struct {
	labels     string // "arch.amd64 os.linux"; "arch.arm64=no" has another value
	containers []container
	init       []container
	related    []string
	selector   string // of nodes
	terms      string // of a required node affinity, in YAML's flow style
}

func (b bundle) write(t *testing.T, registry string) string {
	t.Helper()
	dir := t.TempDir()
	save := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("metadata/annotations.yaml", "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n"+
		"  operators.operatorframework.io.bundle.manifests.v1: manifests/\n  operators.operatorframework.io.bundle.metadata.v1: metadata/\n"+
		"  operators.operatorframework.io.bundle.package.v1: acme\n  operators.operatorframework.io.bundle.channels.v1: stable\n")
	save("manifests/acme.clusterserviceversion.yaml", b.text(registry))
	return dir
}

func (b bundle) text(registry string) string {
	var s strings.Builder
	s.WriteString("apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: acme.v1.0.0\n  labels:\n    app: acme\n")
	for label := range strings.FieldsSeq(b.labels) {
		key, value, ok := strings.Cut(label, "=")
		if !ok {
			value = "supported"
		}
		fmt.Fprintf(&s, "    operatorframework.io/%s: %q\n", key, value)
	}
	s.WriteString("spec:\n  version: 1.0.0\n")
	if len(b.related) > 0 {
		s.WriteString("  relatedImages:\n")
		for _, image := range b.related {
			fmt.Fprintf(&s, "  - {name: %s, image: %q}\n", image, registry+"/x/"+image)
		}
	}
	s.WriteString("  install:\n    strategy: deployment\n    spec:\n      deployments:\n      - name: acme\n        spec:\n          replicas: 1\n" +
		"          selector: {matchLabels: {app: acme}}\n          template:\n            metadata: {labels: {app: acme}}\n            spec:\n")
	for _, list := range []struct {
		field string
		of    []container
	}{{"initContainers", b.init}, {"containers", b.containers}} {
		if len(list.of) == 0 {
			continue
		}
		fmt.Fprintf(&s, "              %s:\n", list.field)
		for _, c := range list.of {
			fmt.Fprintf(&s, "              - {name: %s, image: %q}\n", c.name, registry+"/x/"+c.image)
		}
	}
	if b.selector != "" {
		fmt.Fprintf(&s, "              nodeSelector: {%s}\n", b.selector)
	}
	if b.terms != "" {
		fmt.Fprintf(&s, "              affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [%s]}}}\n", b.terms)
	}
	return s.String()
}

// in returns a requirement: "kubernetes.io/arch In [amd64]".
func in(key, values string) string {
	return "{key: kubernetes.io/" + key + ", operator: In, values: [" + values + "]}"
}

// term returns a term with requirements.
func term(expressions ...string) string {
	return "{matchExpressions: [" + strings.Join(expressions, ", ") + "]}"
}
