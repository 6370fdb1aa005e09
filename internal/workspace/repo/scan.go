package repo

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/kustomize"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/parallel"
)

// scan is a tree that is looked through.
type scan struct {
	Options

	root string
	dirs []manifest.Dir
	// hidden are the hidden directories and those below them. What applies a directory may be
	// in them, and nothing else of them counts.
	hidden []manifest.Dir
	byPath map[string]*manifest.Dir // without links
	real   map[string]string        // the path without links, by path
	// repository is the one that the tree is in.
	repository checkout
	budget     files.Budget
	// hiddenBudget is that of the hidden directories, whose files do not count as read.
	hiddenBudget files.Budget
	texts        map[string]*text // files, by path without links
	refs         map[string]kustomize.References
	above        map[string]kustomize.References // of directories outside of the tree
	named        map[string]bool                 // files and directories that a kustomization names
	apps         map[string]Routes               // of the Applications of Argo CD, by directory
	// built are the files that the kustomizations of places build.
	built map[string]bool
	// flux has what Kustomizations of Flux apply, and by which names.
	flux map[string][]string
	// uses says how Applications of Argo CD, and then HelmReleases of Flux, render charts.
	uses map[string][]ChartUse
	// left is what is left to follow ApplicationSets, and cut says that there was not enough.
	left work
	cut  bool
	// unfollowed are the ApplicationSets whose directories only Argo CD knows.
	unfollowed []unfollowed
	// looked are the files in which [unreadSearch.find] has looked, by path without links, and outside those
	// with a CR that the layout says to be in no cluster.
	looked, outside map[string]bool
	// inCharts has what helm makes of charts.
	inCharts map[string]map[unread.What]bool
	// submodules are the directories of the submodules of the repository.
	submodules []string
	// aboutPods are the plain files with a configuration by which the pods beside it count.
	aboutPods []string
	// local are the plain files with a CR that an annotation says to be for tools alone.
	local []string
	// odd are the files that not every host decodes alike.
	odd map[string]bool
	// inFile are the files in which a person states where the CR is.
	inFile map[string]bool
	// broken are the links that lead to no file.
	broken []*manifest.LinkError
	out    Layout
}

// Scan looks through a tree. The error is that of a tree that has more to read than any
// repository. What is wrong with single files is in the layout.
func Scan(root string, options Options) (Layout, error) {
	if _, err := os.Stat(filepath.Clean(root)); err != nil {
		return Layout{}, err
	}
	s := newScan(root, options)
	s.readReferences()
	if err := s.read(); err != nil {
		return Layout{}, err
	}
	s.follow()
	namedDirectories{s}.checkAll()
	namedDirectories{s}.noteInputs()
	s.brokenLinks()
	s.kustomizations()
	s.inFiles()
	s.plain()
	s.machines()
	s.pods()
	s.one()
	for i, place := range s.out.Places {
		s.out.Places[i].Pods = s.Pods || slices.ContainsFunc(place.Files, func(file string) bool { return slices.Contains(s.aboutPods, file) })
	}
	if err := (unreadSearch{s}).find(); err != nil {
		return Layout{}, err
	}
	s.charts()
	s.unchecked()
	slices.SortFunc(s.out.Places, func(a, b Place) int { return strings.Compare(a.Path, b.Path) })
	s.out.Files = s.budget.Files()
	return s.out, nil
}

// one notes whether the root is the only place, or builds the others.
func (s *scan) one() {
	at := slices.IndexFunc(s.out.Places, func(p Place) bool { return p.Path == s.root })
	if s.ByDirectory || at < 0 && !s.out.BareRoot {
		return
	}
	root := Place{Path: s.root, Kind: Kustomization}
	if at >= 0 {
		root = s.out.Places[at]
	}
	var ofRoot reached
	if root.Kind == Kustomization {
		ofRoot = s.reach(s.real[s.root])
	}
	s.out.One = !slices.ContainsFunc(s.out.Places, func(p Place) bool { return p.Path != s.root && !ofRoot.files[s.real[p.Path]] })
	if s.out.One {
		s.out.Places = []Place{root}
	}
}

// newScan lists the directories of a tree.
func newScan(root string, options Options) *scan {
	s := &scan{
		Options:  options,
		root:     filepath.Clean(root),
		byPath:   map[string]*manifest.Dir{},
		real:     map[string]string{},
		texts:    map[string]*text{},
		refs:     map[string]kustomize.References{},
		above:    map[string]kustomize.References{},
		named:    map[string]bool{},
		apps:     map[string]Routes{},
		odd:      map[string]bool{},
		inFile:   map[string]bool{},
		flux:     map[string][]string{},
		uses:     map[string][]ChartUse{},
		built:    map[string]bool{},
		looked:   map[string]bool{},
		outside:  map[string]bool{},
		inCharts: map[string]map[unread.What]bool{},
		left:     maxWork,
	}
	for _, dir := range manifest.Tree(s.root, s.IgnoreFrom) {
		if dir.Hidden {
			s.hidden = append(s.hidden, dir)
		} else {
			s.dirs = append(s.dirs, dir)
		}
	}
	s.index()
	s.repository = repositoryOf(s.real[s.root])
	s.submodules = submodulesOf(s.repository.top)
	return s
}

// index leaves out bundles, and notes which directories have a kustomization.
func (s *scan) index() {
	s.leaveOutBundles()
	for i := range s.dirs {
		dir := &s.dirs[i]
		if dir.Err != nil {
			s.unreadable(dir.Path, dir.Err)
		}
		target, err := s.resolveDir(dir.Path)
		if err != nil {
			continue // removed meanwhile
		}
		s.byPath[target], s.real[dir.Path] = dir, target
		if dir.Kustomized {
			s.refs[target] = kustomize.References{}
		}
	}
}

// readReferences reads what each kustomization refers to. What applies a directory does not
// depend on that.
func (s *scan) readReferences() {
	targets := slices.Collect(maps.Keys(s.refs))
	read := make([]kustomize.References, len(targets))
	parallel.Each(len(targets), func(i int) { read[i] = kustomize.ReferencesOf(s.byPath[targets[i]].Path) })
	for i, target := range targets {
		s.refs[target] = read[i]
		for _, path := range slices.Concat(read[i].Local, read[i].Others) {
			if path != target {
				s.named[path] = true
			}
		}
	}
}

// resolveDir returns the path of a directory without links. The tree follows no links of
// directories, so a directory is where the one above it is: to ask the system for each of
// them would take time that grows with the square of their depth, and more.
func (s *scan) resolveDir(dir string) (string, error) {
	if above, known := s.real[filepath.Dir(dir)]; known && dir != s.root {
		info, err := os.Lstat(dir)
		if err != nil {
			return "", err
		}
		if info.IsDir() {
			return filepath.Join(above, filepath.Base(dir)), nil
		}
	}
	return files.Real(dir)
}

// read reads the files of all directories.
func (s *scan) read() error {
	for i := range s.dirs {
		dir := &s.dirs[i]
		var files []string
		for _, file := range dir.Files {
			if broken := manifest.BrokenLink(file); broken != nil {
				s.broken = append(s.broken, broken)
				continue
			}
			target, err := s.resolve(dir, file)
			if err != nil {
				s.unreadable(file, err)
				continue
			}
			if err := s.load(target, file); err != nil {
				return err
			}
			files = append(files, file)
		}
		dir.Files = files
	}
	for _, t := range s.texts {
		if t.sets { // of the tree, so that it may apply each of these texts
			for _, t := range s.texts {
				t.machines = t.machines || t.machineTexts
			}
			break
		}
	}
	return s.readHidden()
}

// readHidden reads what may apply directories in the hidden ones.
func (s *scan) readHidden() error {
	for _, dir := range s.hidden {
		for _, file := range dir.Files {
			target, err := files.Real(file)
			if err != nil || !files.Within(target, s.real[s.root]) {
				continue // no host follows such a link
			}
			s.real[file] = target
			if s.texts[target] != nil {
				continue
			}
			data, err := s.hiddenBudget.Read(file)
			switch {
			case errors.Is(err, files.ErrTooMany):
				return err
			case err != nil:
				s.unfollowed = append(s.unfollowed, unfollowed{path: anyPath, by: filepath.ToSlash(file) + " (" + err.Error() + ")"})
			case mentionsAppliers(data):
				s.texts[target] = &text{appliers: data}
			}
		}
	}
	return nil
}

// resolve returns the path of a file without links, and notes what a link leads to. A
// link out of the tree is an error.
func (s *scan) resolve(dir *manifest.Dir, file string) (string, error) {
	at := filepath.Join(s.real[dir.Path], filepath.Base(file))
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		s.real[file] = at
		return at, nil
	}
	target, err := filepath.EvalSymlinks(at)
	if err != nil {
		return "", err
	}
	if !files.Within(target, s.real[s.root]) {
		return "", manifest.ErrLink
	}
	s.real[file], s.named[target] = target, true
	return target, nil
}

// load reads a file, and notes why that fails.
func (s *scan) load(target, file string) error {
	if s.texts[target] != nil {
		return nil
	}
	data, err := s.budget.Read(file)
	if errors.Is(err, files.ErrTooMany) {
		return err
	}
	if err != nil {
		s.unreadable(file, err)
	}
	s.texts[target] = newText(data, unreadSearch{s}.wanted())
	return nil
}

// unreadable reports a file or a directory that cannot be read: nobody knows whether it
// has a CR.
func (s *scan) unreadable(path string, err error) {
	s.out.Found = append(s.out.Found, Unreadable(path, err))
}

// sortedPaths returns the keys of a set in their order.
func sortedPaths[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }

// kustomizations sorts the kustomizations of the tree: what kustomize builds for a
// cluster, and what others include.
func (s *scan) kustomizations() {
	for _, target := range sortedPaths(s.refs) {
		refs, dir := s.refs[target], s.byPath[target]
		_, applied := s.apps[target]
		applied = applied || len(s.flux[target]) > 0 || s.Stated != nil && s.Stated(dir.Path)
		shown := filepath.ToSlash(dir.Path)
		isRoot := target == s.real[s.root] && !s.ByDirectory // what the user names
		if (s.named[target] || refs.Component && !isRoot) && !applied {
			s.out.Shared = append(s.out.Shared, shown)
			continue
		}
		r := s.reach(target)
		switch {
		case r.mentions, s.Pods && r.pods && r.unseen == "", r.machines && r.unseen == "" && s.hasMachines(dir.Path):
			own := r.mentions || s.Pods && r.pods
			s.out.Places = append(s.out.Places, Place{Path: dir.Path, Kind: Kustomization, OnlyMachines: !own})
			maps.Copy(s.built, r.files)
		case isRoot:
			s.out.BareRoot = true
			maps.Copy(s.built, r.files)
		case r.unseen != "" && applied:
			s.out.Unread = append(s.out.Unread, finding.Finding{
				ID: finding.ClusterUnseen, Severity: finding.Error, Object: finding.Object{File: shown},
				Text: "the directory gets to a cluster, and goldenarch cannot look into it: " + r.unseen,
				Do:   "check what kustomize builds: kustomize build " + console.CommandPath(shown) + " | goldenarch check -. Then name the directory in " + manifest.IgnoreFile,
			})
		case r.unseen != "":
			s.out.Unseen = append(s.out.Unseen, Unseen{Path: shown, Because: r.unseen})
		default:
			s.out.Without = append(s.out.Without, shown)
		}
	}
}

// reached is what a kustomization has in its files, and in those that it includes.
type reached struct {
	mentions, pods, machines bool
	unseen                   string
	// files are the paths of the files and directories.
	files map[string]bool
}

// reach follows what a kustomization refers to. What cannot be read is left to kustomize.
func (s *scan) reach(top string) reached {
	var out reached
	visited := map[string]bool{}
	var visit func(string)
	visit = func(path string) {
		if visited[path] {
			return
		}
		visited[path] = true
		refs, ok := s.refs[path]
		if !ok && s.byPath[path] == nil && kustomize.In(path) { // outside of the tree
			refs, ok = s.aboveTree(path), true
		}
		if !ok {
			out.add(s.text(path))
			return
		}
		out.add(newText(refs.Data, unreadSearch{s}.wanted()))
		switch plain := s.plainAmong(refs); {
		case refs.Broken:
			out.unseen = "kustomize cannot read it: " + refs.Why
			out.mentions = out.mentions || s.mentionsBelow(path)
		case plain != "":
			out.unseen = "kustomize cannot build it: the directory " + s.shown(plain) + " has no kustomization"
			out.mentions = out.mentions || s.mentionsBelow(plain)
		case refs.Remote != "":
			out.unseen = "it names " + refs.Remote + ", which is remote"
		case refs.Charts:
			out.unseen = "it inflates a Helm chart"
		}
		for _, next := range slices.Concat(refs.Local, refs.Others) {
			// A PolicyGenerator names the CR that it wraps, and has none.
			if !slices.Contains(refs.Generators, next) || !policiesOf(path, s.text(next).data).only {
				visit(next)
			}
		}
	}
	visit(top)
	out.files = visited
	return out
}

// plainAmong returns a directory without a kustomization among those that a kustomization names, "" if there is none. Charts have none.
func (s *scan) plainAmong(refs kustomize.References) string {
	for _, path := range refs.Local {
		if _, ok := s.refs[path]; !ok && !refs.Charts && s.byPath[path] != nil {
			return path
		}
	}
	return ""
}

func (r *reached) add(t *text) {
	r.mentions, r.pods, r.machines = r.mentions || t.mentions, r.pods || t.pods, r.machines || t.machines
}

// aboveTree returns what a kustomization outside of the tree refers to.
func (s *scan) aboveTree(path string) kustomize.References {
	if _, known := s.above[path]; !known {
		s.above[path] = kustomize.ReferencesOf(path)
	}
	return s.above[path]
}

// text returns what a file mentions. A file is read once.
func (s *scan) text(path string) *text {
	if t := s.texts[path]; t != nil {
		return t
	}
	data, _ := s.budget.Read(path) // kustomize says what is wrong
	s.texts[path] = newText(data, unreadSearch{s}.wanted())
	return s.texts[path]
}

// Unreadable reports a file that cannot be read. The place that the error begins with
// becomes that of the finding.
func Unreadable(path string, err error) finding.Finding {
	f := finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(path)}, Text: err.Error()}
	if rest, ok := strings.CutPrefix(f.Text, path+":"); ok {
		number, text, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			f.Line, rest = line, text
		}
		f.Text = strings.TrimSpace(rest)
	}
	if !strings.Contains(f.Text, manifest.IgnoreFile) {
		f.Do = "correct it, or name it in " + manifest.IgnoreFile
	}
	return f
}

// BrokenLink reports a link that leads to no file.
func BrokenLink(link *manifest.LinkError) finding.Finding {
	f := Unreadable(link.File, link)
	f.Severity, f.Do = finding.Warning, "correct or remove the link, or name it in "+manifest.IgnoreFile
	return f
}

// brokenLinks reports the links that lead to no file. Most hosts skip them. Argo CD renders no
// Application of a repository with a link that is absolute or leads out of it (argo-cd
// util/app/path/path.go: CheckOutOfBoundsSymlinks), and no directory of files with a link that leads
// back to itself (reposerver/repository/repository.go: getPotentiallyValidManifestFile).
func (s *scan) brokenLinks() {
	for _, link := range s.broken {
		f := BrokenLink(link)
		at := filepath.Join(s.real[filepath.Dir(link.File)], filepath.Base(link.File))
		outside := filepath.IsAbs(link.Target) || !files.Within(filepath.Join(filepath.Dir(at), link.Target), s.repository.top)
		switch {
		case outside && len(s.apps) > 0:
			f.Severity = finding.Error
			f.Text += ". It leads out of the repository, so Argo CD renders none of its Applications"
		case link.Circle && s.isAppliedFile(at):
			f.Severity = finding.Error
			f.Text += ". Argo CD does not render a directory with such a link"
		}
		s.out.Found = append(s.out.Found, f)
	}
}

// isAppliedFile reports whether an Application of Argo CD applies the directory of a file as files.
func (s *scan) isAppliedFile(file string) bool {
	for dir, app := range s.apps {
		if _, kustomized := s.refs[dir]; !kustomized && files.Within(file, dir) && (filepath.Dir(file) == dir || app.recurse()) {
			return true
		}
	}
	return false
}

// charts notes the Helm charts.
func (s *scan) charts() {
	for _, dir := range s.dirs {
		if !dir.Chart {
			continue
		}
		chart := Chart{Path: filepath.ToSlash(dir.Path), Uses: chartUses(s.uses[s.real[dir.Path]])}
		made := s.inCharts[dir.Path]
		chart.Relevant = made[unread.CR] && !s.hasCRPath(chart) || made[unread.Pods]
		s.out.Charts = append(s.out.Charts, chart)
		switch shown := chart.Path; {
		case !made[unread.Machine]:
		case (unreadSearch{s}).isInDirectory(dir.Path):
			s.out.UnreadMachines = append(s.out.UnreadMachines, shown)
		default:
			s.out.Machines = append(s.out.Machines, shown)
		}
	}
}

// hasCRPath reports whether a person states where the values of a chart have its CR.
func (s *scan) hasCRPath(chart Chart) bool {
	return slices.ContainsFunc(s.out.Places, func(p Place) bool {
		if p.CRPath == nil {
			return false
		}
		below, err := filepath.Rel(filepath.FromSlash(chart.Path), p.Path)
		return err == nil && (filepath.IsLocal(below) || slices.ContainsFunc(chart.Uses, func(use ChartUse) bool {
			return slices.Contains(use.Values, filepath.ToSlash(p.Path))
		}))
	})
}

// unchecked notes the files that the run does not look into: excluded ones that mention a CR,
// those with virtual machines, and those with pods in a run that is not about them.
func (s *scan) unchecked() {
	for _, dir := range s.dirs {
		for _, path := range dir.Ignored {
			if target, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(s.Named, target) && (unreadSearch{s}).holdsUnread(path) {
				s.out.Excluded = append(s.out.Excluded, filepath.ToSlash(path))
			}
		}
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil {
				continue
			}
			if shown := filepath.ToSlash(file); t.machines && !s.isChecked(file) && !slices.Contains(s.out.UnreadMachines, shown) {
				s.out.Machines = appendOnce(s.out.Machines, shown)
			}
			if t.pods && t.containers && !s.Pods && len(s.aboutPods) == 0 && (!s.out.One || s.isChecked(file)) {
				s.out.PodFiles = append(s.out.PodFiles, filepath.ToSlash(file))
			}
		}
	}
}

// isChecked reports whether a file is one of a place.
func (s *scan) isChecked(file string) bool { return s.built[s.real[file]] || s.isListed(file) }

// isListed reports whether a file is one of those that a place lists.
func (s *scan) isListed(file string) bool {
	return slices.ContainsFunc(s.out.Places, func(p Place) bool { return slices.Contains(p.Files, file) })
}

// machines makes a place of each directory with virtual machines that a person states to be one
// and that has no CR.
func (s *scan) machines() {
	var waiting []string // the files with machines that are in no place; a tree has few of them, and many directories
	for _, dir := range s.dirs {
		for _, file := range dir.Files {
			if s.texts[s.real[file]].machines && !s.isChecked(file) {
				waiting = append(waiting, file)
			}
		}
	}
	for _, dir := range s.dirs {
		if dir.Kustomized || !s.hasMachines(dir.Path) || !slices.ContainsFunc(waiting, func(file string) bool { return files.Within(file, dir.Path) }) ||
			slices.ContainsFunc(s.out.Places, func(p Place) bool { return p.Path == dir.Path }) {
			continue
		}
		files := slices.DeleteFunc(s.filesBelow(dir.Path, nil), func(file string) bool { return s.isChecked(file) || s.isTemplateOfMachines(file) })
		if slices.ContainsFunc(files, func(file string) bool { return s.texts[s.real[file]].machines }) {
			s.out.Places = append(s.out.Places, Place{Path: dir.Path, Kind: Directory, Files: files, OnlyMachines: true})
			waiting = slices.DeleteFunc(waiting, func(file string) bool { return slices.Contains(files, file) })
		}
	}
}

// isTemplateOfMachines reports whether a file has virtual machines that only a template engine can read:
// no place has them.
func (s *scan) isTemplateOfMachines(file string) bool {
	if !s.texts[s.real[file]].machines {
		return false
	}
	reader := manifest.Reader{Lenient: true, Each: func(*yaml.RNode) {}}
	_, failed := reader.Files([]string{file})
	return errors.Is(failed[file], manifest.ErrTemplated)
}

// hasMachines reports whether the machines of a directory are those of a cluster.
func (s *scan) hasMachines(dir string) bool { return s.Machines || s.Stated != nil && s.Stated(dir) }

// mentionsBelow reports whether a file below a directory mentions what goldenarch reads.
func (s *scan) mentionsBelow(dir string) bool {
	return slices.ContainsFunc(filesAt(dir), func(file string) bool {
		data, err := s.budget.Read(file)
		return err == nil && newText(data, unreadSearch{s}.wanted()).mentions
	})
}

// isOwned reports whether the files of a directory are those of a kustomization: it has
// one, or it is below one that has, and a kustomization names something in it.
func (s *scan) isOwned(dir *manifest.Dir) bool {
	target := s.real[dir.Path]
	if _, applied := s.apps[target]; applied || dir.Kustomized {
		return dir.Kustomized
	}
	if !slices.ContainsFunc(dir.Files, func(file string) bool { return s.named[s.real[file]] }) {
		return false
	}
	for at := target; at != s.real[s.root] && at != filepath.Dir(at); {
		at = filepath.Dir(at)
		if _, ok := s.refs[at]; ok {
			return true
		}
	}
	return false
}

// leaveOutBundles removes the directories of bundles, whose files are those of OLM. A run
// about pods checks each by itself.
func (s *scan) leaveOutBundles() {
	kept, bundles := s.dirs[:0], []string(nil)
	for _, dir := range s.dirs {
		if slices.ContainsFunc(bundles, func(bundle string) bool { return files.Within(dir.Path, bundle) }) {
			continue
		}
		if s.IsBundle != nil && dir.Path != s.root && s.IsBundle(dir.Path) {
			bundles = append(bundles, dir.Path)
			continue
		}
		kept = append(kept, dir)
	}
	s.dirs = kept
	for _, path := range bundles {
		if s.Pods {
			s.out.Places = append(s.out.Places, Place{Path: path, Kind: Bundle})
		} else {
			s.out.Bundles = append(s.out.Bundles, filepath.ToSlash(path))
		}
	}
}
