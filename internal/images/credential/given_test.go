package credential

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGiven(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason     string
		entries    []string // what they match; "!" before those for one repository only
		host, repo string
		want       string // the entry that is found
	}{
		"Host":      {"A host is for all its repositories.", []string{"quay.io"}, "quay.io", "org/app", "quay.io"},
		"HostCase":  {"Hosts have no case.", []string{"Quay.IO"}, "quay.io", "org/app", "Quay.IO"},
		"URL":       {"docker writes whole URLs.", []string{"https://quay.io/v2/"}, "quay.io", "org/app", "https://quay.io/v2/"},
		"DockerHub": {"Docker Hub has several names.", []string{"https://index.docker.io/v1/"}, "docker.io", "library/x", "https://index.docker.io/v1/"},
		"Path": {
			reason:  "The longest path wins, wherever it stands.",
			entries: []string{"quay.io", "quay.io/org/app", "quay.io/org"},
			host:    "quay.io",
			repo:    "org/app/sub",
			want:    "quay.io/org/app",
		},
		"PathNoPrefix":   {"A path ends at a slash.", []string{"quay.io/org"}, "quay.io", "organic/app", ""},
		"PathOfVersion":  {"v1 is a part of a path unless it is all of it.", []string{"quay.io/org/v1"}, "quay.io", "org/v1", "quay.io/org/v1"},
		"BesideVersion":  {"So the login is not for what is beside it.", []string{"quay.io/org/v1", "https://quay.io/org/v2/"}, "quay.io", "org/app", ""},
		"OnlyVersion":    {"Nor is that of a repository lost.", []string{"!quay.io/org/v2"}, "quay.io", "org/v2", "!quay.io/org/v2"},
		"Glob":           {"A label may be a glob.", []string{"*.example.com"}, "reg.example.com", "a", "*.example.com"},
		"GlobPart":       {"So may a part of a label.", []string{"reg*.example.com"}, "reg7.example.com", "a", "reg*.example.com"},
		"GlobLabels":     {"A glob is one label, as the kubelet has it.", []string{"*.com", "*.example.com"}, "a.b.example.com", "a", ""},
		"GlobPort":       {"A port must be said.", []string{"*.example.com"}, "reg.example.com:5000", "a", ""},
		"GlobWithPort":   {"And is then the only one.", []string{"*.example.com:5000"}, "reg.example.com:5000", "a", "*.example.com:5000"},
		"GlobAndHost":    {"The host itself is more specific than a glob.", []string{"*.example.com", "reg.example.com"}, "reg.example.com", "a", "reg.example.com"},
		"GlobAndGlob":    {"More letters are more specific.", []string{"*.*.com", "*.example.com"}, "reg.example.com", "a", "*.example.com"},
		"GlobPath":       {"A path is more specific than a host.", []string{"reg.example.com", "*.example.com/org"}, "reg.example.com", "org/a", "*.example.com/org"},
		"GlobBroken":     {"A pattern that is none matches nothing.", []string{"[a.example.com"}, "a.example.com", "a", ""},
		"IPv6":           {"The brackets of an address are no glob.", []string{"[::1]:5000"}, "[::1]:5000", "a", "[::1]:5000"},
		"Only":           {"That of a repository is for it.", []string{"!quay.io/org/app"}, "quay.io", "org/app", "!quay.io/org/app"},
		"OnlyBelow":      {"And not for those below it.", []string{"!quay.io/org/app"}, "quay.io", "org/app/sub", ""},
		"OnlyLast":       {"Pull secrets come before a template's.", []string{"!quay.io/org/app", "*.io"}, "quay.io", "org/app", "*.io"},
		"First":          {"Of two that are alike the first one wins.", []string{"quay.io", "https://quay.io"}, "quay.io", "a", "quay.io"},
		"Other":          {"Another host's is nobody's.", []string{"evil.io", "quay.io.evil.io"}, "quay.io", "a", ""},
		"SuffixNoDomain": {"Nor is that of a longer name.", []string{"quay.io"}, "quay.io.evil.io", "a", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &Keyring{Env: func(string) string { return "" }}
			for _, match := range tc.entries {
				place, only := strings.CutPrefix(match, "!")
				k.Given = append(k.Given, Credential{Match: place, Only: only, Username: "u", Password: "p", Source: match})
			}
			found, err := k.Find(t.Context(), tc.host, tc.repo)
			if err != nil || found.Source != tc.want {
				t.Errorf("%s\nwant %q, got %q (%v)", tc.reason, tc.want, found.Source, err)
			}
		})
	}
}

func TestGivenBeforeFiles(t *testing.T) {
	t.Parallel()
	k := &Keyring{
		AuthFile: "/nowhere/auth.json", Env: func(string) string { return "" },
		Given: []Credential{{Match: "quay.io", Username: "u", Password: "p", Source: "given"}},
	}
	if found, err := k.Find(t.Context(), "quay.io", "a"); err != nil || found.Source != "given" {
		t.Errorf("a file that is not needed is not read: got %v, %v", found, err)
	}
	if _, err := k.Find(t.Context(), "ghcr.io", "a"); err == nil {
		t.Error("the file that a person named must be there")
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = "pl4nted" // and "cGw0bnRlZA==" in base64
	cases := map[string]struct {
		reason string
		parse  func(string, []byte) ([]Credential, error)
		data   string
		want   []string // match user password
		err    string
	}{
		"JSON": {
			reason: "auth is base64 of user:password.",
			parse:  ParseDockerConfig,
			data:   `{"auths":{"quay.io":{"auth":"dTpwbDRudGVk"},"a.io":{"username":"x","password":"y"}}}`,
			want:   []string{"a.io x y", "quay.io u pl4nted"},
		},
		"Padded":     {"docker pads with NUL.", ParseDockerConfig, `{"auths":{"quay.io":{"auth":"dTpwbDRudGVkAAA="}}}`, []string{"quay.io u pl4nted"}, ""},
		"Unpadded":   {"Base64 may have no padding.", ParseDockerConfig, `{"auths":{"quay.io":{"auth":"dXM6cGw0bnRlZA"}}}`, []string{"quay.io us pl4nted"}, ""},
		"Cfg":        {"The older form has no auths.", ParseDockerCfg, `{"quay.io":{"auth":"dTpwbDRudGVk","email":"x"}}`, []string{"quay.io u pl4nted"}, ""},
		"Helpers":    {"What a package holds starts no program.", ParseDockerConfig, `{"credHelpers":{"quay.io":"evil"},"credsStore":"evil"}`, nil, ""},
		"Nothing":    {"No login is a login for nothing.", ParseDockerConfig, `{}`, nil, ""},
		"Empty":      {"An entry without a password is none.", ParseDockerConfig, `{"auths":{"quay.io":{}}}`, nil, ""},
		"NotJSON":    {"The error repeats nothing.", ParseDockerConfig, `pl4nted`, nil, "Secret a/b is broken: it is not the JSON expected (at byte 1)"},
		"CfgNotJSON": {"Nor in the older form.", ParseDockerCfg, `["pl4nted"]`, nil, `Secret a/b is broken: it is not the JSON expected (wrong type at byte 1)`},
		"WrongType": {
			reason: "Nor where a value has the wrong type.",
			parse:  ParseDockerConfig,
			data:   `{"auths":{"quay.io":{"auth":{"x":"pl4nted"}}}}`,
			err:    "Secret a/b is broken: it is not the JSON expected",
		},
		"CfgWrong": {"Nor in the older form.", ParseDockerCfg, `{"quay.io":"pl4nted"}`, nil, "Secret a/b is broken: it is not the JSON expected"},
		"NoUser": {
			reason: "A login has a user.",
			parse:  ParseDockerConfig,
			data:   `{"auths":{"quay.io":{"auth":"OnBsNG50ZWQ="}}}`,
			err:    `Secret a/b is broken: auths["quay.io"]: "auth" is not base64 of user:password`,
		},
		"NotBase64": {
			reason: "Nor where auth is no base64.",
			parse:  ParseDockerConfig,
			data:   `{"auths":{"quay.io":{"auth":"u:pl4nted"}}}`,
			err:    `Secret a/b is broken: auths["quay.io"]: "auth" is not base64 of user:password`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, err := tc.parse("Secret a/b", []byte(tc.data))
			var got []string
			for _, e := range list {
				got = append(got, e.Match+" "+e.Username+" "+e.Password)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if (err != nil) != (tc.err != "") || err != nil && !strings.HasPrefix(err.Error(), tc.err) {
				t.Errorf("%s\nwant error %q, got %v", tc.reason, tc.err, err)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s\nthe error holds the secret: %v", tc.reason, err)
			}
		})
	}
}

// FuzzSecrets: whatever a Secret holds, there is an answer or an error, which
// repeats no more of it than the name of a registry.
func FuzzSecrets(f *testing.F) {
	for _, seed := range []string{
		`{"auths":{"quay.io":{"auth":"dTpw"}}}`, `{"quay.io":{"username":"u","password":"p"}}`, `[]`,
		`{"auths":[]}`, `{"auths":{"":{"auth":"Og=="}}}`, "", "null",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, parse := range []func(string, []byte) ([]Credential, error){ParseDockerConfig, ParseDockerCfg} {
			list, err := parse("s", []byte(data))
			if err != nil && len(list) > 0 {
				t.Errorf("half a result: %v beside %v", list, err)
			}
			k := &Keyring{Given: list, AuthFile: "/nowhere", Env: func(string) string { return "" }}
			for _, e := range list {
				if e.Anonymous() {
					t.Errorf("an entry for %q that says nothing", e.Match)
				}
			}
			_, _ = k.given("quay.io", "org/app")
		}
	})
}
