//go:build unix

package hostile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// many are inputs of one kind of thing, many times.
var many = map[string]struct {
	n    int
	of   func(n int) string
	args []string
}{
	"Keys": {200_000, func(n int) string {
		return hugeHead + "spec:\n  featureGates: {}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n" + repeat(n, "  k%06d: v\n")
	}, hugeVerbs["render"]},
	"KeysOfTheCR": {200_000, func(n int) string { return hugeHead + "spec:\n  more:\n" + repeat(n, "    k%06d: v\n") }, hugeVerbs["render"]},
	"Annotations": {100_000, func(n int) string {
		return hugeHead + "  annotations:\n" + repeat(n, "    example.com/k%06d: v\n") + "spec: {}\n"
	}, hugeVerbs["render"]},
	"Templates": {4_000, func(n int) string {
		const template = "  - metadata: {name: t%[1]d}\n" +
			"    spec:\n" +
			"      managedDataSource: t%[1]d\n" +
			"      schedule: \"0 0 * * *\"\n" +
			"      template: {spec: {source: {registry: {url: \"docker://quay.io/a/a\"}}, storage: {resources: {requests: {storage: 30Gi}}}}}\n"
		return hugeHead + "spec:\n  dataImportCronTemplates:\n" + repeat(n, template)
	}, []string{"check", "--offline", "--image", "quay.io/a/a=amd64,arm64", "--workload-architectures", "amd64,arm64", "-"}},
	"CRs":         {20_000, crs, render},
	"CRsChecked":  {3_000, crs, []string{"check", "--offline", "--workload-architectures", "amd64,arm64", "-"}},
	"CRsForecast": {4_000, crs, []string{"forecast", "--workload-architectures", "amd64,arm64", "-"}},
}

var render = []string{"render", "--offline", "--workload-architectures", "amd64,arm64", "-"}

func repeat(n int, form string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, form, i)
	}
	return text.String()
}

// crs are CRs with names of their own.
func crs(n int) string {
	return repeat(n, "---\n"+strings.Replace(hugeHead, "name: kubevirt-hyperconverged\n", "name: kubevirt-hyperconverged%d\n", 1)+"spec: {}\n")
}

// TestLinear: four times as much takes about four times as long and four times the memory,
// and not sixteen times. Both limits are in the middle. The test compares processor time,
// because other programs run beside it; they still slow a shared core, so that a comparison that
// fails is made again, and the shortest times count. It compares the growth of the memory,
// because the peak depends on when the garbage collector runs, which moves it by half in either
// direction; Limits.Memory bounds the peak itself.
func TestLinear(t *testing.T) {
	const (
		parts    = 4
		growth   = 8
		attempts = 3
		least    = 64 << 20
		longest  = 60 * time.Second
	)
	for name, tc := range many {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Once: true, Time: longest, Memory: 2 << 30}
			shortLess, shortMore := longest, longest
			for attempt := 1; ; attempt++ {
				less := Run(t, tc.args, tc.of(tc.n/parts), limits)
				more := Run(t, tc.args, tc.of(tc.n), limits)
				if less.Status > 1 || more.Status != less.Status {
					t.Fatalf("want the status 0 or 1 twice, got %d and %d:\n%.2000s", less.Status, more.Status, more.Stderr)
				}
				t.Logf("%d: %s, %d MB; %d: %s, %d MB", tc.n/parts, less.Took, less.Peak>>20, tc.n, more.Took, more.Peak>>20)
				shortLess, shortMore = min(shortLess, less.Took), min(shortMore, more.Took)
				isLong := shortMore > growth*max(shortLess, 100*time.Millisecond)
				isLarge := more.Peak > growth*max(less.Peak, least)
				if !isLong && !isLarge {
					return
				}
				if attempt == attempts {
					t.Fatalf("%d times as much takes more than %d times the time or the memory, %d times in a row", parts, growth, attempts)
				}
			}
		})
	}
}
