package registry

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/transport"
)

func TestChallengeOf(t *testing.T) {
	t.Parallel()
	const realm = "https://auth.example/token"
	cases := map[string]struct {
		reason string
		header []string
		want   challenge
	}{
		"Bearer": {
			"The usual one, with a comma in quotes.",
			[]string{`Bearer realm="https://auth.example/token",service="r",scope="repository:a/b:pull,push"`},
			challenge{"bearer", realm, "r", "repository:a/b:pull,push"},
		},
		"Case":         {"Names have no case.", []string{`BEARER Realm="https://auth.example/token", SERVICE=r`}, challenge{"bearer", realm, "r", ""}},
		"Basic":        {"Basic needs nothing else.", []string{`Basic realm="x"`}, challenge{scheme: "basic", realm: "x"}},
		"BasicBare":    {"Not even a realm.", []string{`Basic`}, challenge{scheme: "basic"}},
		"Negotiate":    {"What cannot be met is passed over.", []string{"Negotiate", `Basic realm="x"`}, challenge{scheme: "basic", realm: "x"}},
		"OneLine":      {"Several in one line.", []string{`Negotiate, Bearer realm="https://auth.example/token"`}, challenge{scheme: "bearer", realm: realm}},
		"Token68":      {"A challenge may have a blob.", []string{`Negotiate abc==, Basic realm="x"`}, challenge{scheme: "basic", realm: "x"}},
		"Escaped":      {"A quoted text may have quotes.", []string{`Basic realm="a\"b"`}, challenge{scheme: "basic", realm: `a"b`}},
		"NoRealm":      {"A bearer without realm leads nowhere.", []string{`Bearer service="r"`}, challenge{}},
		"Unterminated": {"Broken is read as far as it goes.", []string{`Bearer realm="https://auth.example/token`}, challenge{scheme: "bearer", realm: realm}},
		"Blanks":       {"Blanks around the sign.", []string{`Bearer realm = "https://auth.example/token" , service = r`}, challenge{"bearer", realm, "r", ""}},
		"None":         {"No header, no challenge.", nil, challenge{}},
		"Nonsense":     {"It ends.", []string{`,,= "",=x`, `=`, `"`}, challenge{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := challengeOf(http.Header{"Www-Authenticate": tc.header})
			if got != tc.want {
				t.Errorf("%s\nwant %+v, got %+v", tc.reason, tc.want, got)
			}
		})
	}
}

func FuzzChallengeOf(f *testing.F) {
	f.Add(`Bearer realm="https://a/b",service="r",scope="x:y,z", Basic`)
	f.Add(`Negotiate abc==, Basic realm="\"`)
	f.Fuzz(func(t *testing.T, s string) {
		c, ok := challengeOf(http.Header{"Www-Authenticate": {s}})
		if ok && c.scheme != "basic" && (c.scheme != "bearer" || c.realm == "") {
			t.Errorf("%q: %+v cannot be met", s, c)
		}
	})
}

func TestStatusErrorIsShort(t *testing.T) {
	t.Parallel()
	respond := func(body string) *statusError {
		return newStatusError(&transport.Response{Status: 404, Body: []byte(body), URL: &url.URL{}}, "")
	}
	e := respond(`{"errors":[{"code":"NAME_UNKNOWN","message":"no such\nrepository"},{"code":"DENIED"}]}`)
	if want := "answered 404 Not Found: NAME_UNKNOWN: no such repository; DENIED"; e.Error() != want {
		t.Errorf("want %q, got %q", want, e)
	}
	if got := respond(strings.Repeat("é\x00", 5000)).Error(); len([]rune(got)) > 250 {
		t.Errorf("a long answer must be cut: %d characters", len([]rune(got)))
	}
	if got := respond("<html>").Error(); !strings.Contains(got, "captive portal") {
		t.Errorf("a web page must be told as one: %q", got)
	}
	if want := "answered 404 Not Found"; respond("").Error() != want {
		t.Errorf("want %q, got %q", want, respond("").Error())
	}
}
