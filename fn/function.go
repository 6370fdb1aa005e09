package fn

import (
	"cmp"
	"context"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"

	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// Function is goldenarch as a processor. The zero Function suits most users: it reads the
// configuration of the ResourceList and queries the registries.
type Function struct {
	// Dir is the directory that spec.inputs are relative to and must be below. Default: the
	// working directory.
	Dir string
	// Options are options that win over the configuration, by their keys in a ConfigMap:
	// {"release": "1.19"}. An unknown key is an error finding.
	Options map[string]string
	// Offline disables every query to a registry: the lock must have all images.
	Offline bool
	// AuthFile is the only auth file that is read. Default: podman's and docker's.
	AuthFile string
	// RegistriesConf is a registries.conf with the mirrors of this machine. Default:
	// none.
	RegistriesConf string
	// AllowInsecureCredentials also sends credentials to insecure registries.
	AllowInsecureCredentials bool
	// UserAgent is the user agent that registries see. Default: goldenarch.
	UserAgent string
	// Strict reports an error for a release that is newer than the newest verified one.
	Strict bool
	// ArgoCD says that Argo CD will compare the output with the cluster.
	ArgoCD bool

	// open returns the resolver that answers for images in tests.
	open func(registry.Options) (registry.Resolver, error)
}

var _ framework.ResourceListProcessor = Function{}

// ErrFindings is the error of a run that found errors. The results contain the findings.
var ErrFindings = pipeline.ErrFindings

// Process implements [framework.ResourceListProcessor]. It uses only the items and the
// configuration of the list, and adds its findings to the results. If one of them is an
// error, Process returns [ErrFindings] and leaves the items unchanged.
func (f Function) Process(rl *framework.ResourceList) error {
	return f.WithContext(context.Background()).Process(rl)
}

// WithContext returns a processor that stops when the context ends.
func (f Function) WithContext(ctx context.Context) framework.ResourceListProcessor {
	return framework.ResourceListProcessorFunc(func(rl *framework.ResourceList) error {
		_, err := f.process(ctx, rl)
		return err
	})
}

// process runs the function, and returns the findings that it has added to the results.
func (f Function) process(ctx context.Context, rl *framework.ResourceList) (found finding.List, err error) {
	rl.Items, found, err = f.pipeline().Process(ctx, rl.Items, rl.FunctionConfig)
	for _, r := range found.Results() {
		rl.Results = append(rl.Results, resultOf(r))
	}
	return found, err
}

// resultOf returns a result as the framework has it.
func resultOf(r finding.Result) *framework.Result {
	out := &framework.Result{
		Message: r.Message, Severity: framework.Severity(r.Severity), ResourceRef: r.ResourceRef, Tags: r.Tags,
	}
	if r.Field != nil {
		field := framework.Field(*r.Field)
		out.Field = &field
	}
	if r.File != nil {
		file := framework.File(*r.File)
		out.File = &file
	}
	return out
}

func (f Function) pipeline() pipeline.Function {
	return pipeline.Function{
		Dir: cmp.Or(f.Dir, "."), Strict: f.Strict, ArgoCD: f.ArgoCD,
		Options: configuration.Options{Flags: f.Options, Offline: f.Offline},
		Registry: registry.Options{
			AuthFile: f.AuthFile, RegistriesConf: f.RegistriesConf,
			AllowInsecureCredentials: f.AllowInsecureCredentials, UserAgent: f.UserAgent,
		},
		Open: f.open,
	}
}
