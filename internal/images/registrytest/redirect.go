package registrytest

import "net/http"

// Redirect sends the client to the same path of another place. query is what
// stands behind it, such as the signature of a blob store's URL.
func Redirect(to, query string) Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			target := to + r.URL.Path
			if query != "" {
				target += "?" + query
			}
			rw.Header().Set("Location", target)
			rw.WriteHeader(http.StatusTemporaryRedirect)
		})
	}
}

// RedirectLoop sends the client to where it is, for ever.
func RedirectLoop() Wrapper { return Redirect("", "") }
