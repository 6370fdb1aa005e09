package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/goldenarch/goldenarch/internal/images/confine"
)

// Options configures how a Transport queries hosts. All fields are required except
// RequestsPerSecond and Dial.
type Options struct {
	// RequestTimeout limits one attempt, from the connection to the last byte of the
	// body.
	RequestTimeout time.Duration
	// ShortTimeout is the same for a request that sets Request.ShortTimeout. It is also the longest Retry-After
	// that such a request waits for.
	ShortTimeout time.Duration
	// Retries is how often the transport retries a failed attempt.
	Retries int
	// Concurrency is how many requests one host gets at once, at most.
	Concurrency int
	// RequestsPerSecond is how many requests one host gets in a second, at most; 0 is
	// no limit.
	RequestsPerSecond int
	// UserAgent is sent with every request.
	UserAgent string
	// TLS returns how to verify a host ("name" or "name:port"). The transport calls it once
	// for each host.
	TLS func(host string) (*tls.Config, error)
	// Insecure reports whether the transport may use plain HTTP for a host ("name" or
	// "name:port").
	Insecure func(host string) bool
	// Proxy returns the proxy for a URL, or nil.
	Proxy func(*url.URL) (*url.URL, error)
	// Confine decides which hosts and addresses the transport may contact. It does not
	// apply to the address of a proxy, which the user chose.
	Confine confine.Policy
	// Dial opens connections; nil uses the system's default.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Request is one request.
type Request struct {
	// Method is GET or POST.
	Method string
	// URL is the target; for an insecure host the transport may use http instead of
	// https.
	URL *url.URL
	// Header may hold an Authorization, which only the origin of URL receives.
	Header http.Header
	// Body is sent again with every attempt.
	Body []byte
	// Limit is the size of the largest answer that the transport accepts.
	Limit int64
	// OnHeader, if set, is called after the header of a success and before its body;
	// again with every attempt.
	OnHeader func()
	// Slow reports that the host may be slow: one timeout does not mean that it is
	// down.
	Slow bool
	// ShortTimeout reports that another host, such as the next mirror, can answer the same
	// request. The transport does not retry after a timeout, and then sends no other
	// request with the short timeout to the host. It still sends requests that only this host can
	// answer.
	ShortTimeout bool
	// PlainHTTP allows a URL with the scheme http for a host that is not insecure.
	PlainHTTP bool
}

// Response is a whole answer.
type Response struct {
	Status int
	Header http.Header
	// Body is complete if the status is 200; for other answers it is at most the
	// beginning.
	Body []byte
	// URL is the URL that answered, after all redirects.
	URL *url.URL

	release func()
}

// Release lets the transport read another large answer in place of this one.
func (r *Response) Release() {
	if r.release != nil {
		r.release()
	}
}

// Transport sends requests. It is safe for use by many goroutines, which share
// its connections.
type Transport struct {
	options Options
	// large bounds the large answers that the callers hold at once.
	large *semaphore.Weighted
	// pool makes the connections of a host.
	pool func(*host) (http.RoundTripper, error)

	mu    sync.Mutex
	hosts map[string]*host
}

// New returns a Transport. It opens no connection before the first request.
func New(o Options) *Transport {
	return &Transport{options: o, large: semaphore.NewWeighted(largeAtOnce), pool: o.connections, hosts: map[string]*host{}}
}

// Close closes the idle connections.
func (t *Transport) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, h := range t.hosts {
		if pool, err := h.pool(); err == nil {
			(&http.Client{Transport: pool}).CloseIdleConnections()
		}
	}
}

// host returns the state of the host of a URL.
func (t *Transport) host(u *url.URL) *host {
	key := Origin(u)
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hosts[key]
	if h == nil {
		h = &host{name: u.Host, limiter: newLimiter(t.options.Concurrency, t.options.RequestsPerSecond)}
		h.pool = sync.OnceValues(func() (http.RoundTripper, error) { return t.pool(h) })
		t.hosts[key] = h
	}
	return h
}

// Origin returns the host of a URL with its port, even if the port is the default of
// the scheme.
func Origin(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Do sends a request, follows at most 10 redirects, and retries as the status requires.
// It returns the answer whatever its status is.
//
// The error is a [*HostError], or the context's.
func (t *Transport) Do(ctx context.Context, r Request) (*Response, error) {
	for hops := 0; ; hops++ {
		if err := t.mayAsk(r); err != nil {
			return nil, err
		}
		resp, err := t.send(ctx, r)
		if err != nil {
			return nil, err
		}
		next, err := redirect(r, resp)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return resp, nil
		}
		if hops == maxRedirects {
			return nil, &HostError{Host: r.URL.Host, Err: errRedirects}
		}
		r = *next
	}
}

// errorLimit is how much of an unsuccessful answer the transport reads.
const errorLimit = 64 << 10

// attempt sends a request once and reads the whole answer, within RequestTimeout or
// ShortTimeout. If an insecure host does not speak TLS, attempt sends the request again
// over plain HTTP. From then on the transport uses plain HTTP for the host.
func (t *Transport) attempt(ctx context.Context, h *host, r Request) (*Response, error) {
	timeout := t.options.RequestTimeout
	if r.ShortTimeout {
		timeout = t.options.ShortTimeout
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, ErrTimeout)
	defer cancel()

	u := *r.URL
	if h.plain.Load() {
		u.Scheme = "http"
	}
	resp, err := t.roundTrip(limited, h, r, &u)
	if err != nil && u.Scheme == "https" && t.options.Insecure(u.Host) && limited.Err() == nil && h.mayBePlain(err) {
		u.Scheme = "http"
		if notTLS(err) {
			h.sentNoTLS.Store(true)
		}
		plain, plainErr := t.roundTrip(limited, h, r, &u)
		switch {
		case plainErr == nil:
			return plain, nil
		case notTLS(err):
			err = plainErr
		default:
			err = fmt.Errorf("%w (and over plain HTTP: %w)", err, plainErr)
		}
	}
	switch {
	case err == nil:
		return resp, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case limited.Err() != nil:
		return nil, fmt.Errorf("%w (%s)", ErrTimeout, timeout)
	}
	return nil, err
}

func (t *Transport) roundTrip(ctx context.Context, h *host, r Request, u *url.URL) (*Response, error) {
	// Only the header shows whether the host speaks plain HTTP; a request that arrives
	// earlier would try TLS.
	tryingPlain := u.Scheme != r.URL.Scheme && !h.plain.Load()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var connections atomic.Int32
	trace := &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			if connections.Add(1) > maxConnections {
				cancel(errConnections)
			}
			if !tryingPlain {
				h.limiter.open()
			}
		},
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err == nil {
				h.secure.Store(true)
			}
		},
	}
	ctx = httptrace.WithClientTrace(ctx, trace)
	req, err := http.NewRequestWithContext(t.throughProxy(ctx, u), r.Method, u.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, errors.New("the URL is not valid")
	}
	maps.Copy(req.Header, r.Header)
	req.Header.Set("User-Agent", t.options.UserAgent)

	pool, err := h.pool()
	if err != nil {
		return nil, err
	}
	res, err := pool.RoundTrip(req)
	if err != nil && errors.Is(context.Cause(ctx), errConnections) {
		err = errConnections
	}
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	h.answered.Store(true)
	if tryingPlain {
		h.plain.Store(true)
		h.limiter.open()
	}
	if r.OnHeader != nil && res.StatusCode == http.StatusOK {
		r.OnHeader()
	}
	resp := &Response{Status: res.StatusCode, Header: res.Header, URL: u}
	if err := t.read(ctx, res, r.Limit, resp); err != nil {
		resp.Release()
		return nil, err
	}
	return resp, nil
}

// maxConnections is how many connections net/http may use one after another for one attempt.
// It tries another one without a pause when a host ends them and reads no request: one that
// does nothing else would get hundreds in a second.
const maxConnections = 10

var errConnections = fmt.Errorf("it ended %d connections without an answer", maxConnections)

const (
	// largeAnswer is how much of an answer the transport reads before the answer is a
	// large one.
	largeAnswer = 256 << 10
	// largeAtOnce is how many large answers the callers hold at once. Many images of a
	// hostile registry then use no more memory than a few.
	largeAtOnce = 4
)

// read reads the whole body. Only the body of a success must be complete. It reads the
// rest of a large answer into one block of memory.
func (t *Transport) read(ctx context.Context, res *http.Response, limit int64, to *Response) error {
	if res.StatusCode != http.StatusOK {
		to.Body, _ = io.ReadAll(io.LimitReader(res.Body, errorLimit))
		return nil
	}
	if res.ContentLength > limit {
		return fmt.Errorf("%w: %d bytes, more than %d", ErrTooLarge, res.ContentLength, limit)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, min(limit+1, largeAnswer)))
	if err == nil && len(body) == largeAnswer && limit >= largeAnswer {
		if err := t.large.Acquire(ctx, 1); err != nil {
			return context.Cause(ctx)
		}
		to.release = func() { t.large.Release(1) }
		whole := bytes.NewBuffer(make([]byte, 0, 2*largeAnswer))
		whole.Write(body)
		_, err = whole.ReadFrom(io.LimitReader(res.Body, limit+1-largeAnswer))
		body = whole.Bytes()
	}
	switch {
	case err != nil:
		return fmt.Errorf("the answer ended early: %w", err)
	case int64(len(body)) > limit:
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	to.Body = body
	return nil
}

// send sends a request to one host until there is an answer, the retries are used up,
// or the transport gives up the host. It does not follow redirects.
//
// It repeats a request as a whole: a request that reads is idempotent, and so is a POST
// for a token. If the deadline of the run ends the retries, the error holds the newest
// answer: the host was not silent.
func (t *Transport) send(ctx context.Context, r Request) (*Response, error) {
	h := t.host(r.URL)
	var newest *Response
	for n, timeouts, excess := 0, 0, 0; ; n++ {
		slot, err := t.enter(ctx, h, r)
		if err != nil {
			return nil, t.ended(ctx, r, newest, err)
		}
		resp, err := t.attempt(ctx, h, r)
		next, wait := t.next(ctx, h, slot, n, r, resp, err)
		h.limiter.release()

		if ctx.Err() != nil && err != nil {
			return nil, t.ended(ctx, r, newest, context.Cause(ctx))
		}
		if resp != nil {
			newest = resp
		}
		if timedOut(err) {
			timeouts++
		}
		switch {
		case next == abandon:
			return nil, t.giveUp(h, r, resp, err)
		case next == uncounted && t.options.Retries > 0 && excess < maxExcess:
			// The limiter waits, and then lets fewer requests through.
			excess++
			n--
			continue
		case next == stop, n >= t.options.Retries, timeouts > 1:
			return resp, t.wrap(r, HostError{Err: err})
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, t.ended(ctx, r, newest, err)
		}
	}
}

// ended returns the error of a request that ended between two attempts, or in one. newest
// is the newest answer to it, or nil.
func (t *Transport) ended(ctx context.Context, r Request, newest *Response, err error) error {
	if _, blamed := errors.AsType[*HostError](err); blamed || newest == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return t.wrap(r, HostError{Err: &AnswerError{Response: newest, Deadline: true}})
}

// enter waits for permission to send a request to a host. It refuses a request with the short timeout if
// an earlier one with the short timeout had no answer.
func (t *Transport) enter(ctx context.Context, h *host, r Request) (ticket, error) {
	slot, err := h.limiter.acquire(ctx, t.longestWait(r))
	if reason := h.shortTimeoutOff.Load(); err == nil && reason != nil && r.ShortTimeout {
		h.limiter.release()
		err = *reason
	}
	if err != nil && ctx.Err() != nil {
		return ticket{}, context.Cause(ctx)
	}
	return slot, t.wrap(r, HostError{Err: err})
}

// giveUp gives up a host and returns why. It gives up the host for requests with the short timeout only,
// if the short timeout may be the reason.
func (t *Transport) giveUp(h *host, r Request, resp *Response, err error) error {
	if err == nil {
		err = &AnswerError{Response: resp}
	}
	why := t.wrap(r, HostError{Err: err, GivenUp: true})
	if r.ShortTimeout && (timedOut(err) || resp == nil && h.alive()) {
		return h.giveUpError(why)
	}
	return h.limiter.close(why)
}

// step is how to continue after an attempt.
type step int

const (
	stop      step = iota // the attempt was the last one
	again                 // send the request again
	uncounted             // send it again without using up a retry: it was one of too many at once
	abandon               // give up the host
)

// maxExcess is how often a request that was one of too many at once is sent again without
// using up a retry; never, if there are to be no retries. The limit falls to three quarters each time, or lower: a host that
// accepts a quarter of the requests at once is reached after five refusals.
const maxExcess = 5

// next returns how to continue after an attempt, and how long to wait before.
func (t *Transport) next(ctx context.Context, h *host, slot ticket, n int, r Request, resp *Response, err error) (step, time.Duration) {
	silent := timedOut(err)
	retries := t.options.Retries
	if r.ShortTimeout && silent {
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
	case exhausted && (r.ShortTimeout || !h.alive()):
		return abandon, 0
	case exhausted, silent && (r.ShortTimeout || !r.Slow && !h.answered.Load()):
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
	tooMany := h.limiter.refused(slot, wait, resp)
	switch {
	case wait > t.longestWait(r):
		return stop, 0
	case tooMany && aboutUs && hasRetryAfter:
		return uncounted, 0
	}
	return again, 0
}

// longestWait returns the longest wait that this request accepts from a host.
func (t *Transport) longestWait(r Request) time.Duration {
	if r.ShortTimeout {
		return min(maxWait, t.options.ShortTimeout)
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
	p, err := t.options.Proxy(u)
	if err != nil || p == nil {
		return ""
	}
	return p.Scheme + "://" + p.Host
}
