package registriesconf

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/test/filetest"
)

// written puts files into a new directory and returns the path of registries.conf.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	return filepath.Join(filetest.New(t, files), "registries.conf")
}

const base = `
unqualified-search-registries = ["example.com"]
[[registry]]
location = "quay.io"
blocked = true
[[registry.mirror]]
location = "m.io/quay/"
[[registry.mirror]]
location = "d.io:5000"
insecure = true
pull-from-mirror = "digest-only"
[[registry.mirror]]
location = "t.io"
pull-from-mirror = "tag-only"
[[registry]]
prefix = "*.example.com"
insecure = true
[[registry]]
prefix = "example.com/foo"
location = "internal.io/bar"
mirror-by-digest-only = true
[[registry.mirror]]
location = "m.io/foo"
`

func TestRead(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		files  map[string]string
		name   string
		pinned bool
		want   []mirror.Place
	}{
		"Tag": {
			reason: "blocked, insecure and pull-from-mirror count; a slash at the end does not",
			files:  map[string]string{"registries.conf": base}, name: "quay.io/a",
			want: []mirror.Place{{Name: "m.io/quay/a"}, {Name: "t.io/a"}, {Name: "quay.io/a", Source: true, Blocked: true}},
		},
		"Digest": {
			reason: "an endpoint is insecure by itself",
			files:  map[string]string{"registries.conf": base}, name: "quay.io/a", pinned: true,
			want: []mirror.Place{{Name: "m.io/quay/a"}, {Name: "d.io:5000/a", Insecure: true}, {Name: "quay.io/a", Source: true, Blocked: true}},
		},
		"Wildcard": {
			reason: "a wildcard has no location",
			files:  map[string]string{"registries.conf": base}, name: "a.example.com/x",
			want: []mirror.Place{{Name: "a.example.com/x", Source: true, Insecure: true}},
		},
		"ByDigestOnly": {
			reason: "mirror-by-digest-only counts for all mirrors of the registry; prefix and location may differ",
			files:  map[string]string{"registries.conf": base}, name: "example.com/foo/a",
			want: []mirror.Place{{Name: "internal.io/bar/a", Source: true}},
		},
		"DropIn": {
			reason: "a drop-in's registry replaces that of the same prefix, the last file by name wins; other files are none",
			files: map[string]string{
				"registries.conf":                 base,
				"registries.conf.d/10-quay.conf":  "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\nlocation = \"ten.io\"\n",
				"registries.conf.d/20-quay.conf":  "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\nlocation = \"twenty.io\"\n",
				"registries.conf.d/30-quay.toml":  "[[registry]]\nlocation = \"quay.io\"\n",
				"registries.conf.d/sub/40-a.conf": "[[registry]]\nlocation = \"quay.io\"\n",
			},
			name: "quay.io/a",
			want: []mirror.Place{{Name: "twenty.io/a"}, {Name: "quay.io/a", Source: true}},
		},
		"Empty": {
			reason: "an empty file says nothing",
			files:  map[string]string{"registries.conf": ""}, name: "quay.io/a",
			want: []mirror.Place{{Name: "quay.io/a", Source: true}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Read(written(t, tc.files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, p.Places(tc.name, tc.pinned)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ reason, text, want string }{
		"Broken":     {"what is no TOML is an error", "[[registry", "registries.conf"},
		"VersionOne": {"version 1 means something else", "[registries.search]\nregistries = ['a.io']\n", "second one"},
		"Scheme":     {"a location has no scheme", "[[registry]]\nlocation = \"https://quay.io\"\n", "leave out the scheme"},
		"Password": {
			reason: "credentials are no part of a location, and are not repeated",
			text:   "[[registry]]\nlocation = \"https://user:pl4nted@quay.io\"\n",
			want:   "xxxxx@quay.io",
		},
		"User": {
			reason: "nor are they without a scheme, which the library takes",
			text:   "[[registry]]\nprefix = \"quay.io\"\nlocation = \"user:pl4nted@quay.io\"\n",
			want:   "xxxxx@quay.io",
		},
		"MirrorUser": {"nor those of a mirror", "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\nlocation = \"user:pl4nted@m.io\"\n", "xxxxx@m.io"},
		"Spellings":  {"the decoder takes either", "[[registry]]\nlocation = \"a.io\"\n[[Registry]]\nlocation = \"b.io\"\n", `"Registry" and "registry"`},
		"Spellings2": {"also in an inline table", "registry = [{location = \"a.io\", Location = \"b.io\"}]\n", `"Location" and "location"`},
		"NoMirror":   {"a mirror must be somewhere", "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\n", "has no location"},
		"Wildcard":   {"a wildcard has neither port nor path", "[[registry]]\nprefix = \"*.a.io/b\"\nlocation = \"c.io\"\n", "*.example.com"},
		"Conflict": {
			reason: "two ways to reach one place contradict each other",
			text:   "[[registry]]\nprefix = \"a.io\"\nlocation = \"c.io\"\n[[registry]]\nprefix = \"b.io\"\nlocation = \"c.io\"\ninsecure = true\n",
			want:   "differ in insecure",
		},
		"WildcardConflict": {
			reason: "an entry without a location is named by its prefix",
			text:   "[[registry]]\nprefix = \"*.a.io\"\n[[registry]]\nprefix = \"*.a.io\"\nblocked = true\n",
			want:   `registry "*.a.io" differ in blocked`,
		},
		"Proxy": {
			reason: "what cannot be done is not passed over",
			text:   "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\nlocation = \"m.io\"\nnamespace-proxy = \"quay.io\"\n",
			want:   "namespace-proxy",
		},
		"SourceProxy": {"what cannot be done is not passed over", "[[registry]]\nlocation = \"quay.io\"\nnamespace-proxy = \"quay.io\"\n", "namespace-proxy"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := written(t, map[string]string{"registries.conf": tc.text})
			p, err := Read(file)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "pl4nted") || !p.Empty() {
				t.Errorf("%s: want an error with %q that names the file, got %v", tc.reason, tc.want, err)
			}
		})
	}
	for _, file := range []string{"", filepath.Join(t.TempDir(), "none.conf")} {
		if _, err := Read(file); err == nil {
			t.Errorf("the file %q is not there: want an error", file)
		}
	}
}

// A drop-in that goldenarch cannot use is named, not the file that it belongs to.
func TestReadNamesTheDropIn(t *testing.T) {
	t.Parallel()
	const dropIn = "registries.conf.d/10.conf"
	file := written(t, map[string]string{
		"registries.conf": "[[registry]]\nlocation = \"quay.io\"\n",
		dropIn:            "[[registry]]\nlocation = \"quay.io\"\nnamespace-proxy = \"a\"\n",
	})
	want := filepath.Join(filepath.Dir(file), filepath.FromSlash(dropIn))
	if _, err := Read(file); err == nil || !strings.Contains(err.Error(), strconv.Quote(want)) {
		t.Errorf("want an error that names %s, got %v", want, err)
	}
}

// No file of the machine counts beside the one that is named.
func TestReadIsAlone(t *testing.T) {
	other := written(t, map[string]string{"registries.conf": "[[registry]]\nlocation = \"quay.io\"\nblocked = true\n"})
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".config/containers/registries.conf.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".config/containers/registries.conf.d/a.conf"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("CONTAINERS_REGISTRIES_CONF", other)
	t.Setenv("CONTAINERS_REGISTRIES_CONF_OVERRIDE", other)
	p, err := Read(written(t, map[string]string{"registries.conf": "# empty\n"}))
	if err != nil || !p.Empty() {
		t.Errorf("want an empty policy, got %v, %v", p, err)
	}
}
