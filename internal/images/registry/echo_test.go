package registry_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestWordsOfOtherHosts makes a registry lead to a service that is none: little of what that says
// is shown.
func TestWordsOfOtherHosts(t *testing.T) {
	secret := strings.Repeat("0123456789", 30)
	errorBody, _ := json.Marshal(map[string]any{"errors": []map[string]string{{"code": secret, "message": secret}}})
	var rows []*situation
	for name, body := range map[string]string{"text": secret, "error": string(errorBody)} {
		leads := func(how string) *situation {
			return when(how+" to "+name, "what another host says").timed().anonymous().atMost(2).mostElsewhere(2).fails(registry.ErrServer, 500).
				not(secret[:80]).
				prepare(func(w *world) { w.other = w.with(registrytest.ReplyBody(500, "text/plain", []byte(body), nil)) }).
				also(func(w *world, results []registry.Result) {
					shown := 0
					for _, r := range results[0].Err.Error() {
						if r >= '0' && r <= '9' {
							shown++
						}
					}
					if shown > 80+40 { // ports, digests and the status
						w.Errorf("%s: too much is shown: %v", how, results[0].Err)
					}
				})
		}
		rows = append(rows, leads("redirect").redirects("https://OTHER"), leads("realm").challenges(`Bearer realm="https://OTHER/token"`))
	}
	runSituations(t, rows...)
}

// echoes are the forms in which a server may repeat a secret.
func echoes(secret string) map[string]string {
	return map[string]string{
		"plain":     secret,
		"lower":     strings.ToLower(secret),
		"base64":    base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64url": base64.RawURLEncoding.EncodeToString([]byte("x" + secret)),
		"query":     url.QueryEscape(secret),
		"path":      url.PathEscape(secret),
		"hex":       hex.EncodeToString([]byte(secret)),
		"twice":     url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret))))),
		"cut":       strings.Repeat("y", 66) + secret,
	}
}

// echoPlaces are the places of an answer in which a server may repeat what it was
// sent.
func echoPlaces() map[string]func(s string) registrytest.Wrapper {
	reply := func(status int, contentType, body string, header http.Header) registrytest.Wrapper {
		return registrytest.ReplyBody(status, contentType, []byte(body), header)
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return map[string]func(s string) registrytest.Wrapper{
		"body":   func(s string) registrytest.Wrapper { return reply(500, "text/plain", s, nil) },
		"denied": func(s string) registrytest.Wrapper { return reply(403, "text/plain", "no: "+s, nil) },
		"message": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":"X","message":`+quoted(s)+`}]}`, nil)
		},
		"code": func(s string) registrytest.Wrapper {
			return reply(404, "application/json", `{"errors":[{"code":`+quoted(s)+`}]}`, nil)
		},
		"header": func(s string) registrytest.Wrapper { return reply(200, "application/"+s, "{}", nil) },
		"type":   func(s string) registrytest.Wrapper { return reply(200, "", `{"mediaType":`+quoted(s)+`}`, nil) },
		"config": func(s string) registrytest.Wrapper {
			return reply(200, "", `{"config":{"mediaType":`+quoted(s)+`}}`, nil)
		},
		"digest": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex, `{"manifests":[{"digest":`+quoted(s)+`,"size":1}]}`, nil)
		},
		"architecture": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"manifests":[{"digest":"sha256:`+strings.Repeat("0", 64)+`","size":1,"platform":{"os":"linux","architecture":`+quoted(s)+`,"variant":`+quoted(s)+`}}]}`,
				nil)
		},
		"unbelieved": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex,
				`{"manifests":[{"digest":"sha256:`+strings.Repeat("0", 64)+
					`","size":1,"platform":{"os":"linux","architecture":"amd64"}},{"platform":{"os":"","architecture":`+quoted(s)+
					`}},{"platform":{"os":"linux","architecture":"arm64","variant":`+quoted(s)+`}}]}`,
				nil)
		},
		"field": func(s string) registrytest.Wrapper {
			return reply(200, ociIndex, `{"manifests":[{"size":`+quoted(s)+`}]}`, nil)
		},
		"retry-after": func(s string) registrytest.Wrapper { return reply(503, "", "", http.Header{"Retry-After": {s}}) },
		"hint":        func(s string) registrytest.Wrapper { return reply(429, "text/plain", s, registrytest.RetryAfter(3600)) },
		"location": func(s string) registrytest.Wrapper {
			return reply(307, "", "", http.Header{"Location": {"https://" + s + "/" + s}})
		},
		"realm": func(s string) registrytest.Wrapper {
			return reply(401, "", "", http.Header{"Www-Authenticate": {`Bearer realm="ftp://` + s + `"`}})
		},
		"challenge": func(s string) registrytest.Wrapper {
			return reply(401, "", "", http.Header{"Www-Authenticate": {`Bearer realm="https://127.0.0.1:1/` + s + `",service="` + s + `"`}})
		},
	}
}

// TestEchoedCredentials makes a registry repeat what it was sent, in every place of an answer and in
// every form: a password, a bearer token that its own service handed out, and one that the user was
// given.
func TestEchoedCredentials(t *testing.T) {
	t.Parallel()
	const password, token = "Pa55-w0rd/of+Someone=Else?", "eyJhbGciOi.T0ken-0f_Someone.Else~and+more/here="
	basic := base64.StdEncoding.EncodeToString([]byte(plantedUser + ":" + password))
	ofPassword := echoes(password)
	ofPassword["basic"], ofPassword["twice"] = basic, url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(basic)))
	for name, sent := range map[string]struct {
		forms map[string]string
		auth  registrytest.Wrapper
		login map[string]string
		parts []string // of the secret, which may not be shown either
	}{
		"Password": {
			ofPassword, registrytest.Basic(registrytest.Users{plantedUser: password}),
			map[string]string{"username": plantedUser, "password": password},
			[]string{password, password[:9], basic[:16]},
		},
		"Token":    {echoes(token), handing(token), nil, []string{token, token[:12]}},
		"OwnToken": {echoes(token), handing(token), map[string]string{"registrytoken": token}, []string{token, token[:12]}},
	} {
		for place, send := range echoPlaces() {
			t.Run(name+" "+place, func(t *testing.T) {
				t.Parallel()
				for form, text := range sent.forms {
					s := with(t, sent.auth, send(text))
					o := trusting(t)
					o.AuthFile = authFile(t, map[string]any{"auths": map[string]any{s.Host(): sent.login}})
					image, err := resolve(t, client(t, o), fill(t, s, 1, 0)[0])
					shown := fmt.Sprintf("%v\n%+v", err, image)
					if e := errorOf(err); err != nil {
						shown += fmt.Sprintf("\n%v %v", e.Hint, e.Err)
					}
					leaks := sent.parts
					if form != "cut" {
						leaks = append(slices.Clip(leaks), text)
					}
					for _, leak := range leaks {
						if strings.Contains(strings.ToLower(shown), strings.ToLower(leak)) {
							t.Errorf("%s in the %s: %q is shown: %s", form, place, leak, shown)
						}
					}
				}
			})
		}
	}
}

// handing is a token service that always hands out the same token, and a registry that wants it.
func handing(secret string) registrytest.Wrapper {
	return answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		switch {
		case r.URL.Path == registrytest.TokenPath:
			_, _ = rw.Write([]byte(`{"access_token":"` + secret + `"}`))
		case r.Header.Get("Authorization") != "Bearer "+secret:
			challenging(`Bearer realm="https://`+r.Host+registrytest.TokenPath+`",service="r"`)(next).ServeHTTP(rw, r)
		default:
			next.ServeHTTP(rw, r)
		}
	})
}

// TestIndexOfManyEntries resolves images whose indexes are of the dearest kinds:
// none is believed, and together they cost little.
func TestIndexOfManyEntries(t *testing.T) {
	const images = 6 // more than are decoded at once
	size := 4<<20 - 100
	var (
		most  uint64
		worst string // the body that allocates most: many of it at once fit, too
	)
	for name, body := range map[string]string{
		"Empty":       `{"manifests":[` + strings.Repeat("{},", size/3) + `{}]}`,
		"Platforms":   `{"manifests":[` + strings.Repeat(`{"platform":{}},`, size/16) + `{}]}`,
		"URLs":        `{"manifests":[{"urls":[` + strings.Repeat(`"",`, size/3-20) + `""]}]}`,
		"Annotations": `{"manifests":[{"annotations":{` + strings.Repeat(`"a":"",`, size/7-20) + `"b":""}}]}`,
		"Distinct":    `{"manifests":[{"annotations":{` + distinct(size) + `"b":""}}]}`,
		"Nested":      `{"manifests":` + strings.Repeat("[", size) + `}`,
		"Layers":      `{"layers":[` + strings.Repeat("{},", size/3-20) + `{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			total, _ := decoded(t, body, 1)
			// All that was ever asked for: the body is read, and decoded piece by piece.
			if total > 60<<20 {
				t.Errorf("an image took %d MiB", total>>20)
			}
			if total > most {
				most, worst = total, body
			}
		})
	}
	if _, grown := decoded(t, worst, images); grown > 256<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// decoded asks for so many images whose index is the body, and returns what that allocated
// in all, and by how much the heap grew.
func decoded(t *testing.T, body string, images int) (total uint64, grown int64) {
	t.Helper()
	s := with(t)
	var refs []imageref.Reference
	for i := range images {
		repository := fmt.Sprintf("org/r%d:1", i)
		s.Push(repository, registrytest.Raw(ociIndex, []byte(body)))
		refs = append(refs, reference(t, s, repository))
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, result := range registry.ResolveAll(t.Context(), client(t, unhurried(t)), refs) {
		if result.Err == nil {
			t.Errorf("%s has no image", result.Reference)
		}
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, int64(after.HeapSys) - int64(before.HeapSys)
}

// distinct are annotations with names of their own.
func distinct(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-100; i++ {
		fmt.Fprintf(&b, `"%x":"",`, i)
	}
	return b.String()
}
