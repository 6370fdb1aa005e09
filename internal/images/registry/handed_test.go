package registry_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestHandedCredentials asks for private images with credentials out of the
// items of a run, with basic authentication and with tokens.
func TestHandedCredentials(t *testing.T) {
	t.Parallel()
	// Each login may read the repository of its name, and "all" all of them.
	users := registrytest.Users{"pull": "p1", "template": "p2", "file": "p3"}
	cases := map[string]struct {
		reason  string
		entries func(host string) []credential.Credential
		file    bool // the user's auth file has a login for the host
		want    string
	}{
		"PullSecret":     {"A pull secret is used.", one("pull", "%s", false), false, "pull"},
		"BeforeTemplate": {"It wins over the template's.", both("pull", "%s", "template", "%s/org/app"), false, "pull"},
		"BeforeFile":     {"And over the user's files.", one("pull", "%s/org", false), true, "pull"},
		"Glob":           {"Its key may be a glob.", one("pull", "127.0.*.1:PORT", false), false, "pull"},
		"Template":       {"The template's wins over the user's files.", one("template", "%s/org/app", true), true, "template"},
		"OtherTemplate":  {"And is for its own image only.", one("template", "%s/org", true), true, "file"},
		"OtherHost":      {"What is for another host is not sent.", one("pull", "other.example.com", false), true, "file"},
		"Nothing":        {"An empty login is none.", one("", "%s", false), true, "file"},
	}
	for name, tc := range cases {
		for scheme, auth := range map[string]registrytest.Wrapper{
			"Basic": registrytest.Basic(users), "Bearer": (&registrytest.Tokens{Service: "r", Users: users}).Require(),
		} {
			t.Run(name+scheme, func(t *testing.T) {
				t.Parallel()
				s := with(t, auth)
				s.Push("org/app:1", registrytest.Index("linux/amd64"))
				o := trusting(t)
				o.AuthFile = login(t, map[string]string{"other.example.com": "x:y"})
				if tc.file {
					o.AuthFile = login(t, map[string]string{s.Host(): "file:p3"})
				}
				for _, c := range tc.entries(s.Host()) {
					c.Password = users[c.Username]
					o.Credentials = append(o.Credentials, c)
				}
				if _, err := resolve(t, client(t, o), reference(t, s, "org/app:1")); err != nil {
					t.Fatalf("%s\n%v", tc.reason, err)
				}
				var seen []string
				for _, proof := range s.Credentials() {
					if rest, ok := strings.CutPrefix(proof, "Basic "); ok {
						text, _ := base64.StdEncoding.DecodeString(rest)
						seen = append(seen, string(text))
					}
				}
				if diff := cmp.Diff([]string{tc.want + ":" + users[tc.want]}, seen); diff != "" {
					t.Errorf("%s\nlogins that came in (-want +got):\n%s", tc.reason, diff)
				}
			})
		}
	}
}

// one makes a credential whose match may hold the host or its port.
func one(user, match string, only bool) func(string) []credential.Credential {
	return func(host string) []credential.Credential {
		_, port, _ := strings.Cut(host, ":")
		at := strings.ReplaceAll(strings.ReplaceAll(match, "%s", host), "PORT", port)
		return []credential.Credential{{Match: at, Only: only, Username: user, Source: "Secret " + user}}
	}
}

func both(user, match, other, exactly string) func(string) []credential.Credential {
	return func(host string) []credential.Credential {
		return append(one(other, exactly, true)(host), one(user, match, false)(host)...)
	}
}

// A refused login is named by its Secret, and printed nowhere.
func TestHandedCredentialsArePrintedNowhere(t *testing.T) {
	t.Parallel()
	s := with(t, registrytest.Basic(registrytest.Users{"x": "y"}))
	c := credential.Credential{
		Match: s.Host(), Username: plantedUser, Password: plantedPassword,
		IdentityToken: plantedIdentity, RegistryToken: plantedSignature, Source: `Secret "pull"`,
	}
	o := trusting(t)
	o.Credentials = []credential.Credential{c}
	image, err := resolve(t, client(t, o), fill(t, s, 1, 0)[0])
	outcome{kind: registry.ErrDenied, status: http.StatusUnauthorized, says: []string{`credentials from Secret "pull"`}}.
		check(t, "A refused login is named.", fill(t, s, 1, 0)[0], image, err)
	encoded, _ := json.Marshal(c)
	for _, text := range []string{c.String(), fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%+v %#v", []credential.Credential{c}, &c), string(encoded)} {
		for _, secret := range []string{plantedPassword, plantedIdentity, plantedSignature, plantedUser} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %q", secret, text)
			}
		}
	}
}

// Handed-over credentials stay with their host, and are not sent where anybody
// listens.
func TestHandedCredentialsStayOffInsecureHosts(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"u": "p"}
	for name, allowed := range map[string]bool{"Refused": false, "Allowed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, registrytest.Options{PlainHTTP: true, Wrappers: []registrytest.Wrapper{registrytest.Basic(users)}})
			ref := fill(t, s, 1, 0)[0]
			o := trusting(t)
			o.Insecure, o.AllowInsecureCredentials = []string{s.Host()}, allowed
			o.Credentials = []credential.Credential{{Match: s.Host(), Username: "u", Password: "p", Source: "Secret s"}}
			_, err := resolve(t, client(t, o), ref)
			if (err == nil) != allowed || (len(s.Credentials()) > 0) != allowed {
				t.Errorf("allowed: %v; got %v and the credentials %v", allowed, err, s.Credentials())
			}
		})
	}
}
