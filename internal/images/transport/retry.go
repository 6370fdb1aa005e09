package transport

import (
	"context"
	"errors"
	"net/http"
	"net/url"
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
		next, wait := t.next(ctx, h, slot, n, r, resp, err)
		h.limiter.release()

		if ctx.Err() != nil && err != nil {
			return nil, context.Cause(ctx)
		}
		if timedOut(err) {
			timeouts++
		}
		switch {
		case next == abandon:
			return nil, t.giveUp(h, r, resp, err)
		case next == stop, n >= t.options.Retries, timeouts > 1:
			return resp, t.wrap(r, HostError{Err: err})
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// enter waits for permission to send a request to a host. It refuses a hasty request if
// an earlier hasty one had no answer.
func (t *Transport) enter(ctx context.Context, h *host, r Request) (ticket, error) {
	slot, err := h.limiter.acquire(ctx, t.longestWait(r))
	if reason := h.hurried.Load(); err == nil && reason != nil && r.Hasty {
		h.limiter.release()
		err = *reason
	}
	if err != nil && ctx.Err() != nil {
		return ticket{}, context.Cause(ctx)
	}
	return slot, t.wrap(r, HostError{Err: err})
}

// giveUp gives up a host and returns why. It gives up the host for hasty requests only,
// if the short timeout may be the reason.
func (t *Transport) giveUp(h *host, r Request, resp *Response, err error) error {
	if err == nil {
		err = &AnswerError{Response: resp}
	}
	why := t.wrap(r, HostError{Err: err, GivenUp: true})
	if r.Hasty && (timedOut(err) || resp == nil && h.alive()) {
		return h.passOver(why)
	}
	return h.limiter.close(why)
}

// step is how to continue after an attempt.
type step int

const (
	stop    step = iota // the attempt was the last one
	again               // send the request again
	abandon             // give up the host
)

// next returns how to continue after an attempt, and how long to wait before.
func (t *Transport) next(ctx context.Context, h *host, slot ticket, n int, r Request, resp *Response, err error) (step, time.Duration) {
	silent := timedOut(err)
	retries := t.options.Retries
	if r.Hasty && silent {
		retries = 0
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return stop, 0
	case err == nil && !retryable(resp.Status), errors.Is(err, ErrTooLarge):
		h.noteSuccess()
		h.limiter.answered(slot)
		return stop, 0
	case err == nil:
		return t.nextAfterFailure(h, slot, n, r, resp)
	case (unreachable(err) || untrusted(err)) && !h.answered.Load(), silent && !r.Slow && !h.alive():
		return abandon, 0
	}
	switch exhausted := h.noteSilence(slot.start, retries); {
	case exhausted && (r.Hasty || !h.alive()):
		return abandon, 0
	case exhausted, silent && (r.Hasty || !r.Slow && !h.answered.Load()):
		// The host is up: it may answer other requests, and each is sent once.
		return stop, 0
	}
	return again, backoff(n)
}

// nextAfterFailure returns the same for an answer that a retry may change. 429 is about
// the client, and so about all requests to the host. All others are about the requested
// resource, for example one broken repository: they never give up the host. If the host
// sends nothing else, the transport sends each request only once.
func (t *Transport) nextAfterFailure(h *host, slot ticket, n int, r Request, resp *Response) (step, time.Duration) {
	aboutUs := resp.Status == http.StatusTooManyRequests
	wait, hasRetryAfter := retryAfter(resp.Header)
	exhausted := h.noteFailure(slot.start, t.options.Retries)
	switch {
	case hasRetryAfter && wait > maxWait && aboutUs:
		_ = h.limiter.close(t.wrap(Request{URL: resp.URL}, HostError{Err: &AnswerError{Wait: wait, Response: resp}, GivenUp: true}))
		return abandon, 0
	case exhausted && aboutUs:
		return abandon, 0
	case exhausted, hasRetryAfter && wait > maxWait:
		return stop, 0
	case !hasRetryAfter:
		wait = backoff(n)
	}
	if !hasRetryAfter && !slices.Contains(overloaded, resp.Status) {
		return again, wait
	}
	// The next acquire waits, for all requests to this host.
	h.limiter.refused(slot, wait, resp)
	if wait > t.longestWait(r) {
		return stop, 0
	}
	return again, 0
}

// longestWait returns the longest wait that this request accepts from a host.
func (t *Transport) longestWait(r Request) time.Duration {
	if r.Hasty {
		return min(maxWait, t.options.HastyTimeout)
	}
	return maxWait
}

// wrap adds the host, and the proxy, to an error, unless it has them or is nil.
func (t *Transport) wrap(r Request, e HostError) error {
	if _, known := errors.AsType[*HostError](e.Err); e.Err == nil || known {
		return e.Err
	}
	e.Host, e.Proxy = r.URL.Host, t.proxyOf(r.URL)
	return &e
}

// proxyOf returns the proxy for a URL without its password, or "".
func (t *Transport) proxyOf(u *url.URL) string {
	if t.options.Proxy == nil {
		return ""
	}
	p, err := t.options.Proxy(u)
	if err != nil || p == nil {
		return ""
	}
	return p.Scheme + "://" + p.Host
}
