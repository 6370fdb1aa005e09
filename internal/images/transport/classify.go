package transport

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
)

// overloaded are the answers of a host, or of a gateway before it, that has
// too much to do.
var overloaded = []int{
	http.StatusTooManyRequests, http.StatusBadGateway,
	http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// retryable reports whether an answer with this status may be another one the
// next time. 401, 403 and 404 are answers.
func retryable(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooEarly ||
		status == http.StatusInternalServerError || slices.Contains(overloaded, status)
}

// unreachable reports whether there was no connection: refused, no route, no
// such host, no proxy, or one that refuses.
func unreachable(err error) bool {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	if proxy, ok := errors.AsType[*ProxyError](err); ok {
		return !retryable(proxy.Status)
	}
	if errors.Is(err, ErrProxy) || errors.Is(err, ErrTrust) {
		return true
	}
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// untrusted reports whether TLS failed in a way that it will fail again.
func untrusted(err error) bool {
	var verify *tls.CertificateVerificationError
	var alert tls.AlertError
	var op *net.OpError
	return errors.As(err, &verify) || errors.As(err, &alert) || notTLS(err) ||
		errors.As(err, &op) && op.Op == "remote error"
}

// timedOut reports whether silence was what went wrong: no answer in time, or
// no greeting of TLS, for which net/http has a shorter time of its own.
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
