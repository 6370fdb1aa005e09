package machine

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/operators/kubevirt"
)

// TestBy: a message has words for all that may decide an architecture.
func TestBy(t *testing.T) {
	t.Parallel()
	for _, by := range []string{
		string(kubevirt.ByMachine), string(kubevirt.ByPreference), string(kubevirt.ByDataSource), string(kubevirt.ByDefault), byUnknown,
	} {
		j := judged{Result: Result{DecidedBy: by}}
		if j.by() == "" {
			t.Errorf("%q has no words", by)
		}
	}
}
