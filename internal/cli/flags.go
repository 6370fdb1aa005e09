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
	"github.com/goldenarch/goldenarch/internal/argocd"
	"github.com/goldenarch/goldenarch/internal/configuration"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/images/confine"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/pipeline"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// configFlags are the flags with the names of the configuration's scalar keys. A flag
// takes precedence over the options of an Argo CD Application, and those over the
// configuration.
type configFlags struct {
	values   optionFlags
	registry registryFlags
	command  *cobra.Command
	offline  bool
	images   []string            // of --image
	stated   []v1alpha1.Override // what they state
	// queriesAll reports that the verb queries all images, whatever the lock contains.
	queriesAll bool
	// idle are the flags that the verb accepts and ignores: users pass the same flags
	// to several verbs.
	idle []string

	// given are the flags that were given, as words, for the commands that findings advise.
	given map[string][]string

	// application has the options that an Application of Argo CD sets, by flag.
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
		image, list, is := strings.Cut(text, "=")
		if !is || strings.TrimSpace(list) == "" {
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

// addOffline adds the flag of verbs that can run without a network.
func (f *configFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "query no registry: the same as --lock Require")
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
		return misuse{err}
	}
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
		Application: f.application, Flags: f.values.given(), Images: f.stated,
		Offline: f.offline, QueriesAll: f.queriesAll,
	}
	if ctx := f.command.Context(); ctx != nil {
		o.RegistryTimeout = argocd.RegistryTimeout(ctx)
	}
	return o
}

// function returns the function with the settings of this process.
func (f *configFlags) function() (pipeline.Function, error) {
	if err := f.check(); err != nil {
		return pipeline.Function{}, err
	}
	f.rememberGiven()
	dir, err := os.Getwd()
	if err != nil {
		return pipeline.Function{}, fmt.Errorf("find the working directory: %w", err)
	}
	return pipeline.Function{
		Options: f.options(), Registry: f.registry.options(), LockFlags: f.lockFlagsGiven(),
		Dir: dir, WorkDir: dir, ArgoCD: argocd.In(os.LookupEnv), Open: noted,
	}, nil
}

// options returns the flags as options for registries.
func (f *registryFlags) options() registry.Options {
	return registry.Options{
		AuthFile: f.authFile, RegistriesConf: f.registriesConf, AllowInsecureCredentials: f.insecureCredentials,
		Allow: f.allow, NoLogins: f.noLogins, UserAgent: "goldenarch/" + currentBuild().version,
	}
}

// flagsByGroup has the flags of all commands by their groups in help, in the order of these.
var flagsByGroup = []struct {
	group string
	flags []string
}{
	{"Input", []string{
		"config", "cr-path", "inputs", "max-file-size",
	}},
	{"Cluster", []string{
		"workload-architectures", "control-plane-architectures", "nodes", "live", "fleet", "facts", "to-release", "add-architecture",
		"remove-architecture", "platform", "release", "predefined",
	}},
	{"Decision", []string{
		"untrusted", "policy-ref", "mode", "as", "workloads", "machines", "existing", "allow", "unsupported", "unresolved", "gate",
		"single-architecture", "defaults", "admission", "expand", "expand-namespace", "expand-data-sources", "expand-predefined", "expand-support",
		"expand-replace-on-change", "host", "argocd", "argocd-image", "image", "set-image", "disable", "enable", "only", "prune",
	}},
	{"Registry and lock", []string{
		"lock", "offline", "verify", "authfile", "registries-conf", "registry-allow", "allow-insecure-credentials",
		"registry-timeout", "registry-request-timeout", "registry-retries", "registry-concurrency", "registry-requests-per-second",
		"registry-insecure", "registry-pull-secrets", "registry-certificate-authorities",
	}},
	{"Output", []string{
		"expect-clusters", "allow-empty", "output", "findings-file", "fail-on", "strict", "no-flux-substitution", "file", "check", "diff", "patch",
		"abort", "keep-going", "undo", "leftovers", "storage-budget", "no-descriptions",
	}},
	{groupGeneral, []string{"help", "version"}},
}

// groupGeneral is also the group of a flag that has none.
const groupGeneral = "General"

// groupOf returns the group of a flag, "" for none.
func groupOf(flag string) string {
	for _, one := range flagsByGroup {
		if slices.Contains(one.flags, flag) {
			return one.group
		}
	}
	return ""
}

// flagGroup has the flags of a command that are in one group.
type flagGroup struct {
	name  string
	flags *pflag.FlagSet
}

// flagGroups returns the flags that have an effect on a command, by group. A flag
// without a group is a general one. Only commands that read files have the limit of
// their sizes.
func flagGroups(cmd *cobra.Command) []flagGroup {
	cmd.InitDefaultHelpFlag()
	sets := map[string]*pflag.FlagSet{}
	add := func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "max-file-size" && cmd.Annotations[readsNothing] != "" {
			return
		}
		name := cmp.Or(groupOf(flag.Name), groupGeneral)
		if sets[name] == nil {
			sets[name] = pflag.NewFlagSet(name, pflag.ContinueOnError)
		}
		sets[name].AddFlag(withValueName(flag))
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

// valueOf has what help shows for the value of each flag: what it is, and not its type in
// the program.
var valueOf = map[string]string{
	"config": "FILE", "cr-path": "FILE#PATH", "inputs": "FILE,...", "max-file-size": "SIZE", "nodes": "FILE", "live": "FILE", "fleet": "FILE", "facts": "FILE",
	"file": "FILE", "findings-file": "FILE", "authfile": "FILE", "registries-conf": "FILE", "registry-allow": "HOST,...", "policy-ref": "REF",
	"argocd": "DIR", "argocd-image": "IMAGE",

	"workload-architectures": "ARCH,...", "control-plane-architectures": "ARCH,...", "allow": "ARCH,...", "single-architecture": "ARCH",
	"platform": "PLATFORM", "release": "RELEASE", "image": "REF=ARCH,...", "set-image": "IMAGE", "only": "IMAGE,...", "expand-namespace": "NAMESPACE",

	"mode": "MODE", "workloads": "MODE", "machines": "MODE", "gate": "MODE", "expand": "MODE", "lock": "MODE", "admission": "MODE", "host": "HOST",
	"existing": "POLICY", "unsupported": "POLICY", "unresolved": "POLICY", "defaults": "POLICY",
	"expand-data-sources": "POLICY", "predefined": "PRODUCT", "verify": "LEVEL", "output": "FORMAT", "fail-on": "SEVERITY",
	"as": "FORM", "expect-clusters": "NUMBER",
	"to-release": "RELEASE", "add-architecture": "ARCH,...", "remove-architecture": "ARCH,...", "storage-budget": "SIZE",

	"registry-timeout": "DURATION", "registry-request-timeout": "DURATION",
	"registry-retries": "NUMBER", "registry-concurrency": "NUMBER", "registry-requests-per-second": "NUMBER",
	"registry-insecure": "HOST,...", "registry-pull-secrets": "NAME,...", "registry-certificate-authorities": "NAME,...",
}

// withValueName returns a flag for help, with the name of its value.
func withValueName(flag *pflag.Flag) *pflag.Flag {
	if flag.Value.Type() == "bool" {
		return flag
	}
	shown := *flag
	shown.Value = namedValue{flag.Value, cmp.Or(valueOf[flag.Name], flag.Value.Type())}
	if shown.DefValue == "[]" { // pflag recognizes its own empty lists by their type
		shown.DefValue = ""
	}
	return &shown
}

// namedValue is a value with another name for its type.
type namedValue struct {
	pflag.Value

	name string
}

// Type implements pflag.Value.
func (v namedValue) Type() string { return v.name }

// optionFlag is the value of a flag that sets an option of the configuration. It keeps
// the text: [v1alpha1.Scalar] reads it like the text in a ConfigMap.
type optionFlag struct {
	scalar v1alpha1.Scalar
	text   string // what the user gave, or else the default
	given  bool
}

// Set implements pflag.Value. A repeated list flag adds its values.
func (o *optionFlag) Set(text string) error {
	if o.given && o.scalar.Form == v1alpha1.FormList {
		text = o.text + "," + text
	}
	o.text, o.given = text, true
	if o.scalar.Form == v1alpha1.FormBool {
		return o.scalar.Set(&v1alpha1.GoldenImagesSpec{}, text)
	}
	return nil
}

// String implements pflag.Value.
func (o *optionFlag) String() string { return o.text }

// Type implements pflag.Value: help shows it after the name of the flag.
func (o *optionFlag) Type() string {
	switch o.scalar.Form {
	case v1alpha1.FormList:
		return "list"
	case v1alpha1.FormBool:
		return "bool"
	case v1alpha1.FormNumber:
		return "int"
	case v1alpha1.FormText:
	}
	return "string"
}

// optionFlags are the flags of a command that set options, by name.
type optionFlags map[string]*optionFlag

// addOptions adds the flags of options to a command.
func addOptions(cmd *cobra.Command, scalars []v1alpha1.Scalar) optionFlags {
	var standard v1alpha1.GoldenImagesSpec
	standard.Default()
	out := optionFlags{}
	for _, scalar := range scalars {
		value := &optionFlag{scalar: scalar, text: scalar.Get(&standard)}
		help := scalar.Help
		if scalar.Form == v1alpha1.FormBool {
			help = strings.TrimSuffix(help, trueOrFalse)
		}
		flag := cmd.Flags().VarPF(value, scalar.Flag, "", help)
		if scalar.Form == v1alpha1.FormBool {
			flag.NoOptDefVal = "true"
		}
		out[scalar.Flag] = value
	}
	return out
}

// trueOrFalse is the end of the help of a boolean option. Users know the values of a
// boolean flag, so the help of the flag omits them.
const trueOrFalse = ": true, false"

// given returns the options that the user gave, by flag.
func (o optionFlags) given() map[string]string {
	out := map[string]string{}
	for name, value := range o {
		if value.given {
			out[name] = value.text
		}
	}
	return out
}

// scalarsOf returns the options with these flags.
func scalarsOf(flags ...string) []v1alpha1.Scalar {
	return slices.DeleteFunc(v1alpha1.Scalars(), func(s v1alpha1.Scalar) bool { return !slices.Contains(flags, s.Flag) })
}

// joinBooleans joins "--expand-support true" into one argument: these flags took their
// value as the next argument before they became booleans.
func joinBooleans(args []string) []string {
	names := map[string]bool{}
	for _, scalar := range v1alpha1.Scalars() {
		names["--"+scalar.Flag] = scalar.Form == v1alpha1.FormBool
	}
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if names[args[i]] && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			out = append(out, args[i]+"="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// untold are the flags that say what one run writes and where, and whom it trusts. An advised
// command has its own.
var untold = []string{"abort", "check", "diff", "patch", "policy-ref", "undo", "untrusted"}

// advisedVerbs are the verbs of the commands that findings advise, beside that of the run.
var advisedVerbs = []string{"fix", "init", "lock"}

// rememberGiven keeps the flags that were given, for commands that findings advise. Clusters are
// handled in parallel, and reading cobra's flags changes them.
func (f *configFlags) rememberGiven() {
	f.given = map[string][]string{}
	for _, verb := range append(slices.Clone(advisedVerbs), f.command.Name()) {
		f.given[verb] = f.givenFor(verb, untold)
	}
}

// ofLock are the flags that say what is read, and how to reach registries.
var ofLock = []string{
	"config", "cr-path", "fleet", "workloads",
	"allow-insecure-credentials", "authfile", "registries-conf", "registry-allow", "registry-insecure",
}

// lockFlagsGiven returns those that were given, as words.
func (f *configFlags) lockFlagsGiven() []string {
	var out []string
	for _, name := range ofLock {
		if f.command.Flags().Changed(name) {
			out = append(out, wordsOf(f.command.Flags().Lookup(name))...)
		}
	}
	return out
}

// givenFor returns the flags that were given and that another verb has, too, as words.
func (f *configFlags) givenFor(verb string, without []string) []string {
	other, _, err := f.command.Root().Find([]string{verb})
	if err != nil {
		other = f.command
	}
	var out []string
	f.command.Flags().Visit(func(given *pflag.Flag) {
		same := other.Flags().Lookup(given.Name)
		if same != nil && same.Usage == given.Usage && !slices.Contains(without, given.Name) {
			out = append(out, wordsOf(given)...)
		}
	})
	return out
}

// valuesOf returns the values of a flag that was given.
func valuesOf(given *pflag.Flag) []string {
	if list, is := given.Value.(cobra.SliceValue); is {
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

// commandLine returns a command with another verb, or the same one, that decides what this
// run decides: it has the flags that were given. words are its other flags and its paths.
func (f *configFlags) commandLine(verb string, words ...string) string {
	return sanitize.Command(slices.Concat([]string{"goldenarch", verb}, words, f.given[verb])...)
}
