package fleet

import (
	"runtime"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/repo"
)

// Cluster is one cluster of a repository: its place, and what the Fleet states about it.
type Cluster struct {
	repo.Place

	// Entry is the entry of the Fleet, nil for none.
	Entry *v1alpha1.FleetCluster
}

// Name returns the name that the Fleet gives the cluster, "" for none.
func (c Cluster) Name() string {
	if c.Entry == nil {
		return ""
	}
	return c.Entry.Name
}

// At returns the clusters at places, each with its entry in the Fleet, which may be
// nil.
func (f *Fleet) At(places []repo.Place) []Cluster {
	out := make([]Cluster, len(places))
	for i, place := range places {
		out[i] = Cluster{Place: place, Entry: f.EntryOf(place.Path)}
	}
	return out
}

// Run calls do for each cluster, several at once, and returns the results in the order of
// the clusters.
func Run[T any](clusters []Cluster, do func(c Cluster) T) []T {
	out := make([]T, len(clusters))
	parallel.Queue(len(clusters), Workers(), func(i int) { out[i] = do(clusters[i]) })
	return out
}

// Workers is how many clusters are handled at once: one more than there are processors,
// because a cluster waits for builds and for registries.
func Workers() int { return min(runtime.GOMAXPROCS(0), 8) + 1 }
