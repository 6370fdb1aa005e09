package transport

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Errors that a HostError can hold.
var (
	// ErrPlainHTTP: the host would have to be asked over plain HTTP.
	ErrPlainHTTP = errors.New("plain HTTP is not allowed for this host")
	// ErrTooLarge: the answer is larger than the limit of the request.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrProxy: there is no telling which proxy to ask.
	ErrProxy = errors.New("the proxy is not set rightly")
	// ErrTrust: the certificates that are kept for a host cannot be read.
	ErrTrust = errors.New("the certificates for this host cannot be read")
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
	// Response is the answer that asked for it.
	Response *Response
}

// Error implements error.
func (e *WaitError) Error() string {
	return fmt.Sprintf("it answered %s and wants to be left alone for %s, which is longer than there is time",
		status(e.Response), e.Wait.Round(10*time.Millisecond))
}

// ProxyError is a proxy that will not connect to a host.
type ProxyError struct {
	// Status is what it answered.
	Status int
}

// Error implements error.
func (e *ProxyError) Error() string {
	return fmt.Sprintf("the proxy answered %d %s", e.Status, http.StatusText(e.Status))
}

// StatusError is the answer that a host was given up for.
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
