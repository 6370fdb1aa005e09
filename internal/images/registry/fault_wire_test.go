package registry_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestFaultsOfTheWire breaks answers off, or lets them come too slowly, for
// each kind of question: once, and for ever.
func TestFaultsOfTheWire(t *testing.T) {
	t.Parallel()
	const longest = 16 * time.Second
	kinds := map[string]registrytest.Kind{
		"Manifest": registrytest.Manifest, "Config": registrytest.Blob, "Token": registrytest.Token,
	}
	faults := map[string]struct {
		reason  string
		fault   func() registrytest.Wrapper
		timeout time.Duration
		says    []string
	}{
		"Reset":    {"A connection that is cut.", registrytest.Reset, 10 * time.Second, nil},
		"Truncate": {"An answer that breaks off.", registrytest.Truncate, 10 * time.Second, []string{"ended early"}},
		"Slow": {
			"An answer that comes byte by byte.",
			func() registrytest.Wrapper { return registrytest.SlowBody(100 * time.Millisecond) },
			time.Second,
			[]string{"1s"},
		},
		"Silent": {"No answer at all.", registrytest.Silent, time.Second, []string{"1s"}},
	}
	for kindName, kind := range kinds {
		for faultName, f := range faults {
			for times, n := range map[string]int{"ForEver": 1 << 20, "Once": 1} {
				for protocol, options := range map[string]registrytest.Options{"HTTP1": {HTTP1: true}, "HTTP2": {}} {
					t.Run(kindName+faultName+times+protocol, func(t *testing.T) {
						t.Parallel()
						// A host that is silent from the beginning gets no
						// second chance: 200 images would wait for it.
						dead := faultName == "Silent" && kind == registrytest.Manifest
						want := outcome{kind: registry.ErrUnreachable, says: f.says}
						if times == "Once" && !dead {
							want = outcome{platforms: "linux/arm64"}
						}
						// The answer to the second try needs its time: on a busy machine
						// more than what is the limit of the first one.
						for timeout := f.timeout; ; timeout *= 2 {
							tokens := &registrytest.Tokens{Service: "r"}
							served := options
							served.Wrappers = []registrytest.Wrapper{registrytest.On(kind, registrytest.First(n, f.fault())), tokens.Require()}
							s := start(t, served)
							ref := fill(t, s, 1, 1)[0]
							o := trusting(t)
							o.RequestTimeout = timeout
							o.Retries = 2
							image, err := resolve(t, client(t, o), ref)
							if want.kind == nil && errors.Is(err, registry.ErrUnreachable) && timeout < longest {
								continue
							}
							want.check(t, f.reason, ref, image, err)
							if got := s.Counts().Total(); got > 4+2*2 {
								t.Errorf("%s\nit was asked %d times", f.reason, got)
							}
							return
						}
					})
				}
			}
		}
	}
}

// TestRegistryThatFailsNowAndThen resets, breaks off and refuses, each by
// turns, while 100 images are asked for.
func TestRegistryThatFailsNowAndThen(t *testing.T) {
	t.Parallel()
	for protocol, options := range map[string]registrytest.Options{"HTTP1": {HTTP1: true}, "HTTP2": {}} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			options.Wrappers = []registrytest.Wrapper{
				registrytest.Every(29, registrytest.Reset()),
				registrytest.Every(31, registrytest.Truncate()),
				registrytest.Every(37, registrytest.Reply(http.StatusServiceUnavailable, nil)),
				registrytest.Every(41, registrytest.Reply(http.StatusInternalServerError, nil)),
				(&registrytest.Tokens{Service: "r"}).Require(),
			}
			s := start(t, options)
			o := trusting(t)
			o.Retries = 0 // the default
			if errs := failures(t, client(t, o), fill(t, s, 100, 25)); len(errs) > 0 {
				t.Errorf("%d of 100 failed, the first: %v", len(errs), errs[0])
			}
		})
	}
}
