package registrytest

import (
	"fmt"
	"net/http"
)

// Users are passwords by user.
type Users map[string]string

// Basic asks for a user and a password.
func Basic(users Users) Wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if _, ok := users.of(r); !ok {
				unauthorized(rw, `Basic realm="registrytest"`)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// of returns the user who asks, if the password is right.
func (u Users) of(r *http.Request) (name string, ok bool) {
	name, password, _ := r.BasicAuth()
	want, known := u[name]
	return name, known && password == want
}

func unauthorized(rw http.ResponseWriter, challenge string) {
	rw.Header().Set("Content-Type", "application/json")
	if challenge != "" {
		rw.Header().Set("WWW-Authenticate", challenge)
	}
	rw.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprint(rw, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`)
}
