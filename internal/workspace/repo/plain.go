package repo

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/files"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/manifest/unread"
	"github.com/goldenarch/goldenarch/internal/operators/forecast"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// plain finds the CRs in files that no kustomization names, and the directories that
// they are applied from.
func (s *scan) plain() {
	generated := s.generated()
	var candidates, configs []string // files with a CR, and with a GoldenImages, in the order of the tree
	for _, dir := range s.dirs {
		owned := s.isOwned(&dir)
		for _, file := range dir.Files {
			target := s.real[file]
			t := s.texts[target]
			if t == nil || !t.mentions || s.inFile[file] || slices.Contains(s.Named, target) ||
				s.named[target] && target == filepath.Join(s.real[dir.Path], filepath.Base(file)) {
				continue
			}
			ok, config := s.candidate(file)
			if config == v1alpha1.WorkloadArchitecturesKind && !owned {
				s.aboutPods = append(s.aboutPods, file)
			}
			switch {
			case ok && generated(target):
				s.out.Places = append(s.out.Places, Place{Path: file, Kind: File, Files: []string{file}})
			case ok && owned:
				s.addOutside(file, "CR")
			case ok:
				candidates = append(candidates, file)
			case config == v1alpha1.GoldenImagesKind && !owned:
				configs = append(configs, file)
			}
		}
	}
	s.place(candidates)
	for _, file := range slices.Concat(candidates, s.local) {
		if !s.isListed(file) {
			s.out.Hidden = append(s.out.Hidden, filepath.ToSlash(file))
			s.outside[s.real[file]] = true
		}
	}
	for _, file := range configs {
		if !s.isListed(file) {
			s.addOutside(file, v1alpha1.GoldenImagesKind)
		}
	}
}

// generated returns what reports whether a PolicyGenerator wraps a file.
func (s *scan) generated() func(target string) bool {
	var all []wrapped
	for _, target := range sortedPaths(s.refs) {
		for _, file := range s.refs[target].Generators {
			all = append(all, policiesOf(target, s.text(file).data).wrapped...)
		}
	}
	return func(target string) bool {
		return slices.ContainsFunc(all, func(w wrapped) bool { return w.has(target) })
	}
}

// inFiles makes a place of each file in which a person states where the CR is. Templates and the values of a
// chart count, which are in no list of manifests; what a person names counts also where a
// .krmignore names it, too.
func (s *scan) inFiles() {
	if s.CRPath == nil {
		return
	}
	for _, dir := range s.dirs {
		files := slices.Concat(dir.Files, dir.Templates)
		if dir.Chart || dir.OfChart {
			files = slices.DeleteFunc(slices.Clone(dir.Others), func(file string) bool { return !isManifestName(filepath.Ext(file)) })
		}
		for _, file := range files {
			if place, ok := s.CRPath(file); ok && !s.inFile[file] {
				s.inFile[file] = true
				s.out.Places = append(s.out.Places, Place{Path: file, Kind: File, Files: []string{file}, CRPath: &place})
			}
		}
	}
}

// candidate reports whether a file has a CR, or what looks like one, and returns the kind of the configuration that it has: a
// WorkloadArchitectures, also as part of a GoldenImages, or a GoldenImages alone. It notes what cannot be read.
func (s *scan) candidate(file string) (cr bool, config string) {
	data := s.texts[s.real[file]].data
	switch {
	case s.texts[s.real[file]].wide:
		s.undecodable(file, "its text is not UTF-8")
		return false, ""
	case contentAfterMarker().Match(data):
		s.undecodable(file, "a document begins on the line of its ---, and kubectl and Argo CD skip such a document")
		return false, ""
	}
	ofCR, local := false, false
	see := func(o object.Object) {
		isCR := hyperconverged.Is(o.At.APIVersion, o.At.Kind)
		_, similar := kinds.Similar(o.At.APIVersion, o.At.Kind)
		ofCR = ofCR || isCR
		cr = cr || kinds.IsCR(o) || isCR && (s.Local || s.isAppliedPlain(file)) || forecast.IsSSP(o.At.APIVersion, o.At.Kind) || similar
		local = local || isCR && o.IsLocal() && !kinds.IsLive(o)
		switch isGoldenImages := kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind); {
		case isGoldenImages && s.AboutPods != nil && s.AboutPods(o.Node), kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind):
			config = v1alpha1.WorkloadArchitecturesKind
		case isGoldenImages && config == "":
			config = v1alpha1.GoldenImagesKind
		}
	}
	reader := manifest.Reader{Lenient: true, Needed: func(item *yaml.RNode) bool { // the nodes of all objects take much memory
		o := object.New(item)
		if object.MayHoldOthers(item) || o.At.Group() == v1alpha1.Group {
			return true
		}
		see(o)
		return false
	}}
	items, err := reader.Parse(filepath.ToSlash(file), data)
	if err != nil {
		if !errors.Is(err, manifest.ErrTemplated) && len(unread.InTemplate(data, unread.Want{})) > 0 {
			s.unreadable(file, err)
			s.looked[s.real[file]] = true
		}
		return false, ""
	}
	for _, o := range object.All(items) {
		see(o)
	}
	if local {
		s.local = append(s.local, file)
	}
	if !cr && !ofCR && decodesToCR(data) {
		s.undecodable(file, "its kind or its apiVersion comes from a merge key or a tag")
	}
	return cr, config
}

// contentAfterMarker matches a document that begins on the line of its marker.
// k8s.io/apimachinery takes only a line with nothing but the marker as the end of a document
// (pkg/util/yaml/decoder.go: YAMLReader.Read).
var contentAfterMarker = pattern.Of(`(?m)^---[ \t]+[^\s#]`)

// decodesToCR reports whether a document of a text is a HyperConverged CR to what reads it as
// the API server does. Only a tag or an escape can give a kind that the text does not show.
func decodesToCR(data []byte) bool {
	for document := range strings.SplitSeq(string(data), "\n---") {
		var head v1alpha1.TypeMeta
		if !strings.Contains(document, hyperconverged.Kind) && !strings.ContainsAny(document, "!\\") {
			continue
		}
		if k8syaml.Unmarshal([]byte(document), &head) == nil && hyperconverged.Is(head.APIVersion, head.Kind) {
			return true
		}
	}
	return false
}

// undecodable reports a file that may have a CR, and that not all hosts decode alike.
func (s *scan) undecodable(file, why string) {
	s.odd[s.real[file]] = true
	s.out.Unread = append(s.out.Unread, finding.Finding{
		ID: finding.Undecodable, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(file)},
		Text: "the file has a HyperConverged CR that not every host decodes: " + why + ". Nothing says what the cluster gets",
		Do:   "write the CR as plain YAML in UTF-8, or name the file in .krmignore",
	})
}

// place finds the directory of each file with a CR.
func (s *scan) place(candidates []string) {
	if s.isUndivided(candidates) {
		s.out.Places = append(s.out.Places, Place{Path: s.root, Kind: Directory, Files: s.filesBelow(s.root, nil)})
		return
	}
	perDir := map[string][]string{}
	for _, file := range candidates {
		dir := s.appliedAbove(file)
		perDir[dir] = append(perDir[dir], file)
	}
	dirs := sortedPaths(perDir)
	for _, dir := range dirs {
		files := perDir[dir]
		app, applied := s.apps[s.real[dir]]
		switch {
		case applied:
			s.out.Places = append(s.out.Places, Place{Path: dir, Kind: Directory, Files: s.appliedFiles(dir, app)})
		case len(files) == 1:
			s.out.Places = append(s.out.Places, Place{Path: dir, Kind: Directory, Files: s.filesBelow(dir, dirs)})
		default:
			for _, file := range files {
				s.out.Places = append(s.out.Places, Place{Path: file, Kind: File, Files: []string{file}})
			}
		}
	}
}

// isUndivided reports whether a tree, with these files that have a CR, is the directory of one cluster: nothing in it says that it has
// several. One without a CR may be that of machines or pods, but what only templates make is in no cluster.
func (s *scan) isUndivided(candidates []string) bool {
	makes := slices.ContainsFunc(s.dirs, func(dir manifest.Dir) bool { return dir.Chart || len(dir.Templates) > 0 })
	return len(candidates) < 2 && (len(candidates) == 1 || !makes) && !s.ByDirectory && len(s.refs)+len(s.apps)+len(s.out.Places) == 0
}

// appliedAbove returns the directory that an Application applies a file from, or else
// the directory of the file.
func (s *scan) appliedAbove(file string) string {
	own := filepath.Dir(file)
	for dir := own; files.Within(dir, s.root); dir = filepath.Dir(dir) {
		if app, ok := s.apps[s.real[dir]]; ok && (dir == own || app.recurse()) && slices.Contains(s.appliedFiles(dir, app), file) {
			return dir
		}
		if dir == s.root {
			break
		}
	}
	return own
}

// isAppliedPlain reports whether an Application applies the directory of a file without a plugin.
func (s *scan) isAppliedPlain(file string) bool {
	return slices.ContainsFunc(s.apps[s.real[s.appliedAbove(file)]], func(r Route) bool { return r.Plugin == nil })
}

// appliedFiles returns the files that the Applications apply from a directory
// (argo-cd reposerver/repository/repository.go: getPotentiallyValidManifests), and those with
// settings of goldenarch that Argo CD skips: they count for what it applies.
func (s *scan) appliedFiles(top string, app Routes) []string {
	var out []string
	for _, dir := range s.dirs {
		if dir.Path != top && !(app.recurse() && files.Within(dir.Path, top)) {
			continue
		}
		for _, file := range dir.Files {
			below, err := filepath.Rel(top, file)
			t := s.texts[s.real[file]]
			if err == nil && (t == nil || !t.skipped) && slices.ContainsFunc(app, func(r Route) bool { return r.view.applies(filepath.ToSlash(below)) }) {
				out = append(out, file)
			}
		}
	}
	return out
}

// isSkipped reports whether a file says that Argo CD does not apply it.
func isSkipped(data []byte) bool { return bytes.Contains(data, []byte(object.SkipComment)) }

// isOwn reports whether a text has only objects of goldenarch: what it reads, and no cluster gets.
func isOwn(data []byte) bool {
	if !bytes.Contains(data, []byte(v1alpha1.Group)) {
		return false
	}
	reader := manifest.Reader{Lenient: true}
	items, err := reader.Parse("", data)
	return err == nil && !slices.ContainsFunc(object.All(items), func(o object.Object) bool { return o.At.Group() != v1alpha1.Group })
}

// applies reports whether the Application applies a file, by its path in the directory.
func (v view) applies(name string) bool {
	switch {
	case !v.recurse && strings.Contains(name, "/"), v.excluded != nil && v.excluded.MatchString(name):
		return false
	}
	return v.include == "" || v.included != nil && v.included.MatchString(name)
}

// once returns files without those that are there by another name: of a file and the links to
// it the first link stays, because plain takes a link with a CR for the file of the cluster.
func (s *scan) once(files []string) []string {
	linked := map[string]string{}
	for _, file := range files {
		target := s.real[file]
		if _, known := linked[target]; !known && target != filepath.Join(s.real[filepath.Dir(file)], filepath.Base(file)) {
			linked[target] = file
		}
	}
	return slices.DeleteFunc(files, func(file string) bool {
		link, ok := linked[s.real[file]]
		return ok && link != file
	})
}

// filesBelow returns the plain files of a directory and those below it, without the
// directories of other clusters.
func (s *scan) filesBelow(top string, others []string) []string {
	var out []string
	for _, dir := range s.dirs {
		if !files.Within(dir.Path, top) || s.isOwned(&dir) || slices.ContainsFunc(others, func(other string) bool {
			return other != top && files.Within(other, top) && files.Within(dir.Path, other)
		}) {
			continue
		}
		for _, file := range dir.Files {
			if !slices.Contains(s.Named, s.real[file]) && !s.odd[s.real[file]] {
				out = append(out, file)
			}
		}
	}
	return s.once(out)
}

// addOutside reports a file that no cluster includes.
func (s *scan) addOutside(file, what string) {
	f := finding.Finding{
		ID: finding.OutsideClusters, Severity: finding.Warning, Object: finding.Object{File: filepath.ToSlash(file)},
		Text: "the file has a HyperConverged CR, and the kustomization of its directory does not list it, so goldenarch does not check it",
		Do:   "list it under resources of the kustomization, or name it in .krmignore",
	}
	if what != v1alpha1.GoldenImagesKind {
		f.Severity = finding.Error
		s.outside[s.real[file]] = true
		s.out.Unread = append(s.out.Unread, f)
		return
	}
	f.Text = "no cluster of the repository includes this GoldenImages, so its settings have no effect"
	f.Do = "name it as config of the clusters in a Fleet, or pass it with --config"
	s.out.Found = append(s.out.Found, f)
}

// pods finds the directories with objects that may have pods, among the files that are in
// no place yet: below a plain file with a WorkloadArchitectures, and all of them if the
// run is about pods.
func (s *scan) pods() {
	s.out.Pods = s.Pods
	taken := map[string]bool{}
	take := func(places ...Place) {
		for _, place := range places {
			for _, file := range place.Files {
				taken[s.real[file]] = true
			}
		}
	}
	take(s.out.Places...)
	for _, file := range s.aboutPods {
		if !taken[s.real[file]] {
			place := s.placeOf(file)
			take(place)
			s.out.Places = append(s.out.Places, place)
		}
	}
	if !s.Pods {
		return
	}
	generated := s.generated()
	for _, dir := range s.dirs {
		owned := s.isOwned(&dir)
		for _, file := range dir.Files {
			target := s.real[file]
			if t := s.texts[target]; t == nil || !t.pods || taken[target] || slices.Contains(s.Named, target) || s.named[target] {
				continue
			}
			switch {
			case generated(target):
				s.out.Places = append(s.out.Places, Place{Path: file, Kind: File, Files: []string{file}})
			case !owned:
				place := s.placeOf(file)
				take(place)
				s.out.Places = append(s.out.Places, place)
			case dir.Kustomized && !slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(file)):
				s.out.UnreadPods = appendOnce(s.out.UnreadPods, filepath.ToSlash(file))
			}
		}
	}
}

// placeOf returns the place of a plain file about pods: what an Application applies, or
// else the directory of the file with those below it.
func (s *scan) placeOf(file string) Place {
	dir := s.appliedAbove(file)
	if app, ok := s.apps[s.real[dir]]; ok {
		return Place{Path: dir, Kind: Directory, Files: s.appliedFiles(dir, app)}
	}
	var others []string
	for _, place := range s.out.Places {
		if place.Kind == Directory {
			others = append(others, place.Path)
		}
	}
	return Place{Path: dir, Kind: Directory, Files: s.filesBelow(dir, others)}
}

// text is what is kept of a file.
type text struct {
	// mentions says that the file may have an object that goldenarch checks.
	mentions bool
	// pods says that the file may have objects with pods.
	pods bool
	// wide says that the text is UTF-16 or UTF-32, machines that it has virtual machines.
	wide, machines bool
	// machineTexts says that a ConfigMap or Secret in it has the text of a virtual machine, and sets that it
	// may have a ClusterResourceSet, which applies such texts.
	machineTexts, sets bool
	// mayHold says that it may hold what goldenarch checks in a place that it does not read.
	mayHold bool
	// containers says that it has containers, and skipped that Argo CD does not apply objects of it
	// that are no settings of goldenarch.
	containers, skipped bool
	// data has the text of a file that is needed again: one that mentions such an object,
	// or a PolicyGenerator.
	data []byte
	// appliers has the text of a file that may have an Application of Argo CD, or a
	// Kustomization of Flux.
	appliers []byte
}

// words are what every object has that goldenarch checks: the name of the kind or the group
// of a HyperConverged CR, the group of an SSP CR, or that of goldenarch's own kinds.
var words = []string{"HyperConverged", "hco.kube", "ssp.kubevirt.io", "goldenarch."}

// misspelled matches a HyperConverged CR whose kind has other capital letters.
var misspelled = pattern.Of(`(?i:kind"?'?\s*:\s*["']?hyperconverged)`)

// mentionsChecked reports whether a text may have an object that goldenarch checks. Each
// file of a repository is asked, so an expression is used only where a word is.
func mentionsChecked(data []byte) bool {
	return containsAny(data, words) || bytes.Contains(bytes.ToLower(data), []byte("hyperconverged")) && misspelled().Match(data)
}

// kindsOfMachines are the kinds of virtual machines, of what makes one, and of its disk.
const kindsOfMachines = `VirtualMachine(?:Instance(?:ReplicaSet)?|Pool|Template(?:Request)?|Clone|Restore)?|DataVolume`

var (
	// machineKinds matches one of these kinds anywhere in a text.
	machineKinds = pattern.OfKind(kindsOfMachines, "VirtualMachine", "DataVolume")
	// machineAtTop matches the kind of a document that is such an object, or a Template of OpenShift.
	machineAtTop = pattern.Of(`(?m)^["']?kind["']?[ \t]*:[ \t]*["']?(?:` + kindsOfMachines + `|Template)["']?[ \t\r]*(?:#|$)`)
	// machineKind matches the kind of such an object.
	machineKind = pattern.Of(`^(?:` + kindsOfMachines + `|Template)$`)
)

// containers matches the containers of a pod. Most files have none, and few are JSON.
var containers = pattern.Of(`containers["']?[ \t]*:`)

// mayHaveMachines reports whether a text has a machine or its disk: the kind of one, and the API
// version of one, which a CustomResourceDefinition of such a kind lacks. An object of another kind
// may name a machine, or have the text of one: an autoscaler, a pipeline, a playbook. A text that is
// not valid YAML may have one. inTexts says that a ConfigMap or Secret has the text of one.
func mayHaveMachines(data []byte) (machines, inTexts bool) {
	if !bytes.Contains(data, []byte("kubevirt.io/v")) || !machineKinds(data) {
		return false, false
	}
	if machineAtTop().Match(data) { // most of them, and the largest
		return true, false
	}
	reader := manifest.Reader{Lenient: true}
	items, err := reader.Parse("", data)
	if err != nil {
		return true, false
	}
	return slices.ContainsFunc(object.All(items), func(o object.Object) bool { return machineKind().MatchString(o.At.Kind) }),
		slices.ContainsFunc(items, object.HasTexts)
}

// containsAny reports whether a text has one of some words.
func containsAny(data []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

// newText keeps of a file what the scan asks for. want is what the run checks beside CRs.
func newText(data []byte, want unread.Want) *text {
	t := &text{
		mentions: mentionsChecked(data), containers: containers().Match(data),
		skipped: isSkipped(data) && !isOwn(data), sets: bytes.Contains(data, []byte("ClusterResourceSet")),
	}
	t.mayHold = unread.MayHold(data) || want.MayHold(data)
	t.machines, t.machineTexts = mayHaveMachines(data)
	if bytes.IndexByte(data, 0) >= 0 {
		t.wide = true
		t.mentions = mentionsChecked(bytes.ReplaceAll(data, []byte{0}, nil))
	}
	t.pods = containsAny(data, podspec.Words())
	if t.mentions || bytes.Contains(data, []byte("PolicyGenerator")) {
		t.data = data
	}
	if mentionsAppliers(data) {
		t.appliers = data
	}
	return t
}

// mentionsAppliers reports whether a text may have an Application of Argo CD, or a Kustomization of
// Flux.
func mentionsAppliers(data []byte) bool {
	return bytes.Contains(data, []byte("argoproj.io/")) && bytes.Contains(data, []byte("Application")) || bytes.Contains(data, []byte(fluxGroups))
}
