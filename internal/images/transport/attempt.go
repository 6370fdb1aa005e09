package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
)

// errorLimit is how much of an unsuccessful answer the transport reads.
const errorLimit = 64 << 10

// attempt sends a request once and reads the whole answer, within RequestTimeout or
// HastyTimeout. If an insecure host does not speak TLS, attempt sends the request again
// over plain HTTP. From then on the transport uses plain HTTP for the host.
func (t *Transport) attempt(ctx context.Context, h *host, r Request) (*Response, error) {
	timeout := t.options.RequestTimeout
	if r.Hasty {
		timeout = t.options.HastyTimeout
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
			h.spoken.Store(true)
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
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			if !tryingPlain {
				h.limiter.open()
			}
		},
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err == nil {
				h.secure.Store(true)
			}
		},
	})
	req, err := http.NewRequestWithContext(t.throughProxy(ctx, u), r.Method, u.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, errors.New("the URL is not valid")
	}
	if r.Header != nil {
		req.Header = r.Header.Clone()
	}
	req.Header.Set("User-Agent", t.options.UserAgent)

	pool, err := h.pool()
	if err != nil {
		return nil, err
	}
	res, err := pool.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	h.answered.Store(true)
	if tryingPlain {
		h.plain.Store(true)
		h.limiter.open()
	}
	if r.Headed != nil && res.StatusCode == http.StatusOK {
		r.Headed()
	}
	resp := &Response{Status: res.StatusCode, Header: res.Header, URL: u}
	if err := t.read(ctx, res, r.Limit, resp); err != nil {
		resp.Release()
		return nil, err
	}
	return resp, nil
}

const (
	// largeAnswer is how much of an answer the transport reads before the answer is a
	// large one.
	largeAnswer = 256 << 10
	// LargeAtOnce is how many large answers the callers hold at once. Many images of a
	// hostile registry then use no more memory than a few.
	LargeAtOnce = 4
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
