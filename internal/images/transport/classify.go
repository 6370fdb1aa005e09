package transport

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
)

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
	if errors.Is(err, ErrProxy) || errors.Is(err, ErrTrust) {
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
