package registry

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Note is what a registry reports in addition to its answers and the user must know:
// only a few pulls remain.
type Note struct {
	// Registry is the host, as references name it.
	Registry string
	// Limit is how many pulls Window allows. Remaining is how many are left.
	Limit, Remaining int
	// Window is the period of the limit; 0 if it is unknown.
	Window time.Duration
}

// String returns the note in one line.
func (n Note) String() string {
	within := ""
	if n.Window > 0 {
		within = " in " + shortDuration(n.Window)
	}
	return fmt.Sprintf("registry %s has %d of %d pulls left%s", n.Registry, n.Remaining, n.Limit, within)
}

// shortDuration returns a duration without zeros: 6h, 30m, 1m30s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// isLow reports whether the registry may refuse the next run: less than a tenth of the
// pulls remains, or less than ten.
func (n Note) isLow() bool { return n.Remaining < 10 || n.Remaining*10 < n.Limit }

// noteOf reads the headers in which Docker Hub counts the pulls of an address or a
// user: "ratelimit-limit: 100;w=21600", "ratelimit-remaining: 76;w=21600"
// (docs.docker.com/docker-hub/usage/pulls).
func noteOf(host string, h http.Header) (Note, bool) {
	limit, window, ok := quota(h.Get("Ratelimit-Limit"))
	remaining, _, left := quota(h.Get("Ratelimit-Remaining"))
	n := Note{Registry: host, Limit: limit, Remaining: remaining, Window: window}
	return n, ok && left && limit > 0 && n.isLow()
}

// quota reads "100;w=21600".
func quota(text string) (n int, window time.Duration, ok bool) {
	number, rest, _ := strings.Cut(text, ";")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 0 {
		return 0, 0, false
	}
	if seconds, found := strings.CutPrefix(strings.TrimSpace(rest), "w="); found {
		if s, err := strconv.ParseUint(seconds, 10, 31); err == nil {
			window = time.Duration(s) * time.Second
		}
	}
	return n, window, true
}
