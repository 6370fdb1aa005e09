package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// configFlags are the flags named as the configuration's scalar keys. A flag
// wins over the configuration; what an Application of Argo CD says stands between.
type configFlags struct {
	values   optionFlags
	registry registryFlags
	command  *cobra.Command
	offline  bool
	// queriesAll says that the verb queries whatever lock there is.
	queriesAll bool
	// idle are the flags that do nothing for the verb, which takes them all the same:
	// people give the same flags to several verbs.
	idle []string

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
	f.command, f.values = cmd, addOptions(cmd, v1alpha1.Scalars())
	f.registry.add(cmd)
}

// leaveIdle hides flags that do nothing for the verb.
func (f *configFlags) leaveIdle(names ...string) {
	for _, name := range names {
		must(f.command.Flags().MarkHidden(name))
	}
	f.idle = names
}

// idleGiven reports the flags that were given and do nothing for the verb.
func (f *configFlags) idleGiven() finding.List {
	var out finding.List
	for _, name := range f.idle {
		if f.command.Flags().Changed(name) {
			out = append(out, finding.Finding{
				ID: finding.FlagIdle, Severity: finding.Info,
				Text: fmt.Sprintf("the flag --%s does nothing for %q", name, f.command.CommandPath()), Do: "leave it out",
			})
		}
	}
	return out
}

func (f *registryFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.insecureCredentials, "allow-insecure-credentials", false,
		"send credentials to insecure registries too")
	cmd.Flags().StringVar(&f.authFile, "authfile", "",
		"auth file to read instead of podman's and docker's, as REGISTRY_AUTH_FILE does")
	cmd.Flags().StringVar(&f.registriesConf, "registries-conf", "",
		"containers registries.conf with mirrors; goldenarch also reads the drop-ins in FILE.d")
}

// addOffline adds the flag of verbs that can do without a network.
func (f *configFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "query no registry: the same as --lock Require")
}

// check says whether the flags, and what the Application says, are right by
// themselves.
func (f *configFlags) check() error {
	application, err := applicationOptions(os.LookupEnv)
	if err != nil {
		return err
	}
	f.application = application
	options := f.options()
	if err := options.CheckApplication(); err != nil {
		return err
	}
	if err := f.registry.check(); err != nil {
		return misuse{err}
	}
	var spec v1alpha1.GoldenImagesSpec
	spec.Default()
	if err := options.Over(&spec); err != nil {
		return misuse{namingFlags(err, options.Flags)}
	}
	return nil
}

// options returns what the Application says, and the flags that were given.
func (f *configFlags) options() configuration.Options {
	o := configuration.Options{
		Application: f.application, Flags: f.values.given(),
		Offline: f.offline, QueriesAll: f.queriesAll, Tape: f.registry.given(),
	}
	if ctx := f.command.Context(); ctx != nil {
		o.RegistryTimeout = registryTimeout(ctx)
	}
	return o
}

// function returns goldenarch as this process runs it.
func (f *configFlags) function() (pipeline.Function, error) {
	if err := f.check(); err != nil {
		return pipeline.Function{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return pipeline.Function{}, fmt.Errorf("find the working directory: %w", err)
	}
	if err := f.registry.begin(); err != nil {
		return pipeline.Function{}, err
	}
	return pipeline.Function{Options: f.options(), Registry: f.registry.options(), Dir: dir, WorkDir: dir, ArgoCD: inArgoCD(os.LookupEnv), Open: noted}, nil
}

// options returns what the flags say of registries.
func (f *registryFlags) options() registry.Options {
	return registry.Options{
		AuthFile: f.authFile, RegistriesConf: f.registriesConf, AllowInsecureCredentials: f.insecureCredentials,
		UserAgent: "goldenarch/" + currentBuild().version, Record: f.recording, Replay: f.recorded,
	}
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
