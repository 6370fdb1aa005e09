package registry_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// proofOf is the header with a login.
func proofOf(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// sentCount counts the requests that carry a proof, in front of all wrappers.
func sentCount(proof string, n *atomic.Int64) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == proof {
				n.Add(1)
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// refusing answers every request that carries a login.
func refusing(status int) registrytest.Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Header.Get("Authorization"), "Basic ") {
				next.ServeHTTP(rw, r)
				return
			}
			rw.WriteHeader(status)
		})
	}
}

// TestWrongLoginIsSentOnce asks for 200 images at once with a login that the
// registry refuses: directories lock a user out after a few of them.
func TestWrongLoginIsSentOnce(t *testing.T) {
	t.Parallel()
	const images = 200
	users := registrytest.Users{"user": "right"}
	slow := registrytest.Latency(5 * time.Millisecond)
	tokens := func() *registrytest.Tokens { return &registrytest.Tokens{Service: "r", Users: users} }
	for name, tc := range map[string]struct {
		reason string
		auth   []registrytest.Wrapper
		status int
		most   int64
	}{
		"Bearer": {"The token service says 401: that is about the login.", []registrytest.Wrapper{tokens().Require()}, 401, 1},
		"Bearer403": {
			"403 may be about the repository: the token service is asked once more, for none.",
			[]registrytest.Wrapper{registrytest.On(registrytest.Token, refusing(http.StatusForbidden)), tokens().Require()},
			403, 2,
		},
		"Basic":    {"401 may be about the repository: /v2/ is asked once more.", []registrytest.Wrapper{registrytest.Basic(users)}, 401, 2},
		"Basic403": {"The same where a registry says 403.", []registrytest.Wrapper{refusing(http.StatusForbidden), registrytest.Basic(users)}, 403, 2},
		"BasicOpenPing": {
			"Where /v2/ is open to all it proves nothing, and 401 is believed.",
			[]registrytest.Wrapper{registrytest.On(registrytest.Manifest, registrytest.Basic(users))},
			401, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			s := with(t, append([]registrytest.Wrapper{slow, sentCount(proofOf("user", "wrong"), &sent)}, tc.auth...)...)
			o := unhurried(t)
			o.AuthFile = login(t, map[string]string{s.Host(): "user:wrong"})
			errs := failures(t, client(t, o), fill(t, s, images, images/4))
			if len(errs) != images {
				t.Fatalf("%s\nwant %d refusals, got %d", tc.reason, images, len(errs))
			}
			for _, err := range errs {
				e, ok := errors.AsType[*registry.Error](err)
				if !ok || !errors.Is(err, registry.ErrDenied) || e.Status != tc.status || !strings.Contains(err.Error(), "it refuses the credentials from ") {
					t.Fatalf("%s\nwant a refusal with %d, got %v", tc.reason, tc.status, err)
				}
			}
			if got := sent.Load(); got < 1 || got > tc.most {
				t.Errorf("%s\nwant the wrong login sent 1 to %d times, got %d", tc.reason, tc.most, got)
			}
		})
	}
}

// TestForbiddenRepositoryCondemnsNoLogin: the login is right, and may not read
// some of the repositories, with which it begins.
func TestForbiddenRepositoryCondemnsNoLogin(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"user": "right"}
	forbid := func(status int) []registrytest.Wrapper {
		var list []registrytest.Wrapper
		for i := range 5 {
			list = append(list, registrytest.OnRepository(fmt.Sprintf("forbidden/%d", i), refusing(status)))
		}
		return list
	}
	perScope := func(next http.Handler) http.Handler { // as GitLab's
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.FormValue("scope"), "forbidden/") {
				rw.WriteHeader(http.StatusForbidden)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
	tokens := &registrytest.Tokens{Service: "r", Users: users}
	for name, auth := range map[string][]registrytest.Wrapper{
		"Basic401": append(forbid(http.StatusUnauthorized), registrytest.Basic(users)),
		"Basic403": append(forbid(http.StatusForbidden), registrytest.Basic(users)),
		"Bearer":   {registrytest.On(registrytest.Token, perScope), tokens.Require()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, auth...)
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): "user:right"})
			c := client(t, o)
			var forbidden []imageref.Reference
			for i := range 5 {
				tag := fmt.Sprintf("forbidden/%d:1", i)
				s.Push(tag, registrytest.Index("linux/amd64"))
				forbidden = append(forbidden, reference(t, s, tag))
			}
			if errs := failures(t, c, forbidden); len(errs) != 5 {
				t.Errorf("want 5 refusals, got %v", errs)
			}
			if errs := failures(t, c, fill(t, s, 20, 5)); len(errs) > 0 {
				t.Errorf("%d failures of images that the login may read, the first: %v", len(errs), errs[0])
			}
		})
	}
}

// TestLoginsAreJudgedEachForItself: of two logins of one registry one is wrong.
func TestLoginsAreJudgedEachForItself(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"user": "right", "other": "right"}
	tokens := &registrytest.Tokens{Service: "r", Users: users}
	for name, auth := range map[string]registrytest.Wrapper{"Basic": registrytest.Basic(users), "Bearer": tokens.Require()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			s := with(t, registrytest.Latency(5*time.Millisecond), sentCount(proofOf("other", "wrong"), &sent), auth)
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): "user:right", s.Host() + "/other": "other:wrong"})
			good := fill(t, s, 20, 5)
			refs := good
			for i := range 20 {
				tag := fmt.Sprintf("other/image%d:1", i)
				s.Push(tag, registrytest.Index("linux/amd64"))
				refs = append(refs, reference(t, s, tag))
			}
			for i, r := range resolveAll(t, client(t, o), refs) {
				if wrong := i >= len(good); wrong != (r.Err != nil) {
					t.Errorf("%s: got %v", r.Reference, r.Err)
				}
			}
			if got := sent.Load(); got < 1 || got > 2 {
				t.Errorf("want the wrong login sent once or twice, got %d", got)
			}
		})
	}
}

// TestRightLoginIsSentInParallel: the login costs one request in front of the
// others and no more requests.
func TestRightLoginIsSentInParallel(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"user": "right"}
	const images = 40
	for name, tc := range map[string]struct {
		auth registrytest.Wrapper
		want registrytest.Counts
	}{
		"Basic":  {registrytest.Basic(users), registrytest.Counts{Manifest: images + 1}},
		"Bearer": {(&registrytest.Tokens{Service: "r", Users: users}).Require(), registrytest.Counts{Manifest: images + 1, Token: images}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 4 { // a busy machine may answer the first request too late
				s := with(t, registrytest.Latency(20*time.Millisecond), tc.auth)
				o := trusting(t)
				o.AuthFile = login(t, map[string]string{s.Host(): "user:right"})
				if errs := failures(t, client(t, o), fill(t, s, images, 0)); len(errs) > 0 {
					t.Fatalf("%d failures, the first: %v", len(errs), errs[0])
				}
				// One after the other would be 1.
				if s.Counts() == tc.want && s.MaxInFlight() >= images/4 {
					return
				}
				t.Logf("%d requests in flight, %+v", s.MaxInFlight(), s.Counts())
			}
			t.Errorf("want %+v, and %d or more in flight", tc.want, images/4)
		})
	}
}

// TestFailingTokenServiceJudgesNoLogin: what is no answer to the login condemns
// it not, and makes the images wait for each other three times at most.
func TestFailingTokenServiceJudgesNoLogin(t *testing.T) {
	t.Parallel()
	const images = 20
	users := registrytest.Users{"user": "right"}
	for _, failing := range []int{2, images} {
		t.Run(fmt.Sprint(failing), func(t *testing.T) {
			t.Parallel()
			tokens := &registrytest.Tokens{Service: "r", Users: users}
			broken := registrytest.On(registrytest.Token, registrytest.First(failing, refusing(http.StatusBadRequest)))
			s := with(t, registrytest.Latency(20*time.Millisecond), broken, tokens.Require())
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): "user:right"})
			if errs := failures(t, client(t, o), fill(t, s, images, 0)); len(errs) != failing {
				t.Errorf("want the %d images whose requests failed, got %d: %v", failing, len(errs), errs)
			}
			if got := s.MaxInFlight(); got < images/5 {
				t.Errorf("want the tokens asked for at once, got %d at once", got)
			}
		})
	}
}
