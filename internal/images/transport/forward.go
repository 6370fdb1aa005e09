package transport

import (
	"bytes"
	"io"
	"net/http"
)

// Forward sends the request of a library as [Transport.Do] does, with the settings of
// like.
func (t *Transport) Forward(r *http.Request, like Request) (*Response, error) {
	like.Method, like.URL, like.Header = r.Method, r.URL, r.Header
	if r.Body != nil {
		defer r.Body.Close()
		var err error
		if like.Body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	return t.Do(r.Context(), like)
}

// HTTP converts the answer to the type that a library expects.
func (r *Response) HTTP(to *http.Request) *http.Response {
	return &http.Response{
		StatusCode: r.Status, Status: http.StatusText(r.Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.Header, Body: io.NopCloser(bytes.NewReader(r.Body)), ContentLength: int64(len(r.Body)), Request: to,
	}
}
