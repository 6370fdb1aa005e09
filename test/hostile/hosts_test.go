//go:build unix

package hostile

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// challenge asks for a token of another service.
func challenge(realm string) registrytest.Wrapper {
	return registrytest.Reply(http.StatusUnauthorized, http.Header{"Www-Authenticate": {`Bearer realm="` + realm + `",service="r"`}})
}

// TestHostsOfTheMachine: what Git and registries name is contacted only where the
// settings of the machine allow it: by a reference, a redirect, a token service
// or a mirror.
func TestHostsOfTheMachine(t *testing.T) {
	t.Parallel()
	const argo = "ARGOCD_APP_NAME=app"
	for name, tc := range map[string]struct {
		wrap   func(other string) registrytest.Wrapper
		host   string // of the reference, with PORT; "" is the registry's own
		env    string // with OWN, the registry that Git may contact
		config string // more of spec.registry, with OTHER
		mirror bool   // the source answers instead
		says   string
	}{
		"ReferenceByName":    {host: "localhost:PORT", env: argo, says: "Argo CD"},
		"ReferenceByAddress": {env: argo, says: "Argo CD"},
		"ReferenceUnlisted":  {env: "GOLDENARCH_ALLOWED_REGISTRIES=quay.io", says: "GOLDENARCH_ALLOWED_REGISTRIES"},
		"RedirectUnlisted": {
			wrap: func(other string) registrytest.Wrapper { return registrytest.Redirect(other, "") },
			env:  "GOLDENARCH_ALLOWED_REGISTRIES=OWN",
			says: "GOLDENARCH_ALLOWED_REGISTRIES",
		},
		"RealmUnlisted": {
			wrap: func(other string) registrytest.Wrapper { return challenge(other + "/token") },
			env:  "GOLDENARCH_ALLOWED_REGISTRIES=OWN",
			says: "GOLDENARCH_ALLOWED_REGISTRIES",
		},
		"MirrorUnlisted": {env: "GOLDENARCH_ALLOWED_REGISTRIES=OWN", config: "mirrors: [{source: OWN, mirrors: [OTHER]}]", mirror: true},
		"GitWidensNothing": {
			env:  "ARGOCD_ENV_GOLDENARCH_ALLOWED_REGISTRIES=OWN,OTHER\nGOLDENARCH_ALLOWED_REGISTRIES=quay.io",
			says: "GOLDENARCH_ALLOWED_REGISTRIES",
		},
		"RedirectTranslated": {wrap: func(string) registrytest.Wrapper { return registrytest.Redirect("http://[64:ff9b::a9fe:a9fe]", "") }, says: "link-local"},
		"RealmOfADecimal":    {wrap: func(string) registrytest.Wrapper { return challenge("http://2852039166/token") }, says: "unusual form"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := serving(t)
			other.Push("org/disk:1", registrytest.Index("linux/amd64", "linux/arm64"))
			var wrappers []registrytest.Wrapper
			if tc.wrap != nil {
				wrappers = append(wrappers, tc.wrap("http://"+other.Host()))
			}
			own := serving(t, wrappers...)
			own.Push("org/disk:1", registrytest.Index("linux/amd64"))
			_, port, _ := strings.Cut(own.Host(), ":")
			fill := strings.NewReplacer("OWN", own.Host(), "OTHER", other.Host(), "PORT", port).Replace
			host := own.Host()
			if tc.host != "" {
				host = fill(tc.host)
			}
			config := fmt.Sprintf("functionConfig:\n  apiVersion: goldenarch.dev/v1alpha1\n  kind: GoldenImages\n  metadata: {name: g}\n"+
				"  spec: {predefined: none, cluster: {workloadArchitectures: [amd64]}, "+
				"registry: {insecure: [%q, %q, 169.254.169.254, localhost], retries: 0, timeout: 30s%s}}\n",
				host, other.Host(), strings.TrimSuffix(", "+fill(tc.config), ", "))
			list := strings.Replace(listOf(crOf(host+"/org/disk:1")), "items:\n", config+"items:\n", 1)
			got := Run(t, nil, list, Limits{Env: strings.Split(fill(tc.env), "\n")})
			if n := other.Counts().Total(); n > 0 {
				t.Errorf("the other host was asked %d times", n)
			}
			if tc.mirror {
				if got.Status != 0 || !strings.Contains(got.Stdout, "dict.architectures: amd64") {
					t.Errorf("want the answer of the source, got %d and\n%s", got.Status, got.Stderr)
				}
				return
			}
			if got.Status != 1 || !strings.Contains(got.Stderr, tc.says) || tc.wrap == nil && own.Counts().Total() > 0 {
				t.Errorf("want a refusal that says %q before any request, got status %d, %d requests and\n%s", tc.says, got.Status, own.Counts().Total(), got.Stderr)
			}
		})
	}
}

// TestWordsOfOtherHosts: of what another host than the registry says, fewer than
// 80 characters are shown, whichever way leads to it.
func TestWordsOfOtherHosts(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("internal words ", 40)
	for kind, body := range map[string]string{
		"text":   words,
		"errors": `{"errors":[{"code":"` + words + `","message":"` + words + `","detail":"` + words + `"}]}`,
		"token":  `{"error":"` + words + `","error_description":"` + words + `"}`,
	} {
		for way, wrap := range map[string]func(other string) registrytest.Wrapper{
			"redirect": func(other string) registrytest.Wrapper { return registrytest.Redirect(other, "") },
			"realm":    func(other string) registrytest.Wrapper { return challenge(other + "/token") },
		} {
			t.Run(way+"/"+kind, func(t *testing.T) {
				t.Parallel()
				other := serving(t, registrytest.ReplyBody(http.StatusForbidden, "application/json", []byte(body), nil))
				s := serving(t, wrap("http://"+other.Host()))
				got := Run(t, []string{"resolve", s.Host() + "/org/disk:1", "-o", "json", "--set", "registryInsecure=" + s.Host() + "," + other.Host()}, "", Limits{})
				if got.Status != 1 || other.Counts().Total() == 0 {
					t.Errorf("want the other host's error, got %d and\n%s", got.Status, got.Stderr)
				}
				for _, stream := range []string{got.Stdout, got.Stderr} {
					if n := strings.Count(stream, "words") * len("internal words "); n >= 80 {
						t.Errorf("%d characters are shown: %s", n, stream)
					}
				}
			})
		}
	}
}
