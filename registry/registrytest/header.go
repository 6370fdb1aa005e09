package registrytest

import "net/http"

// Header overwrites a header of every answer; an empty value takes it away.
func Header(key, value string) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			a := keep(next, r)
			a.header.Set(key, value)
			if value == "" {
				a.header[http.CanonicalHeaderKey(key)] = nil // nil stops net/http from guessing it
			}
			a.sendHead(rw)
			if r.Method != http.MethodHead {
				_, _ = rw.Write(a.body.Bytes())
			}
		})
	}
}
