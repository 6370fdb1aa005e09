package cli

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// runFed runs goldenarch on standard input.
func runFed(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Execute(t.Context(), args, Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

// TestSettings: a list flag that is given twice is one list. What --set states once is the same in
// each spelling of the key, and as the flag that some options have.
func TestSettings(t *testing.T) {
	t.Parallel()
	emits := registryManifests(t)
	for _, tc := range []struct {
		reason string
		args   []string
		same   []string
	}{
		{"twice", []string{"--workload-architectures", "amd64", "--workload-architectures=arm64"}, []string{"--workload-architectures=amd64,arm64"}},
		{
			reason: "lists add up too",
			args:   []string{"--workload-architectures=amd64,arm64", "--workload-architectures=s390x"},
			same:   []string{"--workload-architectures=amd64,arm64,s390x"},
		},
		{"the same one again adds nothing", []string{"--workload-architectures=arm64", "--workload-architectures=arm64"}, []string{"--workload-architectures=arm64"}},
		{
			reason: "a key in its other spelling",
			args:   []string{stated, "--set", "expand-support=true", "--set=expand=Emit"},
			same:   []string{stated, "--set=expand=Emit", "--set=expandSupport=true"},
		},
		{"the same value again", []string{stated, "--set", "existing=Keep", "--set=existing= Keep "}, []string{stated, "--set=existing=Keep"}},
		{"a list", []string{"--set=workloadArchitectures=amd64, arm64"}, []string{"--workload-architectures=amd64,arm64"}},
		{"a flag of its own that says the same", []string{stated, "--set=workloadArchitectures=amd64,arm64", "--set=release=1.19"}, []string{stated}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runFed(t, emits, append([]string{"render", "-", "--release=1.19", "--control-plane-architectures=amd64"}, tc.args...)...)
			same, want, wantErrs := runFed(t, emits, append([]string{"render", "-", "--release=1.19", "--control-plane-architectures=amd64"}, tc.same...)...)
			if status != same || out != want || errs != wantErrs || want == "" {
				t.Errorf("%q is not as %q (%d, %d):\n%s\n%s", tc.args, tc.same, status, same, cmp.Diff(want, out), cmp.Diff(wantErrs, errs))
			}
		})
	}
}

// registryManifests returns a CR and a GoldenImages that says what its image has, so
// that no registry is asked.
func registryManifests(t *testing.T) string {
	t.Helper()
	const source = `{source: {http: {url: "https://example.com/disk.qcow2"}}}`
	if !strings.Contains(manifests, source) {
		t.Fatal("the template has another source now")
	}
	return strings.NewReplacer(
		source, `{source: {registry: {url: "docker://quay.io/x/app:1"}}, storage: {resources: {requests: {storage: 30Gi}}}}`,
		`schedule: ""`, `schedule: "0 1 * * *"`,
	).Replace(manifests) +
		"---\napiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
		"spec: {overrides: [{image: \"quay.io/x/app:1\", architectures: [amd64, arm64, s390x]}]}\n"
}

func TestMisuseSaysWhatIsMeant(t *testing.T) {
	t.Parallel()
	file := writeFile(t, t.TempDir(), "hco.yaml", manifests)
	for _, tc := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"a verb", []string{"rendr"}, `did you mean "render"?`},
		{"a verb of other programs", []string{"lint"}, `did you mean "check"?`},
		{"a verb cut short", []string{"fore"}, `did you mean "forecast"?`},
		{"a path in the place of a verb", []string{file}, "run: goldenarch render " + file},
		{"nothing near", []string{"xyzzy"}, `unknown command "xyzzy" for "goldenarch"`},
		{"a verb of a group", []string{"argocd", "discver"}, `did you mean "discover"?`},
		{"help about a verb", []string{"help", "rendr"}, `did you mean "render"?`},
		{"a shell", []string{"completion", "bsh"}, `did you mean "bash"?`},
		{"a flag", []string{"check", "--workload-architecture=amd64"}, `did you mean "--workload-architectures"?`},
		{"a flag of another verb", []string{"render", "--fail-on=info"}, `"goldenarch check" has it`},
		{
			reason: "a word",
			args:   []string{"render", "--set=existing=Narow"},
			want:   `flag --set existing: unknown value "Narow": expected one of Narrow, Replace, Keep; did you mean "Narrow"?`,
		},
		{"an architecture", []string{"render", "--workload-architectures=amd64", "--workload-architectures=arm46"}, `did you mean "arm64"?`},
		{"names its flag", []string{"render", "--workload-architectures=amd64,vax"}, `flag --workload-architectures: unknown architecture "vax"`},
		{"a number", []string{"render", "--set=registry-retries=many"}, `flag --set registry-retries: "many" is not a whole number`},
		{"a duration", []string{"resolve", "a", "--set=registryTimeout=2"}, `flag --set registryTimeout: is "2", expected a duration`},
		{"a boolean", []string{"render", "--set=expandSupport=tru"}, `flag --set expandSupport: "tru" is neither true nor false; did you mean "true"?`},
		{"a key", []string{"check", "--set=registryTimout=1m"}, `flag --set registryTimout: unknown setting "registryTimout"; did you mean "registryTimeout"?`},
		{"no key", []string{"check", "--set=colour=red"}, `flag --set colour: unknown setting "colour": expected one of workloadArchitectures, `},
		{"a key without a value", []string{"check", "--set", "gate"}, "flag --set gate: there is no value: write gate=VALUE"},
		{
			reason: "a key with two values",
			args:   []string{"fix", "--set=allow=amd64", "--set=allow=arm64"},
			want:   `flag --set allow: the value "arm64" contradicts --set allow, which states "amd64": leave out one of them`,
		},
		{
			reason: "a key and its flag",
			args:   []string{"check", "--release=1.19", "--set=release=1.18"},
			want:   `flag --set release: the value "1.18" contradicts --release, which states "1.19": leave out one of them`,
		},
		{"in the other order", []string{"check", "--set=inputs=a", "--inputs=b"}, `flag --inputs: the value "b" contradicts --set inputs, which states "a"`},
		{"a setting that was a flag", []string{"check", "--registry-timeout", "1m"}, "unknown flag: --registry-timeout: write --set registryTimeout=VALUE"},
		{"also where it is like another flag", []string{"check", "--allow=amd64"}, "unknown flag: --allow: write --set allow=VALUE"},
		{"also where another verb has such a flag", []string{"render", "--gate=Enable"}, "unknown flag: --gate: write --set gate=VALUE"},
		{"also as it is spelled in a configuration", []string{"lock", "--registryRetries=2"}, "write --set registryRetries=VALUE"},
		{"also of the function", []string{"--expand=Emit"}, "unknown flag: --expand: write --set expand=VALUE"},
		{"a flag of the nodes for a verb that needs none", []string{"lock", "--workload-architectures=amd64"}, `"goldenarch lock" does not`},
		{"a verb without a configuration", []string{"explain", "--set=gate=Keep"}, "unknown flag: --set"},
		{"a decision that a later run of another verb would not have", []string{"init", "--set=gate=Enable"}, "flag --set gate: init does not store it"},
		{
			reason: "an output",
			args:   []string{"check", "-o", "jsn"},
			want:   `flag --output: unknown output "jsn": expected text, json, markdown, html, sarif, junit or github; did you mean "json"?`,
		},
		{"an output of another verb", []string{"forecast", "--output=txt"}, `did you mean "text"?`},
		{"a file for the output of a verb that writes none", []string{"forecast", "--output=json=x"}, `unknown output "json=x": expected text, json`},
		{"a severity", []string{"check", "--fail-on=eror"}, `flag --fail-on: unknown severity "eror": expected error, warning or info; did you mean "error"?`},
		{"an admission", []string{"forecast", "--admission=skp"}, `flag --admission: unknown admission "skp": expected apply or skip; did you mean "skip"?`},
		{"a finding", []string{"explain", "GA1O4"}, `did you mean "GA104"?`},
		{"a number of clusters", []string{"check", "--expect-clusters=-2"}, "flag --expect-clusters: -2 is not a number of clusters"},
		{"an argument too few", []string{"customize", "--disable"}, `"goldenarch customize" needs TEMPLATE: run goldenarch customize TEMPLATE [PATH]`},
		{"none of several", []string{"resolve"}, `"goldenarch resolve" needs IMAGE: run goldenarch resolve IMAGE...`},
		{
			reason: "an argument too many",
			args:   []string{"init", "a", "b"},
			want:   `"goldenarch init" takes 1 argument at most, and "b" is one more: run goldenarch init [DIR]`,
		},
		{"an argument after the last", []string{"copy-to", "a", "b"}, `"goldenarch copy-to" takes 1 argument at most, and "b" is one more`},
		{"an argument of a verb without any", []string{"version", "x"}, `"goldenarch version" takes no arguments, and there is "x"`},
		{"an argument of a shell", []string{"completion", "zsh", "x"}, `"goldenarch completion zsh" takes no arguments, and there is "x"`},
		{"an argument of a verb of a group", []string{"argocd", "discover", "x"}, `"goldenarch argocd discover" takes no arguments`},
		{"a stream in place of a lock", []string{"lock", file, "--file=-"}, "flag --file: - is no standard input or output here: name a file"},
		{"a stream in place of a file of findings", []string{"render", file, "--findings-file", "-"}, "flag --findings-file: - is no standard"},
		{"a stream in place of a configuration", []string{"check", file, "--config=-"}, "flag --config: - is no standard"},
		{"a file of an empty variable", []string{"check", file, "--live="}, "flag --live: the value is empty, as that of a variable that is not set: state FILE"},
		{"a configuration of one", []string{"render", file, "--config", ""}, "flag --config: the value is empty"},
		{"findings of one", []string{"render", file, "--findings-file="}, "flag --findings-file: the value is empty"},
		{"a lock of one", []string{"lock", file, "--file="}, "flag --file: the value is empty"},
		{"one of several files", []string{"check", file, "--nodes="}, "flag --nodes: the value is empty"},
		{"a commit of one", []string{"check", file, "--untrusted", "--base="}, "flag --base: the value is empty"},
		{"a budget of one", []string{"plan", file, "--storage-budget="}, "flag --storage-budget: the value is empty"},
		{"a release of one", []string{"plan", file, "--to-release="}, "flag --to-release: the value is empty"},
		{"a list of one", []string{"plan", file, "--add-architecture", ""}, "flag --add-architecture: the value is empty"},
		{"blanks", []string{"render", file, "--config", " "}, "flag --config: the value is empty"},
		{"a second value of one", []string{"plan", file, "--remove-architecture=arm64", "--remove-architecture="}, "flag --remove-architecture: the value is empty"},
		{
			reason: "a second value of an option",
			args:   []string{"render", file, "--workload-architectures=arm64", "--workload-architectures="},
			want:   `flag --workload-architectures: the list "arm64," has an empty element`,
		},
		{"an image of one", []string{"lock", file, "--only="}, "flag --only: the value is empty"},
		{"an element of one", []string{"lock", file, "--only=quay.io/a/b,"}, "--only"},
		{"a word of one", []string{"plan", file, "--gate="}, "flag --gate: the value is empty, as that of a variable that is not set: state MODE"},
		{"a setting of one", []string{"check", file, "--set=gate="}, "flag --set gate: there is no value: write gate=VALUE, or leave out the flag"},
		{"a word that no value is, before what contradicts it", []string{"check", file, "--offline", "--set=lock=nosuch"}, `flag --set lock: unknown mode "nosuch"`},
		{"a form of one", []string{"check", file, "--as="}, "flag --as: the value is empty"},
		{"of the function", []string{"--release="}, "flag --release: the value is empty"},
		{"a place twice with two versions", []string{"fix", "--cr-path=v.yaml#a@v1", "--cr-path=v.yaml#.a@v1beta1"}, "names the same place with another version"},
		{"a switch that is no truth value", []string{"check", file, "--strict="}, `invalid argument "" for "--strict" flag: it is neither`},
		{"a count that is none", []string{"check", file, "--expect-clusters=two"}, `invalid argument "two" for "--expect-clusters" flag: it is not a whole number`},
		{"a flag without its value", []string{"render", "--config"}, "flag needs an argument: --config"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runFed(t, "", tc.args...)
			if status != statusMisuse || out != "" || !strings.Contains(errs, tc.want) {
				t.Errorf("want status 2 and %q, got %d, %q and %q", tc.want, status, out, errs)
			}
		})
	}
}

func TestVersionFlag(t *testing.T) {
	t.Parallel()
	_, want, _ := runFed(t, "", "version")
	if status, out, errs := runFed(t, "", "--version"); status != 0 || out != want || errs != "" {
		t.Errorf("want %q, got status %d, %q, %q", want, status, out, errs)
	}
}

// TestSettingsWithoutEffect: a verb takes each setting, as each field of a configuration. What it does
// not depend on changes nothing of what it prints.
func TestSettingsWithoutEffect(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"mode": "Check", "existing": "Keep", "allow": "s390x", "unsupported": "Fail", "unresolved": "Keep", "gate": "Enable", "defaults": "Write",
		"expand": "TakeOver", "expandDataSources": "None", "expandPredefined": "true", "expandSupport": "true", "expandReplaceOnChange": "true",
		"lock": "Require",
	}
	queries := map[string]string{
		"workloads": "Affinity", "verify": "config", "registryTimeout": "1ms", "registryRequestTimeout": "1ms", "registryRetries": "0",
		"registryConcurrency": "1", "registryRequestsPerSecond": "1", "registryInsecure": "quay.io", "registryPullSecrets": "no",
		"registryCertificateAuthorities": "no",
	}
	cluster := map[string]string{
		"workloadArchitectures": "s390x", "controlPlaneArchitectures": "s390x", "platform": "kubernetes", "singleArchitecture": "arm64",
		"expandNamespace": "elsewhere",
	}
	tree := newLockedTree(t)
	for verb, tc := range map[string]struct {
		args []string
		more map[string]string // that have no effect
	}{
		"forecast": {[]string{"forecast", "-", stated, "--release=1.19"}, queries},
		"lock":     {[]string{"lock", "--check", tree.dir, "--set=registryInsecure=" + tree.registry.Host()}, cluster},
	} {
		_, want, _ := runFed(t, manifests, tc.args...)
		if want == "" {
			t.Fatalf("%s: prints nothing", verb)
		}
		all := maps.Clone(values)
		maps.Copy(all, tc.more)
		for key, value := range all {
			if _, out, errs := runFed(t, manifests, append(slices.Clone(tc.args), "--set", key+"="+value)...); out != want {
				t.Errorf("%s --set %s=%s does something:\n%s%s", verb, key, value, cmp.Diff(want, out), errs)
			}
		}
	}
}

func command(t *testing.T, path ...string) *cobra.Command {
	t.Helper()
	root := newRoot(Streams{})
	strict(root)
	cmd, _, err := root.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestHelp: flags are in groups, with what they are without the flag, and a boolean takes no word. What each verb has is in docs/cli.
func TestHelp(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"render --help": {
			"\nInput flags:\n", "\nCluster flags:\n", "\nDecision flags:\n", "\nRegistry and lock flags:\n", "\nOutput flags:\n", "\nGeneral flags:\n",
			"--set KEY=VALUE ", "--workload-architectures ARCH,... ", "(default 64Mi)",
		},
		"--help": {"Commands:\n check ", "resolve     Print the architectures of images\n\nOther commands:\n  argocd ", "\n  copy-to "},
	} {
		status, out, errs := runFed(t, "", strings.Fields(args)...)
		for _, part := range want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(part), " ")) { // whatever the lines
				t.Errorf("%s: want %q in:\n%s", args, part, out)
			}
		}
		if status != 0 || errs != "" || strings.Contains(out, "--fail-on") || strings.Contains(out, "true, false") {
			t.Errorf("%s: status %d\n%s%s", args, status, errs, out)
		}
	}
}

// TestFlagsInHelp: each flag is in a group of help, which shows what the flag takes, such as FILE or ARCH,..., and no type of the program.
// No flag has left its row behind.
func TestFlagsInHelp(t *testing.T) {
	t.Parallel()
	value := regexp.MustCompile(`^[A-Z]+([#=][A-Z]+)?(,\.\.\.)?$`)
	flags := map[string]bool{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, group := range flagGroups(cmd) {
			group.flags.VisitAll(func(flag *pflag.Flag) {
				flags[flag.Name] = true
				if in, _ := inHelp(flag.Name); in == "" {
					t.Errorf("--%s is in no group", flag.Name)
				}
				if shown, _ := pflag.UnquoteUsage(flag); flag.Value.Type() != "bool" && !value.MatchString(shown) {
					t.Errorf("%s --%s shows %q: give it a name in flagsByGroup", cmd.CommandPath(), flag.Name, shown)
				}
			})
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(command(t))
	for _, one := range flagsByGroup {
		for _, text := range one.flags {
			if name, _, _ := strings.Cut(text, " "); !flags[name] {
				t.Errorf("no verb has --%s of the group %s", name, one.group)
			}
		}
	}
}

// TestExplain: each finding has a page in the program, without the marks of a web page.
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, id := range finding.IDs() {
		status, out, errs := runFed(t, "", "explain", id)
		switch {
		case status != 0 || errs != "":
			t.Errorf("%s: status %d: %s", id, status, errs)
		case !strings.HasPrefix(out, id+": ") || strings.Count(out, "\n") < 3:
			t.Errorf("%s: too short:\n%s", id, out)
		case strings.Contains(out, "](") || strings.Contains(out, "**") || strings.Contains(out, "\n#"):
			t.Errorf("%s: has marks of a web page:\n%s", id, out)
		}
	}
	_, want, _ := runFed(t, "", "explain", "GA104", "GA114")
	if _, out, _ := runFed(t, "", "explain", "ga104", "114"); out != want || !strings.Contains(want, "\n\nGA114: ") {
		t.Errorf("an id is known without its capitals and its letters: %s", out)
	}
	if _, out, _ := runFed(t, "", "explain"); strings.Count(out, "\n") != len(finding.IDs()) || !strings.Contains(out, "GA114  ") {
		t.Errorf("without an id all are listed: %s", out)
	}
	for text, want := range map[string]string{
		"HCOMultiArchGoldenImagesDisabled": "GA430: ", "HCOGoldenImageWithNoArchitectureAnnotation": "GA515: ", "unsupportedarchitectures": "GA515: ",
		"BdsDxe": "GA903: ", "exec format error": "GA701: ", "kubevirt": "GA901  ",
	} {
		if status, out, _ := runFed(t, "", append([]string{"explain"}, strings.Fields(text)...)...); status != 0 || !strings.Contains("\n"+out, "\n"+want) {
			t.Errorf("explain %s: want status 0 and %q, got %d\n%s", text, want, status, out)
		}
	}
	if status, _, stderr := runFed(t, "", "explain", "no such words"); status != 2 || !strings.Contains(stderr, "does not have this text") {
		t.Errorf("an unknown text: want status 2, got %d\n%s", status, stderr)
	}
	if status, out, _ := runFed(t, "", "explain", "GA736"); status != 0 || !strings.Contains(out, "no finding has this id any more") {
		t.Errorf("a retired id is known: status %d, %s", status, out)
	}
}

// TestAdvisedCommandsHaveTheSettings: a command that a finding advises decides as the run does, so it has
// the same settings. One that only writes the lock has those for registries.
func TestAdvisedCommandsHaveTheSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "hco.yaml", oneTemplate("v1beta1", "", ""))
	known := []string{"--release", "1.19", "--workload-architectures", "amd64,arm64", "--offline", "--set", "predefined=none"}
	for _, tc := range []struct {
		reason      string
		args        []string
		want, never string
	}{
		{
			reason: "a command that fixes",
			args:   []string{"check", "hco.yaml", "--image", "quay.io/acme/app:1=amd64,arm64", "--set=registry-retries=2", "--set=allow= arm64, amd64"},
			want: "    goldenarch fix hco.yaml --image quay.io/acme/app:1=amd64,arm64 --offline --release 1.19 " +
				"--set registryRetries=2 --set 'allow=arm64, amd64' --set predefined=none ",
		},
		{
			reason: "a command that locks",
			args:   []string{"render", "hco.yaml", "--set=registryInsecure=quay.io", "--set=gate=Keep"},
			want:   "goldenarch lock hco.yaml --only quay.io/acme/app:1 --set registryInsecure=quay.io",
			never:  "--set gate=Keep",
		},
	} {
		out, messages, status := runIn(t, dir, append(tc.args, known...)...)
		out += messages
		if status != statusFailed || !strings.Contains(out, tc.want) || tc.never != "" && strings.Contains(out, tc.never) {
			t.Errorf("%s: want %q and not %q, got %d\n%s", tc.reason, tc.want, tc.never, status, out)
		}
	}
}
