//go:build unix

package hostile

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

const (
	ociIndex = "application/vnd.oci.image.index.v1+json"
	ociImage = "application/vnd.oci.image.manifest.v1+json"
	user     = "robot"
	password = "Pa55w0rdOfSomeoneElse" // as long as real ones, and without what JSON escapes
)

// echoPlaces are the places of an answer in which a server repeats what it was sent.
func echoPlaces() map[string]func(text string) registrytest.Wrapper {
	reply := func(status int, kind, body string, header http.Header) registrytest.Wrapper {
		return registrytest.ReplyBody(status, kind, []byte(body), header)
	}
	quoted := func(text string) string { data, _ := json.Marshal(text); return string(data) }
	digest := "sha256:" + strings.Repeat("0", 64)
	return map[string]func(text string) registrytest.Wrapper{
		"Body": func(s string) registrytest.Wrapper { return reply(500, "text/plain", "it said "+s+" to me", nil) },
		"Message": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":"UNKNOWN","message":`+quoted(s)+`}]}`, nil)
		},
		"Code": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":`+quoted(s)+`}]}`, nil)
		},
		"Header": func(s string) registrytest.Wrapper { return reply(200, "application/"+s, "{}", nil) },
		"Type": func(s string) registrytest.Wrapper {
			return reply(200, ociImage, `{"schemaVersion":2,"mediaType":`+quoted("application/"+s)+`}`, nil)
		},
		"Config": func(s string) registrytest.Wrapper {
			return reply(200, ociImage, `{"schemaVersion":2,"config":{"mediaType":`+quoted("application/"+s)+`,"digest":"`+digest+`","size":2}}`, nil)
		},
		"Digest": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"schemaVersion":2,"manifests":[{"mediaType":"`+ociImage+`","digest":`+quoted("sha256:"+s)+`,"size":1,"platform":{"os":"linux","architecture":"amd64"}}]}`,
				nil)
		},
		"DigestHeader": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex, `{"schemaVersion":2,"manifests":[]}`, http.Header{"Docker-Content-Digest": {"sha256:" + s}})
		},
		"Architecture": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"schemaVersion":2,"manifests":[{"mediaType":"`+ociImage+`","digest":"`+digest+`","size":1,"platform":{"os":"linux","architecture":`+quoted(s)+`}}]}`,
				nil)
		},
		"BesideOthers": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"schemaVersion":2,"manifests":[{"mediaType":"`+ociImage+`","digest":"`+digest+
					`","size":1,"platform":{"os":"linux","architecture":"amd64"}},{"mediaType":"`+ociImage+`","digest":"sha256:`+
					strings.Repeat("1", 64)+`","size":1,"platform":{"os":"linux","architecture":`+quoted(s)+`,"variant":`+quoted(s)+`}}]}`,
				nil)
		},
		"Variant": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"schemaVersion":2,"manifests":[{"mediaType":"`+ociImage+`","digest":"`+digest+
					`","size":1,"platform":{"os":"linux","architecture":"arm64","variant":`+quoted(s)+`}},{"mediaType":"`+ociImage+
					`","digest":"`+digest+`","size":1,"platform":{"os":`+quoted(s)+`,"architecture":"amd64"}}]}`,
				nil)
		},
		"RetryAfter": func(s string) registrytest.Wrapper { return reply(503, "", "", http.Header{"Retry-After": {s}}) },
	}
}

// echoing repeats, behind a challenge, what it was sent: as it is, in base64, or as
// the token that it handed out.
func echoing(form string, repeat func(text string) registrytest.Wrapper) registrytest.Wrapper {
	basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	text := map[string]string{
		"plain": password, "base64": base64.StdEncoding.EncodeToString([]byte(password)), "basic": basic, "token": token, "lower": strings.ToLower(password),
	}[form]
	return func(next http.Handler) http.Handler {
		said := repeat(text)(next)
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			switch {
			case form == "token" && r.URL.Path == registrytest.TokenPath:
				_, _ = rw.Write([]byte(`{"token":"` + token + `"}`))
			case form == "token" && r.Header.Get("Authorization") != "Bearer "+token:
				challenge("https://"+r.Host+registrytest.TokenPath)(next).ServeHTTP(rw, r)
			case r.Header.Get("Authorization") == "":
				registrytest.Reply(http.StatusUnauthorized, http.Header{"Www-Authenticate": {`Basic realm="r"`}})(next).ServeHTTP(rw, r)
			default:
				said.ServeHTTP(rw, r)
			}
		})
	}
}

const token = "eyJhbGciOiJub25lIn0T0kenOfSomeoneElse"

// TestEchoes: a credential that a server repeats reaches no stream, no report and no
// lock.
func TestEchoes(t *testing.T) {
	t.Parallel()
	for place, repeat := range echoPlaces() {
		for _, form := range []string{"plain", "lower", "base64", "basic", "token"} {
			t.Run(place+"/"+form, func(t *testing.T) {
				t.Parallel()
				s, env := secured(t, echoing(form, repeat))
				env = append(env, logins(t, s.Host(), user, password))
				dir := filetest.New(t, map[string]string{"hco.yaml": crOf(s.Host() + "/org/disk:1")})
				flags := []string{"--set", "predefined=none", "--set", "registryRetries=0", "--set", "registryTimeout=10s"}
				leaks := []string{
					password, strings.ToLower(password), base64.StdEncoding.EncodeToString([]byte(password)), token, strings.ToLower(token),
					base64.StdEncoding.EncodeToString([]byte(user + ":" + password)), password[:12], token[20:34],
				}
				for _, args := range [][]string{
					append([]string{"check", ".", "-o", "sarif", "--set", "unresolved=Keep", "--workload-architectures", "amd64,arm64"}, flags...),
					append([]string{"render", ".", "--set", "unresolved=Keep", "--workload-architectures", "amd64,arm64"}, flags...),
					append([]string{"lock", ".", "--file", "l.yaml"}, flags...),
				} {
					got := Run(t, args, "", Limits{Dir: dir, Env: env, Once: true})
					got.Stdout += read(filepath.Join(dir, "l.yaml"))
					without(t, got, leaks...)
				}
			})
		}
	}
}

// TestUnsolicitedEchoes: a registry sends the login once more on the idle connection, where
// net/http logs it. The line is shown without what the registry sent.
func TestUnsolicitedEchoes(t *testing.T) {
	t.Parallel()
	hijack := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			login := r.Header.Get("Authorization")
			if login == "" {
				registrytest.Reply(http.StatusUnauthorized, http.Header{"Www-Authenticate": {`Basic realm="r"`}})(next).ServeHTTP(rw, r)
				return
			}
			conn, _, err := http.NewResponseController(rw).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			// In two writes, so that the line is logged before the run ends.
			_, _ = conn.Write([]byte("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n" + login))
			time.Sleep(10 * time.Millisecond)
			_, _ = conn.Write([]byte("\n##vso[task.complete]" + login))
		})
	}
	for name, options := range map[string]registrytest.Options{
		"TLS": {HTTP1: true, Wrappers: []registrytest.Wrapper{hijack}}, "Plain": {PlainHTTP: true, Wrappers: []registrytest.Wrapper{hijack}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := registrytest.Start(options)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			env := []string{"SSL_CERT_FILE=" + put(t, "ca.pem", string(authority(t))), logins(t, s.Host(), user, password)}
			args := []string{"resolve", s.Host() + "/org/disk:1", s.Host() + "/org/other:1", "--set", "registryRetries=2", "--set", "registryTimeout=10s"}
			if options.PlainHTTP {
				args = append(args, "--set", "registryInsecure="+s.Host(), "--allow-insecure-credentials")
			}
			got := Run(t, args, "", Limits{Env: env, Once: true})
			if got.Status != 1 || s.Counts().Total() < 3 {
				t.Errorf("want a failure after some requests, got %d after %d and\n%s", got.Status, s.Counts().Total(), got.Stderr)
			}
			without(t, got, "Basic ", password, base64.StdEncoding.EncodeToString([]byte(user+":"+password)), "##vso")
			for line := range strings.Lines(got.Stderr) {
				if strings.Contains(line, "Unsolicited") && !strings.Contains(line, `starting with "(not shown)"`) {
					t.Errorf("want the line of net/http without what the registry sent, got %q", line)
				}
			}
		})
	}
}
