package engine_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// runWith runs the function on an input with who answers for images.
func runWith(t *testing.T, input, config string, reach func(registry.Options) (registry.Resolver, error)) finding.List {
	t.Helper()
	configs := readItems(t, config)
	_, found := engine.Function{Open: reach}.Render(t.Context(), readItems(t, input), engine.Given(configs[0]))
	return found
}

// compareFindings compares the beginnings of what was found about secrets and
// authorities, without the severity.
func compareFindings(t *testing.T, reason string, want []string, found finding.List) {
	t.Helper()
	var got []string
	for _, f := range found {
		if f.ID < finding.SecretMissing || f.ID > finding.AuthorityInvalid {
			continue
		}
		f.Object.File, f.Line = "", 0
		_, line, _ := strings.Cut(f.String(), " ")
		line = strings.Replace(line, "GoldenImages/c ", "", 1)
		if i := len(got); i < len(want) && strings.HasPrefix(line, want[i]) {
			line = want[i]
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nfindings (-want +got):\n%s", reason, diff)
	}
	if strings.Contains(found.String(), "pl4nted") || strings.Contains(found.String(), "-pw") {
		t.Errorf("%s\na secret is told:\n%s", reason, found)
	}
}

// basics returns the logins that came in, as user:password.
func basics(s *registrytest.Server) []string {
	var out []string
	for _, proof := range s.Credentials() {
		if rest, ok := strings.CutPrefix(proof, "Basic "); ok {
			text, _ := base64.StdEncoding.DecodeString(rest)
			out = append(out, string(text))
		}
	}
	return out
}
