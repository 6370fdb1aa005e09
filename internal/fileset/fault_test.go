package fileset

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/durable/durabletest"
)

// TestWriteFails: wherever the disk fails, each file is whole, and [Recover] makes the
// same files as a run without a fault, or nothing was begun.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	old := map[string]string{"a": "1", "b": "2", "c": "3"}
	whole := map[string]string{"a": "one", "b": "two", "c": "three"}
	failures := 0
	for _, step := range durabletest.Steps() {
		for after := range 5 { // the journal, three files, and once more
			dir := tree(t, old)
			set, err := Prepare(dir, []Change{change(dir, "a", "1", "one"), change(dir, "b", "2", "two"), change(dir, "c", "3", "three")})
			if err != nil {
				t.Fatal(err)
			}
			failed := set.write(durabletest.Faulty(step, after))
			now := content(t, dir)
			for name := range old {
				if now[name] != old[name] && now[name] != whole[name] {
					t.Errorf("%s, %d: %s is %q", step, after, name, now[name])
				}
			}
			began := Interrupted(dir)
			if _, left, err := Recover(dir); err != nil || len(left) > 0 {
				t.Errorf("%s, %d: left %v (%v)", step, after, left, err)
			}
			want := whole
			if failed != nil && !began {
				want = old
			}
			if failed != nil {
				failures++
			}
			if diff := cmp.Diff(want, content(t, dir)); diff != "" {
				t.Errorf("%s, %d, error %v (-want +got):\n%s", step, after, failed, diff)
			}
		}
	}
	if failures < 4*len(durabletest.Steps()) {
		t.Errorf("only %d runs failed", failures)
	}
}
