package fleet

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/cluster"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/parallel"
	"github.com/goldenarch/goldenarch/internal/workspace/repo"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// FileName is the name of the file at the root of a repository that has its Fleet.
const FileName = "goldenarch.yaml"

// Fleet is the Fleet of a repository, and where it is. A nil Fleet states nothing: it is
// that of a repository without one.
type Fleet struct {
	*v1alpha1.Fleet

	at   finding.Object
	node *yaml.RNode
	dir  string             // that its paths are relative to
	from string             // that the files are read below
	used map[entryPath]bool // the paths that have matched a cluster
}

// entryPath is a path of an entry, which may be a pattern.
type entryPath struct {
	entry int
	path  string
}

// In reports whether a directory has a Fleet.
func In(dir string) bool {
	data, err := files.Read(filepath.Join(dir, FileName))
	if err != nil {
		return false
	}
	var head v1alpha1.TypeMeta
	err = k8syaml.Unmarshal(data, &head)
	return err == nil && kinds.IsGoldenarch(finding.Object{APIVersion: head.APIVersion, Kind: head.Kind}, v1alpha1.FleetKind)
}

// ReadFor reads a Fleet whose paths are relative to another directory than its own. The files
// that it names are beside it.
func ReadFor(file, dir string) (*Fleet, finding.List) {
	items, err := manifest.ReadFile(file)
	return parse(file, dir, items, err)
}

// Parse reads the text of a Fleet that a file is to have.
func Parse(file string, text []byte) (*Fleet, finding.List) {
	items, err := manifest.Parse(filepath.ToSlash(file), text)
	return parse(file, filepath.Dir(file), items, err)
}

// parse reads the Fleet among the items of a file.
func parse(file, dir string, items []*yaml.RNode, err error) (*Fleet, finding.List) {
	invalid := func(at finding.Object, text string) (*Fleet, finding.List) {
		return nil, finding.List{{ID: finding.FleetInvalid, Severity: finding.Error, Object: at, Text: text, Do: "correct the Fleet"}}
	}
	shown := finding.Object{File: filepath.ToSlash(file)}
	if err != nil {
		f := repo.Unreadable(file, err)
		if no := (*manifest.NoObjectError)(nil); errors.As(err, &no) {
			f.Text = no.Problem()
		}
		f.ID, f.Do = finding.FleetInvalid, "correct the Fleet"
		return nil, finding.List{f}
	}
	if len(items) != 1 {
		return invalid(shown, fmt.Sprintf("the file has %d documents, expected one Fleet", len(items)))
	}
	all := object.All(items) // a List can have any number
	if len(all) != 1 {
		return invalid(shown, fmt.Sprintf("the file has %d objects, expected one Fleet", len(all)))
	}
	o := all[0]
	f := &Fleet{at: o.At, node: o.Node, dir: dir, from: filepath.Dir(file), used: map[entryPath]bool{}}
	if twice := object.DuplicateKeys(o); twice.Failed() {
		return nil, twice
	}
	tree, err := o.Tree()
	if err != nil {
		return invalid(o.At, err.Error())
	}
	f.Fleet, err = v1alpha1.DecodeFleet(tree)
	var list v1alpha1.Errors
	if !errors.As(err, &list) {
		list = f.checkCRPaths()
	}
	if len(list) == 0 {
		return f, nil
	}
	var found finding.List
	for _, one := range list {
		_, more := invalid(o.At, one.Text)
		more[0].Field, more[0].Line = one.Path, o.Line(one.Path)
		found = append(found, more...)
	}
	return nil, found
}

// checkCRPaths returns what is wrong with the places of CRs that the entries state.
func (f *Fleet) checkCRPaths() v1alpha1.Errors {
	var list v1alpha1.Errors
	for i, c := range f.Clusters {
		if c.CRPath == "" {
			continue
		}
		if _, err := fieldpath.PlaceIn("", c.CRPath); err != nil {
			list = append(list, v1alpha1.FieldError{Path: fmt.Sprintf("clusters[%d].crPath", i), Text: fmt.Sprintf("is %q: %s", c.CRPath, err)})
		}
	}
	return list
}

// CRPaths returns a function that says where in a file the Fleet states that a CR is; nil if it
// states that of none.
func (f *Fleet) CRPaths() func(file string) (fieldpath.Place, bool) {
	if f == nil || !slices.ContainsFunc(f.Clusters, func(c v1alpha1.FleetCluster) bool { return c.CRPath != "" }) {
		return nil
	}
	return f.CRPathOf
}

// CRPathOf returns where in a file the Fleet states that a CR is.
func (f *Fleet) CRPathOf(file string) (fieldpath.Place, bool) {
	if f == nil {
		return fieldpath.Place{}, false
	}
	i, ok := f.Entry(f.pathOf(file))
	if !ok || f.Clusters[i].CRPath == "" {
		return fieldpath.Place{}, false
	}
	place, err := fieldpath.PlaceIn(file, f.Clusters[i].CRPath)
	return place, err == nil
}

// pathOf returns a path as the entries of the Fleet name it.
func (f *Fleet) pathOf(path string) string {
	if below, err := RelativeTo(f.dir, path); err == nil {
		return below
	}
	return filepath.ToSlash(path)
}

// RelativeTo returns a path relative to a directory, with slashes.
func RelativeTo(dir, path string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(dir, path)
	return filepath.ToSlash(below), err
}

// EntryOf returns what the Fleet states about a cluster; nil for nothing.
func (f *Fleet) EntryOf(path string) *v1alpha1.FleetCluster {
	if f == nil {
		return nil
	}
	at := f.pathOf(path)
	i, ok := f.Entry(at)
	if !ok {
		return nil
	}
	for _, named := range f.Clusters[i].Paths {
		if (&v1alpha1.FleetCluster{Paths: []string{named}}).Matches(at) {
			f.used[entryPath{i, named}] = true
		}
	}
	return &f.Clusters[i]
}

// States reports whether an entry names a directory itself, and not by a pattern.
func (f *Fleet) States(dir string) bool {
	return f != nil && slices.ContainsFunc(f.Clusters, func(c v1alpha1.FleetCluster) bool {
		return slices.ContainsFunc(c.Paths, func(named string) bool { return path.Clean(named) == f.pathOf(dir) })
	})
}

// Directories returns the paths that entries name themselves, and not by a pattern.
func (f *Fleet) Directories() []repo.Named {
	if f == nil {
		return nil
	}
	var out []repo.Named
	for _, c := range f.Clusters {
		for _, named := range c.Paths {
			if !isPattern(named) {
				out = append(out, repo.Named{Path: filepath.Join(f.dir, filepath.FromSlash(named)), By: "the Fleet (" + f.at.File + ")"})
			}
		}
	}
	return out
}

// isPattern reports whether a path of an entry can match several places.
func isPattern(path string) bool { return strings.ContainsAny(path, `*?[\\`) }

// RendersOf returns the file to which what goldenarch renders of a cluster is committed; "" if the cluster gets its own files.
func (f *Fleet) RendersOf(c Cluster) string {
	if c.Entry == nil || c.Entry.Renders == "" {
		return ""
	}
	return filepath.Join(f.dir, filepath.FromSlash(c.Entry.Renders))
}

// RenderedIn returns the files below a directory to which what goldenarch renders is committed, and the paths that they are rendered from,
// both as the user would write them.
func (f *Fleet) RenderedIn(dir string) (names, from []string) {
	whole, err := filepath.Abs(dir)
	if f == nil || err != nil {
		return nil, nil
	}
	for _, c := range f.Clusters {
		name, err := filepath.Abs(filepath.Join(f.dir, filepath.FromSlash(c.Renders)))
		if err == nil && c.Renders != "" && files.Within(name, whole) {
			names = append(names, filepath.ToSlash(files.FromHere(name)))
			for _, path := range c.Paths {
				from = append(from, filepath.ToSlash(files.FromHere(filepath.Join(f.dir, filepath.FromSlash(path)))))
			}
		}
	}
	return names, from
}

// Files returns the files that the Fleet names, and its own, absolute and without links. Live CRs that a
// configuration reads (spec.inputs) are among them, and what is rendered of a cluster: they are no CRs of one.
func (f *Fleet) Files() []string {
	if f == nil {
		return nil
	}
	names := []string{f.at.File}
	for _, c := range f.Clusters {
		for _, file := range []string{c.Live, c.Config, c.Facts, c.Renders} {
			if file != "" {
				names = append(names, filepath.Join(f.dir, filepath.FromSlash(file)))
			}
		}
	}
	for _, path := range f.inputs() {
		names = append(names, filepath.Join(f.dir, filepath.FromSlash(path)))
	}
	var out []string
	for _, name := range names {
		if path, err := files.Real(name); err == nil {
			out = append(out, path)
		}
	}
	return out
}

// inputs returns the files with a live CR, and with nothing else to check, that the configurations read. Their paths are
// relative to the directory of the Fleet.
func (f *Fleet) inputs() []string {
	var out []string
	for _, config := range f.Configurations() {
		for _, entry := range yamlnode.Elements(config.YNode(), "spec", "inputs") {
			items, err := f.readIn(entry.Value)
			isLive := func(o object.Object) bool { return kinds.IsCR(o) && object.NodeAt(o.Node, "status") != nil }
			isChecked := func(o object.Object) bool { return kinds.IsCR(o) && !isLive(o) }
			all := object.All(items)
			if err == nil && slices.ContainsFunc(all, isLive) && !slices.ContainsFunc(all, isChecked) {
				out = append(out, entry.Value)
			}
		}
	}
	return out
}

// Facts returns the facts that the Fleet names, by their files. One that cannot be read is left
// out: it is an error of its cluster.
func (f *Fleet) Facts() map[string][]*yaml.RNode {
	out := map[string][]*yaml.RNode{}
	if f == nil {
		return out
	}
	for _, c := range f.Clusters {
		if c.Facts == "" {
			continue
		}
		if items, err := f.readIn(c.Facts); err == nil {
			out[filepath.ToSlash(filepath.Join(f.from, filepath.FromSlash(c.Facts)))] = items
		}
	}
	return out
}

// Configurations returns the configurations that the Fleet names. One that cannot be read
// is left out: it is an error of its cluster.
func (f *Fleet) Configurations() []*yaml.RNode {
	if f == nil {
		return nil
	}
	var out []*yaml.RNode
	for _, c := range f.Clusters {
		if c.Config == "" {
			continue
		}
		if items, err := f.readIn(c.Config); err == nil && len(items) == 1 {
			out = append(out, items[0])
		}
	}
	return out
}

// isBelow reports whether a file or directory is below a directory.
func isBelow(root, path string) bool {
	below, err := RelativeTo(root, path)
	return err == nil && filepath.IsLocal(filepath.FromSlash(below))
}

// WithoutShared returns those of the unused exceptions that are about a directory alone. In a part of
// what the Fleet is about, clusters elsewhere may need one of a file outside, such as a configuration.
func (f *Fleet) WithoutShared(root string, unused finding.List) finding.List {
	if f == nil || isBelow(root, f.dir) {
		return unused
	}
	return slices.DeleteFunc(unused, func(one finding.Finding) bool { return one.Object.File != "" && !isBelow(root, one.Object.File) })
}

// Unmatched reports the entries, and the names of clusters in them, that match no cluster of a directory. In a part of what
// the Fleet is about, the other entries need not match.
func (f *Fleet) Unmatched(root string) finding.List {
	var found finding.List
	if f == nil || !isBelow(root, f.dir) {
		return nil
	}
	for i, c := range f.Clusters {
		lost := slices.DeleteFunc(slices.Clone(c.Paths), func(named string) bool { return f.used[entryPath{i, named}] })
		effect := "so the entry has no effect"
		if len(lost) < len(c.Paths) { // of several patterns one is enough, but who names a cluster means it
			lost = slices.DeleteFunc(lost, func(named string) bool { return isPattern(named) || f.isPartOfCluster(i, named) })
			effect = "and other paths of the entry have one"
		}
		if len(lost) == 0 {
			continue
		}
		do := "correct the paths: 'goldenarch check' lists the clusters. Of several entries that match, the first counts"
		if c.CRPath != "" {
			do = "correct the paths: with crPath, they name the files that have a CR inside, such as clusters/prod/values.yaml. " +
				"Of several entries that match, the first counts"
		}
		found = append(found, f.about(&f.Clusters[i], "paths", finding.Finding{
			ID: finding.FleetUnmatched, Severity: finding.Warning,
			Text: fmt.Sprintf("no cluster is left that %q match, %s", lost, effect),
			Do:   do, Alike: "entries of the Fleet",
		}))
	}
	return found
}

// isPartOfCluster reports whether a path of an entry is below one that has matched a cluster, or above it: they name one cluster.
func (f *Fleet) isPartOfCluster(entry int, named string) bool {
	return slices.ContainsFunc(f.Clusters[entry].Paths, func(other string) bool {
		return f.used[entryPath{entry, other}] && (isBelow(other, named) || isBelow(named, other))
	})
}

// readIn reads a file that the Fleet names. It never leaves the directory of the Fleet.
func (f *Fleet) readIn(file string) ([]*yaml.RNode, error) {
	items, err := new(manifest.Reader).Below(f.from, file)
	object.Rename(items, func(string) string { return filepath.ToSlash(filepath.Join(f.from, filepath.FromSlash(file))) })
	return items, err
}

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

// Joined returns clusters in which places with virtual machines alone belong to the one cluster with a CR that
// the same entry of the Fleet names: its CR says which DataSources they have.
func Joined(clusters []Cluster) []Cluster {
	owners := map[*v1alpha1.FleetCluster][]int{}
	var out []Cluster
	for _, one := range clusters {
		if !one.OnlyMachines && one.Entry != nil {
			owners[one.Entry] = append(owners[one.Entry], len(out))
		}
		if !one.OnlyMachines {
			out = append(out, one)
		}
	}
	for _, one := range clusters {
		switch of := owners[one.Entry]; {
		case !one.OnlyMachines:
		case len(of) == 1:
			out[of[0]].Beside = append(out[of[0]].Beside, one.Place)
		default:
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b Cluster) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Waiting is how many clusters may wait for registries at once.
const Waiting = 64

// Run calls do for each cluster, several at once, and returns the results in the order of
// the clusters. Clusters that wait for registries do not keep others from working.
func Run[C, T any](ctx context.Context, clusters []C, do func(ctx context.Context, c C) T) []T {
	out := make([]T, len(clusters))
	workers := min(runtime.GOMAXPROCS(0), 8) + 1 // one more than there are processors: a cluster waits for builds, too
	parallel.Patient(ctx, len(clusters), Waiting, workers, func(ctx context.Context, i int) { out[i] = do(ctx, clusters[i]) })
	return out
}

// Additions are what a Fleet adds to the input of one cluster.
type Additions struct {
	// Items are node facts.
	Items []*yaml.RNode
	// Release is the release of the entry, "" for none.
	Release string
	// Gate says what to do with the multi-arch gate, "" for nothing.
	Gate v1alpha1.Gate
	// Live is the live CR of the entry, not nil if it names one.
	Live []*yaml.RNode
	// Facts are the facts of the entry about the cluster of its machines, nil for none.
	Facts []*yaml.RNode
	// Config is the configuration of the entry, nil for that of the input, and Dir is the
	// directory that its paths are relative to.
	Config *yaml.RNode
	Dir    string
	// Found says which statements are not valid or have no effect.
	Found finding.List
}

// Additions returns what an entry states about a cluster. given is the configuration that
// the user has passed, and hasLive says that the user has passed a live CR. What the input
// has itself takes precedence over the entry, which may be nil.
func (f *Fleet) Additions(entry *v1alpha1.FleetCluster, items []*yaml.RNode, given *yaml.RNode, hasLive bool) Additions {
	if entry == nil {
		return Additions{}
	}
	out := Additions{Release: entry.Release, Gate: entry.Gate}
	objects := object.All(items)
	out.addNodes(f, entry, objects)
	if entry.Live != "" && !hasLive {
		live, err := f.readIn(entry.Live)
		if err != nil {
			out.Found = append(out.Found, f.invalid(entry, "live", err))
		}
		out.Live = append([]*yaml.RNode{}, live...)
	}
	if entry.Facts != "" {
		facts, err := f.readIn(entry.Facts)
		if err != nil {
			out.Found = append(out.Found, f.invalid(entry, "facts", err))
		}
		out.Facts = facts
	}
	if entry.Config == "" {
		return out
	}
	own := given != nil || slices.ContainsFunc(objects, func(o object.Object) bool { return kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) })
	if own {
		out.Found = append(out.Found, f.overruled(entry, "config", "the cluster has a configuration of its own, so the one of the Fleet has no effect"))
		return out
	}
	config, err := f.readIn(entry.Config)
	if err == nil && len(config) != 1 {
		err = fmt.Errorf("%s: has %d documents, expected one GoldenImages", entry.Config, len(config))
	}
	if err != nil {
		out.Found = append(out.Found, f.invalid(entry, "config", err))
		return out
	}
	out.Config, out.Dir = config[0], f.dir
	return out
}

// addNodes adds the nodes that an entry states as a ClusterArchitectures, unless the
// input has one.
func (a *Additions) addNodes(f *Fleet, entry *v1alpha1.FleetCluster, objects []object.Object) {
	if len(entry.WorkloadArchitectures) == 0 && entry.ControlPlaneArchitectures == nil {
		return
	}
	workload, _ := arch.ParseAll(entry.WorkloadArchitectures) // decoding has validated them
	control, _ := arch.ParseAll(entry.ControlPlaneArchitectures)
	for _, o := range objects {
		if !kinds.IsGoldenarch(o.At, v1alpha1.ClusterArchitecturesKind) {
			continue
		}
		tree, err := o.Tree()
		if err != nil {
			return // reported with the cluster
		}
		own, ok, err := cluster.Read(tree, o.At)
		if err == nil && ok && (!own.Workload.Equal(workload) || entry.ControlPlaneArchitectures != nil && !own.ControlPlane.Equal(control)) {
			a.Found = append(a.Found,
				f.overruled(entry, "workloadArchitectures", "the cluster has a ClusterArchitectures of its own, so the nodes of the Fleet have no effect"))
		}
		return
	}
	item, err := f.nodesOf(entry, workload, control)
	if err != nil {
		a.Found = append(a.Found, f.invalid(entry, "workloadArchitectures", err))
		return
	}
	a.Items = append(a.Items, item)
}

// nodesOf returns node facts as an object that is in the file of the Fleet.
func (f *Fleet) nodesOf(entry *v1alpha1.FleetCluster, workload, control arch.Set) (*yaml.RNode, error) {
	controlPlane := ""
	if entry.ControlPlaneArchitectures != nil { // an empty list states that there is none
		controlPlane = fmt.Sprintf("  controlPlane: [%s]\n", control)
	}
	text := fmt.Sprintf(`apiVersion: %s
kind: %s
metadata:
  name: fleet
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  workload: [%s]
%s`,
		v1alpha1.APIVersion, v1alpha1.ClusterArchitecturesKind, workload, controlPlane)
	items, err := manifest.Parse(f.at.File, []byte(text))
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// about returns a finding with the field of an entry that it is about.
func (f *Fleet) about(entry *v1alpha1.FleetCluster, name string, one finding.Finding) finding.Finding {
	one.Object, one.Field = f.at, name
	for i := range f.Clusters {
		if &f.Clusters[i] == entry {
			one.Field = fmt.Sprintf("clusters[%d].%s", i, name)
		}
	}
	one.Line = yamlnode.Line(f.node.YNode(), one.Field)
	return one
}

func (f *Fleet) invalid(entry *v1alpha1.FleetCluster, name string, err error) finding.Finding {
	return f.about(entry, name, finding.Finding{ID: finding.FleetInvalid, Severity: finding.Error, Text: err.Error(), Do: "correct the Fleet"})
}

func (f *Fleet) overruled(entry *v1alpha1.FleetCluster, name, text string) finding.Finding {
	return f.about(entry, name, finding.Finding{
		ID: finding.FleetOverruled, Severity: finding.Info, Text: text, Do: "remove it from the Fleet or from the cluster",
	})
}
