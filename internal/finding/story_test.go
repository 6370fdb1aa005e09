package finding

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestStories: what several kinds of findings say of one template, object or cluster is one finding, with the lowest id, the worst
// severity, and the advice of an error alone.
func TestStories(t *testing.T) {
	t.Parallel()
	cr := Object{Kind: "HyperConverged", Name: "a"}
	of := func(id ID, severity Severity, template, text string) Finding {
		return Finding{ID: id, Severity: severity, Object: cr, Template: template, Text: text, Do: "do " + text}
	}
	in := func(id ID, cluster string) Finding {
		return Finding{ID: id, Severity: Warning, Object: Object{Kind: "HyperConverged", Cluster: cluster}, Text: string(id)}
	}
	for _, tc := range []struct {
		reason string
		list   List
		want   []string
	}{
		{
			"an error says what to do, and what is beside it goes with it",
			List{of(ImportFails, Error, "x", "an import fails"), of(ImageLacks, Info, "x", "the image lacks arm64")},
			[]string{`error GA104 HyperConverged/a: template "x": an import fails. Do an import fails`},
		},
		{
			"the worst comes first, wherever it stood",
			List{of(ImageLacks, Info, "x", "b"), of(ClaimNarrowed, Warning, "x", "a")},
			[]string{`warning GA104 HyperConverged/a: template "x": a. B. Do a. Do b`},
		},
		{
			"templates stay apart",
			List{of(ImageLacks, Info, "x", "a"), of(ImageLacks, Info, "y", "a")},
			[]string{`info GA104 HyperConverged/a: template "x": a. Do a`, `info GA104 HyperConverged/a: template "y": a. Do a`},
		},
		{
			"clusters stay apart",
			List{in(NoNodeFacts, "a"), in(DefaultUnknown, "a"), in(NoNodeFacts, "b")},
			[]string{"warning GA114 HyperConverged (in a): GA301. GA311", "warning GA114 HyperConverged (in b): GA301"},
		},
		{
			"so do facts about a cluster with fixes of their own",
			List{of(NodeFactsDisagree, Warning, "", "a"), of(DefaultUnknown, Warning, "", "b")},
			[]string{"warning GA114 HyperConverged/a: a. Do a", "warning GA114 HyperConverged/a: b. Do b"},
		},
		{
			"unless one is an error",
			List{of(DefaultUnknown, Warning, "", "b"), of(NoNodeFacts, Error, "", "a"), in(ReleaseNeeded, "b")},
			[]string{"error GA114 HyperConverged/a: a. Do a", "warning GA114 HyperConverged (in b): GA409"},
		},
		{"facts that only share the id", List{of(NotAsRendered, Info, "", "a"), of(GateOn, Info, "", "b")}, []string{
			"info GA107 HyperConverged/a: a. Do a", "info GA107 HyperConverged/a: b. Do b",
		}},
		{"no story", List{of(OverrideUnused, Warning, "", "a")}, []string{"warning GA206 HyperConverged/a: a. Do a"}},
	} {
		var got []string
		for _, f := range tc.list.Stories() {
			got = append(got, f.String())
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s:\nwant %s\ngot  %s", tc.reason, strings.Join(tc.want, "\n     "), strings.Join(got, "\n     "))
		}
		if again := tc.list.Stories().Stories(); len(again) != len(tc.want) {
			t.Errorf("%s: twice gives %d", tc.reason, len(again))
		}
	}
}

// TestStoryOfThousands: a story of thousands of findings stays a sentence or two.
func TestStoryOfThousands(t *testing.T) {
	t.Parallel()
	var list List
	for i := range 20_000 {
		list = append(list, Finding{ID: DefaultUnknown, Severity: Warning, Text: fmt.Sprintf("fact %d", i)})
	}
	got := list.Stories()
	if len(got) != 1 || len(got[0].Text) > 500 || !strings.Contains(got[0].Text, "There are 19991 more findings") {
		t.Errorf("want one short finding, got %d: %.600s", len(got), got[0].Text)
	}
}

// TestPublicIDs: each kind of a story has its id, the lowest of them, and an exception that names another one is told so.
func TestPublicIDs(t *testing.T) {
	t.Parallel()
	seen := map[ID]bool{}
	for _, e := range table() {
		for _, ids := range append(slices.Collect(maps.Values(e.kinds)), []ID{e.id}) {
			for _, id := range ids {
				if id < e.id || seen[id] || id.Public() != e.id {
					t.Errorf("%s is in the story %s: it is lower, or in another one too", id, e.id)
				}
				seen[id] = true
				if now, ok := id.Retired(); id != e.id && (!ok || now != e.id) {
					t.Errorf("%s is %q for users, want %s", id, now, e.id)
				}
			}
		}
	}
}
