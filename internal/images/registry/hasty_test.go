package registry_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestSilentMirror has mirrors before the source that say nothing, in many ways:
// they get a third of a request's time, for all images together, and no retry. The clock is
// that of synctest: on a busy machine a challenge is late, and other requests meet it too.
func TestSilentMirror(t *testing.T) {
	t.Parallel()
	const images, requestTimeout, share = 30, 3 * time.Second, "1s"
	silent := []registrytest.Wrapper{registrytest.Silent()}
	tokens := func(wrappers ...registrytest.Wrapper) []registrytest.Wrapper {
		return append(wrappers, registrytest.On(registrytest.Token, registrytest.Silent()), (&registrytest.Tokens{Service: "r"}).Require())
	}
	cases := map[string]struct {
		reason  string
		mirror  func(t *testing.T, network *registrytest.Pipes) (host string, asked func() int)
		blocked bool // the source must not be asked: the mirror is the last place
		asked   int
	}{
		"HTTP2": {
			reason: "It takes the question, which may be about one repository: of each image it is one.",
			mirror: listening(registrytest.Options{Wrappers: silent}),
			asked:  images,
		},
		"HTTP1": {reason: "Without HTTP/2.", mirror: listening(registrytest.Options{HTTP1: true, Wrappers: silent}), asked: images},
		"TLS":   {reason: "It takes the connection and does not answer TLS's greeting.", mirror: mute, asked: 2},
		"Tokens": {
			reason: "Its token service is silent: of each token it is one question.",
			mirror: listening(registrytest.Options{Wrappers: tokens()}), asked: 1 + images,
		},
		"LateChallenge": {
			reason: "Its first answer takes 300 ms: after 200 ms a second request does not wait for it.",
			mirror: listening(registrytest.Options{
				Wrappers: tokens(registrytest.On(registrytest.Manifest, registrytest.Latency(300*time.Millisecond))),
			}),
			asked: 2 + images,
		},
		"LastPlace": {
			reason: "Where nobody else may be asked, it gets the whole time.", blocked: true,
			mirror: listening(registrytest.Options{Wrappers: silent}), asked: images,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registrytest.RootCAs() // made before the clock is
			synctest.Test(t, func(t *testing.T) {
				var network registrytest.Pipes
				host, asked := tc.mirror(t, &network)
				source := start(t, registrytest.Options{Listen: network.Listen})
				refs := fill(t, source, images, 0)
				o := trusting(t)
				o.RequestTimeout, o.Retries, o.Dial = requestTimeout, 4, network.Dial
				c := client(t, o)
				for i, result := range resolveAll(t, registry.Mirrored(c, c, scopeOf(source, tc.blocked, host)), refs) {
					if tc.blocked {
						outcome{kind: registry.ErrUnreachable, says: []string{"mirror " + host, requestTimeout.String(), "does not query it"}}.
							check(t, tc.reason, refs[i], result.Image, result.Err)
						continue
					}
					outcome{platforms: "linux/amd64 linux/arm64"}.check(t, tc.reason, refs[i], result.Image, result.Err)
					if p := result.Image.Passed; len(p) != 1 || !strings.Contains(p[0].Error(), share) {
						t.Errorf("%s\nwant the mirror passed after %s, got %v", tc.reason, share, p)
					}
				}
				if got := asked(); got == 0 || got > tc.asked {
					t.Errorf("%s\nwant the mirror asked 1 to %d times, got %d", tc.reason, tc.asked, got)
				}
			})
		})
	}
}

// listening starts a registry and counts what it is asked.
func listening(o registrytest.Options) func(t *testing.T, network *registrytest.Pipes) (string, func() int) {
	return func(t *testing.T, network *registrytest.Pipes) (string, func() int) {
		t.Helper()
		o.Listen = network.Listen
		s := start(t, o)
		return s.Host(), func() int { return s.Counts().Total() }
	}
}

// mute takes connections and says nothing on them.
func mute(t *testing.T, network *registrytest.Pipes) (string, func() int) {
	t.Helper()
	address, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := network.Listen(address)
	connections := make(chan net.Conn, 1000)
	go func() {
		defer close(connections)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections <- conn
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		for conn := range connections {
			_ = conn.Close()
		}
	})
	return address.Addr().String(), func() int { return len(connections) }
}

// TestMirrorThatFailsNowAndThen: haste is about silence. A mirror that fails once
// is asked again, or the lock would change sides with each hiccup.
func TestMirrorThatFailsNowAndThen(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]registrytest.Wrapper{
		"500": registrytest.Reply(http.StatusInternalServerError, nil),
		"503": registrytest.Reply(http.StatusServiceUnavailable, nil),
		"429": registrytest.Reply(http.StatusTooManyRequests, registrytest.RetryAfter(1)),
		"Cut": registrytest.Reset(), "Broken": registrytest.Truncate(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, source := with(t, registrytest.First(1, fault)), with(t)
			fill(t, near, 1, 0)
			ref := fill(t, source, 1, 0)[0]
			image, err := resolve(t, mirrored(t, scopeOf(source, false, near.Host())), ref)
			outcome{platforms: "linux/amd64 linux/arm64"}.check(t, name, ref, image, err)
			if source.Counts().Total() > 0 || !strings.HasPrefix(image.Mirror, near.Host()) {
				t.Errorf("want the mirror's answer, got %q after %v", image.Mirror, image.Passed)
			}
		})
	}
}

// TestTwoSilentMirrors come one after the other, before one that answers.
func TestTwoSilentMirrors(t *testing.T) {
	t.Parallel()
	first, second, source := with(t, registrytest.Silent()), with(t, registrytest.Silent()), with(t)
	var list []mirror.Endpoint
	for _, s := range []*registrytest.Server{first, second} {
		list = append(list, mirror.Endpoint{Location: s.Host()})
	}
	o := trusting(t)
	o.RequestTimeout = 12 * time.Second // a busy machine takes a second to connect
	c := client(t, o)
	p := mirror.New(mirror.Scope{Prefix: source.Host(), Mirrors: list})
	for _, result := range resolveAll(t, registry.Mirrored(c, c, p), fill(t, source, 10, 2)) {
		if result.Err != nil || len(result.Image.Passed) != 2 {
			t.Errorf("want the source's answer after two mirrors, got %v, %v", result.Image.Passed, result.Err)
		}
	}
	for i, s := range []*registrytest.Server{first, second} {
		if got := s.Counts().Total(); got < 1 || got > 10 {
			t.Errorf("%s was asked %d times", fmt.Sprintf("mirror %d", i+1), got)
		}
	}
}
