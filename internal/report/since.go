package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Since says what a change makes of the findings of its base. It changes no verdict.
type Since struct {
	// Base is the commit, branch or tag as the user names it.
	Base string
	// Worse are the errors and warnings that the base does not have, Better those that only the base has.
	Worse, Better finding.List
}

// sentence returns what changed, in a sentence.
func (s *Since) sentence() string {
	var parts []string
	for _, one := range []struct {
		list finding.List
		word string
	}{{s.Worse, " more"}, {s.Better, " less"}} {
		if n := len(one.list); n > 0 {
			parts = append(parts, finding.Count(n, "finding")+one.word)
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing is worse or better"}
	}
	return fmt.Sprintf("Since %s, %s.", s.Base, strings.Join(parts, " and "))
}

// unchanged returns the findings that the base has as well.
func (s *Since) unchanged(list finding.List) finding.List {
	worse := map[string]int{}
	for _, f := range s.Worse {
		worse[f.String()]++
	}
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool {
		worse[f.String()]--
		return worse[f.String()] >= 0
	})
}
