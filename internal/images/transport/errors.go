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

// AnswerError is the answer for which the transport sends a request no more.
type AnswerError struct {
	Response *Response
	// Wait is how long the host requires clients to wait, which is too long; 0 if the
	// host keeps sending such answers.
	Wait time.Duration
}

// Error implements error.
func (e *AnswerError) Error() string {
	answer := fmt.Sprintf("%d %s", e.Response.Status, http.StatusText(e.Response.Status))
	if e.Wait == 0 {
		return "it keeps answering " + answer
	}
	return fmt.Sprintf("it answered %s and requires a wait of %s, which is longer than the time that is left", answer, e.Wait.Round(10*time.Millisecond))
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
