package cli

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestUnansweredImages: where no registry and no lock says what an image has, each verb names the cause, what mends it, and the flag
// that states it for one run if the verb has that.
func TestUnansweredImages(t *testing.T) {
	t.Parallel()
	const image = "registry.invalid/own:1"
	const forOneRun = "ass --image " + image + "=ARCH,… for this run, or "
	nodes := []string{"--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64"}
	for _, tc := range []struct {
		reason string
		args   []string
		states bool // the nodes are stated, too
		says   []string
		not    string
	}{
		{"check, and no registry answers", []string{"check", "virt"}, true, []string{"GA201", forOneRun + "check the name", "(HTTPS_PROXY)"}, "GA601"},
		{"fix, and no registry answers", []string{"fix", "virt"}, true, []string{"GA201", forOneRun + "check the name", "(HTTPS_PROXY)"}, "GA601"},
		{"lock, and no registry answers", []string{"lock", "virt"}, false, []string{"GA201", forOneRun + "check the name", "(HTTPS_PROXY)"}, "spec.overrides"},
		{
			"check without a network",
			[]string{"check", "virt", "--offline"},
			true,
			[]string{"GA601", "(--offline, or lock mode Require)", forOneRun + "run: goldenarch lock virt --only " + image},
			"GA201",
		},
		{
			"fix without a network",
			[]string{"fix", "virt", "--offline"},
			true,
			[]string{"GA601", forOneRun + "run: goldenarch lock virt --only " + image},
			"GA201",
		},
		{
			"a commit of a stranger, and no list of registries",
			[]string{"check", "virt", "--untrusted", "--base", "empty"},
			true,
			[]string{
				"GA601", "goldenarch queries no registry (--untrusted without --registry-allow)",
				"--registry-allow registry.invalid. Or give the commit of --base a lock that has the image: goldenarch lock",
			},
			"--offline",
		},
		{
			"one with a list that lacks the registry",
			[]string{"check", "virt", "--untrusted", "--base", "empty", "--registry-allow", "quay.io"},
			true,
			[]string{"GA201", forOneRun + "if that host is meant", "must list it in --registry-allow"},
			"GA601",
		},
	} {
		dir := filetest.New(t, map[string]string{"virt/hco.yaml": strings.ReplaceAll(strangersCR, "quay.example/own:1", image)})
		initialised(t, dir)
		commitTree(t, dir, nil)
		args := append(tc.args, "--set", "registryRetries=0")
		if tc.states {
			args = append(args, nodes...)
		}
		if tc.args[0] == "fix" {
			args = append(args, "--check")
		}
		out, status := inTree(t, dir, nil, args...)
		for _, text := range tc.says {
			if status != statusFailed || !strings.Contains(out, text) || strings.Contains(out, tc.not) {
				t.Errorf("%s: %v ends with %d, want %q and not %q\n%s", tc.reason, args, status, text, tc.not, out)
			}
		}
	}
}
