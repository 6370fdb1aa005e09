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

// errRefused is what kustomize's library gets for a connection.
var errRefused = errors.New("goldenarch opens no connection while it builds a kustomization")

// fence keeps kustomize's library from the network, whatever a kustomization says
// and however it says it. The library takes [http.DefaultTransport] (kustomize
// internal/loader/fileloader.go: httpClientGetContent) and the git of PATH
// (internal/git/gitrunner.go); nothing else of goldenarch uses either meanwhile: what
// asks registries has a transport of its own and begins later.
type fence struct {
	up      atomic.Bool
	refused atomic.Int64
	stays   atomic.Bool // for as long as the process lives
}

// theFence is there once, as the transport is.
var theFence = newFence()

// newFence hooks into the transport that the whole process shares, which goes on
// as before while the fence is down. It is done before anybody can use the transport.
func newFence() *fence {
	f := &fence{}
	transport, is := http.DefaultTransport.(*http.Transport)
	if !is {
		return f // somebody else has put one there, and knows why
	}
	proxy, dial := transport.Proxy, transport.DialContext
	// It is asked before each request, whether there is a connection already or not.
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
	// A patch that copies a value into itself doubles it with each line.
	jsonpatch.AccumulatedCopySizeLimit = maxCopied
	return f
}

// maxCopied is how much the copy operations of one JSON patch may add.
const maxCopied = 1 << 20

func (f *fence) refuse() bool {
	if f.up.Load() {
		f.refused.Add(1)
		return true
	}
	return false
}

// within does something behind the fence. Only one may at a time: see standard.
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

// programs is where the operating system looks for programs.
const programs = "PATH"

// hit reports whether what came out of the fence was held up by it.
func (f *fence) hit(err error) bool {
	return f.refused.Load() > 0 || err != nil && strings.Contains(err.Error(), "no 'git' program on path")
}
