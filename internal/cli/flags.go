package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/fn"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// configFlags are the flags named as the configuration's scalar keys. A flag
// wins over the configuration; what an Application of Argo CD says stands between.
type configFlags struct {
	values   map[string]*string // by flag
	registry registryFlags
	command  *cobra.Command
	offline  bool
	// asksAll says that the verb asks whatever lock there is.
	asksAll bool

	// application has what an Application of Argo CD says, by flag.
	application map[string]string
}

// registryFlags are what a package must not decide about registries.
type registryFlags struct {
	insecureCredentials bool
	authFile            string
	registriesConf      string
	recordFlags
}

func (f *configFlags) add(cmd *cobra.Command) {
	f.command, f.values = cmd, map[string]*string{}
	for _, scalar := range v1alpha1.Scalars() {
		f.values[scalar.Flag] = cmd.Flags().String(scalar.Flag, "", scalar.Help)
	}
	f.registry.add(cmd)
}

func (f *registryFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.insecureCredentials, "allow-insecure-credentials", false,
		"send credentials to insecure registries as well")
	cmd.Flags().StringVar(&f.authFile, "authfile", "",
		"auth file to read instead of podman's and docker's (as REGISTRY_AUTH_FILE)")
	cmd.Flags().StringVar(&f.registriesConf, "registries-conf", "",
		"containers registries.conf with the mirrors of this machine; drop-ins are in FILE.d")
}

// addOffline adds the flag of verbs that can do without a network.
func (f *configFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "ask no registry: the same as --lock Require")
}

// check says whether the flags, and what the Application says, are right by
// themselves.
func (f *configFlags) check() error {
	options, err := applicationOptions(os.LookupEnv)
	if err != nil {
		return err
	}
	var spec v1alpha1.GoldenImagesSpec
	spec.Default()
	if err := setOptions(&spec, options); err != nil {
		return err
	}
	if err := spec.Validate(); err != nil {
		return fmt.Errorf("the plugin parameters of the Application: %w", err)
	}
	f.application = options
	spec = v1alpha1.GoldenImagesSpec{}
	spec.Default()
	if err := f.override(&spec); err != nil {
		return misuse{err}
	}
	return nil
}

// override lays what the Application says, and the flags that were given, over the
// configuration.
func (f *configFlags) override(spec *v1alpha1.GoldenImagesSpec) error {
	if err := setOptions(spec, f.application); err != nil {
		return err
	}
	for _, scalar := range v1alpha1.Scalars() {
		if !f.command.Flags().Changed(scalar.Flag) {
			continue
		}
		if err := scalar.Set(spec, *f.values[scalar.Flag]); err != nil {
			return fmt.Errorf("flag --%s: %w", scalar.Flag, err)
		}
	}
	if f.offline {
		if f.command.Flags().Changed("lock") && spec.Lock.Mode != v1alpha1.LockRequire {
			return fmt.Errorf("--offline and --lock %s contradict each other", spec.Lock.Mode)
		}
		spec.Lock.Mode = v1alpha1.LockRequire
	}
	mode := spec.Lock.Mode
	if f.asksAll {
		mode = v1alpha1.LockIgnore
	}
	if err := f.registry.check(mode); err != nil {
		return err
	}
	return spec.Validate()
}

// function returns goldenarch as this process runs it.
func (f *configFlags) function() (fn.Function, error) {
	if err := f.check(); err != nil {
		return fn.Function{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fn.Function{}, fmt.Errorf("find the working directory: %w", err)
	}
	if err := f.registry.begin(); err != nil {
		return fn.Function{}, err
	}
	return fn.Function{Resolver: f.registry.reach, Override: f.override, Dir: dir, WorkDir: dir, ArgoCD: inArgoCD(os.LookupEnv)}, nil
}

// reach returns who answers for images.
func (f *registryFlags) reach(access fn.Access) (registry.Resolver, error) {
	if f.recorded != nil {
		return registry.Replay(f.recorded, registry.Verify(access.Spec.Verify)), nil
	}
	spec := access.Spec
	retries := *spec.Retries
	if retries == 0 {
		retries = -1 // to the client, 0 is the default
	}
	options := registry.Options{
		RequestTimeout:           spec.OneRequestTimeout(),
		Retries:                  retries,
		Concurrency:              spec.Concurrency,
		RequestsPerSecond:        spec.RequestsPerSecond,
		Insecure:                 spec.Insecure,
		Credentials:              access.Credentials,
		Authorities:              access.Authorities,
		AuthFile:                 f.authFile,
		Note:                     access.Note,
		AllowInsecureCredentials: f.insecureCredentials,
		UserAgent:                "goldenarch/" + currentBuild().version,
	}
	next, err := f.mirrored(options, registry.Verify(spec.Verify), access.Mirrors)
	return f.before(next), err
}

func isTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !isNull(info)
}

// isNull reports whether a file is /dev/null, which is what hosts without an
// input give.
func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}
