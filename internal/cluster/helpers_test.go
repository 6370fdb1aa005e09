package cluster_test

import (
	"strings"
	"testing"

	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// object is an object of the input, given as YAML in one line.
type object struct {
	at   finding.Object
	tree map[string]any
}

func objectOf(t *testing.T, text string) object {
	t.Helper()
	var o object
	if err := k8syaml.Unmarshal([]byte(text), &o.tree); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.at.APIVersion, _ = o.tree["apiVersion"].(string)
	o.at.Kind, _ = o.tree["kind"].(string)
	metadata, _ := o.tree["metadata"].(map[string]any)
	o.at.Name, _ = metadata["name"].(string)
	return o
}

// facts reads what objects say. "config: [a]" is spec.cluster of the
// configuration.
func facts(t *testing.T, objects ...string) []cluster.Facts {
	t.Helper()
	var out []cluster.Facts
	for _, text := range objects {
		if list, ok := strings.CutPrefix(text, "config: "); ok {
			spec := v1alpha1.ClusterSpec{}
			list, hosted := strings.CutSuffix(list, " hosted")
			if hosted {
				spec.ControlPlaneArchitectures = []string{}
			}
			if list != "" {
				spec.WorkloadArchitectures = strings.Split(list, ",")
			}
			f, _ := cluster.FromConfig(spec)
			out = append(out, f)
			continue
		}
		text, all := strings.CutPrefix(text, "all nodes: ")
		o := objectOf(t, text)
		f, says, err := cluster.Read(o.tree, o.at)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		f.AllNodes = all
		if says {
			out = append(out, f)
		}
	}
	return out
}

// messages is what was decided in short: workload, control plane and default, and
// the findings.
func messages(a cluster.Architectures, found finding.List) string {
	controlPlane := a.ControlPlane.String()
	if a.ControlPlaneUnknown {
		controlPlane = "?"
	}
	parts := []string{a.Workload.String(), controlPlane, string(a.Default)}
	for _, f := range found {
		parts = append(parts, string(f.Severity)+" "+string(f.ID))
	}
	return strings.Join(parts, " | ")
}

const worker = `node-role.kubernetes.io/worker: ""`

// node is a Node in YAML with these labels.
func node(name, architecture string, labels ...string) string {
	return "{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + strings.Join(labels, ", ") +
		"}}, status: {nodeInfo: {architecture: " + architecture + "}}}"
}

// states is a ClusterArchitectures in YAML with this spec.
func states(spec string) string {
	return "{apiVersion: goldenarch.dev/v1alpha1, kind: ClusterArchitectures, metadata: {name: prod}, spec: " + spec + "}"
}

// nodePool is a NodePool in YAML.
func nodePool(name, architecture string) string {
	return "{apiVersion: hypershift.openshift.io/v1beta1, kind: NodePool, metadata: {name: " + name + "}, spec: {arch: " + architecture + "}}"
}
