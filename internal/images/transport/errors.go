package transport

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Errors that a HostError can hold.
var (
	// ErrPlainHTTP: the host requires plain HTTP, which is not allowed for it.
	ErrPlainHTTP = errors.New("plain HTTP is not allowed for this host")
	// ErrTooLarge: the answer is larger than the limit of the request.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrProxy: the proxy setting is not valid.
	ErrProxy = errors.New("the proxy setting is not valid")
	// ErrTrust: the transport cannot read the certificates for a host.
	ErrTrust = errors.New("the certificates for this host cannot be read")
	// ErrTimeout: an attempt took longer than RequestTimeout.
	ErrTimeout = errors.New("no complete answer in time")
)

// HostError reports that a host gave no usable answer. All requests to a host that the
// transport gave up get the same *HostError, so that a caller can report them as one
// failure.
type HostError struct {
	// Host is the host of the request, as in the URL.
	Host string
	// Proxy is the proxy for the request, without its password, or "".
	Proxy string
	// GivenUp reports that the transport sends no more requests to the host.
	GivenUp bool
	// Err is what went wrong.
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

// WaitError reports that a host refuses requests for longer than the transport can
// wait.
type WaitError struct {
	// Wait is how long the host requires clients to wait, or the rest of that time.
	Wait time.Duration
	// Response is the answer that requires the wait.
	Response *Response
}

// Error implements error.
func (e *WaitError) Error() string {
	return fmt.Sprintf("it answered %s and requires a wait of %s, which is longer than the time that is left",
		status(e.Response), e.Wait.Round(10*time.Millisecond))
}

// ProxyError is a proxy that refuses to connect to a host.
type ProxyError struct {
	// Status is the status of its answer.
	Status int
}

// Error implements error.
func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy answered %d %s", e.Status, http.StatusText(e.Status))
}

// StatusError is the answer for which the transport gave up a host.
type StatusError struct {
	Response *Response
}

// Error implements error.
func (e *StatusError) Error() string { return "it keeps answering " + status(e.Response) }

// LastAnswer returns the answer that an error is about, nil if there was none.
func LastAnswer(err error) *Response {
	if e, ok := errors.AsType[*WaitError](err); ok {
		return e.Response
	}
	if e, ok := errors.AsType[*StatusError](err); ok {
		return e.Response
	}
	return nil
}

func status(r *Response) string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status))
}
