package cli

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// TestRequireDialsNobody runs goldenarch with a dialer that fails the test, on
// any system: with a full lock nothing is dialled, with one that lacks an image
// only where it may be asked for. That the dialer is there, a run that ignores
// the lock shows.
func TestRequireDialsNobody(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		only   string // what is locked; "" is all
		mode   v1alpha1.LockMode
		dials  bool
		fails  bool
	}{
		{reason: "all is in the lock", mode: v1alpha1.LockRequire},
		{reason: "what is in the lock is not asked for", mode: v1alpha1.LockPrefer},
		{reason: "what is not in it is an error", only: "x/fedora:1", mode: v1alpha1.LockRequire, fails: true},
		{reason: "what is not in it is asked for, where it may be", only: "x/fedora:1", mode: v1alpha1.LockPrefer, dials: true, fails: true},
		{reason: "without the lock all is", mode: v1alpha1.LockIgnore, dials: true, fails: true},
	} {
		t.Run(string(tc.mode)+" "+tc.reason, func(t *testing.T) {
			t.Parallel()
			l := newLockedTree(t)
			args := []string{"lock", "DIR"}
			if tc.only != "" {
				args = append(args, "--only", l.ref(tc.only))
			}
			if status, _, stderr := l.run(nil, args...); status != 0 {
				t.Fatal(stderr)
			}
			connections := l.registry.Connections()
			var dialled atomic.Int32
			function := engine.Function{
				Source: configuration.Source{Dir: l.dir},
				Open: func(registry.Options) (registry.Resolver, error) {
					return registry.New(registry.Options{
						Insecure: []string{l.registry.Host()}, Retries: -1,
						Dial: func(_ context.Context, network, address string) (net.Conn, error) {
							dialled.Add(1)
							if !tc.dials {
								t.Errorf("%s: it dialled %s %s", tc.reason, network, address)
							}
							return nil, errors.New("nobody is to be dialled")
						},
					}), nil
				},
			}
			items, err := (&kio.ByteReader{Reader: strings.NewReader(l.read("hco.yaml") + "---\n" + l.read(lockFile))}).Read()
			if err != nil {
				t.Fatal(err)
			}
			config := "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\nspec: {cluster: {workloadArchitectures: [amd64]}, lock: {mode: " +
				string(tc.mode) + "}}\n"
			_, found := function.Render(t.Context(), items, engine.Given(yaml.MustParse(config)))
			if found.Failed() != tc.fails {
				t.Errorf("%s: want failure: %v, got:\n%s", tc.reason, tc.fails, found)
			}
			if (dialled.Load() > 0) != tc.dials {
				t.Errorf("%s: want a dial: %v, got %d", tc.reason, tc.dials, dialled.Load())
			}
			if l.registry.Connections() != connections {
				t.Errorf("%s: the registry was asked", tc.reason)
			}
		})
	}
}
