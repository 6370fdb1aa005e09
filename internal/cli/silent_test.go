package cli

import (
	"strings"
	"testing"
)

// TestNoVerbIsSilent: a run that wrote nothing says so, and why.
func TestNoVerbIsSilent(t *testing.T) {
	t.Parallel()
	const image = "HOST/x/fedora:1=amd64,arm64"
	nodes := []string{"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--release", "1.19"}
	without := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: kubevirt-hyperconverged}\nspec: {}\n"
	for _, tc := range []struct {
		reason string
		cr     string // instead of one with an image
		before []string
		args   []string
		says   string
	}{
		{
			reason: "all images are stated", args: []string{"lock", "DIR", "--image", image},
			says: "nothing to lock: all images are stated (--image, overrides)",
		},
		{reason: "the same with --check", args: []string{"lock", "DIR", "--check", "--image", image}, says: "nothing to lock: all images are stated"},
		{reason: "no image is named", cr: without, args: []string{"lock", "DIR"}, says: "nothing to lock: no image of a registry is named"},
		{reason: "the lock is right", before: []string{"lock", "DIR"}, args: []string{"lock", "DIR"}, says: "no change to DIR/golden-images.lock.yaml"},
		{reason: "the same with --check", before: []string{"lock", "DIR"}, args: []string{"lock", "DIR", "--check"}, says: "no change to DIR/golden-images.lock.yaml"},
		{reason: "fix", before: append([]string{"fix", "DIR"}, nodes...), args: append([]string{"fix", "DIR"}, nodes...), says: "no file needs a change"},
		{
			reason: "fix --check", before: append([]string{"fix", "DIR"}, nodes...), args: append([]string{"fix", "DIR", "--check"}, nodes...),
			says: "no file needs a change",
		},
		{
			reason: "fix --diff", before: append([]string{"fix", "DIR"}, nodes...), args: append([]string{"fix", "DIR", "--diff"}, nodes...),
			says: "no file needs a change",
		},
		{
			reason: "init --check", before: append([]string{"init", "DIR"}, nodes...), args: append([]string{"init", "DIR", "--check"}, nodes...),
			says: "there is nothing to write",
		},
		{
			reason: "customize", before: []string{"customize", "x-fedora", "--disable", "DIR"}, args: []string{"customize", "x-fedora", "--disable", "DIR"},
			says: "no file needs a change",
		},
		{
			reason: "customize --check", before: []string{"customize", "x-fedora", "--disable", "DIR"},
			args: []string{"customize", "x-fedora", "--disable", "DIR", "--check"}, says: "no file needs a change",
		},
	} {
		l := newLockedTree(t)
		cr := strings.Replace(l.cr("x/fedora:1"), "{source: {registry", "{storage: {resources: {requests: {storage: 5Gi}}}, source: {registry", 1)
		if tc.cr != "" {
			cr = tc.cr
		}
		l.write("hco.yaml", cr)
		if tc.before != nil {
			if status, _, errs := l.run(nil, tc.before...); status != statusOK {
				t.Fatalf("%s: %v ends with %d\n%s", tc.reason, tc.before, status, errs)
			}
		}
		status, out, errs := l.run(nil, tc.args...)
		if want := strings.ReplaceAll(tc.says, "DIR", l.dir); status != statusOK || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %v ends with %d, want %q\n%s%s", tc.reason, tc.args, status, want, out, errs)
		}
	}
}
