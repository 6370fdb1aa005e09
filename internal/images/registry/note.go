package registry

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Note is something that a registry says beside its answers, and that its user
// should know: the pulls that are left are few.
type Note struct {
	// Registry is the host, as references name it.
	Registry string
	// Limit is how many pulls there are in Window, Remaining how many are left.
	Limit, Remaining int
	// Window is the time that the limit is for; 0 if nobody said.
	Window time.Duration
}

// String says it in one line.
func (n Note) String() string {
	within := ""
	if n.Window > 0 {
		within = " in " + shortDuration(n.Window)
	}
	return fmt.Sprintf("registry %s has %d of %d pulls left%s", n.Registry, n.Remaining, n.Limit, within)
}

// short says a time without zeros: 6h, 30m, 90s.
func shortDuration(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// low reports whether so little is left that the next run may be refused: less
// than a tenth, or less than ten.
func (n Note) isLow() bool { return n.Remaining < 10 || n.Remaining*10 < n.Limit }

// noteOf reads the headers by which Docker Hub counts the pulls of an address
// or a user: "ratelimit-limit: 100;w=21600", "ratelimit-remaining: 76;w=21600"
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
