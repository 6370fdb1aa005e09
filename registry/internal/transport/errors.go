package transport

import (
	"errors"
	"fmt"
	"time"
)

// Errors that a HostError can hold.
var (
	// ErrPlainHTTP: the host would have to be asked over plain HTTP.
	ErrPlainHTTP = errors.New("plain HTTP is not allowed for this host")
	// ErrTooLarge: the answer is larger than the limit of the request.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrTimeout: an attempt took longer than RequestTimeout.
	ErrTimeout = errors.New("no complete answer in time")
)

// HostError says that a host gave no answer that could be used. All requests
// to a host that is given up get the same *HostError, so that they can be
// told as one failure.
type HostError struct {
	// Host is what was asked, as in the URL.
	Host string
	// Proxy is the proxy between, without its password, or "".
	Proxy string
	// GivenUp says that the host is not asked again.
	GivenUp bool
	// Err says what went wrong.
	Err error
}

// Error implements error.
func (e *HostError) Error() string {
	via := ""
	if e.Proxy != "" {
		via = " through proxy " + e.Proxy
	}
	return fmt.Sprintf("no usable answer from %s%s: %v", e.Host, via, e.Err)
}

// Unwrap returns what went wrong.
func (e *HostError) Unwrap() error { return e.Err }

// WaitError says that a host wants no requests for longer than there is time.
type WaitError struct {
	// Wait is how long the host asked to wait, or what is left of it.
	Wait time.Duration
}

// Error implements error.
func (e *WaitError) Error() string {
	return fmt.Sprintf("too many requests: the host asks to wait %s, which is longer than there is time", e.Wait.Round(time.Second))
}
