//go:build unix

package hostile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	hugeHead = "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: kubevirt-hyperconverged\n"
	// most is how much processor time each of the inputs may take.
	most = 20 * time.Second
)

// hugeVerbs are the verbs that read manifests. They differ in what they need of them.
var hugeVerbs = map[string][]string{
	"render":   {"render", "--offline", "--workload-architectures", "amd64,arm64", "--set", "predefined=none", "-"},
	"check":    {"check", "--offline", "--workload-architectures", "amd64,arm64", "--set", "predefined=none", "-"},
	"forecast": {"forecast", "--workload-architectures", "amd64,arm64", "-"},
	"lock":     {"lock", "--check", "--set", "predefined=none", "--file", "lock.yaml", "-"},
}

// TestManyDocuments: 200,000 documents take no more memory than ten times their text,
// whatever is read of them.
func TestManyDocuments(t *testing.T) {
	var text strings.Builder
	text.WriteString(hugeHead + "spec: {}\n")
	for i := range 200_000 {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%06d\n", i)
	}
	for verb, args := range hugeVerbs {
		t.Run(verb, func(t *testing.T) {
			got := Run(t, args, text.String(), Limits{Once: true, Time: most})
			if got.Status != 0 {
				t.Errorf("want the status 0, got %d:\n%.2000s", got.Status, got.Stderr)
			}
			limit := int64(10 * text.Len())
			for again := 0; got.Peak > limit && again < 2; again++ { // on a busy machine garbage waits
				got = Run(t, args, text.String(), Limits{Once: true, Time: most})
			}
			if got.Peak > limit {
				t.Errorf("%d bytes of text take %d bytes of memory, more than %d", text.Len(), got.Peak, limit)
			}
			if documents := strings.Count(got.Stdout, "\n---\n"); verb == "render" && documents != 200_000 {
				t.Errorf("want 200,000 documents behind the CR, got %d", documents)
			}
		})
	}
}

// TestManyElements: 200,000 elements of a List that no run looks into take no more memory than
// twelve times their text, whatever the form of the List.
func TestManyElements(t *testing.T) {
	const count = 200_000
	of := func(format, between string) string {
		elements := make([]string, count)
		for i := range elements {
			elements[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(elements, between)
	}
	for name, text := range map[string]string{
		"block": "apiVersion: v1\nkind: List\nitems:\n" + of("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%06d\n", ""),
		"flow":  "apiVersion: v1\nkind: List\nitems: [" + of("{apiVersion: v1, kind: ConfigMap, metadata: {name: c%06d}}", ", ") + "]\n",
		"JSON":  `{"apiVersion":"v1","kind":"List","items":[` + of(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%06d"}}`, ",") + "]}\n",
	} {
		text = hugeHead + "spec: {}\n---\n" + text
		t.Run(name, func(t *testing.T) {
			limit := int64(12 * len(text))
			got := Run(t, hugeVerbs["render"], text, Limits{Once: true, Time: most})
			for again := 0; got.Peak > limit && again < 2; again++ { // on a busy machine garbage waits
				got = Run(t, hugeVerbs["render"], text, Limits{Once: true, Time: most})
			}
			if got.Status != 0 || got.Peak > limit {
				t.Errorf("%d bytes of text take %d bytes of memory, want at most %d; status %d:\n%.2000s", len(text), got.Peak, limit, got.Status, got.Stderr)
			}
			if elements := strings.Count(got.Stdout, "ConfigMap"); elements != count {
				t.Errorf("want %d elements behind the CR, got %d", count, elements)
			}
		})
	}
}

// TestManyItems is the same for the function. A list in brackets is copied once into the lines of a block.
func TestManyItems(t *testing.T) {
	const count = 200_000
	var block, flow strings.Builder
	block.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: goldenarch.dev/v1alpha1\n" +
		"  kind: GoldenImages\n  metadata: {name: g}\n  spec: {predefined: none, lock: {mode: Require}, cluster: {workloadArchitectures: [amd64]}}\n" +
		"items:\n- " + strings.ReplaceAll(hugeHead, "\n", "\n  ") + "spec: {}\n")
	flow.WriteString(`{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","functionConfig":{"apiVersion":"goldenarch.dev/v1alpha1",` +
		`"kind":"GoldenImages","metadata":{"name":"g"},"spec":{"predefined":"none","lock":{"mode":"Require"},"cluster":{"workloadArchitectures":["amd64"]}}},` +
		`"items":[{"apiVersion":"hco.kubevirt.io/v1beta1","kind":"HyperConverged","metadata":{"name":"kubevirt-hyperconverged"},"spec":{}}`)
	for i := range count {
		fmt.Fprintf(&block, "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%06d\n", i)
		fmt.Fprintf(&flow, `,{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%06d"}}`, i)
	}
	flow.WriteString("]}\n")
	for name, tc := range map[string]struct {
		text  string
		times int // of its size, at most
	}{"block": {block.String(), 10}, "JSON": {flow.String(), 12}} {
		t.Run(name, func(t *testing.T) {
			got := Run(t, nil, tc.text, Limits{Once: true, Time: most})
			if got.Status != 0 || strings.Count(got.Stdout, "ConfigMap") != count {
				t.Errorf("want the status 0 and 200,000 ConfigMaps, got %d:\n%.2000s", got.Status, got.Stderr)
			}
			limit := int64(tc.times * len(tc.text))
			for again := 0; got.Peak > limit && again < 2; again++ { // on a busy machine garbage waits
				got = Run(t, nil, tc.text, Limits{Once: true, Time: most})
			}
			if got.Peak > limit {
				t.Errorf("%d bytes of text take %d bytes of memory, more than %d", len(tc.text), got.Peak, limit)
			}
		})
	}
}
