package registry_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// situation is one way in which registries behave, and what must come of it: a row of the
// table. when begins one, and each method sets a column. What a row does not say is as usual:
// the image org/app:1 for amd64 and arm64 is at HOST and at OTHER, the client has a login for
// both and sends it to none, and HOST/org/app:1 is asked for.
type situation struct {
	name, reason string
	// What there is.
	faults    []registrytest.Wrapper
	listen    registrytest.Options
	virtual   bool // the clock and the network are those of testing/synctest
	prepared  []func(*world)
	pushed    []func(*world)
	configure []func(*world)
	policy    func(*world) mirror.Policy
	// What is asked for.
	ask             []string
	images, singles int
	runs            int
	limit           time.Duration // of the run
	between         func(*world)
	// What must come of it.
	want        outcome
	broken      int  // so many fail, the others do not; 0 is all
	brokenFirst bool // those are the first ones, and asked for before the others
	requests    span
	counts      *registrytest.Counts
	elsewhere   span
	logins      map[string][]string // "user:password" by host
	sent        map[string]span     // how often
	inFlight    span
	connections int
	most        time.Duration
	mirror      string
	anyMirror   bool
	passed      []string
	checks      []func(w *world, results []registry.Result)
}

// world is what a situation happens in: the registry that is asked, another host and a third
// one, all with certificates that the client trusts. Where there are mirrors, the others are
// they. Texts of a row call them HOST, OTHER and THIRD.
type world struct {
	*testing.T
	registry, other, third *registrytest.Server
	faults                 []registrytest.Wrapper
	network                *registrytest.Pipes // nil for that of the machine
	options                registry.Options
	env                    map[string]string
	resolver               func(*registry.Client) registry.Resolver
	notes                  []string
}

const (
	appImage = "org/app:1"
	appFound = "linux/amd64 linux/arm64"
)

func app() registrytest.Artifact { return registrytest.Index("linux/amd64", "linux/arm64") }

// span is how many of something there may be.
type span struct{ least, most int }

func (s span) holds(n int) bool { return s.least <= n && n <= s.most }

func (s span) String() string {
	if s.least == s.most {
		return strconv.Itoa(s.least)
	}
	return strconv.Itoa(s.least) + " to " + strconv.Itoa(s.most)
}

// when is a row in which the registry has these faults. reason says what it sends, for who
// reads a failure.
func when(name, reason string, faults ...registrytest.Wrapper) *situation {
	return &situation{
		name: name, reason: reason, faults: faults, want: outcome{platforms: appFound}, inFlight: span{0, 1 << 20},
		logins: map[string][]string{}, sent: map[string]span{},
	}
}

// The methods below say what there is.

// listens is how the registry listens.
func (s *situation) listens(o registrytest.Options) *situation { s.listen = o; return s }

// timed has the clock of testing/synctest: waiting takes no time, and no machine is too busy.
func (s *situation) timed() *situation { s.virtual = true; return s }

// prepare runs before the registry listens.
func (s *situation) prepare(do func(*world)) *situation {
	s.prepared = append(s.prepared, do)
	return s
}

// broke adds a fault.
func (s *situation) broke(fault registrytest.Wrapper) *situation {
	s.faults = append(s.faults, fault)
	return s
}

// client changes the options of the client.
func (s *situation) client(do func(*world)) *situation {
	s.configure = append(s.configure, do)
	return s
}

// patient has the default number of retries. Others are one.
func (s *situation) patient() *situation { return s.retries(0) }

func (s *situation) retries(n int) *situation {
	return s.client(func(w *world) { w.options.Retries = n })
}

func (s *situation) requestTimeout(d time.Duration) *situation {
	return s.client(func(w *world) { w.options.RequestTimeout = d })
}

// insecure lists hosts as insecure.
func (s *situation) insecure(hosts ...string) *situation {
	return s.client(func(w *world) {
		for _, host := range hosts {
			w.options.Insecure = append(w.options.Insecure, w.said(host))
		}
	})
}

// allowed sends logins to insecure hosts.
func (s *situation) allowed() *situation {
	return s.client(func(w *world) { w.options.AllowInsecureCredentials = true })
}

// serves has this as org/app:1, at the registry and the other host.
func (s *situation) serves(a registrytest.Artifact) *situation {
	return s.has("HOST "+appImage, a).has("OTHER "+appImage, a)
}

// serve is serves under another name, which is asked for.
func (s *situation) serve(name string, a registrytest.Artifact) *situation {
	return s.has("HOST "+name, a).asks("HOST/" + name)
}

// has pushes an artifact to a place, such as "OTHER org/app:1". With one push, nothing else is
// anywhere.
func (s *situation) has(place string, a registrytest.Artifact) *situation {
	host, name, _ := strings.Cut(place, " ")
	s.pushed = append(s.pushed, func(w *world) { w.servers()[host].Push(name, a) })
	return s
}

// nowhere is a situation without any image.
func (s *situation) nowhere() *situation {
	s.pushed = append(s.pushed, func(*world) {})
	return s
}

// envs sets variables of the environment: name, value, name, value.
func (s *situation) envs(values ...string) *situation {
	return s.client(func(w *world) {
		for pair := range slices.Chunk(values, 2) {
			w.env[pair[0]] = w.said(pair[1])
		}
	})
}

// loggedIn is an auth file with these logins and no other: key, "user:password", key, ...
func (s *situation) loggedIn(logins ...string) *situation {
	return s.client(func(w *world) {
		list := map[string]string{}
		for pair := range slices.Chunk(logins, 2) {
			list[w.said(pair[0])] = pair[1]
		}
		w.options.AuthFile = login(w.T, list)
	})
}

// anonymous has no login at all.
func (s *situation) anonymous() *situation { return s.loggedIn() }

// auths is an auth file with this text.
func (s *situation) auths(text string) *situation {
	return s.client(func(w *world) { w.options.AuthFile = write(w, w.said(text), w.TempDir(), "auth.json") })
}

// redirects sends all questions elsewhere.
func (s *situation) redirects(to string) *situation {
	return s.prepare(func(w *world) { w.faults = append(w.faults, registrytest.Redirect(w.said(to), "")) })
}

// challenges answers all questions with a challenge.
func (s *situation) challenges(challenge string) *situation {
	return s.prepare(func(w *world) { w.faults = append(w.faults, challenging(w.said(challenge))) })
}

// mirrors has a policy.
func (s *situation) mirrors(policy func(*world) mirror.Policy) *situation {
	s.policy = policy
	return s
}

// The methods below say what is asked for.

func (s *situation) asks(refs ...string) *situation { s.ask = append(s.ask, refs...); return s }

// many asks for an image in each of so many repositories org/rN, of which the first are
// single images for arm64.
func (s *situation) many(images, singles int) *situation {
	s.images, s.singles = images, singles
	return s
}

// times asks with so many clients at once.
func (s *situation) times(n int) *situation { s.runs = n; return s }

// within is the deadline of the run.
func (s *situation) within(d time.Duration) *situation { s.limit = d; return s }

// twice asks for all, which must succeed, and once more after do.
func (s *situation) twice(do func(*world)) *situation { s.between = do; return s }

// The methods below say what must come of it.

// finds is the platforms of the answer.
func (s *situation) finds(platforms string) *situation {
	s.want = outcome{platforms: platforms}
	return s
}

// fails is the kind, the status and texts of the error.
func (s *situation) fails(kind error, status int, says ...string) *situation {
	s.want = outcome{kind: kind, status: status, says: says}
	return s
}

// not is what the error does not say.
func (s *situation) not(texts ...string) *situation { s.want.not = texts; return s }

// first says that the first n fail, also if they are asked for before the others, which succeed.
func (s *situation) first(n int) *situation { s.broken, s.brokenFirst = n, true; return s }

// some says that n fail, whichever they are.
func (s *situation) some(n int) *situation { s.broken = n; return s }

// asked is how many requests come to the registry, and atMost a limit for them.
func (s *situation) asked(n int) *situation  { s.requests, s.counts = span{n, n}, nil; return s }
func (s *situation) atMost(n int) *situation { s.requests, s.counts = span{1, n}, nil; return s }

// byKind is the same by their kind.
func (s *situation) byKind(c registrytest.Counts) *situation { s.counts = &c; return s }

// others is how many requests come to the other hosts, and mostElsewhere a limit for them.
func (s *situation) others(n int) *situation        { s.elsewhere = span{n, n}; return s }
func (s *situation) mostElsewhere(n int) *situation { s.elsewhere = span{1, n}; return s }

// sees says that the planted login reaches a host. It may reach no other.
func (s *situation) sees(host string) *situation { return s.saw(host, plantedUser+":"+plantedPassword) }

// saw says which logins reach a host.
func (s *situation) saw(host string, logins ...string) *situation {
	s.logins[host] = logins
	return s
}

// sends says that a login reaches the registry, at most so often.
func (s *situation) sends(login string, most int) *situation {
	s.sent[login] = span{1, most}
	return s.saw("HOST", append(slices.Clone(s.logins["HOST"]), login)...)
}

// atOnce is how many requests are at the registry at the same time.
func (s *situation) atOnce(least, most int) *situation { s.inFlight = span{least, most}; return s }

// connects is how many connections there are at most.
func (s *situation) connects(most int) *situation { s.connections = most; return s }

// takes is how long it takes at most, by the clock of a timed row.
func (s *situation) takes(most time.Duration) *situation { s.most = max(most, 1); return s }

// from is who answered, such as "OTHER/org/app:1". past is which mirrors did not before, and why.
func (s *situation) from(mirror string) *situation { s.mirror = mirror; return s }
func (s *situation) past(why ...string) *situation { s.passed = why; return s }

// mixed is answers from several places. A check of the row says which.
func (s *situation) mixed() *situation { s.anyMirror = true; return s }

// also checks what only this row is about.
func (s *situation) also(check func(w *world, results []registry.Result)) *situation {
	s.checks = append(s.checks, check)
	return s
}

// runSituations runs rows. All names are distinct, so that a failure names its row.
func runSituations(t *testing.T, rows ...*situation) {
	t.Parallel()
	registrytest.RootCAs() // made before a clock is
	names := map[string]bool{}
	for _, s := range rows {
		if names[s.name] || s.reason == "" {
			t.Errorf("row %q has no name of its own, or no reason", s.name)
		}
		names[s.name] = true
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if s.virtual {
				synctest.Test(t, s.run)
				return
			}
			s.run(t)
		})
	}
}

func (s *situation) run(t *testing.T) {
	w := s.world(t)
	refs := s.references(w)
	for _, change := range s.configure {
		change(w)
	}
	limit := deadline
	if s.limit > 0 {
		limit = s.limit
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	begun := time.Now()
	var all sync.WaitGroup
	for range max(1, s.runs) {
		r := s.resolver(w)
		all.Go(func() { s.resolve(ctx, w, r, refs) })
	}
	all.Wait()
	if s.limit == 0 && ctx.Err() != nil {
		t.Errorf("%s\nit did not end by itself within %s", s.reason, limit)
	}
	if took := time.Since(begun); s.most > 0 && took > s.most {
		t.Errorf("%s\nwant it done in %s, took %s", s.reason, s.most, took)
	}
	s.checkRequests(w)
	s.checkLogins(w)
}

func (s *situation) world(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, options: unhurried(t), faults: slices.Clone(s.faults), env: map[string]string{}}
	w.options.Env = func(key string) string { return w.env[key] }
	if s.virtual {
		w.network = &registrytest.Pipes{}
		w.options.Dial, w.options.RequestTimeout = w.network.Dial, 10*time.Second
	}
	w.other, w.third = w.start(registrytest.Options{}), w.start(registrytest.Options{})
	for _, do := range s.prepared {
		do(w)
	}
	s.listen.Wrappers = w.faults
	w.registry = w.start(s.listen)
	proof := plantedUser + ":" + plantedPassword
	w.options.AuthFile = login(t, map[string]string{w.registry.Host(): proof, w.other.Host(): proof})
	return w
}

func (w *world) start(o registrytest.Options) *registrytest.Server {
	w.Helper()
	if over := o.Listen; w.network != nil {
		o.Listen = func(address net.Listener) net.Listener {
			l := w.network.Listen(address)
			if over != nil {
				l = over(l)
			}
			return l
		}
	}
	return start(w.T, o)
}

// with is start for a host with these faults.
func (w *world) with(faults ...registrytest.Wrapper) *registrytest.Server {
	return w.start(registrytest.Options{Wrappers: faults})
}

func (w *world) servers() map[string]*registrytest.Server {
	return map[string]*registrytest.Server{"HOST": w.registry, "OTHER": w.other, "THIRD": w.third}
}

// said puts the hosts in the place of their words, and words the other way round.
func (w *world) said(text string) string {
	for word, s := range w.servers() {
		if s != nil {
			text = strings.ReplaceAll(text, word, s.Host())
		}
	}
	return text
}

func (w *world) words(text string) string {
	for word, s := range w.servers() {
		if s != nil {
			text = strings.ReplaceAll(text, s.Host(), word)
		}
	}
	return text
}

// references fills the registries and reads what is asked for.
func (s *situation) references(w *world) []imageref.Reference {
	w.Helper()
	for _, push := range s.pushed {
		push(w)
	}
	if s.images > 0 {
		return fill(w.T, w.registry, s.images, s.singles)
	}
	if s.pushed == nil {
		w.registry.Push(appImage, app())
		w.other.Push(appImage, app())
	}
	ask := s.ask
	if ask == nil {
		ask = []string{"HOST/" + appImage}
	}
	var refs []imageref.Reference
	for _, text := range ask {
		ref, err := imageref.Parse(w.said(text))
		if s.want.kind == registry.ErrReference {
			s.refused(w, text, err)
			continue
		}
		if err != nil {
			w.Fatal(err)
		}
		refs = append(refs, ref)
	}
	return refs
}

// refused checks what is no reference: it is never asked for.
func (s *situation) refused(w *world, text string, err error) {
	w.Helper()
	if _, ok := errors.AsType[*imageref.ParseError](err); !ok {
		w.Errorf("%s\n%q: want a *registry.ParseError, got %v", s.reason, text, err)
		return
	}
	for _, part := range s.want.says {
		if !strings.Contains(err.Error(), part) {
			w.Errorf("%s\n%q: the error must hold %q: %v", s.reason, text, part, err)
		}
	}
}

// resolver asks as the row says: the client, behind mirrors where there is a policy.
func (s *situation) resolver(w *world) registry.Resolver {
	w.Helper()
	strict := client(w.T, w.options)
	wrap := w.resolver
	if wrap == nil {
		wrap = func(c *registry.Client) registry.Resolver { return c }
	}
	if s.policy == nil {
		return wrap(strict)
	}
	p := s.policy(w)
	lax := w.options
	lax.Insecure = append(slices.Clone(lax.Insecure), p.Insecure()...)
	return registry.Mirrored(wrap(strict), wrap(client(w.T, lax)), p)
}

// resolve asks for all and checks the answers.
func (s *situation) resolve(ctx context.Context, w *world, r registry.Resolver, refs []imageref.Reference) {
	w.Helper()
	if s.between != nil {
		for _, result := range registry.ResolveAll(ctx, r, refs) {
			if result.Err != nil {
				w.Errorf("%s\nthe first time: %v", s.reason, result.Err)
			}
		}
		s.between(w)
	}
	var results []registry.Result
	if s.brokenFirst && s.runs == 0 {
		results = registry.ResolveAll(ctx, r, refs[:s.broken])
		results = append(results, registry.ResolveAll(ctx, r, refs[s.broken:])...)
	} else {
		results = registry.ResolveAll(ctx, r, refs)
	}
	failed := 0
	for i, result := range results {
		want := s.want
		isBroken := s.broken == 0 || s.brokenFirst && i < s.broken || !s.brokenFirst && result.Err != nil
		switch {
		case want.kind == nil && i < s.singles, !isBroken && i < s.singles:
			want = outcome{platforms: "linux/arm64"}
		case !isBroken:
			want = outcome{platforms: appFound}
		}
		if result.Err != nil {
			failed++
		}
		want.check(w, s.reason, result)
		s.checkMirror(w, result)
	}
	if s.broken > 0 && failed != s.broken {
		w.Errorf("%s\nwant %d failures, got %d", s.reason, s.broken, failed)
	}
	for _, check := range s.checks {
		check(w, results)
	}
}

func (s *situation) checkMirror(w *world, result registry.Result) {
	w.Helper()
	if result.Err == nil && result.Image.Reference != result.Reference.String() {
		w.Errorf("%s\nthe answer is for %s, not for %s", s.reason, result.Image.Reference, result.Reference)
	}
	if s.anyMirror {
		return
	}
	if got := w.words(result.Image.Mirror); got != s.mirror {
		w.Errorf("%s\nwant the answer of %q, got %q", s.reason, s.mirror, got)
	}
	if len(result.Image.Passed) != len(s.passed) {
		w.Errorf("%s\nwant %d mirrors passed, got %v", s.reason, len(s.passed), result.Image.Passed)
		return
	}
	for i, why := range s.passed {
		noSecret(w.T, s.reason, result.Image.Passed[i])
		if text := w.words(result.Image.Passed[i].Error()); !strings.Contains(text, why) {
			w.Errorf("%s\nwant mirror %d passed for %q, got %s", s.reason, i+1, why, text)
		}
	}
}

// checkRequests checks what each host was asked. A registry that speaks no TLS also gets its
// greeting, which counts for nothing.
func (s *situation) checkRequests(w *world) {
	w.Helper()
	asked := func(s *registrytest.Server) registrytest.Counts {
		c := s.Counts()
		c.Other = 0
		return c
	}
	got := asked(w.registry)
	if s.counts != nil {
		if diff := cmp.Diff(*s.counts, got); diff != "" {
			w.Errorf("%s\nrequests at the registry (-want +got):\n%s", s.reason, diff)
		}
	} else if !s.requests.holds(got.Total()) {
		w.Errorf("%s\nwant %s requests at the registry, got %+v", s.reason, s.requests, got)
	}
	if n := asked(w.other).Total() + asked(w.third).Total(); !s.elsewhere.holds(n) {
		w.Errorf("%s\nwant %s requests elsewhere, got %d", s.reason, s.elsewhere, n)
	}
	if n := w.registry.MaxInFlight(); !s.inFlight.holds(n) {
		w.Errorf("%s\nwant %s requests at once, got %d", s.reason, s.inFlight, n)
	}
	if n := w.registry.Connections(); s.connections > 0 && n > s.connections {
		w.Errorf("%s\nwant at most %d connections, got %d", s.reason, s.connections, n)
	}
}

// checkLogins checks which logins each host got to see.
func (s *situation) checkLogins(w *world) {
	w.Helper()
	got := map[string][]string{}
	for host, server := range w.servers() {
		if seen := passwords(server); len(seen) > 0 {
			got[host] = seen
		}
	}
	want := maps.Clone(s.logins)
	for _, logins := range want {
		slices.Sort(logins)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("%s\nlogins that reach each host (-want +got):\n%s", s.reason, diff)
	}
	for login, most := range s.sent {
		if n := w.registry.Sent("Basic " + base64.StdEncoding.EncodeToString([]byte(login))); !most.holds(n) {
			w.Errorf("%s\nwant the login %s sent %s times, got %d", s.reason, login, most, n)
		}
	}
}

// passwords are the logins that reached a host.
func passwords(s *registrytest.Server) []string {
	var out []string
	for _, proof := range s.Credentials() {
		if rest, ok := strings.CutPrefix(proof, "Basic "); ok {
			text, _ := base64.StdEncoding.DecodeString(rest)
			out = append(out, string(text))
		}
	}
	slices.Sort(out)
	return out
}

// outcome is how a question is to end.
type outcome struct {
	platforms string // blank between two; "" means an error
	kind      error
	status    int
	says, not []string
}

func (want outcome) check(w *world, reason string, result registry.Result) {
	w.Helper()
	err := result.Err
	if want.kind == nil {
		var got []string
		for _, p := range result.Image.Platforms {
			got = append(got, p.String())
		}
		if err != nil || strings.Join(got, " ") != want.platforms {
			w.Errorf("%s\nwant %q, got %q, %v", reason, want.platforms, got, err)
		}
		return
	}
	var e *registry.Error
	if !errors.As(err, &e) || !errors.Is(err, want.kind) {
		w.Errorf("%s\nwant a *registry.Error of the kind %q, got %v, %v", reason, want.kind, err, result.Image.Platforms)
		return
	}
	if e.Status != want.status {
		w.Errorf("%s\nwant the status %d, got %d: %v", reason, want.status, e.Status, err)
	}
	if e.Reference != result.Reference.String() || e.Registry != result.Reference.Host() {
		w.Errorf("%s\nthe error is of %s at %s", reason, e.Reference, e.Registry)
	}
	text := w.words(err.Error())
	for _, part := range append(slices.Clone(want.says), w.words(result.Reference.String()), w.words(result.Reference.Host())) {
		if !strings.Contains(text, part) {
			w.Errorf("%s\nthe error must hold %q: %s", reason, part, text)
		}
	}
	for _, part := range append(slices.Clone(want.not), "Go ", "registry.Error", "unmarshal") {
		if strings.Contains(text, part) {
			w.Errorf("%s\nthe error must not hold %q: %s", reason, part, text)
		}
	}
	noSecret(w.T, reason, err)
}

// noSecret looks for planted secrets, as they are and as they are sent.
func noSecret(t *testing.T, reason string, err error) {
	t.Helper()
	for _, secret := range []string{
		plantedPassword, plantedIdentity, plantedSignature, "g1ven-t0ken-",
		base64.StdEncoding.EncodeToString([]byte(plantedUser + ":" + plantedPassword)),
	} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s\nthe error holds a secret (%s): %v", reason, secret, err)
		}
	}
}

// numbered are names with numbers in the place of %d.
func numbered(format string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}
