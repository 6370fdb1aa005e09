package finding

import "maps"

// ID identifies a kind of finding. An id never changes its meaning; a new meaning gets
// a new id. Each has an anchor in docs/findings.md.
type ID string

// titles has a short description of each id. The files id_*.go have the ids, by what they
// are about.
var titles = joined(
	titlesOfInputs, titlesOfTemplates, titlesOfImages, titlesOfClusters,
	titlesOfCRs, titlesOfEmitted, titlesOfFiles, titlesOfPods,
)

func joined(all ...map[ID]string) map[ID]string {
	out := map[ID]string{}
	for _, one := range all {
		maps.Copy(out, one)
	}
	return out
}

// Title returns a short description of an id, or "" for an unknown id.
func (id ID) Title() string { return titles[id] }

// IDs returns every id with its title. The caller may change the map.
func IDs() map[ID]string { return maps.Clone(titles) }
