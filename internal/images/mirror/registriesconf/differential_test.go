package registriesconf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.podman.io/image/v5/docker/reference"
	"go.podman.io/image/v5/pkg/sysregistriesv2"
	"go.podman.io/image/v5/types"
	"pgregory.net/rapid"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
)

// draws are small, so that prefixes meet names.
var (
	hosts     = []string{"a.io", "b.io", "a.b.io", "c.a.b.io", "a.io:5000", "b.ioo"}
	paths     = []string{"", "/x", "/x/y", "/x/y/z", "/xy", "/y"}
	wildcards = []string{"*.io", "*.b.io", "*.a.b.io"}
	uses      = []string{"", "all", "digest-only", "tag-only"}
)

// drawn is a registries.conf with any registries in it.
func drawn(t *rapid.T) string {
	var b strings.Builder
	location := func(what string) string {
		return rapid.SampledFrom(hosts).Draw(t, what) + rapid.SampledFrom(paths).Draw(t, what+" path")
	}
	flag := func(name string) {
		if rapid.IntRange(0, 3).Draw(t, name) == 0 {
			fmt.Fprintf(&b, "%s = true\n", name)
		}
	}
	for range rapid.IntRange(0, 6).Draw(t, "registries") {
		b.WriteString("[[registry]]\n")
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			fmt.Fprintf(&b, "prefix = %q\n", rapid.SampledFrom(wildcards).Draw(t, "wildcard"))
		case 1:
			fmt.Fprintf(&b, "prefix = %q\nlocation = %q\n", location("prefix"), location("location"))
		default:
			fmt.Fprintf(&b, "location = %q\n", location("location"))
		}
		flag("insecure")
		flag("blocked")
		byDigest := rapid.IntRange(0, 3).Draw(t, "by digest") == 0
		if byDigest {
			b.WriteString("mirror-by-digest-only = true\n")
		}
		for range rapid.IntRange(0, 3).Draw(t, "mirrors") {
			fmt.Fprintf(&b, "[[registry.mirror]]\nlocation = %q\n", location("mirror"))
			flag("insecure")
			if use := rapid.SampledFrom(uses).Draw(t, "use"); use != "" && !byDigest {
				fmt.Fprintf(&b, "pull-from-mirror = %q\n", use)
			}
		}
	}
	return b.String()
}

// Whatever a registries.conf says, the places are those that containers/image
// would ask, in its order; a place that it would refuse to ask is blocked.
func TestPlacesAreThoseOfContainersImage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, compared, mirrored := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		file := filepath.Join(dir, fmt.Sprintf("%d.conf", n)) // the library keeps what it has read
		if err := os.WriteFile(file, []byte(drawn(t)), 0o600); err != nil {
			t.Fatal(err)
		}
		policy, err := Read(file)
		ctx := &types.SystemContext{SystemRegistriesConfPath: file, SystemRegistriesConfDirPath: file + ".d"}
		if _, theirs := sysregistriesv2.GetRegistries(ctx); (err == nil) != (theirs == nil) {
			t.Fatalf("we say %v, the library %v", err, theirs)
		}
		if err != nil {
			return
		}
		for range 8 {
			name := rapid.SampledFrom(hosts).Draw(t, "host") + rapid.SampledFrom(paths[1:]).Draw(t, "name")
			pinned := rapid.Bool().Draw(t, "pinned")
			want, err := theirPlaces(ctx, name, pinned)
			if err != nil {
				continue // a mirror's name that cannot be one fails when it is its turn
			}
			got := policy.Places(name, pinned)
			for i := range got {
				got[i].Source = false
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s, pinned %v:\nwe say  %v\nlibrary %v", name, pinned, got, want)
			}
			compared++
			if len(got) > 1 {
				mirrored++
			}
		}
	})
	if compared < 100 || mirrored < 20 {
		t.Errorf("only %d names were compared, %d with mirrors", compared, mirrored)
	}
}

// theirPlaces is what docker/docker_image_src.go does with the library.
func theirPlaces(ctx *types.SystemContext, name string, pinned bool) ([]mirror.Place, error) {
	text := name + ":1"
	if pinned {
		text = name + "@sha256:" + strings.Repeat("0", 64)
	}
	ref, err := reference.ParseNamed(text)
	if err != nil {
		return nil, err
	}
	registry, err := sysregistriesv2.FindRegistry(ctx, ref.Name())
	if err != nil {
		return nil, err
	}
	if registry == nil {
		return []mirror.Place{{Name: name}}, nil
	}
	sources, err := registry.PullSourcesFromReference(ref)
	if err != nil {
		return nil, err
	}
	out := make([]mirror.Place, len(sources))
	for i, s := range sources {
		at, err := sysregistriesv2.FindRegistry(ctx, s.Reference.Name())
		if err != nil {
			return nil, err
		}
		out[i] = mirror.Place{Name: s.Reference.Name(), Insecure: s.Endpoint.Insecure, Blocked: at != nil && at.Blocked}
	}
	return out, nil
}

// FuzzRead: any file is a policy, or an error that names it. The entries are those of
// containers/image, which refuses the same files.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		base, "[[registry]]\nprefix = \"*.a.io\"\n", "[registries.search]\nregistries = ['a']\n", "[registries.search]\nregistries = []\n",
		"[registries]\n", "registries = 1\n", "[[registry]]\nlocation = \"a//b\"\n[[registry.mirror]]\nlocation = \"/\"\n",
		"unqualified-search-registries = ['a.io/', 'b:5000', 'c-', 'd/e']\n", "unqualified-search-registries = ['https://a']\n",
		"unqualified-search-registries = ['A-b.c:1', 'localhost']\n", "short-name-mode = \"permissive\"\n", "short-name-mode = \"x\"\n",
		"credential-helpers = ['a']\nadditional-layer-store-auth-helper = 'b'\n", "credential-helpers = 1\n",
		"[aliases]\n\"a\" = \"a.io/b\"\n\"A/b\" = \"docker.io/c\"\n\"d/e\" = \"\"\n", "[aliases]\n\"a\" = \"b/c\"\n", "[aliases]\n\"a.b/c\" = \"a.io/b\"\n",
		"[aliases]\n\"a:1\" = \"a.io/b\"\n", "[aliases]\n\"a\" = \"a.io/b:1\"\n",
		"[aliases]\n\"localhost/a\" = \"localhost/b\"\n", "[aliases]\n\"a\" = \"localhost/b\"\n",
		"[[registry]]\nprefix = \"x\"\nlocation = \"b\"\n[[registrY]]\nprefix = \"a\"\nlocation = \"c\"\n",
		"[aliases]\n\"a\" = \"b_c.io/d\"\n", "[aliases]\n\"b_c.io/d\" = \"a.io/b\"\n",
		"[aliases]\n\"\" = \"a.io/b\"\n", "[aliases]\n\"a\" = \"a.io/B\"\n",
		"[aliases]\n\"a\" = \"" + strings.Repeat("a", 120) + ".io/" + strings.Repeat("a/", 65) + "b\"\n",
		"[[registry]]\nPrefix = \"a\"\nLOCATION = \"b\"\nx = 1\n", "[[registry]]\nlocation = \"a\"\npull-from-mirror = \"all\"\n",
		"[[registry]]\nlocation = \"a\"\n[[registry]]\nlocation = \"a\"\nblocked = true\n",
		"[[registry]]\nprefix = \"a\"\nlocation = \"b\"\n[[registry]]\nprefix = \"a/\"\nlocation = \"c\"\n",
		"[[registry]]\nprefix = \"*.a:1\"\n", "[[registry]]\nprefix = \"a\"\n", "[[registry]]\nprefix = \"/\"\nlocation = \"/\"\n", "[[registry]]\nlocation = 1\n",
		"[[registry]]\nlocation = \"a\"\nmirror-by-digest-only = true\n[[registry.mirror]]\nlocation = \"b\"\npull-from-mirror = \"all\"\n",
		"[[registry]]\nlocation = \"a\"\n[[registry.mirror]]\nlocation = \"b\"\npull-from-mirror = \"x\"\n",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	n := 0
	f.Fuzz(func(t *testing.T, text string) {
		n++
		file := filepath.Join(dir, fmt.Sprintf("%d.conf", n))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(file)
		entries, refused := readAll(file)
		theirs, err := sysregistriesv2.GetRegistries(&types.SystemContext{SystemRegistriesConfPath: file, SystemRegistriesConfDirPath: file + ".d"})
		sysregistriesv2.InvalidateCache()
		if refused != nil && strings.Contains(refused.Error(), errSpellings.Error()) {
			return // the library takes either of the keys
		}
		if (refused == nil) != (err == nil) {
			t.Fatalf("we say %v, the library %v", refused, err)
		}
		want := make([]registry, len(theirs))
		for i, r := range theirs {
			want[i] = registry{endpoint: endpoint(r.Endpoint), Prefix: r.Prefix, Blocked: r.Blocked, MirrorByDigestOnly: r.MirrorByDigestOnly, file: file}
			for _, m := range r.Mirrors {
				want[i].Mirrors = append(want[i].Mirrors, endpoint(m))
			}
		}
		if diff := cmp.Diff(want, entries, cmp.AllowUnexported(registry{}), cmpopts.EquateEmpty()); refused == nil && diff != "" {
			t.Fatalf("the library, and we (-want +got):\n%s", diff)
		}
		policy, err := Read(file)
		if err != nil {
			if !strings.Contains(err.Error(), file) || !policy.Empty() {
				t.Fatalf("want an error that names the file, got %v", err)
			}
			return
		}
		for _, name := range []string{"a.io/b/c", "a:5000/b", "b.a.io/c"} {
			for _, pinned := range []bool{false, true} {
				if places := policy.Places(name, pinned); len(places) == 0 || !places[len(places)-1].Source {
					t.Fatalf("the source is asked last: %v", places)
				}
			}
		}
	})
}
