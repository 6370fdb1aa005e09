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

// bundle is a bundle of one ClusterServiceVersion.
type bundle struct {
	labels     string // "arch.amd64 os.linux"; "arch.arm64=no" has another value
	containers []container
	init       []container
	related    []string
	selector   string       // of nodes
	terms      string       // of a required node affinity, in YAML's flow style
	preferred  string       // terms of a preferred node affinity
	env        []string     // "RELATED_IMAGE_X=two:1": variables of the first container
	more       []deployment // beside the one that the fields above describe
}

// deployment is a deployment of a ClusterServiceVersion.
type deployment struct {
	containers, init           []container
	selector, terms, preferred string
	env                        []string
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
	s.WriteString("  install:\n    strategy: deployment\n    spec:\n      deployments:\n")
	first := deployment{containers: b.containers, init: b.init, selector: b.selector, terms: b.terms, preferred: b.preferred, env: b.env}
	for i, d := range append([]deployment{first}, b.more...) {
		d.text(&s, fmt.Sprintf("acme-%d", i), registry)
	}
	return s.String()
}

// text writes the deployment as an element of a list.
func (d deployment) text(s *strings.Builder, name, registry string) {
	fmt.Fprintf(s, "      - name: %s\n        spec:\n          replicas: 1\n          selector: {matchLabels: {app: %[1]s}}\n"+
		"          template:\n            metadata: {labels: {app: %[1]s}}\n            spec:\n", name)
	for _, list := range []struct {
		field string
		of    []container
	}{{"initContainers", d.init}, {"containers", d.containers}} {
		if len(list.of) == 0 {
			continue
		}
		fmt.Fprintf(s, "              %s:\n", list.field)
		for i, c := range list.of {
			fmt.Fprintf(s, "              - name: %s\n                image: %q\n", c.name, registry+"/x/"+c.image)
			if list.field != "containers" || i > 0 || len(d.env) == 0 {
				continue
			}
			s.WriteString("                env:\n")
			for _, variable := range d.env {
				key, image, _ := strings.Cut(variable, "=")
				fmt.Fprintf(s, "                - {name: %s, value: %q}\n", key, registry+"/x/"+image)
			}
		}
	}
	if d.selector != "" {
		fmt.Fprintf(s, "              nodeSelector: {%s}\n", d.selector)
	}
	var affinity []string
	if d.terms != "" {
		affinity = append(affinity, "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["+d.terms+"]}")
	}
	if d.preferred != "" {
		affinity = append(affinity, "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "+d.preferred+"}]")
	}
	if len(affinity) > 0 {
		fmt.Fprintf(s, "              affinity: {nodeAffinity: {%s}}\n", strings.Join(affinity, ", "))
	}
}

// in returns a requirement: "kubernetes.io/arch In [amd64]".
func in(key, values string) string {
	return "{key: kubernetes.io/" + key + ", operator: In, values: [" + values + "]}"
}

// term returns a term with requirements.
func term(expressions ...string) string {
	return "{matchExpressions: [" + strings.Join(expressions, ", ") + "]}"
}
