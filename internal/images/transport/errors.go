package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goldenarch/goldenarch/internal/console"
)

// Errors that a HostError can hold.
var (
	// ErrPlainHTTP: the host requires plain HTTP, which is not allowed for it.
	ErrPlainHTTP = errors.New("plain HTTP is not allowed for this host")
	// ErrTooLarge: the answer is larger than the limit of the request.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrProxy: the proxy setting is not valid.
	ErrProxy = errors.New("the proxy setting is not valid")
	// ErrCertificates: the transport cannot read the certificates for a host.
	ErrCertificates = errors.New("the certificates for this host cannot be read")
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
	return fmt.Sprintf("no usable answer from %s%s: %s", e.Host, via, brief(e.Err))
}

// How many characters an error shows of a quotation, and of an error of net/http: that quotes
// what a host sent, which may be a whole header, and lists the names of a certificate.
const (
	maxQuoted = 75
	maxText   = 500
)

// brief returns the text of an error with little of what a host sent.
func brief(err error) string {
	return shortened(console.Quotations(err.Error(), func(quoted string) string { return shortened(quoted, maxQuoted) }), maxText)
}

func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// Unwrap returns what went wrong.
func (e *HostError) Unwrap() error { return e.Err }

// AnswerError is the answer for which the transport sends a request no more.
type AnswerError struct {
	Response *Response
	// Wait is how long the host requires clients to wait, which is too long; 0 if the
	// host keeps sending such answers.
	Wait time.Duration
	// Deadline reports that the deadline of the run ended the retries.
	Deadline bool
}

// Error implements error.
func (e *AnswerError) Error() string {
	answer := fmt.Sprintf("%d %s", e.Response.Status, http.StatusText(e.Response.Status))
	switch {
	case e.Deadline:
		return "it answered " + answer + " until the deadline of the run"
	case e.Wait == 0:
		return "it keeps answering " + answer
	}
	return fmt.Sprintf("it answered %s and requires a wait of %s, which is longer than goldenarch waits", answer, e.Wait.Round(10*time.Millisecond))
}

// Unwrap returns [context.DeadlineExceeded] if the deadline of the run ended the retries:
// the caller had the same end if the deadline came before the first answer.
func (e *AnswerError) Unwrap() error {
	if e.Deadline {
		return context.DeadlineExceeded
	}
	return nil
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

// overloaded are the statuses of an overloaded host, or of an overloaded gateway before
// it.
var overloaded = []int{
	http.StatusTooManyRequests, http.StatusBadGateway,
	http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// retryable reports whether a retry may change an answer with this status. 401, 403 and
// 404 are final.
func retryable(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooEarly ||
		status == http.StatusInternalServerError || slices.Contains(overloaded, status)
}

// unreachable reports whether there was no connection: refused, no route, no such host,
// no proxy, or a proxy that refuses.
func unreachable(err error) bool {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	if proxy, ok := errors.AsType[*ProxyError](err); ok {
		return !retryable(proxy.Status)
	}
	if errors.Is(err, ErrProxy) || errors.Is(err, ErrCertificates) {
		return true
	}
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// untrusted reports whether TLS failed with an error that a retry does not change.
func untrusted(err error) bool {
	var verify *tls.CertificateVerificationError
	var alert tls.AlertError
	var op *net.OpError
	return errors.As(err, &verify) || errors.As(err, &alert) || notTLS(err) ||
		errors.As(err, &op) && op.Op == "remote error"
}

// timedOut reports whether the host was silent: no answer in time, or no TLS handshake,
// for which net/http has a shorter timeout of its own.
func timedOut(err error) bool {
	if errors.Is(err, ErrTimeout) {
		return true
	}
	silent, ok := errors.AsType[net.Error](err)
	return ok && silent.Timeout()
}

// notTLS reports whether the other side does not speak TLS.
func notTLS(err error) bool {
	var header tls.RecordHeaderError
	return errors.As(err, &header)
}

const (
	firstBackoff = 100 * time.Millisecond
	maxBackoff   = 5 * time.Second
	// maxWait is the longest Retry-After that the transport waits for.
	maxWait = 30 * time.Second
)

// backoff returns how long to wait after the n-th failure (from 0). The wait doubles
// each time. A random part of up to half as much again keeps requests that failed
// together from coming back together.
func backoff(n int) time.Duration {
	d := maxBackoff
	if n < 6 {
		d = min(maxBackoff, firstBackoff<<n)
	}
	return d + rand.N(d/2)
}

// retryAfter returns how long an answer requires the client to wait. The header has
// seconds or a date (RFC 9110, 10.2.3). A date is compared with the server's own date,
// because clocks differ.
func retryAfter(h http.Header) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now)), true
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
