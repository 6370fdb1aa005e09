package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNewerReleases: a release newer than the newest verified one behaves as that
// one in every verb, with one warning, which --strict makes an error.
func TestNewerReleases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := writeFile(t, dir, "config.yaml", strings.Replace(pinnedConfig, `release: "1.19"`, `release: "1.20"`, 1))
	for _, cr := range []string{pinnedV1beta1, pinnedV1} {
		path := writeFile(t, dir, "cr.yaml", strings.Replace(cr, "  PLACED\n", "", 1))
		for _, verb := range []string{"render", "check", "forecast"} {
			args := []string{verb, path, "--config", config, "--workload-architectures", "amd64,arm64"}
			if verb == "check" {
				args = append(args, "--as", "rendered")
			}
			want, errs, status := runVerb(t, args...)
			if status != statusOK || strings.Contains(errs+want, "GA433") {
				t.Fatalf("%s of 1.20: status %d\n%s", verb, status, errs)
			}
			for _, release := range []string{"1.21", "4.25", "5.1", "v5.2.1"} {
				got, errs, status := runVerb(t, append(args, "--release", release)...)
				if n := strings.Count(errs+got, "warning GA433"); status != statusOK || n != 1 {
					t.Errorf("%s of %s: status %d, want one warning, got %d\n%s", verb, release, status, n, errs)
				}
				if diff := cmp.Diff(want, got); verb != "check" && diff != "" {
					t.Errorf("%s of %s does something else than of 1.20:\n%s", verb, release, diff)
				}
				_, errs, status = runVerb(t, append(args, "--release", release, "--strict")...)
				if verb == "check" {
					errs, _, _ = runVerb(t, append(args, "--release", release, "--strict")...)
				}
				if status != statusFailed || !strings.Contains(errs, "error GA433") {
					t.Errorf("%s of %s, strict: status %d\n%s", verb, release, status, errs)
				}
			}
		}
	}
}
