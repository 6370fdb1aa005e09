package mirror

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func source(name string) Place  { return Place{Name: name, Source: true} }
func blocked(name string) Place { return Place{Name: name, Source: true, Blocked: true} }

func TestPlaces(t *testing.T) {
	t.Parallel()
	quay := Scope{Prefix: "quay.io", Mirrors: []Endpoint{{Location: "m1.io/quay"}, {Location: "m2.io"}}}
	cases := map[string]struct {
		reason string
		scopes []Scope
		name   string
		pinned bool
		want   []Place
	}{
		"NoPolicy": {
			reason: "without a policy there is the source only",
			name:   "quay.io/a/b", want: []Place{source("quay.io/a/b")},
		},
		"Order": {
			reason: "the mirrors in their order, the source last; the rest of the name is added",
			scopes: []Scope{quay}, name: "quay.io/a/b",
			want: []Place{{Name: "m1.io/quay/a/b"}, {Name: "m2.io/a/b"}, source("quay.io/a/b")},
		},
		"NoPart": {
			reason: "a prefix ends where a part of the name ends",
			scopes: []Scope{{Prefix: "quay.io/a", Mirrors: quay.Mirrors}}, name: "quay.io/ab/c",
			want: []Place{source("quay.io/ab/c")},
		},
		"Whole": {
			reason: "a prefix may be the whole name",
			scopes: []Scope{{Prefix: "quay.io/a/b", Mirrors: []Endpoint{{Location: "m.io/x"}}}}, name: "quay.io/a/b",
			want: []Place{{Name: "m.io/x"}, source("quay.io/a/b")},
		},
		"MostSpecific": {
			reason: "only the longest prefix counts: the mirrors of the shorter one are not asked",
			scopes: []Scope{quay, {Prefix: "quay.io/a", Mirrors: []Endpoint{{Location: "m.io/a"}}}}, name: "quay.io/a/b",
			want: []Place{{Name: "m.io/a/b"}, source("quay.io/a/b")},
		},
		"DigestOnlyByTag": {
			reason: "a mirror for digests is not asked for tags",
			scopes: []Scope{{Prefix: "quay.io", Mirrors: []Endpoint{{Location: "d.io", Use: DigestOnly}, {Location: "t.io", Use: TagOnly}}}},
			name:   "quay.io/a", want: []Place{{Name: "t.io/a"}, source("quay.io/a")},
		},
		"TagOnlyByDigest": {
			reason: "a mirror for tags is not asked for digests",
			scopes: []Scope{{Prefix: "quay.io", Mirrors: []Endpoint{{Location: "d.io", Use: DigestOnly}, {Location: "t.io", Use: TagOnly}}}},
			name:   "quay.io/a", pinned: true, want: []Place{{Name: "d.io/a"}, source("quay.io/a")},
		},
		"Blocked": {
			reason: "a blocked source still works through its mirrors",
			scopes: []Scope{{Prefix: "quay.io", Blocked: true, Mirrors: []Endpoint{{Location: "m.io"}}}}, name: "quay.io/a",
			want: []Place{{Name: "m.io/a"}, blocked("quay.io/a")},
		},
		"BlockedMirror": {
			reason: "blocked is asked of the place itself, so a mirror in a blocked scope is blocked",
			scopes: []Scope{{Prefix: "quay.io", Mirrors: []Endpoint{{Location: "m.io/x"}}}, {Prefix: "m.io", Blocked: true}}, name: "quay.io/a",
			want: []Place{{Name: "m.io/x/a", Blocked: true}, source("quay.io/a")},
		},
		"UnblockedWithin": {
			reason: "a scope within a blocked one counts alone",
			scopes: []Scope{{Prefix: "quay.io", Blocked: true}, {Prefix: "quay.io/a"}}, name: "quay.io/a/b",
			want: []Place{source("quay.io/a/b")},
		},
		"Insecure": {
			reason: "insecure is said of each place by itself",
			scopes: []Scope{{Prefix: "quay.io", Insecure: true, Mirrors: []Endpoint{{Location: "m.io"}, {Location: "n.io", Insecure: true}}}}, name: "quay.io/a",
			want: []Place{{Name: "m.io/a"}, {Name: "n.io/a", Insecure: true}, {Name: "quay.io/a", Source: true, Insecure: true}},
		},
		"Location": {
			reason: "a source may be elsewhere than its name says",
			scopes: []Scope{{Prefix: "example.com/foo", Location: "internal.example.com/bar"}}, name: "example.com/foo/image",
			want: []Place{source("internal.example.com/bar/image")},
		},
		"Wildcard": {
			reason: "*. stands for any depth of names before the domain; the host is replaced",
			scopes: []Scope{{Prefix: "*.example.com", Mirrors: []Endpoint{{Location: "m.io/x"}}}}, name: "a.b.example.com/c/d",
			want: []Place{{Name: "m.io/x/c/d"}, source("a.b.example.com/c/d")},
		},
		"WildcardWithPort": {
			reason: "a port is no part of the domain",
			scopes: []Scope{{Prefix: "*.example.com", Blocked: true}}, name: "a.example.com:5000/c",
			want: []Place{blocked("a.example.com:5000/c")},
		},
		"WildcardNotTheDomain": {
			reason: "the domain itself is not below itself",
			scopes: []Scope{{Prefix: "*.example.com", Blocked: true}}, name: "example.com/c",
			want: []Place{source("example.com/c")},
		},
		"WildcardInPath": {
			reason: "only hosts are matched",
			scopes: []Scope{{Prefix: "*.foo", Blocked: true}}, name: "quay.io/bar.foo",
			want: []Place{source("quay.io/bar.foo")},
		},
		"WildcardOtherDomain": {
			reason: "a domain ends where the host ends",
			scopes: []Scope{{Prefix: "*.example.com", Blocked: true}}, name: "a.example.community/c",
			want: []Place{source("a.example.community/c")},
		},
		"LaterCounts": {
			reason: "of two scopes with one prefix the later one counts, as drop-in files do",
			scopes: []Scope{{Prefix: "quay.io", Blocked: true}, {Prefix: "quay.io"}}, name: "quay.io/a",
			want: []Place{source("quay.io/a")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, New(tc.scopes...).Places(tc.name, tc.pinned)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestOver(t *testing.T) {
	t.Parallel()
	base := New(
		Scope{Prefix: "primary.com/top", Mirrors: []Endpoint{{Location: "mirror.com/primary", Use: DigestOnly}, {Location: "tags.com/primary", Use: TagOnly}}},
		Scope{Prefix: "never.com", Blocked: true, Mirrors: []Endpoint{{Location: "mirror.com/never"}}},
	)
	cases := map[string]struct {
		reason string
		over   Scope
		name   string
		want   []Place
	}{
		"Inherited": {
			reason: "a scope that is only insecure keeps the mirrors of the scope around it, with the path added",
			over:   Scope{Prefix: "primary.com/top/insecure", Insecure: true}, name: "primary.com/top/insecure/a",
			want: []Place{{Name: "mirror.com/primary/insecure/a"}, {Name: "primary.com/top/insecure/a", Source: true, Insecure: true}},
		},
		"SameScope": {
			reason: "the same scope without mirrors keeps them too",
			over:   Scope{Prefix: "primary.com/top", Blocked: true}, name: "primary.com/top/a",
			want: []Place{{Name: "mirror.com/primary/a"}, blocked("primary.com/top/a")},
		},
		"StillBlocked": {
			reason: "what only says insecure opens no blocked source",
			over:   Scope{Prefix: "never.com/a", Insecure: true}, name: "never.com/a/b",
			want: []Place{{Name: "mirror.com/never/a/b"}, {Name: "never.com/a/b", Source: true, Insecure: true, Blocked: true}},
		},
		"OwnMirrors": {
			reason: "a scope with mirrors of its own counts instead of the other one, its policy too",
			over:   Scope{Prefix: "never.com", Mirrors: []Endpoint{{Location: "own.com"}}}, name: "never.com/a",
			want: []Place{{Name: "own.com/a"}, source("never.com/a")},
		},
		"Elsewhere": {
			reason: "what the upper policy does not know stays",
			over:   Scope{Prefix: "other.com", Blocked: true}, name: "primary.com/top/a",
			want: []Place{{Name: "mirror.com/primary/a"}, source("primary.com/top/a")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, New(tc.over).Over(base).Places(tc.name, true)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if diff := cmp.Diff(base.Places("primary.com/top/a", false), (Policy{}).Over(base).Places("primary.com/top/a", false)); diff != "" {
		t.Errorf("nothing laid over a policy changes nothing:\n%s", diff)
	}
	if !(Policy{}).Over(Policy{}).Empty() || base.Empty() {
		t.Error("a policy is empty where it has no scope, and only there")
	}
}

func TestInsecureHosts(t *testing.T) {
	t.Parallel()
	p := New(
		Scope{Prefix: "a.io/x", Insecure: true},
		Scope{Prefix: "b.io", Location: "c.io:5000/y", Insecure: true, Mirrors: []Endpoint{{Location: "d.io/z", Insecure: true}, {Location: "e.io"}}},
		Scope{Prefix: "*.f.io", Insecure: true},
	)
	if diff := cmp.Diff([]string{"*.f.io", "a.io", "c.io:5000", "d.io"}, p.Insecure()); diff != "" {
		t.Errorf("each insecure place by its host (-want +got):\n%s", diff)
	}
}

func TestMirrored(t *testing.T) {
	t.Parallel()
	p := New(Scope{Prefix: "a.io", Mirrors: []Endpoint{{Location: "m.io", Use: TagOnly}}}, Scope{Prefix: "b.io", Blocked: true})
	for name, want := range map[string]bool{"a.io/x": true, "b.io/x": false, "c.io/x": false} {
		if p.Mirrored(name) != want {
			t.Errorf("%s: want mirrored %v", name, want)
		}
	}
}
