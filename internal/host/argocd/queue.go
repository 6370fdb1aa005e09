package argocd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/memory"
)

// The memory and the times of calls. Argo CD's repo-server calls the sidecar for as many Applications at once as it
// renders, and each call is a process. Together they must stay below the memory of the
// container. docs/dev/performance.md has the measurements.
const (
	// callMemory is the memory for one call: 500 manifests in a kustomization take 77 MB.
	callMemory = 96 << 20
	// serverMemory is the memory for Argo CD's own server in the container.
	serverMemory = 64 << 20
	// longestWait is how long a call waits for others. The repo-server gives up after
	// 60 s, without a reason.
	longestWait = 40 * time.Second
	// retryInterval is the approximate time between two attempts to get a slot.
	retryInterval = 20 * time.Millisecond
)

// queue limits how many of the calls in a container run at once.
type queue struct {
	dir   string // for the locks of all calls
	slots int    // 0 is no limit
	wait  time.Duration
	// processors is how many processors the calls share.
	processors int
}

// newQueue returns the queue of a container with this memory limit, 0 for no limit.
func newQueue(dir string, limit int64) queue {
	q := queue{dir: dir, wait: longestWait, processors: runtime.GOMAXPROCS(0)}
	if limit > 0 {
		q.slots = max(1, int((limit-serverMemory)/callMemory))
	}
	return q
}

// share returns how much memory one of the calls may use, 0 for no limit.
func (q queue) share(limit int64) int64 {
	if limit == 0 {
		return 0
	}
	return max((limit-serverMemory)/int64(q.slots), limit/int64(q.slots+1))
}

// enter waits for a slot, and returns how long that took. The system frees the slot of
// a process that ends, however it ends. If goldenarch cannot create a lock, the call
// does not wait.
func (q queue) enter(ctx context.Context) (leave func(), waited time.Duration, err error) {
	began := time.Now()
	for {
		leave, err := q.take()
		switch waited = time.Since(began); {
		case leave != nil:
			return leave, waited, nil
		case !errors.Is(err, files.ErrBusy):
			return func() {}, waited, nil
		case waited > q.wait:
			return nil, waited, fmt.Errorf("%w %s: %s", errQueue, q.wait, q.advice())
		}
		select {
		case <-ctx.Done():
			return nil, waited, context.Cause(ctx)
		case <-time.After(retryInterval/2 + rand.N(retryInterval)):
		}
	}
}

var errQueue = errors.New("other calls of goldenarch did not end within")

// advice says what the calls are short of. More of them at once end no earlier where each
// processor has one already.
func (q queue) advice() string {
	if q.processors <= q.slots {
		return fmt.Sprintf("%d run at once on %s, so the processor is short; give the sidecar more of it (resources.requests.cpu, resources.limits.cpu), "+
			"or lower reposerver.parallelism.limit of Argo CD", q.slots, finding.Count(q.processors, "processor"))
	}
	return fmt.Sprintf("at most %d run at once in the memory of this container; "+
		"raise resources.limits.memory of the sidecar by 96Mi for each further call, or set GOLDENARCH_MAX_CALLS", q.slots)
}

// take takes a free slot, if there is one.
func (q queue) take() (leave func(), err error) {
	if q.slots == 0 {
		return func() {}, nil
	}
	for slot := range q.slots {
		leave, err = files.TryLock(filepath.Join(q.dir, fmt.Sprintf("goldenarch-slot-%d", slot)))
		if !errors.Is(err, files.ErrBusy) {
			return leave, err
		}
	}
	return nil, err
}

// The variables in which an administrator sets how many calls run at once, and how long
// a call waits. An Application cannot set them: Argo CD adds a prefix to its variables.
const (
	maxCalls = "GOLDENARCH_MAX_CALLS"
	maxWait  = "GOLDENARCH_MAX_WAIT"
)

// administered applies the variables of the administrator.
func (q *queue) administered(env func(string) string) error {
	if text := env(maxCalls); text != "" {
		slots, err := strconv.Atoi(text)
		if err != nil || slots < 1 {
			return fmt.Errorf("%s is %q: expected a number from 1 on", maxCalls, text)
		}
		q.slots = slots
	}
	if text := env(maxWait); text != "" {
		wait, err := time.ParseDuration(text)
		if err != nil || wait <= 0 {
			return fmt.Errorf("%s is %q: expected a duration such as 40s", maxWait, text)
		}
		q.wait = wait
	}
	return nil
}

// queued are the verbs that Argo CD calls and that read a directory.
var queued = []string{"render", "argocd", "check"}

// RunQueued waits for this process's turn under Argo CD, and then runs a function. Before, it passes how
// much memory the call may take to limitMemory, 0 for any.
func RunQueued(ctx context.Context, args []string, limitMemory func(int64), run func(context.Context) error) error {
	isQueued := func(arg string) bool { return slices.Contains(queued, arg) }
	if !slices.ContainsFunc(args, isQueued) || !In(os.LookupEnv) { // flags may come before the verb
		return run(ctx)
	}
	limit := memory.Limit()
	q := newQueue(os.TempDir(), limit)
	if err := q.administered(os.Getenv); err != nil {
		return err
	}
	leave, waited, err := q.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	limitMemory(q.share(limit))
	return run(context.WithValue(ctx, waitedKey{}, waited))
}

type waitedKey struct{}

// RegistryTimeout returns the default time limit for all registry queries under Argo
// CD, as text: what is left of it after the wait for other calls. Otherwise it returns
// "".
func RegistryTimeout(ctx context.Context) string {
	const (
		usual = 40 * time.Second // the repo-server gives up after 60 s
		least = 5 * time.Second
	)
	if !In(os.LookupEnv) {
		return ""
	}
	waited, _ := ctx.Value(waitedKey{}).(time.Duration)
	return max(usual-waited, least).Round(time.Second).String()
}
