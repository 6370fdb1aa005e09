//go:build unix

package hostile

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// entriesOf returns an index of which each entry says something else than its
// image is: pairs of what the entry says and what the image is.
func entriesOf(pairs ...[2]string) registrytest.Artifact {
	var entries []registrytest.Entry
	for _, pair := range pairs {
		entries = append(entries, registrytest.Entry{Artifact: registrytest.Image(pair[1]), Platform: pair[0]})
	}
	return registrytest.IndexOf(entries...)
}

// claim matches the declared architectures of a template.
var claim = regexp.MustCompile(`dict\.architectures: '?([a-z0-9,]+?)'?[,\n]? golden`)

// TestClaims: what a registry says is compared exactly, as CDI's importer compares
// it, and a finding says why an entry is not counted. What people say is normalised.
func TestClaims(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		serves registrytest.Artifact
		claims string
		says   string // part of the finding
	}{
		"Alias":         {entriesOf([2]string{"linux/x86_64", "linux/amd64"}, [2]string{"linux/arm64", "linux/arm64"}), "arm64", `"x86_64"`},
		"Aarch64":       {entriesOf([2]string{"linux/amd64", "linux/amd64"}, [2]string{"linux/aarch64", "linux/arm64"}), "amd64", `"aarch64"`},
		"CaseAndBlanks": {entriesOf([2]string{"linux/ AMD64 ", "linux/amd64"}, [2]string{"linux/arm64", "linux/arm64"}), "arm64", `" AMD64 "`},
		"System":        {entriesOf([2]string{"Linux/amd64", "linux/amd64"}, [2]string{"linux/arm64", "linux/arm64"}), "arm64", `"Linux"`},
		"BareFirst":     {registrytest.BareIndex("linux/amd64", "linux/arm64"), "amd64", "no platform"},
		"BareSecond":    {registrytest.BareIndex("linux/s390x", "linux/amd64", "linux/arm64"), "s390x", "no platform"},
		"BareBeside": {
			serves: entriesOf([2]string{"linux/arm64", "linux/arm64"}, [2]string{"", "linux/amd64"}, [2]string{"", "linux/s390x"}),
			claims: "amd64,arm64",
			says:   "no platform",
		},
		"Configuration": {registrytest.ImageWithConfig([]byte(`{"os":"linux","architecture":"x86_64"}`)), "", `x86_64`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serving(t)
			s.Push("org/disk:1", tc.serves)
			args := []string{
				"render", "-", "--workload-architectures", "x86_64,aarch64,s390x",
				"--set", "predefined=none", "--set", "registryInsecure=" + s.Host(), "--set", "registryRetries=0",
			}
			got := Run(t, args, crOf(s.Host()+"/org/disk:1"), Limits{})
			if tc.claims == "" {
				if got.Status != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, tc.says) {
					t.Errorf("want an error that says %s, got %d and\n%s%s", tc.says, got.Status, got.Stderr, got.Stdout)
				}
				return
			}
			if found := claim.FindStringSubmatch(got.Stdout); got.Status != 0 || len(found) < 2 || found[1] != tc.claims {
				t.Errorf("want the claim %q, got %d and\n%s%s", tc.claims, got.Status, got.Stdout, got.Stderr)
			}
			if !strings.Contains(got.Stderr, "GA219") || !strings.Contains(got.Stderr, tc.says) {
				t.Errorf("want a finding that says %s, got\n%s", tc.says, got.Stderr)
			}
		})
	}
}
