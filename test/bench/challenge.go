package main

import (
	"net/http"
	"strings"
)

// plainChallenge takes the first of two challenges away: crane reads none then.
func plainChallenge(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(plain{rw}, r)
	})
}

type plain struct{ http.ResponseWriter }

// WriteHeader writes the status with the challenge as most registries send it.
func (p plain) WriteHeader(status int) {
	const header = "WWW-Authenticate"
	if value := p.Header().Get(header); value != "" {
		p.Header().Set(header, strings.TrimPrefix(value, "Negotiate, "))
	}
	p.ResponseWriter.WriteHeader(status)
}
