package registry

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/credential"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/transport"
)

// session is the access to one repository. Each repository has one session and so gets
// one token, however many of its tags the client resolves.
type session struct {
	endpoint   *endpoint
	repository string
	// turn is held by the goroutine that fetches a token. The others wait for that
	// token, or share the failure: why the token could not be fetched.
	turn   chan struct{}
	token  string
	failed atomic.Pointer[error]
	// retried is the token that the service issued once more after the registry refused
	// it.
	retried atomic.Pointer[string]
	// userProof is the authorization, if it is the user's own.
	userProof atomic.Pointer[userProof]
	// login is the source of the credentials that were used.
	login atomic.Pointer[string]
}

// proof returns the value of the Authorization header. It is "" until the registry
// sends a challenge, or if there is nothing to send. refused is an authorization that
// the registry does not accept (any more), and scope the scope that it then required.
func (s *session) proof(ctx context.Context, refused, scope string) (string, error) {
	e := s.endpoint
	e.mu.Lock()
	c, from := e.challenge, &url.URL{Scheme: e.scheme, Host: e.address}
	e.mu.Unlock()
	if c == nil {
		return "", nil
	}
	// A goroutine waits here for a credential helper, and not for its turn: so each can
	// name the helper.
	if _, err := e.client.keyring.Find(ctx, e.host, s.repository); err != nil && ctx.Err() != nil {
		return "", err
	}
	before := s.failed.Load()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if s.token != "" && s.token != refused {
		return s.token, nil
	}
	if now := s.failed.Load(); now != before {
		return "", *now
	}
	if s.token != "" && s.repeated(refused) {
		return refused, nil
	}
	proof, exchanged, err := s.fetch(ctx, *c, from, scope)
	if err == nil && exchanged && proof == refused {
		// Some services still return a token that the registry no longer accepts.
		if proof, _, err = s.fetch(ctx, *c, from, scope); err == nil && proof == refused {
			s.retried.Store(&proof)
		}
	}
	switch {
	case err == nil:
		s.token = proof
	case ctx.Err() == nil:
		s.failed.Store(&err)
	}
	return proof, err
}

// repeated reports whether an authorization is a token that its service issues again
// although the registry refused it. The client sends it once more, because a registry
// may learn of a token late.
func (s *session) repeated(proof string) bool {
	again := s.retried.Load()
	return proof != "" && again != nil && *again == proof
}

// fetch returns an authorization: the user's own, or a token from the service that the
// challenge names. exchanged reports that it is a token.
func (s *session) fetch(ctx context.Context, c challenge, from *url.URL, scope string) (proof string, exchanged bool, err error) {
	e := s.endpoint
	found, err := s.credentials(ctx, c)
	if err != nil {
		return "", false, err
	}
	if !found.Anonymous() {
		s.login.Store(&found.Source)
	}
	switch {
	case c.scheme == "basic":
		s.userProof.Store(&userProof{found.Basic(), found})
		return found.Basic(), false, nil
	case found.RegistryToken != "":
		s.userProof.Store(&userProof{"Bearer " + found.RegistryToken, found})
		return "Bearer " + found.RegistryToken, false, nil
	case scope == "":
		scope = "repository:" + s.repository + ":pull"
	}
	t, err := e.exchange(ctx, exchange{challenge: c, scope: scope, from: from, who: found.Credential})
	if err != nil {
		return "", false, withNotes(err, found)
	}
	return "Bearer " + t, true, nil
}

// credentials returns the user's credentials for the repository, if the session may
// send them to the service that the challenge names.
func (s *session) credentials(ctx context.Context, c challenge) (credential.Found, error) {
	e := s.endpoint
	found, err := e.client.keyring.Find(ctx, e.host, s.repository)
	if err != nil {
		if ctx.Err() != nil {
			return found, err
		}
		return found, badContent(ErrCredentials, "requires a login, and %v", err)
	}
	if found.Anonymous() && !e.trusted(c) && !e.client.options.NoLogins {
		found.Notes = append(found.Notes, "an insecure registry gets a login only with --allow-insecure-credentials")
	}
	why := e.withheldReason(c, found.Credential)
	if why == "" && found.Machine {
		why = e.noLoginsReason()
	}
	if why != "" {
		found.Withheld = "the " + found.String() + " were not sent: " + why
		found.Credential = credential.Credential{}
	}
	_, basic, _ := strings.Cut(found.Basic(), " ")
	e.client.secrets.add(found.Password, found.IdentityToken, found.RegistryToken, basic)
	return found, nil
}

// statusError is an answer that is not 200.
type statusError struct {
	status int
	text   string
	words  string // the server's text, apart from the status
	// part is the part of the image that the client requested; "" is the image itself.
	part string
	// used is the source of the credentials that the client sent, or "".
	used string
	// withheldReason is why the client did not send existing credentials, or "".
	withheldReason string
	notes          []string
}

func (e *statusError) Error() string { return e.text }

// newStatusError reads the server's answer: the errors of the distribution
// specification, or the beginning of the body. who is "" for the registry itself.
func newStatusError(resp *transport.Response, who string) *statusError {
	var body struct {
		Errors []struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	e := &statusError{status: resp.Status}
	most := 200
	var messages []string
	if json.Unmarshal(resp.Body, &body) == nil {
		for _, one := range body.Errors[:min(3, len(body.Errors))] {
			messages = append(messages, strings.Trim(one.Code+": "+one.Message, ": "))
		}
	}
	switch {
	case len(messages) > 0:
	case errors.Is(errorPage(resp.Body), errHTML):
		messages = []string{errHTML.Error()}
	default:
		// A body without a registry's errors may be a page of any other service.
		messages, most = []string{string(resp.Body)}, shownWords
	}
	answered := fmt.Sprintf("answered %d %s", resp.Status, http.StatusText(resp.Status))
	if who != "" {
		// The user did not choose this server, so goldenarch shows little of its text.
		answered, most = who+" "+answered, shownWords
	}
	e.words = cut(console.Redact(strings.Join(messages, "; ")), most)
	if e.words != "" {
		answered += ": " + e.words
	}
	if after := resp.Header.Get("Retry-After"); after != "" {
		answered += fmt.Sprintf(" (Retry-After: %s)", cut(after, 40))
	}
	e.text = strings.TrimSpace(answered)
	return e
}

// refusal returns the error of an answer that is not 200, with what is known about the
// credentials that the session used.
func (s *session) refusal(ctx context.Context, resp *transport.Response) error {
	e := newStatusError(resp, "")
	if !s.endpoint.sent(resp) {
		return newStatusError(resp, "redirected to "+resp.URL.Host+", which")
	}
	if resp.Status != http.StatusUnauthorized && resp.Status != http.StatusForbidden && resp.Status != http.StatusNotFound {
		return e
	}
	s.endpoint.mu.Lock()
	c := s.endpoint.challenge
	s.endpoint.mu.Unlock()
	if c == nil {
		c = &challenge{scheme: "basic"}
	}
	found, err := s.credentials(ctx, *c)
	if err != nil {
		found.Notes = append(found.Notes, err.Error())
	}
	if s.retried.Load() != nil && resp.Status == http.StatusUnauthorized {
		found.Notes = append(found.Notes, "its token service issued the same token again, and the registry refuses it")
	}
	return withNotes(e, found)
}

// withNotes adds what is known about the user's credentials to a refusal.
func withNotes(err error, found credential.Found) error {
	e, ok := errors.AsType[*statusError](err)
	if !ok {
		return err
	}
	known := *e
	known.notes, known.withheldReason = found.Notes, found.Withheld
	if !found.Anonymous() {
		known.used = found.Source
	}
	return &known
}

// explain converts an error into an Error, with its kind and what the user can try.
func explain(ref imageref.Reference, err error) *Error {
	e := &Error{Reference: ref.String(), Registry: ref.Host(), Err: err}
	var status *statusError
	var content *contentError
	var host *transport.HostError
	var helper *credential.WaitError
	switch {
	case errors.As(err, &status):
		e.Status, e.Kind, e.Hint = status.status, kindOf(status.status), status.hint(ref)
	case errors.As(err, &content):
		e.Kind, e.Hint = content.kind, cmp.Or(content.hint, hintFor(content.kind))
	case errors.As(err, &host):
		e.Kind, e.Hint = unreachable(host)
		if answer, answered := errors.AsType[*transport.AnswerError](err); answered {
			who := ""
			if answer.Response.URL.Host != ref.Host() {
				who = answer.Response.URL.Host
			}
			refusal := newStatusError(answer.Response, who)
			e.Status = refusal.status
			if refusal.words != "" {
				e.Hint = fmt.Sprintf("it said %q; %s", refusal.words, e.Hint)
			}
		}
	case errors.As(err, &helper) && errors.Is(err, context.DeadlineExceeded):
		e.Kind = context.DeadlineExceeded
		e.Hint = fmt.Sprintf("check whether it waits for input: echo %s | %s get", helper.Server, helper.Helper)
		e.Err = fmt.Errorf("requires a login, and the credential helper %s did not answer before the deadline of the run", helper.Helper)
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Hint = context.DeadlineExceeded, "raise spec.registry.timeout (--set registryTimeout=5m), or resolve fewer images in one run"
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
	case errors.Is(kind, ErrDenied) && e.withheldReason != "":
		tips = append(tips, e.withheldReason)
	case errors.Is(kind, ErrDenied):
		tips = append(tips, "check the name, or log in: "+login)
	case errors.Is(kind, ErrNotFound) && e.part != "":
		tips = append(tips, "the image in this registry is incomplete: push or mirror it again")
	case errors.Is(kind, ErrNotFound):
		tips = append(tips, "check the repository and the tag")
		switch {
		case e.withheldReason != "":
			tips = append(tips, e.withheldReason)
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

// SilentHost returns the host that gave no usable answer to any question; "" if the error of
// an image is another one.
func SilentHost(err error) string {
	if failed, ok := errors.AsType[*transport.HostError](err); ok && failed.GivenUp {
		return failed.Host
	}
	return ""
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
	case errors.As(e, &answer) && answer.Deadline:
		return kindOf(answer.Response.Status), "try again later, or raise spec.registry.timeout (--set registryTimeout=5m)"
	case errors.As(e, &answer):
		return kindOf(answer.Response.Status), "try again later"
	case errors.Is(e, transport.ErrTooLarge):
		return ErrContent, "no manifest or configuration of an image is that large: check whether a proxy answers instead of the registry"
	case errors.Is(e, transport.ErrPlainHTTP):
		return ErrUnreachable, httpAdvice(e.Host)
	case errors.As(e, &certificate):
		return ErrUnreachable, certificateAdvice(certificate) + ", or accept any: --set registryInsecure=" + e.Host + " or spec.registry.insecure"
	case wantsCertificate(e):
		return ErrUnreachable, "the host requires a client certificate: put NAME.cert and NAME.key into certs.d/" + e.Host +
			"; an insecure registry gets it only with --allow-insecure-credentials"
	case errors.Is(e, transport.ErrCertificates):
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

// certificateAdvice returns what makes the certificate of a host right.
func certificateAdvice(e *tls.CertificateVerificationError) string {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](e); ok && invalid.Reason == x509.Expired {
		return "renew the certificate of the host, or correct the clock of this machine"
	}
	if _, ok := errors.AsType[x509.HostnameError](e); ok {
		return "use a name of the host that its certificate has, or give the host a certificate with this name"
	}
	return "trust its certificate authority (spec.registry.certificateAuthorities, certs.d, SSL_CERT_FILE)"
}

// wantsCertificate reports whether a host of TLS 1.3 refused the client because it showed no
// certificate. Older versions of TLS do not say the reason.
func wantsCertificate(err error) bool {
	const certificateRequired = tls.AlertError(116)
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "remote error" && op.Err.Error() == certificateRequired.Error()
}

// httpAdvice returns the advice to query a host over plain HTTP.
func httpAdvice(host string) string {
	return "to use plain HTTP, pass --set registryInsecure=" + host + ", or set spec.registry.insecure"
}
