package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
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
			status, want, errs := runFed(t, "", args...)
			if status != statusOK || strings.Contains(errs+want, "GA433") {
				t.Fatalf("%s of 1.20: status %d\n%s", verb, status, errs)
			}
			for _, release := range []string{"1.21", "4.25", "5.1", "v5.2.1"} {
				status, got, errs := runFed(t, "", append(args, "--release", release)...)
				if n := strings.Count(errs+got, "warning GA433"); status != statusOK || n != 1 {
					t.Errorf("%s of %s: status %d, want one warning, got %d\n%s", verb, release, status, n, errs)
				}
				if diff := cmp.Diff(want, got); verb != "check" && diff != "" {
					t.Errorf("%s of %s does something else than of 1.20:\n%s", verb, release, diff)
				}
				status, _, errs = runFed(t, "", append(args, "--release", release, "--strict")...)
				if verb == "check" {
					_, errs, _ = runFed(t, "", append(args, "--release", release, "--strict")...)
				}
				if status != statusFailed || !strings.Contains(errs, "error GA433") {
					t.Errorf("%s of %s, strict: status %d\n%s", verb, release, status, errs)
				}
			}
		}
	}
}

// TestPlanOfNewerReleases: a plan gives the warning once, whoever states the release.
func TestPlanOfNewerReleases(t *testing.T) {
	t.Parallel()
	const dump = "../../examples/plan/before.yaml"
	data := filetest.Read(t, dump)
	newer := writeFile(t, t.TempDir(), "dump.yaml", strings.Replace(string(data), "version: 1.18.1", "version: 1.25.0", 1))
	for _, args := range []string{
		"--live " + dump + " --to-release 9.9",
		"--live " + dump + " --to-release 9.9 ../../examples/plan/hyperconverged.yaml",
		"--live " + dump + " --release 9.9 ../../examples/plan/hyperconverged.yaml",
		"--live " + newer + " --gate Enable",
		"--live " + newer + " --release 1.20 ../../examples/plan/hyperconverged.yaml",
	} {
		status, _, stderr := runFed(t, "", strings.Fields("plan "+args)...)
		if n := strings.Count(stderr, "warning GA433"); status != statusOK || n != 1 {
			t.Errorf("%s: status %d, want one warning, got %d\n%s", args, status, n, stderr)
		}
		if status, stdout, stderr := runFed(t, "", strings.Fields("plan "+args+" --strict")...); status != statusFailed || stdout != "" || !strings.Contains(stderr, "error GA433") {
			t.Errorf("%s, strict: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
}
