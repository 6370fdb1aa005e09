package registry

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// explain converts an error into an Error, with its kind and what the user can try.
func explain(ref imageref.Reference, err error) *Error {
	e := &Error{Reference: ref.String(), Registry: ref.Host(), Err: err}
	var status *statusError
	var content *contentError
	var host *transport.HostError
	var helper *credential.WaitError
	switch {
	case errors.As(err, &status):
		e.Status, e.Codes = status.status, status.codes
		e.Kind, e.Hint = kindOf(status.status), status.hint(ref)
	case errors.As(err, &content):
		e.Kind, e.MediaType, e.Hint = content.kind, content.mediaType, cmp.Or(content.hint, hintFor(content.kind))
		if content.local {
			e.Registry = ""
		}
	case errors.As(err, &host):
		e.Kind, e.Hint = unreachable(host)
		if answer, answered := errors.AsType[*transport.AnswerError](err); answered {
			who := ""
			if answer.Response.URL.Host != ref.Host() {
				who = answer.Response.URL.Host
			}
			refusal := newStatusError(answer.Response, who)
			e.Status, e.Codes = refusal.status, refusal.codes
			if refusal.words != "" {
				e.Hint = fmt.Sprintf("it said %q; %s", refusal.words, e.Hint)
			}
		}
	case errors.As(err, &helper) && errors.Is(err, context.DeadlineExceeded):
		e.Kind = context.DeadlineExceeded
		e.Hint = fmt.Sprintf("check whether it waits for input: echo %s | %s get", helper.Server, helper.Helper)
		e.Err = fmt.Errorf("requires a login, and the credential helper %s did not answer before the deadline of the run", helper.Helper)
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Hint = context.DeadlineExceeded, "raise --registry-timeout (spec.registry.timeout), or resolve fewer images in one run"
		e.Err = errors.New("no answer before the deadline of the run")
	default:
		e.Kind = err
	}
	return e
}

// hintFor returns what the user can try when the answer does not contain an image.
func hintFor(kind error) string {
	switch {
	case errors.Is(kind, ErrNotImage):
		return "check the repository and the tag, or state the architectures as an override"
	case errors.Is(kind, ErrNotTrue):
		return "build or mirror the image again, or leave the architecture out with an override"
	case errors.Is(kind, ErrNoPlatform):
		return "check the image, or state the architectures as an override"
	case errors.Is(kind, ErrContent):
		return "try again, and check whether a mirror or a proxy answers instead of the registry"
	}
	return ""
}

func kindOf(status int) error {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return ErrDenied
	case status == http.StatusNotFound:
		return ErrNotFound
	case status == http.StatusTooManyRequests:
		return ErrBusy
	}
	return ErrServer
}

// hint returns what the user can try after an answer.
func (e *statusError) hint(ref imageref.Reference) string {
	var tips []string
	login := "podman login " + ref.Host()
	kind := kindOf(e.status)
	switch {
	case errors.Is(kind, ErrDenied) && e.used != "":
		tips = append(tips, fmt.Sprintf("it refuses the credentials from %s: check that they are right and may read the repository (%s)", e.used, login))
	case errors.Is(kind, ErrDenied) && e.withheld != "":
		tips = append(tips, e.withheld)
	case errors.Is(kind, ErrDenied):
		tips = append(tips, "check the name, or log in: "+login)
	case errors.Is(kind, ErrNotFound) && e.part != "":
		tips = append(tips, "the image in this registry is incomplete: push or mirror it again")
	case errors.Is(kind, ErrNotFound):
		tips = append(tips, "check the repository and the tag")
		switch {
		case e.withheld != "":
			tips = append(tips, e.withheld)
		case e.used == "":
			tips = append(tips, "or, for a private repository, log in: "+login)
		}
	case errors.Is(kind, ErrBusy):
		tips = append(tips, "try again later, or log in for a higher limit: "+login)
	case e.status >= http.StatusInternalServerError:
		tips = append(tips, "try again later")
	default:
		tips = append(tips, "check that the host is a registry, and the reference")
	}
	return strings.Join(append(tips, e.notes...), "; ")
}

// unreachable returns what the user can try when there was no answer.
func unreachable(e *transport.HostError) (kind error, hint string) {
	var certificate *tls.CertificateVerificationError
	var greeting tls.RecordHeaderError
	var dns *net.DNSError
	var proxy *transport.ProxyError
	var answer *transport.AnswerError
	switch {
	case errors.Is(e, confine.ErrRefused):
		return ErrForbidden, confine.Advice(e)
	case errors.As(e, &answer) && answer.Wait > 0:
		return ErrBusy, "try again later, or log in for a higher limit"
	case errors.As(e, &answer):
		return kindOf(answer.Response.Status), "try again later"
	case errors.Is(e, transport.ErrTooLarge):
		return ErrContent, "no manifest or configuration of an image is that large: check whether a proxy answers instead of the registry"
	case errors.Is(e, transport.ErrPlainHTTP):
		return ErrUnreachable, httpAdvice(e.Host)
	case errors.As(e, &certificate):
		return ErrUnreachable,
			"trust its certificate authority (spec.registry.certificateAuthorities, certs.d, SSL_CERT_FILE), or accept any: --registry-insecure " +
				e.Host + " or spec.registry.insecure"
	case errors.Is(e, transport.ErrTrust):
		return ErrUnreachable, "correct the files of the directory certs.d, or remove them"
	case errors.As(e, &greeting):
		return ErrUnreachable, "it does not use TLS: " + httpAdvice(e.Host)
	case errors.As(e, &dns):
		return ErrUnreachable, "check the name of the registry, the name server, and the proxy (HTTPS_PROXY)"
	case errors.As(e, &proxy) && proxy.Status == http.StatusProxyAuthRequired:
		return ErrUnreachable, "the proxy requires a login: write a user and a password into HTTPS_PROXY, or list the host in NO_PROXY"
	case errors.Is(e, transport.ErrProxy):
		return ErrUnreachable, "correct HTTPS_PROXY, HTTP_PROXY and NO_PROXY"
	case e.Proxy != "":
		return ErrUnreachable, "check the proxy (HTTPS_PROXY, NO_PROXY) and the network"
	}
	return ErrUnreachable, "check the name and the port of the registry, the network, and the proxy (HTTPS_PROXY)"
}

// httpAdvice returns the advice to query a host over plain HTTP.
func httpAdvice(host string) string {
	return "to use plain HTTP, pass --registry-insecure " + host + ", or set spec.registry.insecure"
}
