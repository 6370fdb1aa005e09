package memory

import (
	"strings"
	"testing"
)

// TestReadsTheKernel: the files of control groups are the kernel's own, and not copies of
// them as in the other tests.
func TestReadsTheKernel(t *testing.T) {
	t.Parallel()
	text, err := readSmall("/proc/self/cgroup")
	if err != nil || !strings.Contains(text, ":") {
		t.Errorf("want the control groups of this process, got %q and %v", text, err)
	}
}
