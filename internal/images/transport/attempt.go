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

	rt, err := t.tripper(h, t.options.Insecure(u.Host))
	if err != nil {
		return nil, err
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	h.answered.Store(true)
	if tryingPlain {
		h.plain.Store(true)
		h.limiter.open()
	}
	if r.Headed != nil && res.StatusCode/100 == 2 {
		r.Headed()
	}
	body, err := read(ctx, res, r)
	if err != nil {
		return nil, err
	}
	return &Response{Status: res.StatusCode, Header: res.Header, Body: body, URL: u}, nil
}

// LargeAnswer is how much of an answer the transport reads before it calls
// Request.Large.
const LargeAnswer = 256 << 10

// read reads the whole body. Only the body of a success must be complete.
func read(ctx context.Context, res *http.Response, r Request) ([]byte, error) {
	limit := r.Limit
	success := res.StatusCode/100 == 2
	if !success {
		limit = errorLimit
	}
	if success && res.ContentLength > limit {
		return nil, fmt.Errorf("%w: %d bytes, more than %d", ErrTooLarge, res.ContentLength, limit)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, min(limit+1, LargeAnswer)))
	if err == nil && len(body) == LargeAnswer && limit >= LargeAnswer {
		body, err = readRest(ctx, res.Body, body, r)
	}
	switch {
	case !success:
		return body[:min(len(body), errorLimit)], nil
	case err != nil:
		return nil, fmt.Errorf("the answer ended early: %w", err)
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return body, nil
}

// readRest reads the rest of a large answer, into one block of memory.
func readRest(ctx context.Context, from io.Reader, body []byte, r Request) ([]byte, error) {
	if r.Large != nil {
		if err := r.Large(ctx); err != nil {
			return nil, err
		}
	}
	whole := bytes.NewBuffer(make([]byte, 0, 2*LargeAnswer))
	whole.Write(body)
	_, err := whole.ReadFrom(io.LimitReader(from, r.Limit+1-int64(len(body))))
	return whole.Bytes(), err
}
