package registry_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// TestAnswers are answers that another moment would get right, and none at all.
func TestAnswers(t *testing.T) {
	once := func(w registrytest.Wrapper) registrytest.Wrapper { return registrytest.First(1, w) }
	busy, hour := registrytest.RetryAfter(1), registrytest.RetryAfter(3600)
	storm := []registrytest.Wrapper{registrytest.MaxInFlight(4, busy), registrytest.Latency(5 * time.Millisecond)}
	limited := func(after http.Header) registrytest.Wrapper {
		body := `{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit"}]}`
		return registrytest.ReplyBody(429, "application/json", []byte(body), after)
	}
	rows := []*situation{
		when("429 with Retry-After", "seconds, twice", registrytest.First(2, registrytest.Reply(429, busy))).timed().patient().asked(3),
		when("429 with a date", "Retry-After as a date", once(registrytest.RetryAfterDate(429, time.Second))).timed().asked(2),
		when("429 with an hour", "Retry-After: 3600, which nobody waits for", registrytest.Reply(429, hour)).
			fails(registry.ErrBusy, 429, "1h0m0s").asked(1),
		when("429 bare", "without Retry-After the back-off counts", once(reply(429))).asked(2),
		when("429 for ever", "429 and nothing else", reply(429)).fails(registry.ErrBusy, 429, "429", "TOOMANYREQUESTS", "later").asked(2),
		when("429 for ever to 60", "429 to each of 60 images: they are not asked 60 times as often", reply(429)).many(60, 0).
			fails(registry.ErrBusy, 429, "429").atMost(90),
		when("storm", "429 to all above 4 requests at once", storm...).many(60, 15).patient().atMost(4 * 75),
		when("storm of HTTP/1.1", "the same without HTTP/2", storm...).listens(registrytest.Options{HTTP1: true}).many(60, 15).patient().atMost(4 * 75),
		when("500 once", "a failure is tried again", once(reply(500))).asked(2),
		when("500 twice", "500, 500, and then the image", registrytest.First(2, reply(500))).timed().patient().asked(3),
		when("500 for ever", "but not for ever", reply(500)).fails(registry.ErrServer, 500, "500", "UNKNOWN").asked(2),
		when("503 once", "503 with Retry-After: 1", once(registrytest.Reply(503, busy))).timed().asked(2),
		when("503 for ever", "503 and nothing else", reply(503)).fails(registry.ErrServer, 503, "503", "try again later").asked(2),
		when("503 with an hour", "an hour is not waited for where the server fails, either", registrytest.Reply(503, hour)).
			fails(registry.ErrServer, 503, "503", "Retry-After: 3600").asked(1),
		when("403", "an answer, not a failure", reply(403)).anonymous().fails(registry.ErrDenied, 403, "403", "DENIED", "log in").asked(1),
		when("404", "so is 404", reply(404)).anonymous().fails(registry.ErrNotFound, 404, "404", "NOT_FOUND").asked(1),

		when("cut off for ever", "nothing but resets", registrytest.Reset()).listens(registrytest.Options{HTTP1: true}).
			fails(registry.ErrUnreachable, 0, "check the").atMost(4),

		when("back-off and deadline", "500 for ever, where there are 3 s for all", reply(500)).timed().retries(1000).within(3*time.Second).
			fails(context.DeadlineExceeded, 500, "deadline of the run").atMost(5).takes(3 * time.Second),
		when("Retry-After and deadline", "429 with Retry-After: 20, where there are 5 s for all", registrytest.Reply(429, registrytest.RetryAfter(20))).
			timed().within(5*time.Second).fails(registry.ErrBusy, 429, "longer than goldenarch waits").asked(1).takes(0),
		when("long wait", "a wait that is too long is told with what the registry said", limited(registrytest.RetryAfter(20))).
			timed().retries(20).within(10*time.Second).fails(registry.ErrBusy, 429, "429", "pull rate limit").not(" 0s").asked(1),
		when("long back-off", "the same without Retry-After", limited(nil)).
			timed().retries(20).within(10*time.Second).fails(registry.ErrBusy, 429, "429", "pull rate limit").not(" 0s").atMost(8),
		when("slow body and deadline", "one byte a second, where there are 5 s for all", registrytest.SlowBody(time.Second)).
			timed().within(5*time.Second).fails(context.DeadlineExceeded, 0, "deadline of the run").asked(1).takes(5 * time.Second),
		when("silent server and deadline", "nothing, where there are 5 s for all", registrytest.Silent()).
			timed().within(5*time.Second).fails(context.DeadlineExceeded, 0, "deadline of the run").asked(1).takes(5 * time.Second),
		when("silent server", "nothing: to images over TLS that works, each is asked once, in one time-out, three of them after another",
			registrytest.Silent()).
			timed().many(60, 0).fails(registry.ErrUnreachable, 0, "10s").asked(60).takes(12 * time.Second),

		when("silent server as usual", "the time for one request is 15 s by default", registrytest.Silent()).timed().requestTimeout(0).
			fails(registry.ErrUnreachable, 0, "15s").asked(1).takes(15 * time.Second),

		when("5 MiB", "an index that is too large").serves(registrytest.BigIndex(5<<20)).fails(registry.ErrContent, 0, "too large").asked(1),
		when("101 MiB", "blanks without end in sight", endless(101<<20)).fails(registry.ErrContent, 0, "too large").asked(1),
		when("4 MiB", "an index that is allowed").serves(registrytest.BigIndex(4 << 20)).asked(1),
	}
	for protocol, listen := range map[string]registrytest.Options{"HTTP/1.1": {HTTP1: true}, "HTTP/2": {}} {
		rows = append(rows, when("now and then, "+protocol, "it cuts, breaks off and fails by turns: 100 images are found all the same",
			registrytest.Every(29, registrytest.Reset()), registrytest.Every(31, registrytest.Truncate()), registrytest.Every(37, reply(503)),
			registrytest.Every(41, reply(500)), (&registrytest.Tokens{Service: "r"}).Require()).
			listens(listen).anonymous().patient().many(100, 25).atMost(2*(100+25+100)))
	}
	runSituations(t, slices.Concat(rows, wireRows(), aloneRows(), noteRows())...)
}

// endless sends blanks without saying how many there will be.
func endless(size int) registrytest.Wrapper {
	return answer(func(rw http.ResponseWriter, _ *http.Request, _ http.Handler) {
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

// wireRows break answers off, or let them come too slowly, for each kind of question: for ever,
// and as often as is tried again.
func wireRows() []*situation {
	var rows []*situation
	for kindName, kind := range map[string]registrytest.Kind{
		"manifest": registrytest.Manifest, "config": registrytest.Blob, "token": registrytest.Token,
	} {
		for protocol, listen := range map[string]registrytest.Options{"HTTP/1.1": {HTTP1: true}, "HTTP/2": {}} {
			for _, f := range []struct {
				name, reason string
				fault        func() registrytest.Wrapper
				timed        bool
				times        int
				says         string
			}{
				{"reset", "a connection that is cut", registrytest.Reset, false, 2, map[string]string{"HTTP/1.1": "check the", "HTTP/2": "stream"}[protocol]},
				{"truncated", "an answer that breaks off", registrytest.Truncate, false, 2, "ended early"},
				{"slow", "an answer that comes byte by byte", func() registrytest.Wrapper { return registrytest.SlowBody(time.Second) }, true, 1, "5s"},
				{"silent", "no answer at all", registrytest.Silent, true, 1, "5s"},
			} {
				for often, times := range map[string]int{"for ever": 1 << 20, "for a time": f.times} {
					s := when(fmt.Sprint(kindName, " ", f.name, " ", often, " ", protocol), f.reason,
						registrytest.On(kind, registrytest.First(times, f.fault())), (&registrytest.Tokens{Service: "r"}).Require()).
						listens(listen).retries(2).requestTimeout(5 * time.Second).anonymous().serves(registrytest.Image("linux/arm64")).finds("linux/arm64").
						atMost(4 + 2*2)
					// A host that is silent from the beginning gets no second chance: 200 images would wait for it.
					if often == "for ever" || f.name == "silent" && kind == registrytest.Manifest {
						s.fails(registry.ErrUnreachable, 0, f.says)
					}
					if s.virtual = f.timed; f.timed {
						s.takes(16 * time.Second) // three attempts, and the time between them
					}
					rows = append(rows, s)
				}
			}
		}
	}
	return rows
}

// aloneRows are registries of which some repositories are broken, those that are asked for first.
// Only they fail.
func aloneRows() []*situation {
	planted := registrytest.Users{plantedUser: plantedPassword}
	silent := registrytest.Silent()
	some := func(n int, w registrytest.Wrapper, more ...registrytest.Wrapper) []registrytest.Wrapper {
		var list []registrytest.Wrapper
		for _, name := range numbered("org/r%d", n) {
			list = append(list, registrytest.OnRepository(name, w))
		}
		return append(list, more...)
	}
	quiet := func(name, reason string, n int, faults ...registrytest.Wrapper) *situation {
		return when(name, reason, faults...).timed().many(n+5, 0).times(20).retries(2).requestTimeout(6*time.Second).within(time.Hour).atMost(100*(n+5)).
			fails(registry.ErrUnreachable, 0).first(n)
	}
	rows := []*situation{
		quiet("one silent", "nothing for one repository of six", 1, some(1, silent)...),
		quiet("one silent of HTTP/1.1", "the same without HTTP/2", 1, some(1, silent)...).listens(registrytest.Options{HTTP1: true}),
		quiet("most silent", "nothing for most of them", 15, some(15, silent)...),
		quiet("some silent without TLS", "a host without TLS says that it has none, and so is there", 3, some(3, silent)...).
			listens(registrytest.Options{PlainHTTP: true}).insecure("HOST"),
		quiet("one silent with Basic", "the login is tried with one that is silent", 1, some(1, silent, registrytest.Basic(planted))...).sees("HOST"),
		quiet("some silent with tokens", "each repository has its token", 3,
			some(3, silent, (&registrytest.Tokens{Service: "r", Users: planted}).Require())...).sees("HOST"),
		quiet("some cut off", "the same of those that are cut off", 12, some(12, registrytest.Reset(), registrytest.Latency(300*time.Millisecond))...),
	}
	for _, status := range []int{500, 502, 503} {
		rows = append(rows, when(fmt.Sprint("some with ", status), "each says its own status", some(6, reply(status))...).
			many(60, 0).first(6).fails(registry.ErrServer, status, fmt.Sprint(status)).atMost(54+2*6))
	}
	for _, status := range []int{401, 403} {
		rows = append(rows, when(fmt.Sprint("login refused by some with ", status), "the login is right, and may not read some of the repositories",
			some(5, refusing(status), registrytest.Basic(planted))...).sees("HOST").many(25, 5).first(5).fails(registry.ErrDenied, status).atMost(60))
	}
	perScope := registrytest.On(registrytest.Token, answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) { // as GitLab's
		if slices.Contains(numbered("repository:org/r%d:pull", 5), r.FormValue("scope")) {
			rw.WriteHeader(http.StatusForbidden)
			return
		}
		next.ServeHTTP(rw, r)
	}))
	return append(rows, when("login refused for some tokens", "the same of a token service", perScope,
		(&registrytest.Tokens{Service: "r", Users: planted}).Require()).
		sees("HOST").many(25, 0).first(5).fails(registry.ErrDenied, 403, "token service").atMost(100))
}

// noteRows are registries that say how many pulls are left.
func noteRows() []*situation {
	note := func(reason, limit, remaining, want string) *situation {
		return when("note "+reason, reason, headers("Ratelimit-Limit", limit, "Ratelimit-Remaining", remaining)).asked(1).
			client(func(w *world) {
				w.options.Note = func(n registry.Note) { w.notes = append(w.notes, w.words(n.String())) }
			}).
			also(func(w *world, _ []registry.Result) {
				if got := fmt.Sprint(slices.Compact(w.notes)); got != fmt.Sprint([]string{"registry HOST " + want}) && (want != "" || len(w.notes) > 0) {
					w.Errorf("%s\nwant the note %q, got %s", reason, want, got)
				}
			})
	}
	refused := note("none left is low, and told beside the error", "100;w=21600", "0;w=21600", "has 0 of 100 pulls left in 6h")
	refused.faults = append(refused.faults, reply(403))
	return []*situation{
		note("less than a tenth is low", "200;w=21600", "19;w=21600", "has 19 of 200 pulls left in 6h"),
		note("less than ten is low", "40;w=3600", "9;w=3600", "has 9 of 40 pulls left in 1h"),
		note("a window is said without zeros", "100;w=1800", "9;w=1800", "has 9 of 100 pulls left in 30m"),
		note("in seconds too", "100;w=10", "9;w=10", "has 9 of 100 pulls left in 10s"),
		note("the window may be missing", "100", "3", "has 3 of 100 pulls left"),
		refused.fails(registry.ErrDenied, 403).anonymous(),
		note("a tenth is enough", "200;w=21600", "20;w=21600", ""),
		note("most registries say nothing", "", "", ""),
		note("half of it says nothing", "100;w=21600", "", ""),
		note("words say nothing", "many;w=1", "few", ""),
		note("nor do numbers that cannot be", "100", "-1", ""),
		note("a limit of nothing is none", "0", "0", ""),
	}
}

// TestRequests counts what images cost, of which a quarter are single: a manifest for each, a
// config for each single one, one challenge a registry, a token for each repository, and never a
// ping or a HEAD. Requests are in parallel, also where a login is tried first.
func TestRequests(t *testing.T) {
	const images, singles = 40, 10
	tokens := func() *registrytest.Tokens { return &registrytest.Tokens{Service: "r"} }
	var rows []*situation
	for protocol, listen := range map[string]registrytest.Options{"plain": {PlainHTTP: true}, "HTTP/1.1": {HTTP1: true}, "HTTP/2": {}} {
		for auth, want := range map[string]registrytest.Counts{
			"nothing": {Manifest: images, Blob: singles},
			"Basic":   {Manifest: images + 1, Blob: singles},
			"Bearer":  {Manifest: images + 1, Blob: singles, Token: images},
		} {
			const concurrency = 8
			s := when(auth+" over "+protocol, "HTTP/2 takes one connection, HTTP/1.1 one for each request under way",
				registrytest.Latency(20*time.Millisecond)).
				timed().many(images, singles).listens(listen).byKind(want).atOnce(concurrency, concurrency).connects(concurrency + 2).
				client(func(w *world) { w.options.Concurrency = concurrency })
			switch auth {
			case "Basic":
				s.faults = append(s.faults, registrytest.Basic(registrytest.Users{plantedUser: plantedPassword}))
			case "Bearer":
				s.faults = append(s.faults, (&registrytest.Tokens{Service: "r", Users: registrytest.Users{plantedUser: plantedPassword}}).Require())
			}
			if auth != "nothing" {
				s.sees("HOST")
			}
			if listen.PlainHTTP {
				s.insecure("HOST").allowed()
			}
			if protocol == "HTTP/2" {
				s.connects(2)
			}
			rows = append(rows, s)
		}
	}
	latency := registrytest.Latency(5 * time.Millisecond)
	rows = append(rows,
		when("200 images", "at most 2.3 requests for each", latency, tokens().Require()).timed().anonymous().many(200, 50).connects(2).
			byKind(registrytest.Counts{Manifest: 201, Blob: 50, Token: 200}),
		when("200 images over HTTP/1.1", "the same without HTTP/2", latency, tokens().Require()).timed().anonymous().many(200, 50).
			listens(registrytest.Options{HTTP1: true}).connects(v1alpha1.DefaultConcurrency+2).
			byKind(registrytest.Counts{Manifest: 201, Blob: 50, Token: 200}),
		when("tags", "fifty times the same image, and ten times five tags of a repository, are six questions and two tokens", latency, tokens().Require()).
			nowhere().anonymous().asks(slices.Repeat(append(numbered("HOST/org/tags:%d", 5), "HOST/org/same:1"), 10)...).
			client(func(w *world) {
				for _, name := range append(numbered("org/tags:%d", 5), "org/same:1") {
					w.registry.Push(name, app())
				}
			}).byKind(registrytest.Counts{Manifest: 6 + 1, Token: 2}),
		when("few streams", "a server that allows few requests on a connection answers all of them", registrytest.Latency(time.Millisecond)).
			listens(registrytest.Options{Streams: 10}).many(200, 50).asked(250),
		when("usual streams", "one that allows as many as usual needs no second connection", registrytest.Latency(time.Millisecond)).
			listens(registrytest.Options{Streams: 100}).many(200, 50).asked(250).connects(2),
		when("20 configs", "configs, of which 20 must be asked for at once to get any", registrytest.On(registrytest.Blob, joined(20))).many(20, 20).
			asked(40),
	)
	runSituations(t, rows...)
}

// joined holds requests back until n of them are there; before that time is up it fails.
func joined(n int) registrytest.Wrapper {
	there, all := make(chan struct{}, n-1), make(chan struct{})
	return answer(func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		select {
		case there <- struct{}{}:
		default:
			close(all)
		}
		select {
		case <-all:
			next.ServeHTTP(rw, r)
		case <-time.After(deadline / 4):
			rw.WriteHeader(http.StatusConflict)
		}
	})
}
