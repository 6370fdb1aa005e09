package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

func TestRedirects(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason   string
		from     string
		method   string
		location string
		// want is where the second request goes, and with what
		// Authorization; "" that there is none.
		want  string
		proof string
		says  string
	}{
		"SameHost":      {"The same origin keeps the proof.", "https://r/a", "GET", "/b", "https://r/b", "Basic x", ""},
		"SamePort":      {"443 is https's port.", "https://r/a", "GET", "https://r:443/b", "https://r:443/b", "Basic x", ""},
		"Storage":       {"Another host gets no proof.", "https://r/a", "GET", "https://s3.example/b?sig=1", "https://s3.example/b?sig=1", "", ""},
		"OtherPort":     {"Another port is another origin.", "https://r/a", "GET", "https://r:8443/b", "https://r:8443/b", "", ""},
		"SubDomain":     {"Go would send it to a subdomain.", "https://r.example/a", "GET", "https://evil.r.example/b", "https://evil.r.example/b", "", ""},
		"Downgrade":     {"TLS is not given up.", "https://r/a", "GET", "http://r/b", "", "", "plain HTTP"},
		"LinkLocal":     {"Clouds keep credentials there.", "https://r/a", "GET", "https://169.254.169.254/latest", "", "", "link-local"},
		"LinkLocalIPv6": {"And there.", "https://r/a", "GET", "https://[fe80::1]/latest", "", "", "link-local"},
		"File":          {"Only https.", "https://r/a", "GET", "ftp://r/b", "", "", "ftp"},
		"NotAURL":       {"Nowhere to go.", "https://r/a", "GET", "https://%zz/?sig=secret", "", "", "not a URL"},
		"Post":          {"The body of a POST holds the credentials.", "https://r/a", "POST", "https://s/b", "", "", "redirect of a POST"},
		"User":          {"A user in the URL is not taken.", "https://r/a", "GET", "https://u:secret@r/b", "https://r/b", "Basic x", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var seen []string
				s := &script{do: func(n int, r *http.Request) (*http.Response, error) {
					seen = append(seen, r.URL.String()+" "+r.Header.Get("Authorization"))
					if n == 0 {
						return reply(307, "", "Location", tc.location), nil
					}
					return reply(200, "x"), nil
				}}
				r := get(tc.from)
				r.Method = tc.method
				resp, err := s.transport(0).Do(t.Context(), r)
				if tc.says != "" {
					var host *HostError
					if !errors.As(err, &host) || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "secret") || len(seen) != 1 {
						t.Fatalf("%s\nrequests %v, error %v", tc.reason, seen, err)
					}
					return
				}
				if err != nil || resp.Status != 200 {
					t.Fatalf("%s\n%v, %v", tc.reason, resp, err)
				}
				if want := tc.want + " " + tc.proof; seen[1] != want {
					t.Errorf("%s\nwant %q, got %q", tc.reason, want, seen[1])
				}
				if resp.URL.String() != tc.want {
					t.Errorf("%s\nwant the URL that answered, got %s", tc.reason, resp.URL)
				}
			})
		})
	}
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	for name, location := range map[string]string{"Loop": "/a", "Ever": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{do: func(n int, _ *http.Request) (*http.Response, error) {
					to := location
					if to == "" {
						to = fmt.Sprintf("https://h%d/a", n)
					}
					return reply(302, "", "Location", to), nil
				}}
				_, err := s.transport(4).Do(t.Context(), get("https://r/a"))
				if !errors.Is(err, errRedirects) || s.calls != 11 {
					t.Errorf("want an error after 11 requests, got %v after %d", err, s.calls)
				}
			})
		})
	}
}

func TestProofDoesNotComeBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var last string
		s := &script{do: func(n int, r *http.Request) (*http.Response, error) {
			last = r.Header.Get("Authorization")
			if n < 2 {
				return reply(307, "", "Location", []string{"https://other/a", "https://r/b"}[n]), nil
			}
			return reply(200, "x"), nil
		}}
		if _, err := s.transport(0).Do(t.Context(), get("https://r/a")); err != nil || last != "" {
			t.Errorf("another host sent the proof back to where it chose: %q, %v", last, err)
		}
	})
}
