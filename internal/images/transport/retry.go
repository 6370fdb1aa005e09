package transport

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// send sends a request to one host until there is an answer, the retries are used up,
// or the transport gives up the host. It does not follow redirects.
//
// It repeats a request as a whole: a request that reads is idempotent, and so is a POST
// for a token.
func (t *Transport) send(ctx context.Context, r Request) (*Response, error) {
	h := t.host(r.URL)
	for n, timeouts := 0, 0; ; n++ {
		slot, err := t.enter(ctx, h, r)
		if err != nil {
			return nil, err
		}
		resp, err := t.attempt(ctx, h, r)
		again := t.next(ctx, h, slot, n, r, resp, err)
		h.limiter.release()

		if ctx.Err() != nil && err != nil {
			return nil, context.Cause(ctx)
		}
		if timedOut(err) {
			timeouts++
		}
		if again == nil {
			return resp, t.wrap(r, err)
		}
		if *again < 0 {
			return nil, t.giveUp(h, r, resp, err)
		}
		if n >= t.options.Retries || timeouts > 1 {
			return resp, t.wrap(r, err)
		}
		if err := sleep(ctx, *again); err != nil {
			return nil, err
		}
	}
}

// enter waits for permission to send a request to a host. It refuses a hasty request if
// an earlier hasty one had no answer.
func (t *Transport) enter(ctx context.Context, h *host, r Request) (ticket, error) {
	slot, err := h.limiter.acquire(ctx, t.longestWait(r))
	if err != nil {
		return ticket{}, t.closedOrDone(r, err)
	}
	if reason := h.hurried.Load(); reason != nil && r.Hasty {
		h.limiter.release()
		return ticket{}, *reason
	}
	return slot, nil
}

// giveUp gives up a host and returns why. It gives up the host for hasty requests only,
// if the short timeout may be the reason.
func (t *Transport) giveUp(h *host, r Request, resp *Response, err error) error {
	if err == nil {
		err = &StatusError{Response: resp}
	}
	why := t.wrapGivenUp(r, err)
	if r.Hasty && (timedOut(err) || resp == nil && h.alive()) {
		return h.passOver(why)
	}
	return h.limiter.close(why)
}

// next returns how to continue after an attempt: nil if it was the last one, how long
// to wait before the next one, or less than zero to give up the host.
func (t *Transport) next(ctx context.Context, h *host, slot ticket, n int, r Request, resp *Response, err error) *time.Duration {
	wait := backoff(n)
	giveUp := time.Duration(-1)
	silent := timedOut(err)
	retries := t.options.Retries
	if r.Hasty && silent {
		retries = 0
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return nil
	case err == nil && !retryable(resp.Status), errors.Is(err, ErrTooLarge):
		h.noteSuccess()
		h.limiter.answered(slot)
		return nil
	case err == nil:
		return t.nextAfterFailure(h, slot, n, r, resp)
	case (unreachable(err) || untrusted(err)) && !h.answered.Load(), silent && !r.Slow && !h.alive():
		return &giveUp
	}
	switch exhausted := h.noteSilence(slot.start, retries); {
	case exhausted && (r.Hasty || !h.alive()):
		return &giveUp
	case exhausted, silent && (r.Hasty || !r.Slow && !h.answered.Load()):
		// The host is up: it may answer other requests, and each is sent once.
		return nil
	}
	return &wait
}

// nextAfterFailure returns the same for an answer that a retry may change. 429 is about
// the client, and so about all requests to the host. All others are about the requested
// resource, for example one broken repository: they never give up the host. If the host
// sends nothing else, the transport sends each request only once.
func (t *Transport) nextAfterFailure(h *host, slot ticket, n int, r Request, resp *Response) *time.Duration {
	wait := backoff(n)
	giveUp := time.Duration(-1)
	aboutUs := resp.Status == http.StatusTooManyRequests
	after, hasRetryAfter := retryAfter(resp.Header)
	exhausted := h.noteFailure(slot.start, t.options.Retries)
	switch {
	case hasRetryAfter && after > maxWait && aboutUs:
		h.limiter.close(t.wrapGivenUp(Request{URL: resp.URL}, &WaitError{Wait: after, Response: resp}))
		return &giveUp
	case exhausted && aboutUs:
		return &giveUp
	case exhausted, hasRetryAfter && after > maxWait:
		return nil
	case hasRetryAfter:
		wait = after
	}
	if hasRetryAfter || slices.Contains(overloaded, resp.Status) {
		// The next acquire waits, for all requests to this host.
		h.limiter.refused(slot, wait, resp)
		if wait > t.longestWait(r) {
			return nil
		}
		wait = 0
	}
	return &wait
}

// longestWait returns the longest wait that this request accepts from a host.
func (t *Transport) longestWait(r Request) time.Duration {
	if r.Hasty {
		return min(maxWait, t.options.HastyTimeout)
	}
	return maxWait
}

// closedOrDone converts the limiter's refusal into this request's error.
func (t *Transport) closedOrDone(r Request, err error) error {
	if _, ok := errors.AsType[*WaitError](err); ok {
		return t.wrap(r, err)
	}
	return err
}

// wrap adds the host, and the proxy, that an error came from.
func (t *Transport) wrap(r Request, err error) error {
	return t.hostError(r, HostError{Err: err})
}

// wrapGivenUp is wrap for an error after which no request goes to the host.
func (t *Transport) wrapGivenUp(r Request, err error) error {
	return t.hostError(r, HostError{Err: err, GivenUp: true})
}

// hostError adds the host, and the proxy, to an error, unless it has them or is nil.
func (t *Transport) hostError(r Request, e HostError) error {
	var known *HostError
	if e.Err == nil || errors.As(e.Err, &known) {
		return e.Err
	}
	e.Host, e.Proxy = r.URL.Host, t.proxyOf(r)
	return &e
}

// proxyOf returns the proxy for a request without its password.
func (t *Transport) proxyOf(r Request) string {
	if t.options.Proxy == nil {
		return ""
	}
	p, err := t.options.Proxy(r.URL)
	if err != nil || p == nil {
		return ""
	}
	return p.Scheme + "://" + p.Host
}
