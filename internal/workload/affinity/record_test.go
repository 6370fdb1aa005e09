package affinity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/arch"
)

func TestRecordsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := Records{}
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			r := Record{Architectures: arch.NewSet(rapid.SliceOf(rapid.SampledFrom(arch.All())).Draw(t, "architectures")...)}
			r.OS = len(r.Architectures) > 0 && rapid.Bool().Draw(t, "os")
			for range rapid.IntRange(0, 2).Draw(t, "terms") {
				if len(r.Architectures) > 0 {
					r.Terms = append(r.Terms, Term{ID: rapid.StringMatching("[0-9a-f]{8}").Draw(t, "id"), OS: rapid.Bool().Draw(t, "termOS")})
				}
			}
			for range rapid.IntRange(0, 2).Draw(t, "preferred") {
				r.Preferred = append(r.Preferred, Preference{rapid.SampledFrom(arch.All()).Draw(t, "one"), rapid.IntRange(1, 100).Draw(t, "weight")})
			}
			if !r.IsZero() {
				want[rapid.SampledFrom([]string{"", "manager", "spec.jobs[0].template.spec", "a/b"}).Draw(t, "key")] = r
			}
		}
		if len(want["manager"].Architectures) == 0 {
			delete(want, "manager")
		}
		got := ParseRecords(want.String())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q:\n%s", want, diff)
		}
	})
}

func TestRecordsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want, reason string }{
		{"", "", "nothing"},
		{"vax", "", "no architecture"},
		{"amd64,vax", "", "half of it is not a record: the rest may be another's"},
		{"amd64; manager: x; webhook: arm64", "amd64; webhook: arm64", "each entry counts by itself"},
		{"amd64 preferred arm64=x", "amd64", "a weight that is not a number"},
		{"amd64 terms 1f2e3d4c", "amd64 terms 1f2e3d4c", "the ids of terms"},
		{"amd64 terms 1f2e3d4c,no id", "", "ids are hexadecimal"},
		{" linux/arm64 , ", "", "goldenarch writes no blanks there"},
	} {
		if got := ParseRecords(tc.text).String(); got != tc.want {
			t.Errorf("%s: %q is read as %q, want %q", tc.reason, tc.text, got, tc.want)
		}
	}
}

func FuzzRecords(f *testing.F) {
	for _, seed := range []string{
		"amd64,arm64", "linux/amd64 preferred arm64=50", "amd64 terms 1f2e3d4c,linux/0a1b2c3d preferred arm64=50",
		"manager: amd64; webhook: arm64", ": ;", "preferred =", "amd64 terms 1f,ar\x00 ,",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := ParseRecords(text).String()
		if twice := ParseRecords(once).String(); twice != once {
			t.Errorf("%q is read as %q and then as %q", text, once, twice)
		}
	})
}
