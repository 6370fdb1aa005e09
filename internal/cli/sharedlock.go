package cli

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// sharedLock is a lock with the answers for all clusters that use it.
type sharedLock struct {
	openedLock

	clusters []clusterImages
	answers  []registry.Image
	dropped  []imageref.Reference
}

// add adds an answer. Clusters that share a lock have one answer for an image.
func (s *sharedLock) add(answer registry.Image, cluster string) finding.List {
	i := slices.IndexFunc(s.answers, func(other registry.Image) bool { return other.Reference == answer.Reference })
	switch {
	case i < 0:
		s.answers = append(s.answers, answer)
	case !reflect.DeepEqual(s.answers[i], answer): //nolint:govet // answers with errors of mirrors differ if these do
		return finding.List{{
			ID: finding.LockInvalid, Severity: finding.Error, Object: finding.Object{File: s.name, Cluster: cluster},
			Text: fmt.Sprintf("the clusters that share the lock get different answers for image %q, for example by other mirrors", answer.Reference),
			Do:   "give each cluster a lock of its own",
		}}
	}
	return nil
}

// unusedBy reports the images of --only that no cluster refers to.
func unusedBy(locks []*sharedLock, only []imageref.Reference) finding.List {
	var found finding.List
	for _, ref := range only {
		used := slices.ContainsFunc(locks, func(one *sharedLock) bool {
			return slices.ContainsFunc(one.clusters, func(c clusterImages) bool { return slices.Contains(c.images.ToQuery, ref) })
		})
		if !used {
			found = append(found, finding.Finding{
				ID: finding.LockInvalid, Severity: finding.Error,
				Text: fmt.Sprintf("--only names image %q, which no cluster of the repository refers to", ref.String()), Do: "correct --only, or name the cluster as PATH",
			})
		}
	}
	return found
}

// lockError reports that the lock of a cluster cannot be read or found.
func lockError(cluster string, err error) finding.Finding {
	return finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{Cluster: cluster}, Text: err.Error()}
}
