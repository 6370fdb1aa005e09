package configuration

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/engine/livecr"
	"github.com/goldenarch/goldenarch/internal/engine/settings"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/lock"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/manifest/kinds"
	"github.com/goldenarch/goldenarch/internal/manifest/object"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Source has what makes up a configuration beside its object.
type Source struct {
	// Options win over the configuration.
	Options Options
	// Strict makes a release newer than the newest verified one an error.
	Strict bool
	// Dir is the directory below which spec.inputs are read.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that findings
	// name; "" if only the host knows the files of the items.
	WorkDir string
	// Reader reads the files of spec.inputs. If it is nil, a reader that keeps all nodes
	// reads them.
	Reader *manifest.Reader
	// Listed says that a host or a kustomization lists the given configuration. It then counts
	// alone among those of its kind.
	Listed bool
	// OfOtherStep reports that an item is the configuration of another step, which this one
	// does not use. If it is nil, no item is.
	OfOtherStep func(object.Object) bool
	// Files are the files that the user named individually. goldenarch also reads the lock
	// beside a CR in one of them.
	Files []string
	// Policy says that the operator does not trust the input; nil trusts it.
	Policy *Policy
}

// AboutPods reports whether the options, or the given configuration, make a run be about
// pods. A configuration that is wrong is not: [Source.Load] says what is wrong with it.
func (s Source) AboutPods(given *yaml.RNode) bool {
	config, found := s.find(given, nil)
	return !found.Failed() && config.aboutPods()
}

// Load returns the configuration and the items of the files that its spec.inputs names. The
// configuration is the given one or the one among the items, with the options applied to
// it. objects are those of the items. Every entry of the pipeline begins with Load.
func (s Source) Load(given *yaml.RNode, items []*yaml.RNode, objects []object.Object) (*Config, []*yaml.RNode, finding.List) {
	config, found := s.find(given, objects)
	if found.Failed() {
		return nil, nil, found
	}
	extra, list := s.readInputs(config.Spec.Inputs)
	if found = append(found, list...); found.Failed() {
		return config, extra, found
	}
	beside, list := s.locksBeside(slices.Concat(items, extra), config)
	found = append(found, list...)
	if s.Policy != nil {
		found = append(found, s.Policy.judge(config, object.All(slices.Concat(items, extra)))...)
	}
	return config, append(extra, beside...), found
}

// find finds the configuration and applies the flags to it.
func (s Source) find(given *yaml.RNode, objects []object.Object) (*Config, finding.List) {
	config, found := s.findAll(given, s.own(given, objects))
	if found.Failed() {
		return config, found
	}
	if s.Options.RegistryTimeout != "" && !config.statesTimeout {
		config.Spec.Registry.Timeout = s.Options.RegistryTimeout
	}
	if s.Options.FleetGate != "" && config.Spec.Gate == v1alpha1.GateAuto {
		config.Spec.Gate = s.Options.FleetGate
	}
	found = append(found, invalid(object.Object{}, s.Options.over(&config.Spec))...)
	config.Spec.Release = cmp.Or(config.Spec.Release, s.Options.FleetRelease)
	config.Settings = settings.Of(&config.Spec)
	images, wrong := settings.NewImages(config.statedImages(s.Options.Images))
	config.Settings.Images = images
	found = append(found, Locate(wrong, config)...)
	return config, append(found, Locate(s.Unverified(config.Settings.Release, finding.Object{}, "spec.release"), config)...)
}

// findAll finds the GoldenImages and the WorkloadArchitectures. The caller may give one of
// them. Without a GoldenImages, its options come from the WorkloadArchitectures, or are the
// defaults.
func (s Source) findAll(given *yaml.RNode, objects []object.Object) (*Config, finding.List) {
	var workloads *yaml.RNode
	if kinds.IsGoldenarch(object.Ref(given), v1alpha1.WorkloadArchitecturesKind) {
		workloads, given = given, nil
	}
	main, found := s.choose(v1alpha1.GoldenImagesKind, given, objects)
	if found.Failed() {
		return nil, found
	}
	beside, more := s.choose(v1alpha1.WorkloadArchitecturesKind, workloads, objects)
	if found = append(found, more...); found.Failed() {
		return nil, found
	}
	config := &Config{
		OnlyWorkloads: workloads != nil && main.Object == nil, statesTimeout: main.statesTimeout() || beside.statesTimeout(),
	}
	if main.Object != nil {
		config.GoldenImages, more = decode(*main.Object)
		if found = append(found, more...); found.Failed() {
			return nil, found
		}
	}
	if beside.Object != nil {
		found = append(found, config.join(*beside.Object, main.Object)...)
	} else if main.Object == nil {
		defaults, err := v1alpha1.DecodeGoldenImages(nil)
		config.GoldenImages, found = defaults, append(found, invalid(object.Object{}, err)...)
	}
	if s.Policy != nil && !found.Failed() {
		config.PolicyFacts, more = s.policyFacts(config, main, beside)
		found = append(append(found, more...), config.restrict(s, main, beside)...)
	}
	if !found.Failed() {
		found = append(found, config.readExceptions(main, beside)...)
	}
	return config, found
}

// own returns the objects without the configurations that are not for this run.
func (s Source) own(given *yaml.RNode, objects []object.Object) []object.Object {
	of := v1alpha1.GoldenImagesKind
	if kinds.IsGoldenarch(object.Ref(given), v1alpha1.WorkloadArchitecturesKind) {
		of = v1alpha1.WorkloadArchitecturesKind
	}
	return slices.DeleteFunc(slices.Clone(objects), func(o object.Object) bool {
		return s.Listed && kinds.IsGoldenarch(o.At, of) || s.OfOtherStep != nil && s.OfOtherStep(o)
	})
}

// findObject finds the configuration of a kind: the given one, else the one among the
// items; nil if there is neither. Two of them are an error. kpt also passes the given one
// as an item, which counts as the same object.
func findObject(kind string, given *yaml.RNode, items []object.Object) (*object.Object, finding.List) {
	var config *object.Object
	if (!given.IsNilOrEmpty() || yaml.IsYNodeEmptySeq(given.YNode())) && !StatesNothing(given) {
		stated := object.New(given)
		config = &stated
	}
	for _, o := range items {
		if !kinds.IsGoldenarch(o.At, kind) || isOfOtherPackage(given, o.Item, items) {
			continue
		}
		switch {
		case config == nil:
			config = &o
		case config.At.Kind == o.At.Kind && config.At.Name == o.At.Name && config.Item == given:
		default:
			f := kinds.Duplicate(o)
			f.Text = fmt.Sprintf("the input has two configurations: %s and %s", config.At, o.At)
			return nil, finding.List{f}
		}
	}
	return config, nil
}

// StatesNothing reports an empty ConfigMap. kpt passes one where nobody states a configuration.
func StatesNothing(given *yaml.RNode) bool {
	if at := object.Ref(given); at.APIVersion != "v1" || at.Kind != "ConfigMap" {
		return false
	}
	for key, value := range yamlnode.Fields(given.YNode()) {
		states := len(value.Content) > 0 || value.Value != "" && !yamlnode.IsNull(value)
		if states && !slices.Contains([]string{"apiVersion", "kind", "metadata"}, key) {
			return false
		}
	}
	return true
}

// isOfOtherPackage reports whether a configuration is in a package below the one that kpt
// runs the given configuration for: that package's own pipeline uses it.
func isOfOtherPackage(given, item *yaml.RNode, items []object.Object) bool {
	dir := object.PackageOf(item)
	if given.IsNilOrEmpty() || dir == "" {
		return false
	}
	own := object.PackageOf(given)
	if own == "" { // written in the Kptfile, or on the command line
		own = dir
		for _, o := range items {
			if other := object.PackageOf(o.Item); other != "" && len(other) < len(own) {
				own = other
			}
		}
	}
	return dir != own
}

// statesTimeout reports whether a configuration sets a timeout for queries of registries. That of an untrusted one does not count.
func (o chosen) statesTimeout() bool {
	return o.Object != nil && !o.ofCommit && (object.TextAt(o.Node, "spec", "registry", "timeout") != "" || object.TextAt(o.Node, "data", "registryTimeout") != "")
}

// readInputs reads the files that spec.inputs names. A configuration in one of them is an
// error, because the object that names the files is already the configuration.
func (s Source) readInputs(files []string) ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	reader := cmp.Or(s.Reader, &manifest.Reader{})
	for _, file := range files {
		read, err := reader.Below(s.Dir, file)
		if s.Options.QueriesAll && errors.Is(err, fs.ErrNotExist) && path.Base(filepath.ToSlash(file)) == lock.FileName {
			read, err = manifest.Parse(file, lock.Empty()) // the lock to write
		}
		shown := s.displayName(file)
		if err != nil {
			var at finding.Object
			if s.WorkDir != "" {
				at.File = shown
			}
			return nil, finding.List{{
				ID: finding.Unreadable, Severity: finding.Error, Object: at, Field: "spec.inputs", Current: file, Text: err.Error(),
				Do: doAboutInput(file, err),
			}}
		}
		object.Rename(read, func(string) string { return shown })
		if err := livecr.MarkLocal(read); err != nil {
			return nil, finding.List{{ID: finding.Unreadable, Severity: finding.Error, Field: "spec.inputs", Current: file, Text: err.Error()}}
		}
		items = append(items, read...)
	}
	return items, configurationsIn(items)
}

// doAboutInput returns the fix for a file of spec.inputs that cannot be read.
func doAboutInput(file string, err error) string {
	if errors.Is(err, fs.ErrNotExist) && path.Base(filepath.ToSlash(file)) == lock.FileName {
		return "write the lock: run 'goldenarch lock' with the same PATH"
	}
	return "correct spec.inputs: paths are relative to the directory of the kustomization, and a container sees no files"
}

// displayName returns the name by which the user opens a file of spec.inputs.
func (s Source) displayName(file string) string {
	if s.WorkDir == "" || s.WorkDir == s.Dir {
		return file
	}
	whole := filepath.Join(s.Dir, file)
	from, err := filepath.EvalSymlinks(s.WorkDir) // resolve links first, as the system does for ".."
	if err != nil {
		return filepath.ToSlash(whole)
	}
	below, err := filepath.Rel(from, whole)
	if err != nil || len(below) > len(whole) {
		below = whole
	}
	return filepath.ToSlash(below)
}

// configurationsIn reports the configurations in files of spec.inputs.
func configurationsIn(items []*yaml.RNode) finding.List {
	var found finding.List
	for _, o := range object.All(items) {
		if !kinds.IsGoldenarch(o.At, v1alpha1.GoldenImagesKind) && !kinds.IsGoldenarch(o.At, v1alpha1.WorkloadArchitecturesKind) {
			continue
		}
		f := kinds.Duplicate(o)
		f.Text = fmt.Sprintf("the input has two configurations: the one with spec.inputs, and %s in a file that it lists", o.At)
		f.Do = "remove the file from spec.inputs"
		found = append(found, f)
	}
	return found
}

// locksBeside reads the lock beside each file that the user named, where "goldenarch lock
// FILE" writes it. The file has a CR, or pods if the run is about them. For a directory,
// goldenarch reads the lock with it, and a kustomization lists the files to read. A caller
// that queries the registries in any case needs no lock.
func (s Source) locksBeside(items []*yaml.RNode, config *Config) ([]*yaml.RNode, finding.List) {
	if s.Options.QueriesAll || config.Spec.Lock.Mode == v1alpha1.LockIgnore || len(s.Files) == 0 {
		return nil, nil
	}
	read := map[string]bool{} // by resolved path
	var beside []string
	pods := config.aboutPods()
	for _, o := range object.All(items) {
		switch {
		case kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind):
			read[lock.Target(filepath.FromSlash(o.At.File))] = true
		case (kinds.IsCR(o) || pods && podspec.MayHave(o.Node.YNode())) &&
			slices.ContainsFunc(s.Files, func(file string) bool { return path.Clean(filepath.ToSlash(file)) == path.Clean(o.At.File) }):
			beside = append(beside, path.Join(path.Dir(o.At.File), lock.FileName))
		}
	}
	var out []*yaml.RNode
	var found finding.List
	for _, name := range beside {
		target := lock.Target(filepath.FromSlash(name))
		info, err := os.Stat(filepath.FromSlash(name))
		if err != nil || info.IsDir() || read[target] {
			continue
		}
		read[target] = true
		list, err := manifest.ReadFile(filepath.FromSlash(name))
		similar := kinds.ReportSimilar(object.All(list))
		if err == nil && len(similar) == 0 && !slices.ContainsFunc(list, hasLock) {
			err = lock.ErrNone
		}
		if err != nil {
			f := finding.Finding{
				ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{File: name}, Text: err.Error(),
				Do: "correct or remove it: it is the lock of the CR or of the pods beside it",
			}
			if no, ok := errors.AsType[*manifest.NoObjectError](err); ok {
				f.Text, f.Line = no.Problem(), no.Line
			}
			found = append(found, f)
		}
		found = append(found, similar...)
		out = append(out, slices.DeleteFunc(list, func(item *yaml.RNode) bool { return !hasLock(item) })...)
	}
	return out, found
}

// hasLock reports whether an item is a lock, or a List with one.
func hasLock(item *yaml.RNode) bool {
	return slices.ContainsFunc(object.All([]*yaml.RNode{item}), func(o object.Object) bool {
		return kinds.IsGoldenarch(o.At, v1alpha1.ArchitectureLockKind)
	})
}

// Unverified reports a release newer than the newest one that goldenarch is verified with, and where it is stated.
func (s Source) Unverified(release v1alpha1.Release, at finding.Object, field string) finding.List {
	if release.Verified() {
		return nil
	}
	out := finding.Finding{
		ID: finding.ReleaseNewer, Severity: finding.Warning, Object: at, Field: field,
		Text: fmt.Sprintf("goldenarch does not know HCO %s and treats it as HCO %s, the newest release that it knows", release, v1alpha1.NewestVerified()),
		Do:   "try the result on a test cluster first",
	}
	if s.Strict {
		out.Severity = finding.Error
	}
	return finding.List{out}
}

// WithReleaseOf returns the configuration with the release of the live CR, if it has no
// release itself, and the findings about that release.
func (s Source) WithReleaseOf(live livecr.CR, spec *settings.Settings) (*settings.Settings, finding.List) {
	out, found := live.WithRelease(spec)
	if spec.Release.Declared() || !out.Release.Declared() {
		return out, found
	}
	return out, append(found, s.Unverified(out.Release, live.At, "status.versions")...)
}

func decode(o object.Object) (*v1alpha1.GoldenImages, finding.List) {
	tree, found := treeOf(o)
	if found.Failed() {
		return nil, found
	}
	config, err := v1alpha1.DecodeGoldenImages(tree)
	return config, append(object.DuplicateKeys(o), invalid(o, err)...)
}

// treeOf returns a configuration as decoded JSON.
func treeOf(o object.Object) (map[string]any, finding.List) {
	what := ""
	switch n := o.Node.YNode(); n.Kind {
	case yaml.SequenceNode:
		what = "a list"
	case yaml.ScalarNode:
		what = fmt.Sprintf("the value %q", n.Value)
	case yaml.MappingNode, yaml.AliasNode, yaml.DocumentNode:
	}
	if what != "" {
		return nil, finding.List{{
			ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Line: o.Line(""),
			Text: "the configuration is " + what + ", expected an object", Do: "pass a GoldenImages or a ConfigMap",
		}}
	}
	tree, err := o.Tree()
	if err != nil {
		return nil, finding.List{o.Unreadable(err)}
	}
	return tree, nil
}

// invalid reports all that is wrong with the configuration.
func invalid(o object.Object, err error) finding.List {
	if err == nil {
		return nil
	}
	var list v1alpha1.Errors
	if !errors.As(err, &list) {
		list = v1alpha1.Errors{{Text: err.Error()}}
	}
	var found finding.List
	for _, one := range list {
		f := finding.Finding{ID: finding.ConfigInvalid, Severity: finding.Error, Object: o.At, Field: one.Path, Text: one.Text}
		if o.Node != nil {
			f.Line = o.Line(one.Path)
		}
		found = append(found, f)
	}
	return found
}
