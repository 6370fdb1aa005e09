package registrytest

import (
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
)

// Dice applies one of the faults to so many percent of the requests. Which
// request is hit, and by what, follows from the seed, from what is asked for and
// from how often it was asked for before: it is the same in each run, in whatever
// order the requests come.
func Dice(seed uint64, percent int, faults ...Wrapper) Wrapper {
	var mu sync.Mutex
	asked := map[string]uint64{}
	return func(next http.Handler) http.Handler {
		hit := make([]http.Handler, len(faults))
		for i, fault := range faults {
			hit[i] = fault(next)
		}
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			what := r.Method + " " + r.URL.RequestURI()
			mu.Lock()
			asked[what]++
			n := asked[what]
			mu.Unlock()
			sum := fnv.New64a()
			_, _ = sum.Write([]byte(what))
			dice := rand.New(rand.NewPCG(seed+n<<32, sum.Sum64()))
			if dice.IntN(100) < percent {
				hit[dice.IntN(len(hit))].ServeHTTP(rw, r)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// OnDigest applies w to the requests by digest only: those whose answer can be
// known to be wrong.
func OnDigest(w Wrapper) Wrapper {
	return when(func(r *http.Request) bool { return strings.Contains(parse(r).reference, ":") }, w)
}
