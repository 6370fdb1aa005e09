package v1alpha1

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// FleetKind is the kind of [Fleet].
const FleetKind = "Fleet"

// Fleet states options and node facts of the clusters that one repository holds. What a
// cluster has in its own directory takes precedence.
type Fleet struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	// What the repository states about its clusters. For each cluster the first entry that
	// matches its path counts.
	Clusters []FleetCluster `json:"clusters"`
}

// FleetCluster states options and node facts of the clusters that it matches.
type FleetCluster struct {
	// Patterns of clusters, as the summary of `check` names them: directories or files,
	// relative to the Fleet. `*` matches any characters but `/`, `**` any directories. A
	// directory with machines alone belongs to the one CR of the entry: `paths: [virt, vms]`.
	Paths []string `json:"paths"`
	// Where the files of `paths` have the CR, if it is a part of them, such as the values of a
	// Helm chart: `hyperconverged.cr`, or `hyperconverged.spec@v1beta1` for a spec alone.
	// See docs/acm.md#a-place-inside-a-file.
	CRPath string `json:"crPath,omitempty"`
	// The name of the cluster in reports. Default: its path.
	Name string `json:"name,omitempty"`
	// Architectures of the nodes that run VMs.
	WorkloadArchitectures []string `json:"workloadArchitectures,omitempty"`
	// Architectures of the control-plane nodes. `[]` states that HCO sees none.
	ControlPlaneArchitectures []string `json:"controlPlaneArchitectures,omitzero"`
	// The release of HCO or of OpenShift Virtualization.
	Release string `json:"release,omitempty"`
	// As in a GoldenImages, where the configuration leaves it at `Auto`.
	// See docs/configuration.md#the-multi-arch-gate.
	Gate Gate `json:"gate,omitempty"`
	// In which form the files get to the cluster. Default: `committed`.
	// See docs/check.md#as-committed-or-as-rendered.
	As ManifestForm `json:"as,omitempty"`
	// The file with what goldenarch renders of the only path, committed: the cluster gets that
	// file, `as` is `rendered`, and `check` renders again and compares.
	// See docs/flux.md#render-in-ci.
	Renders string `json:"renders,omitempty"`
	// A file with the live CR, below the directory of the Fleet.
	// See docs/nodes.md#the-live-cr.
	Live string `json:"live,omitempty"`
	// A file with a GoldenImages, below the directory of the Fleet; its `inputs` are relative
	// to that directory.
	Config string `json:"config,omitempty"`
	// A file with the ClusterFacts of the cluster that runs the virtual machines of the paths.
	// A directory that `paths` names without a pattern then needs no CR.
	// See docs/machines.md#machines-in-another-repository.
	Facts string `json:"facts,omitempty"`
}

// DecodeFleet reads a Fleet from decoded JSON. If the object is invalid, the error is an
// [Errors] that lists every problem.
func DecodeFleet(object map[string]any) (*Fleet, error) {
	return decode(object, new(Fleet), FleetKind, (*Fleet).check)
}

func (f *Fleet) check() Errors {
	var errs Errors
	if len(f.Clusters) == 0 {
		errs.add("clusters", "is empty, expected a list of entries with paths")
	}
	names := map[string]int{}
	for i, c := range f.Clusters {
		at := fmt.Sprintf("clusters[%d]", i)
		if len(c.Paths) == 0 {
			errs.add(at+".paths", "is empty, expected patterns of directories, such as overlays/prod-*")
		}
		for j, pattern := range c.Paths {
			checkPathPattern(&errs, fmt.Sprintf("%s.paths[%d]", at, j), pattern)
		}
		if first, ok := names[c.Name]; ok && c.Name != "" {
			errs.add(at+".name", "duplicate name %q: clusters[%d] has it too", c.Name, first)
		} else {
			names[c.Name] = i
		}
		checkArchitectures(&errs, at+".workloadArchitectures", c.WorkloadArchitectures)
		checkArchitectures(&errs, at+".controlPlaneArchitectures", c.ControlPlaneArchitectures)
		if _, err := ParseRelease(c.Release); err != nil {
			errs.add(at+".release", "%s", err)
		}
		if c.Gate != "" {
			checkWord(&errs, at+".gate", "value", c.Gate, GateAuto, GateEnable, GateDisable, GateKeep)
		}
		if c.As != "" && c.As != FormCommitted && c.As != FormRendered {
			errs.add(at+".as", "is %q, expected committed or rendered", c.As)
		}
		c.checkRenders(&errs, at+".renders")
		checkFleetFile(&errs, at+".live", c.Live)
		checkFleetFile(&errs, at+".config", c.Config)
		checkFleetFile(&errs, at+".facts", c.Facts)
	}
	return errs
}

// checkRenders checks what the entry says about a committed rendering: that of one cluster, and no other form of it.
func (c *FleetCluster) checkRenders(errs *Errors, at string) {
	checkFleetFile(errs, at, c.Renders)
	switch {
	case c.Renders == "":
	case c.As == FormCommitted:
		errs.add(at, "is %q, but as is committed: leave out as, because the cluster gets what is rendered", c.Renders)
	case len(c.Paths) != 1 || strings.ContainsAny(c.Paths[0], "*?[\\"):
		errs.add(at, "is %q, but paths may match several clusters: give each cluster an entry with one path and no pattern", c.Renders)
	}
}

// Form returns the form in which the files get to the cluster, "" if the entry states none.
func (c *FleetCluster) Form() ManifestForm {
	if c.Renders != "" {
		return FormRendered
	}
	return c.As
}

func checkPathPattern(errs *Errors, at, pattern string) {
	switch {
	case strings.TrimSpace(pattern) == "":
		errs.add(at, "is empty, expected a pattern of directories, such as overlays/prod-*")
	case !isBelow(pattern):
		errs.add(at, "is %q, expected a path with slashes, relative to the directory of the Fleet and below it", pattern)
	default:
		for part := range strings.SplitSeq(pattern, "/") {
			if _, err := path.Match(part, ""); err != nil {
				errs.add(at, "is %q, which is not a valid pattern: close each [ with ], and put \\ before a character that is meant literally", pattern)
				break
			}
		}
	}
}

func checkFleetFile(errs *Errors, at, file string) {
	if file != "" && !isBelow(file) {
		errs.add(at, "is %q, expected a file with slashes in its path, relative to the directory of the Fleet and below it", file)
	}
}

// isBelow reports whether a path with slashes stays in the directory that it is relative
// to.
func isBelow(file string) bool {
	return !path.IsAbs(file) && !slices.Contains(strings.Split(file, "/"), "..")
}

// Matches reports whether one of the patterns matches a path with slashes, relative to
// the directory of the Fleet.
func (c *FleetCluster) Matches(at string) bool {
	parts := strings.Split(path.Clean(at), "/")
	return slices.ContainsFunc(c.Paths, func(pattern string) bool {
		return matchPath(strings.Split(path.Clean(pattern), "/"), parts)
	})
}

// Entry returns the index of the first entry that matches a path, and false if none does.
func (f *Fleet) Entry(at string) (int, bool) {
	if f == nil {
		return 0, false
	}
	i := slices.IndexFunc(f.Clusters, func(c FleetCluster) bool { return c.Matches(at) })
	return i, i >= 0
}

// matchPath compares a path with a pattern, one directory at a time. Each ** is tried on
// as few directories as possible first, and only the last one is tried again: what
// follows it decides.
func matchPath(pattern, parts []string) bool {
	star, from := -1, 0
	i, j := 0, 0
	for j < len(parts) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			star, from = i, j
			i++
		case i < len(pattern) && matchPart(pattern[i], parts[j]):
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == "**" {
		i++
	}
	return i == len(pattern)
}

func matchPart(pattern, part string) bool {
	ok, err := path.Match(pattern, part)
	return err == nil && ok
}
