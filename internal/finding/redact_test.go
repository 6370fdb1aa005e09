package finding

import (
	"strings"
	"testing"
)

func TestNoCredentials(t *testing.T) {
	t.Parallel()
	digest := "@sha256:" + strings.Repeat("a", 64)
	for in, want := range map[string]string{
		"docker://user:s3cret@quay.io/x/both:1":                        "docker://xxxxx@quay.io/x/both:1",
		"docker://user:s3cret@quay.io/x/both:1" + digest:               "docker://xxxxx@quay.io/x/both:1" + digest,
		"user:s3cret@quay.io/x:1":                                      "xxxxx@quay.io/x:1",
		`the override of "user:s3cret@quay.io/x:1" is unused`:          `the override of "xxxxx@quay.io/x:1" is unused`,
		"docker://fedora:40" + digest:                                  "docker://fedora:40" + digest,
		"fedora:40" + digest:                                           "fedora:40" + digest,
		"quay.io/a/b:1" + digest:                                       "quay.io/a/b:1" + digest,
		"https://b.example.com/d.qcow2?a=1&X-Amz-Signature=s3cret&b=2": "https://b.example.com/d.qcow2?a=1&X-Amz-Signature=xxxxx&b=2",
		`get "https://b.example.com/d?token=s3cret"`:                   `get "https://b.example.com/d?token=xxxxx"`,
		"https://b.example.com/d?tokens=3&design=1":                    "https://b.example.com/d?tokens=3&design=1",
	} {
		f := Finding{ID: Unresolved, Severity: Error, Field: "spec", Text: in, Current: in, Proposed: in}
		if got := f.Message(); got != want {
			t.Errorf("text: want %q, got %q", want, got)
		}
		r := f.result()
		if r.Field.CurrentValue != want || r.Field.ProposedValue != want || strings.Contains(r.Message, "s3cret") {
			t.Errorf("result: want %q, got %+v", want, r.Field)
		}
	}
}
