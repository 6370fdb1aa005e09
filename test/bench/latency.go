package main

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// far returns listeners that are so far away.
func far(roundTrip time.Duration) func(net.Listener) net.Listener {
	if roundTrip == 0 {
		return nil
	}
	return func(l net.Listener) net.Listener { return latency{l, roundTrip} }
}

// latency makes a listener far away: what a client sends arrives a round trip
// later, and the first of it two, as the connection has to be made. So TCP costs
// one round trip, TLS 1.3 one, and each request one.
type latency struct {
	net.Listener
	roundTrip time.Duration
}

func (l latency) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	far := &farConn{Conn: conn, roundTrip: l.roundTrip, arrived: make(chan chunk, 1024), moved: make(chan struct{})}
	go far.receive()
	return far, nil
}

// farConn delivers what came in when its time has come. Chunks travel side by
// side: a second one does not wait for the first.
type farConn struct {
	net.Conn
	roundTrip time.Duration
	arrived   chan chunk

	reading sync.Mutex // one Read at a time
	next    chunk      // on its way, or read in part

	mu       sync.Mutex
	deadline time.Time
	moved    chan struct{} // closed when the deadline is set anew
}

type chunk struct {
	data []byte
	at   time.Time
	err  error
}

func (c *farConn) receive() {
	defer close(c.arrived)
	trips := 2 * c.roundTrip
	for {
		buffer := make([]byte, 32<<10)
		n, err := c.Conn.Read(buffer)
		c.arrived <- chunk{data: buffer[:n], at: time.Now().Add(trips), err: err}
		if err != nil {
			return
		}
		trips = c.roundTrip
	}
}

// Read returns what has arrived by now. A deadline ends it at once, as net/http
// relies on.
func (c *farConn) Read(p []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		wait := time.Until(c.next.at)
		if wait <= 0 && (len(c.next.data) > 0 || c.next.err != nil) {
			n := copy(p, c.next.data)
			c.next.data = c.next.data[n:]
			if n > 0 {
				return n, nil
			}
			return 0, c.next.err
		}
		var arrived <-chan chunk
		if len(c.next.data) == 0 && c.next.err == nil {
			arrived = c.arrived
		}
		if err := c.wait(arrived, wait); err != nil {
			return 0, err
		}
	}
}

// wait waits for the next chunk, or, without a channel, for the time of the one
// that is on its way.
func (c *farConn) wait(arrived <-chan chunk, until time.Duration) error {
	c.mu.Lock()
	moved, deadline := c.moved, c.deadline
	c.mu.Unlock()
	left := time.Hour
	if !deadline.IsZero() {
		left = time.Until(deadline)
	}
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	if arrived == nil {
		left = min(left, until)
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case next, open := <-arrived:
		if !open {
			next.err = io.EOF
		}
		c.next = next
	case <-moved:
	case <-timer.C:
	}
	return nil
}

// SetReadDeadline ends a Read that waits.
func (c *farConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	close(c.moved)
	c.moved = make(chan struct{})
	return nil
}

// SetDeadline sets both deadlines.
func (c *farConn) SetDeadline(t time.Time) error {
	_ = c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}
