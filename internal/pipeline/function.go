package pipeline

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/input/manifest"
	"github.com/goldenarch/goldenarch/internal/olm/catalog"
	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
	"github.com/goldenarch/goldenarch/internal/prediction"
	"github.com/goldenarch/goldenarch/internal/verdict"
)

// Function is goldenarch with its dependencies.
type Function struct {
	// Options take precedence over the configuration.
	Options configuration.Options
	// Registry has the caller's options for registries. The other options come from the
	// configuration and the items.
	Registry registry.Options
	// Open returns the resolver for images. Default: registry.Open.
	Open func(registry.Options) (registry.Resolver, error)
	// Policy says that the caller does not trust the items, and what counts in their place;
	// nil trusts them.
	Policy *configuration.Policy
	// Nodes are additional Nodes that are not among the items, for their facts only;
	// nil for none.
	Nodes []*yaml.RNode
	// Live is the live CR, if it is not among the items; nil otherwise.
	Live []*yaml.RNode
	// Named returns the objects of a kind and a name that an item represents: nil for
	// an item that is an object itself. An item without fields represents objects that
	// are not [Needed], and keeps their place in the output. Named is nil if no item
	// does.
	Named func(item *yaml.RNode, kind, name string) []*yaml.RNode
	// Reader reads the files of spec.inputs. Named finds the documents of which it keeps
	// only the text. If it is nil, a reader that keeps all nodes reads them.
	Reader *manifest.Reader
	// Dir is the directory that contains the files of spec.inputs.
	Dir string
	// WorkDir is the working directory, from which the user opens the files that
	// findings name; "" if only the host knows the files of the items.
	WorkDir string
	// Files are the files that the user named one by one. The run also reads the lock
	// beside a CR in one of them.
	Files []string
	// KustomizeVersion is the version of the kustomize that runs the function, such as
	// v5.8.2; "" if it is unknown.
	KustomizeVersion string
	// Strict turns warnings about what goldenarch does not know into errors: a release
	// newer than the newest verified one, and in a check an unknown field.
	Strict bool
	// OutcomesOnly omits from the forecasts of a check the objects that operators make.
	OutcomesOnly bool
	// As says which form of the files with CRs gets to the cluster. A check calls it at most once,
	// and only if the two forms differ. Nil is the committed one. FixCommand is the command that writes what a check misses, "" for none.
	As         func(files []string) verdict.As
	FixCommand string
	// ArgoCD reports that Argo CD compares the output with the cluster.
	ArgoCD bool
	// Bundle reports that the items are a bundle of the Operator Lifecycle Manager. The
	// run checks its pods and labels unless the configuration says otherwise.
	Bundle bool
	// Catalogs are catalogs of the Operator Lifecycle Manager to check, besides the items.
	Catalogs []catalog.Catalog
	// PackageOf returns the package of the bundle that a file is in, "" if the file is in
	// none. A nil PackageOf knows no bundles.
	PackageOf func(file string) string

	pods pods
	// config is the configuration of the run; nil if the caller trusts the items.
	config *configuration.Config
	// crs has the CRs that the run has parsed.
	crs *hyperconverged.Parsed
}

// source returns the sources of the configuration.
func (f Function) source() configuration.Source {
	return configuration.Source{Options: f.Options, Strict: f.Strict, Dir: f.Dir, WorkDir: f.WorkDir, Files: f.Files, Reader: f.Reader, Policy: f.Policy}
}

// AboutPods reports whether the options, or the given configuration, make a run be about
// pods too.
func (f Function) AboutPods(given *yaml.RNode) bool { return f.source().AboutPods(given) }

// predictor returns the predictor with the options of the run.
func (f Function) predictor() prediction.Predictor {
	return prediction.Predictor{Source: f.source(), Config: f.config, Nodes: f.Nodes, Live: f.Live, Parsed: f.crs, OutcomesOnly: f.OutcomesOnly}
}
