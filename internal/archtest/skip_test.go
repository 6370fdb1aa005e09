package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// skips matches a call that leaves a test undone.
var skips = regexp.MustCompile(`\.Skip[A-Za-z]*[(]`)

// TestNothingIsSkipped: a test that skips itself passes on a system where nobody has tried what it
// is about. Files for one system have build constraints.
func TestNothingIsSkipped(t *testing.T) {
	t.Parallel()
	if !skips.MatchString("t." + `SkipNow()`) {
		t.Fatal("the expression misses a skip")
	}
	eachGoFile(t, func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") && skips.Match(data) {
			t.Errorf("%s skips a test: make it hold on each system, or give its file a build constraint", path)
		}
	})
}
