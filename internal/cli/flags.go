package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine"
	"github.com/goldenarch/goldenarch/internal/engine/configuration"
	"github.com/goldenarch/goldenarch/internal/host/argocd"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// configFlags are the flags that state the configuration of a run, and how it reaches
// registries. A flag takes precedence over the options of an Argo CD Application, and those
// over the configuration.
type configFlags struct {
	settings settings
	registry registryFlags
	command  *cobra.Command
	offline  bool
	images   []string            // of --image
	stated   []v1alpha1.Override // what they state
	// queriesAll reports that the verb queries all images, whatever the lock contains.
	queriesAll bool

	// advised are the commands that findings advise.
	advised workspace.Commands

	// application has the options that an Application of Argo CD sets, by key.
	application map[string]string
}

// registryFlags are the registry settings that a package must not set.
type registryFlags struct {
	insecureCredentials bool
	authFile            string
	registriesConf      string
	allow               []string
	noLogins            bool // of the machine
}

// addSettings adds the flag for all fields of the configuration.
func (f *configFlags) addSettings(cmd *cobra.Command) {
	f.command = cmd
	f.settings.addSet(cmd)
}

// add adds the flags for how to reach registries.
func (f *registryFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.insecureCredentials, "allow-insecure-credentials", false,
		"send credentials to insecure registries too")
	cmd.Flags().StringVar(&f.authFile, "authfile", "",
		"auth file to read instead of podman's and docker's, as REGISTRY_AUTH_FILE does")
	cmd.Flags().StringArrayVar(&f.allow, "registry-allow", nil,
		"contact only these hosts (host, host:port, *.example.com), token services included, and only those that GOLDENARCH_ALLOWED_REGISTRIES lists")
	cmd.Flags().StringVar(&f.registriesConf, "registries-conf", "",
		"containers registries.conf with mirrors; goldenarch also reads the drop-ins in FILE.d")
}

// check reports whether the flags are valid by themselves.
func (f *registryFlags) check() error {
	list := strings.Join(f.allow, ",")
	if slices.ContainsFunc(elementsOf(f.allow), func(host string) bool { return strings.TrimSpace(host) == "" }) {
		return fmt.Errorf("flag --registry-allow: the list %q has an empty element: name hosts, such as quay.io", list)
	}
	if _, err := (confine.Policy{}).WithList(confine.AllowFlag, list); err != nil {
		return fmt.Errorf("flag %w", err)
	}
	return nil
}

// addQueries adds the flags of a verb that asks registries for images, or does not.
func (f *configFlags) addQueries(cmd *cobra.Command) {
	f.registry.add(cmd)
	f.addOffline(cmd)
	f.addImages(cmd)
}

// addImages adds the flag that states the architectures of images.
func (f *configFlags) addImages(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.images, "image", nil,
		"state the architectures of an image instead of querying its registry (may be repeated)")
}

// statedImages reads the flag --image.
func (f *configFlags) statedImages() ([]v1alpha1.Override, error) {
	out := make([]v1alpha1.Override, 0, len(f.images))
	seen := map[imageref.Reference]arch.Set{}
	for _, text := range f.images {
		image, list, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(list) == "" {
			return nil, fmt.Errorf("flag --image: %q has no architectures, expected an image and its architectures, joined by =", text)
		}
		ref, err := imageref.Parse(image)
		if err != nil {
			return nil, fmt.Errorf("flag --image: %w", err)
		}
		set, err := arch.ParseAll(strings.Split(list, ","))
		if err != nil {
			return nil, fmt.Errorf("flag --image: %q: %w", text, err)
		}
		if other, twice := seen[ref]; twice && !other.Equal(set) {
			return nil, fmt.Errorf("flag --image: two of them state different architectures of %s: %s and %s", ref, other, set)
		}
		seen[ref] = set
		out = append(out, v1alpha1.Override{Image: image, Architectures: set.Strings()})
	}
	return out, nil
}

// sayImages says that what --image states is not in the files, where the flag was given.
func (f *configFlags) sayImages(streams Streams) {
	if len(f.images) > 0 {
		streams.printer.Message("--image holds for this run only. To keep what it states, write it into spec.overrides of a GoldenImages " +
			"that goldenarch.yaml names (config). Or run goldenarch lock where the registries answer")
	}
}

// addOffline adds the flag of verbs that can run without a network.
func (f *configFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "query no registry: the same as --set lock=Require")
}

// check reports whether the flags, and the Application's options, are valid by
// themselves.
func (f *configFlags) check() error {
	application, err := argocd.Options(os.LookupEnv)
	if err != nil {
		return err
	}
	f.application = application
	if f.stated, err = f.statedImages(); err != nil {
		return workspace.Misuse{Err: err}
	}
	options := f.options()
	if err := options.CheckApplication(); err != nil {
		return err
	}
	if err := f.registry.check(); err != nil {
		return workspace.Misuse{Err: err}
	}
	if _, err := options.Alone(); err != nil {
		return workspace.Misuse{Err: f.settings.naming(err)}
	}
	return nil
}

// options returns the Application's options, and the flags that the user gave.
func (f *configFlags) options() configuration.Options {
	o := configuration.Options{
		Application: f.application, Flags: f.settings.given(), Images: f.stated,
		Offline: f.offline, QueriesAll: f.queriesAll,
	}
	if ctx := f.command.Context(); ctx != nil {
		o.RegistryTimeout = argocd.RegistryTimeout(ctx)
	}
	return o
}

// function returns the function with the settings of this process. It asks for each image once: clusters, the base of a change, and the
// check that follows a fix ask for nearly the same.
func (f *configFlags) function(queries *queries) (engine.Function, error) {
	if err := f.check(); err != nil {
		return engine.Function{}, err
	}
	f.rememberGiven()
	dir, err := os.Getwd()
	if err != nil {
		return engine.Function{}, fmt.Errorf("find the working directory: %w", err)
	}
	underArgo := argocd.In(os.LookupEnv)
	return engine.Function{
		Source:    configuration.Source{Options: f.options(), Dir: dir, WorkDir: dir},
		LockFlags: f.lockFlagsGiven(),
		ArgoCD:    underArgo,
		Registry:  f.registry.options(), Open: (&registry.Shared{Next: queries.open}).Open, ImageFlag: !underArgo && f.command.Flags().Lookup("image") != nil,
	}, nil
}

// options returns the flags as options for registries.
func (f *registryFlags) options() registry.Options {
	return registry.Options{
		AuthFile: f.authFile, RegistriesConf: f.registriesConf, AllowInsecureCredentials: f.insecureCredentials,
		Allow: f.allow, NoLogins: f.noLogins, UserAgent: "goldenarch/" + currentBuild().version,
	}
}

// flagsByGroup has the flags of all commands by their groups in help, in the order of these, each with what help shows for its value: what
// it is, and not its type in the program.
var flagsByGroup = []struct {
	group string
	flags []string
}{
	{"Input", []string{
		"config FILE", "set KEY=VALUE", "cr-path FILE#PATH", "inputs FILE,...", "max-file-size SIZE",
	}},
	{"Cluster", []string{
		"workload-architectures ARCH,...", "control-plane-architectures ARCH,...", "nodes FILE", "live FILE", "fleet FILE", "facts FILE",
		"to-release RELEASE", "add-architecture ARCH,...", "remove-architecture ARCH,...", "release RELEASE",
	}},
	{"Decision", []string{
		"untrusted", "base REF", "as FORM", "workloads MODE", "machines MODE", "gate MODE", "single-architecture ARCH", "admission MODE",
		"host HOST", "argocd DIR", "argocd-image IMAGE", "image REF=ARCH,...", "set-image IMAGE", "disable", "enable", "only IMAGE,...", "prune",
	}},
	{"Registry and lock", []string{
		"offline", "authfile FILE", "registries-conf FILE", "registry-allow HOST,...", "allow-insecure-credentials",
	}},
	{"Output", []string{
		"expect-clusters NUMBER", "require ARCH,...", "allow-empty", "output FORMAT", "findings-file FILE", "fail-on SEVERITY", "strict",
		"no-flux-substitution", "file FILE", "check", "diff", "patch", "keep-going", "leftovers", "storage-budget SIZE", "no-descriptions",
	}},
	{groupGeneral, []string{"help", "version"}},
}

// groupGeneral is also the group of a flag that has none.
const groupGeneral = "General"

// inHelp returns the group of a flag and what help shows for its value, "" for none.
func inHelp(flag string) (group, value string) {
	for _, one := range flagsByGroup {
		for _, text := range one.flags {
			if name, value, _ := strings.Cut(text, " "); name == flag {
				return one.group, value
			}
		}
	}
	return "", ""
}

// flagGroup has the flags of a command that are in one group.
type flagGroup struct {
	name  string
	flags *pflag.FlagSet
}

// flagGroups returns the flags of a command, by group. A flag without a group is a general
// one. Only commands that read files have the limit of their sizes.
func flagGroups(cmd *cobra.Command) []flagGroup {
	cmd.InitDefaultHelpFlag()
	sets := map[string]*pflag.FlagSet{}
	add := func(flag *pflag.Flag) {
		if flag.Name == "max-file-size" && cmd.Annotations[readsNothing] != "" {
			return
		}
		group, value := inHelp(flag.Name)
		if group = cmp.Or(group, groupGeneral); sets[group] == nil {
			sets[group] = pflag.NewFlagSet(group, pflag.ContinueOnError)
		}
		shown := *flag
		if typed := flag.Value.Type(); typed != "bool" {
			shown.Value = namedValue{flag.Value, cmp.Or(value, typed)}
		}
		if shown.DefValue == "[]" { // pflag recognizes its own empty lists by their type
			shown.DefValue = ""
		}
		sets[group].AddFlag(&shown)
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	var out []flagGroup
	for _, one := range flagsByGroup {
		if set := sets[one.group]; set != nil {
			out = append(out, flagGroup{one.group, set})
		}
	}
	return out
}

// readsNothing annotates commands that read no user files.
const readsNothing = "goldenarch reads nothing"

// readsNothingAnnotations are the annotations of such a command.
func readsNothingAnnotations() map[string]string { return map[string]string{readsNothing: "true"} }

// namedValue is a value with another name for its type.
type namedValue struct {
	pflag.Value

	name string
}

// Type implements pflag.Value.
func (v namedValue) Type() string { return v.name }

// advisedVerbs are the verbs of the commands that findings advise, beside that of the run.
var advisedVerbs = []string{"check", "fix", "init", "lock"}

// rememberGiven keeps the flags that were given, for commands that findings advise. Clusters are
// handled in parallel, and reading cobra's flags changes them.
func (f *configFlags) rememberGiven() {
	f.advised = workspace.Commands{Verb: f.command.Name(), Path: f.command.CommandPath(), Given: map[string][]workspace.GivenFlag{}}
	for _, verb := range append(slices.Clone(advisedVerbs), f.advised.Verb) {
		f.advised.Given[verb] = f.givenFor(verb)
	}
}

// ofLock are the flags that say what is read, and how to reach registries.
var ofLock = []string{
	"config", "cr-path", "fleet", "workloads", "allow-insecure-credentials", "authfile", "registries-conf", "registry-allow",
}

// lockFlagsGiven returns those that were given, as words, and the settings for registries.
func (f *configFlags) lockFlagsGiven() []string {
	var out []string
	for _, name := range ofLock {
		if f.command.Flags().Changed(name) {
			out = append(out, wordsOf(f.command.Flags().Lookup(name))...)
		}
	}
	return append(out, f.settings.words((*setting).ofRegistry)...)
}

// givenFor returns the flags that were given and that another verb has, too.
func (f *configFlags) givenFor(verb string) []workspace.GivenFlag {
	other, _, err := f.command.Root().Find([]string{verb})
	if err != nil {
		other = f.command
	}
	var out []workspace.GivenFlag
	f.command.Flags().Visit(func(given *pflag.Flag) {
		if given.Name == setName {
			for _, one := range f.settings {
				if one.bySet() {
					out = append(out, workspace.GivenFlag{Name: one.scalar.Flag, Words: []string{"--" + setName, one.String()}})
				}
			}
			return
		}
		if same := other.Flags().Lookup(given.Name); same != nil && same.Usage == given.Usage {
			out = append(out, workspace.GivenFlag{Name: given.Name, Words: wordsOf(given)})
		}
	})
	return out
}

// valuesOf returns the values of a flag that was given.
func valuesOf(given *pflag.Flag) []string {
	if list, ok := given.Value.(cobra.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{given.Value.String()}
}

// elementsOf returns the elements of a list that a flag has, which may be repeated. Unlike pflag's
// own slices it keeps an empty element, which is then an error.
func elementsOf(values []string) []string {
	var out []string
	for _, value := range values {
		out = append(out, strings.Split(value, ",")...)
	}
	return out
}

// wordsOf returns a flag that was given as the words of a command line.
func wordsOf(given *pflag.Flag) []string {
	var out []string
	for _, value := range valuesOf(given) {
		switch given.NoOptDefVal {
		case value:
			out = append(out, "--"+given.Name)
		case "":
			out = append(out, "--"+given.Name, value)
		default:
			out = append(out, "--"+given.Name+"="+value)
		}
	}
	return out
}
