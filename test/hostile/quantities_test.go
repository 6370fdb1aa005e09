//go:build unix

package hostile

import (
	"fmt"
	"strings"
	"testing"
)

// TestQuantities: a quantity that nobody can compute with is refused before it is
// parsed, wherever a verb reads one.
func TestQuantities(t *testing.T) {
	t.Parallel()
	known := []string{"--set", "predefined=none", "--workload-architectures", "amd64", "--set", "unresolved=Keep"}
	verbs := map[string][]string{
		"render": append([]string{"render", "-", "--offline"}, known...), "check": append([]string{"check", "-", "--offline"}, known...),
		"forecast": append([]string{"forecast", "-"}, known...), "lock": {"lock", "-", "--file", "l.yaml", "--set", "predefined=none", "--set", "registryRetries=0"},
		"expand": append([]string{"render", "-", "--offline", "--set", "expand=Emit"}, known...),
	}
	for _, quantity := range []string{"1e999999999", "1e-999999999"} {
		cr := strings.Replace(crOf("127.0.0.1:1/a/b:1"), "30Gi", `"`+quantity+`"`, 1)
		cr = strings.Replace(cr, "metadata: {name: t0}", "metadata: {name: t0, annotations: {ssp.kubevirt.io/dict.architectures: amd64}}", 1)
		for verb, args := range verbs {
			t.Run(fmt.Sprintf("%s/%.13s", verb, quantity), func(t *testing.T) {
				got := Run(t, args, cr, Limits{})
				if verb != "lock" && !strings.Contains(got.Stdout+got.Stderr, "storage") {
					t.Errorf("nothing is said of the storage: %d\n%.2000s", got.Status, got.Stderr)
				}
			})
		}
	}
}
