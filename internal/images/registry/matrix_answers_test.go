package registry_test

import (
	"context"
	"net/http"
	"time"

	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// answerRows are answers that another question, or another moment, would get
// right.
func answerRows() []matrixRow {
	reply := func(status int) registrytest.Wrapper { return registrytest.Reply(status, nil) }
	busy := registrytest.RetryAfter(1)
	right := outcome{platforms: appFound}
	patient := func(w *world) { w.options.Retries = 0 } // the default
	// A busy machine can need a second for the handshake alone.
	short := func(w *world) { w.options.RequestTimeout = 5 * time.Second }
	return []matrixRow{
		{
			row: "429 with Retry-After", variant: "seconds, twice", sent: "429 with Retry-After: 1, twice",
			wrap: fault(registrytest.First(2, registrytest.Reply(429, busy))), client: patient, want: right, requests: exactly(3),
		},
		{
			row: "429 with Retry-After", variant: "date", sent: "429 with Retry-After as a date",
			wrap: fault(registrytest.First(1, registrytest.RetryAfterDate(429, time.Second))), want: right, requests: exactly(2),
		},
		{
			row: "429 with Retry-After", variant: "an hour", sent: "429 with Retry-After: 3600, which nobody waits for",
			wrap: fault(registrytest.Reply(429, registrytest.RetryAfter(3600))), requests: exactly(1),
			want: outcome{kind: registry.ErrBusy, status: 429, says: []string{"1h0m0s"}},
		},
		{
			row: "429 storm", sent: "429 with Retry-After: 1 to all above 4 requests at once", images: 60,
			wrap:   fault(registrytest.MaxInFlight(4, busy), registrytest.Latency(5*time.Millisecond)),
			client: patient, want: right, requests: span{60, 4 * 60},
		},
		{
			row: "429 for ever", sent: "429 and nothing else", wrap: fault(reply(429)), requests: exactly(2),
			want: outcome{kind: registry.ErrBusy, status: 429, says: []string{"429", "TOOMANYREQUESTS", "later"}},
		},
		{
			row: "429 for ever", variant: "60 images", sent: "429 to each of 60 images: not 60 times as often", images: 60, wrap: fault(reply(429)),
			want: outcome{kind: registry.ErrBusy, status: 429, says: []string{"429"}}, requests: atMost(90),
		},
		{
			row: "503 for ever", sent: "503 and nothing else", wrap: fault(reply(503)), requests: exactly(2),
			want: outcome{kind: registry.ErrServer, status: 503, says: []string{"503", "try again later"}},
		},
		{row: "500 twice", sent: "500, 500, and then the image", wrap: fault(registrytest.First(2, reply(500))), client: patient, want: right, requests: exactly(3)},
		{
			row: "connection reset", variant: "once", sent: "a reset connection of HTTP/1.1", listen: registrytest.Options{HTTP1: true},
			wrap: fault(registrytest.First(1, registrytest.Reset())), client: patient, want: right, requests: atMost(3),
		},
		{
			row: "connection reset", variant: "for ever", sent: "nothing but resets", listen: registrytest.Options{HTTP1: true},
			wrap: fault(registrytest.Reset()), want: outcome{kind: registry.ErrUnreachable, says: []string{"check the"}}, requests: atMost(4),
		},
		{
			row: "HTTP/2 stream reset", variant: "once", sent: "RST_STREAM", wrap: fault(registrytest.First(1, registrytest.Reset())),
			want: right, requests: exactly(2),
		},
		{
			row: "HTTP/2 stream reset", variant: "for ever", sent: "RST_STREAM each time", wrap: fault(registrytest.Reset()),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"stream"}}, requests: exactly(2),
		},
		{
			row: "truncated body", variant: "HTTP/1.1", sent: "half a manifest, once", listen: registrytest.Options{HTTP1: true},
			wrap: fault(registrytest.First(1, registrytest.Truncate())), want: right, requests: exactly(2),
		},
		{
			row: "truncated body", variant: "HTTP/2", sent: "half a manifest, once",
			wrap: fault(registrytest.First(1, registrytest.Truncate())), want: right, requests: exactly(2),
		},
		{
			row: "truncated body", variant: "for ever", sent: "half a manifest each time", wrap: fault(registrytest.Truncate()),
			want: outcome{kind: registry.ErrUnreachable, says: []string{"ended early"}}, requests: exactly(2),
		},
		{
			row: "back-off and deadline", variant: "back-off", sent: "500 for ever, where there are 3 s for all",
			wrap: fault(reply(http.StatusInternalServerError)), client: func(w *world) { w.options.Retries = 1000 },
			deadline: 3 * time.Second, requests: span{1, 5},
			want: outcome{kind: context.DeadlineExceeded, status: 500, says: []string{"deadline of the run"}},
		},
		{
			row: "back-off and deadline", variant: "Retry-After", sent: "429 with Retry-After: 20, where there are 5 s for all",
			wrap: fault(registrytest.Reply(429, registrytest.RetryAfter(20))), deadline: 5 * time.Second, requests: exactly(1),
			want: outcome{kind: registry.ErrBusy, status: 429, says: []string{"longer than goldenarch waits"}},
		},
		{
			row: "slow body", sent: "one byte every 100 ms", wrap: fault(registrytest.SlowBody(100 * time.Millisecond)), client: short,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"5s"}}, requests: atMost(2),
		},
		{
			row: "slow body", variant: "deadline", sent: "one byte every 100 ms, where there is 1 s for all",
			wrap: fault(registrytest.SlowBody(100 * time.Millisecond)), deadline: time.Second,
			want: outcome{kind: context.DeadlineExceeded, says: []string{"deadline of the run"}}, requests: span{0, 2},
		},
		{
			row: "silent server", sent: "nothing", wrap: fault(registrytest.Silent()), client: short,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"5s"}}, requests: exactly(1),
		},
		{
			row: "silent server", variant: "60 images", sent: "nothing to 60 images over TLS that works: each is asked once, in one time-out", images: 60,
			wrap: fault(registrytest.Silent()), client: short,
			want: outcome{kind: registry.ErrUnreachable, says: []string{"5s"}}, requests: exactly(60),
		},
		{
			row: "manifest too large", variant: "5 MB", sent: "an index of 5 MiB", push: pushed(registrytest.BigIndex(5 << 20)),
			want: outcome{kind: registry.ErrContent, says: []string{"too large"}}, requests: exactly(1),
		},
		{
			row: "manifest too large", variant: "101 MB", sent: "101 MiB without end in sight",
			wrap: fault(endless(101 << 20)), want: outcome{kind: registry.ErrContent, says: []string{"too large"}}, requests: exactly(1),
		},
		{
			row: "manifest too large", variant: "4 MB", sent: "an index of 4 MiB, which is allowed", push: pushed(registrytest.BigIndex(4 << 20)),
			want: right, requests: exactly(1),
		},
	}
}

// pushed is one artifact as org/app:1.
func pushed(a registrytest.Artifact) func(*world) {
	return func(w *world) { w.registry.Push(appImage, a) }
}

// endless sends blanks without saying how many there will be.
func endless(size int) registrytest.Wrapper {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(http.StatusOK)
			blanks := make([]byte, 1<<20)
			for i := range blanks {
				blanks[i] = ' '
			}
			for range size >> 20 {
				if _, err := rw.Write(blanks); err != nil {
					return
				}
			}
		})
	}
}
