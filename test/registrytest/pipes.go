package registrytest

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// Pipes is a network in memory, for tests with the clock of testing/synctest: it stands still
// while a goroutine waits for a socket of the machine.
type Pipes struct {
	listeners sync.Map // pipeListener by address
}

// Listen is for [Options]: the server has the address of a listener, which gets no connection.
func (p *Pipes) Listen(address net.Listener) net.Listener {
	l := pipeListener{address, make(chan net.Conn), make(chan struct{}), new(sync.Once)}
	p.listeners.Store(address.Addr().String(), l)
	return l
}

// Dial connects to a server that listens here.
func (p *Pipes) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	found, _ := p.listeners.Load(address)
	l, ok := found.(pipeListener)
	if !ok {
		return nil, &net.OpError{Op: "dial", Net: network, Err: fmt.Errorf("nobody listens at %s", address)}
	}
	client, server := net.Pipe()
	select {
	case l.dialled <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type pipeListener struct {
	net.Listener
	dialled chan net.Conn
	closed  chan struct{}
	once    *sync.Once
}

// Accept returns the next connection that somebody dialled.
func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialled:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept, and frees the address.
func (l pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
