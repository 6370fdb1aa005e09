package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
)

// configFlags are the flags with the names of the configuration's scalar keys. A flag
// takes precedence over the options of an Argo CD Application, and those over the
// configuration.
type configFlags struct {
	values   optionFlags
	registry registryFlags
	command  *cobra.Command
	offline  bool
	// queriesAll reports that the verb queries all images, whatever the lock contains.
	queriesAll bool
	// idle are the flags that the verb accepts and ignores: users pass the same flags
	// to several verbs.
	idle []string

	// application has the options that an Application of Argo CD sets, by flag.
	application map[string]string
}

// registryFlags are the registry settings that a package must not set.
type registryFlags struct {
	insecureCredentials bool
	authFile            string
	registriesConf      string
	allow               []string
	allowFlag           *pflag.Flag
	noLogins            bool // of the machine
	recordFlags
}

func (f *configFlags) add(cmd *cobra.Command) {
	f.command, f.values = cmd, addOptions(cmd, v1alpha1.Scalars())
	f.registry.add(cmd)
}

// leaveIdle hides flags that have no effect on the verb.
func (f *configFlags) leaveIdle(names ...string) {
	for _, name := range names {
		must(f.command.Flags().MarkHidden(name))
	}
	f.idle = names
}

// idleGiven reports the given flags that have no effect on the verb.
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
	cmd.Flags().StringSliceVar(&f.allow, "registry-allow", nil,
		"contact only these hosts (host, host:port, *.example.com), token services included, and only those that GOLDENARCH_ALLOWED_REGISTRIES lists")
	f.allowFlag = cmd.Flags().Lookup("registry-allow")
	cmd.Flags().StringVar(&f.registriesConf, "registries-conf", "",
		"containers registries.conf with mirrors; goldenarch also reads the drop-ins in FILE.d")
}

// check reports whether the flags are valid by themselves.
func (f *registryFlags) check() error {
	list := strings.Join(f.allow, ",")
	if f.allowFlag.Changed && strings.TrimSpace(list) == "" {
		return errors.New("flag --registry-allow: name a host, such as quay.io")
	}
	if _, err := (confine.Policy{}).WithList(confine.AllowFlag, list); err != nil {
		return fmt.Errorf("flag %w", err)
	}
	return f.recordFlags.check()
}

// addOffline adds the flag of verbs that can run without a network.
func (f *configFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "query no registry: the same as --lock Require")
}

// check reports whether the flags, and the Application's options, are valid by
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
	if _, err := options.Alone(); err != nil {
		return misuse{namingFlags(err, options.Flags)}
	}
	return nil
}

// options returns the Application's options, and the flags that the user gave.
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

// function returns the function with the settings of this process.
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

// options returns the flags as options for registries.
func (f *registryFlags) options() registry.Options {
	return registry.Options{
		AuthFile: f.authFile, RegistriesConf: f.registriesConf, AllowInsecureCredentials: f.insecureCredentials,
		Allow: f.allow, NoLogins: f.noLogins,
		UserAgent: "goldenarch/" + currentBuild().version, Record: f.recording, Replay: f.recorded,
	}
}
