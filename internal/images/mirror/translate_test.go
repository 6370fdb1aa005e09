package mirror

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func digests(source string, mirrors ...string) Rule {
	return Rule{Source: source, Mirrors: mirrors, Use: DigestOnly}
}

func tags(source string, mirrors ...string) Rule {
	return Rule{Source: source, Mirrors: mirrors, Use: TagOnly}
}

func never(r Rule) Rule {
	r.NeverContactSource = true
	return r
}

// ends are mirrors of a use.
func ends(use Use, locations ...string) []Endpoint {
	out := make([]Endpoint, len(locations))
	for i, l := range locations {
		out[i] = Endpoint{Location: l, Use: use}
	}
	return out
}

// The cases are those that OpenShift's own translation is known by.
func TestTranslate(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		rules  []Rule
		want   []Scope
	}{
		"Apart": {
			reason: "sets of different sources stay apart; the order of a list is not that of the alphabet",
			rules:  []Rule{digests("s.net", "z.net", "y.net", "x.net"), digests("s.com", "z.com", "y.com")},
			want:   []Scope{{Prefix: "s.com", Mirrors: ends(DigestOnly, "z.com", "y.com")}, {Prefix: "s.net", Mirrors: ends(DigestOnly, "z.net", "y.net", "x.net")}},
		},
		"Chained": {
			reason: "two lists that share a mirror make one order",
			rules:  []Rule{digests("s.io", "c", "d", "e"), digests("s.io", "a", "b", "c")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "a", "b", "c", "d", "e")}},
		},
		"Unrelated": {
			reason: "lists that share nothing are merged by the alphabet, step by step",
			rules:  []Rule{digests("s.io", "o1"), digests("s.io", "o3"), digests("s.io", "o2")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "o1", "o2", "o3")}},
		},
		"Steps": {
			reason: "what is freed queues up behind what was free already",
			rules:  []Rule{digests("s.io", "a", "c"), digests("s.io", "b", "d")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "a", "b", "c", "d")}},
		},
		"Contradiction": {
			reason: "lists that contradict each other end in an order all the same: the alphabet breaks the ring",
			rules:  []Rule{digests("s.io", "r1", "r2"), digests("s.io", "local", "r2", "r1")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "local", "r1", "r2")}},
		},
		"SourceWithin": {
			reason: "a source that stands before a mirror keeps its place",
			rules:  []Rule{digests("s.io", "z", "s.io", "y"), digests("s.io", "s.io", "y", "x")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "z", "s.io", "y", "x")}},
		},
		"SourceLast": {
			reason: "a source at the end of the list is asked last anyway",
			rules:  []Rule{digests("s.io", "m", "s.io")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "m")}},
		},
		"OnlySource": {
			reason: "a set whose mirrors only repeat the source is ignored, with its policy",
			rules:  []Rule{never(digests("s.io", "s.io", "s.io")), never(tags("t.io"))},
			want:   nil,
		},
		"OnlySourceBeside": {
			reason: "so its policy does not count beside a set that has mirrors",
			rules:  []Rule{digests("s.io", "m"), never(digests("s.io", "s.io")), never(tags("s.io"))},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "m")}},
		},
		"Uses": {
			reason: "mirrors for digests before those for tags, each kind in an order of its own",
			rules:  []Rule{tags("s.io", "b", "a"), digests("s.io", "a", "b")},
			want:   []Scope{{Prefix: "s.io", Mirrors: append(ends(DigestOnly, "a", "b"), ends(TagOnly, "b", "a")...)}},
		},
		"NeverByDigestSet": {
			reason: "NeverContactSource of a digest set blocks the source for tags as well",
			rules:  []Rule{never(digests("s.io", "m"))},
			want:   []Scope{{Prefix: "s.io", Blocked: true, Mirrors: ends(DigestOnly, "m")}},
		},
		"NeverOfOne": {
			reason: "one of several sets is enough to block the source",
			rules:  []Rule{digests("s.io", "m"), never(tags("s.io", "t"))},
			want:   []Scope{{Prefix: "s.io", Blocked: true, Mirrors: append(ends(DigestOnly, "m"), ends(TagOnly, "t")...)}},
		},
		"NeverNotWithin": {
			reason: "NeverContactSource counts for its own scope, not for one within it",
			rules:  []Rule{never(digests("s.io", "m")), digests("s.io/a", "n")},
			want:   []Scope{{Prefix: "s.io", Blocked: true, Mirrors: ends(DigestOnly, "m")}, {Prefix: "s.io/a", Mirrors: ends(DigestOnly, "n")}},
		},
		"Twice": {
			reason: "a mirror that is named twice is asked once",
			rules:  []Rule{digests("s.io", "m", "m"), digests("s.io", "m")},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(DigestOnly, "m")}},
		},
		"Any": {
			reason: "a rule of the configuration is for tags and digests",
			rules:  []Rule{{Source: "s.io", Mirrors: []string{"b", "a"}}},
			want:   []Scope{{Prefix: "s.io", Mirrors: ends(Any, "b", "a")}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, Translate(tc.rules...).scopes); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// However lists are merged: every mirror once, none else, each list in its order
// where the lists agree, and the same whatever the order of the lists is.
func TestMergedProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Cut from one order, the lists agree.
		whole := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "order")
		var lists [][]string
		for range rapid.IntRange(1, 5).Draw(t, "lists") {
			var list []string
			for _, m := range whole {
				if rapid.Bool().Draw(t, "has") {
					list = append(list, m)
				}
			}
			if len(list) > 0 {
				lists = append(lists, list)
			}
		}
		got := merged("s.io", lists)
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))) {
			t.Fatalf("%v gives %v: want every mirror once", lists, got)
		}
		for _, list := range lists {
			for i := range list[1:] {
				if slices.Index(got, list[i]) > slices.Index(got, list[i+1]) {
					t.Fatalf("%v gives %v: the order of %v is lost", lists, got, list)
				}
			}
		}
		if again := merged("s.io", rapid.Permutation(lists).Draw(t, "shuffled")); !slices.Equal(got, again) {
			t.Fatalf("%v gives %v, and in another order %v", lists, got, again)
		}
	})
}
