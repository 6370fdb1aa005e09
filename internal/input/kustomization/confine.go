package kustomization

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// errRefused is the error that kustomize's library gets for each connection.
var errRefused = errors.New("goldenarch opens no connection while it builds a kustomization")

// fence prevents kustomize's library from using the network, whatever a kustomization
// says. The library uses [http.DefaultTransport] (kustomize internal/loader/fileloader.go:
// httpClientGetContent) and the git of PATH (internal/git/gitrunner.go). Nothing else in
// goldenarch uses either during a build: the registry client has its own transport, and
// starts later.
type fence struct {
	up      atomic.Bool
	refused atomic.Int64
	stays   atomic.Bool // until the process ends
}

// theFence is the only fence, because the process has only one default transport.
var theFence = newFence()

// newFence adds hooks to the default transport of the process. It runs before anything can
// use the transport. While the fence is down, the transport works as before.
func newFence() *fence {
	f := &fence{}
	transport, is := http.DefaultTransport.(*http.Transport)
	if !is {
		return f // another package has replaced the transport; keep it
	}
	proxy, dial := transport.Proxy, transport.DialContext
	// The transport calls Proxy before each request, even on an open connection.
	transport.Proxy = func(r *http.Request) (*url.URL, error) {
		if f.refuse() {
			return nil, errRefused
		}
		return proxy(r)
	}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if f.refuse() {
			return nil, errRefused
		}
		return dial(ctx, network, address)
	}
	// A patch that copies a value into itself doubles the value with each line.
	jsonpatch.AccumulatedCopySizeLimit = maxCopied
	return f
}

// maxCopied is how many bytes the copy operations of one JSON patch may add.
const maxCopied = 1 << 20

func (f *fence) refuse() bool {
	if f.up.Load() {
		f.refused.Add(1)
		return true
	}
	return false
}

// within calls a function while the fence is up. Callers must hold the lock standard.
func (f *fence) within(do func()) {
	path, is := os.LookupEnv(programs)
	_ = os.Setenv(programs, "")
	f.refused.Store(0)
	f.up.Store(true)
	defer func() {
		if f.stays.Load() {
			return
		}
		f.up.Store(false)
		if is {
			_ = os.Setenv(programs, path)
		} else {
			_ = os.Unsetenv(programs)
		}
	}()
	do()
}

// programs is the variable with the directories of programs.
const programs = "PATH"

// hit reports whether the fence has blocked the function that returned the error.
func (f *fence) hit(err error) bool {
	return f.refused.Load() > 0 || err != nil && strings.Contains(err.Error(), "no 'git' program on path")
}
