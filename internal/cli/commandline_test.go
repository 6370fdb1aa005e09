package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/finding"
)

// runFed runs goldenarch on standard input.
func runFed(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Execute(t.Context(), args, Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

// TestListFlagsAddUp: a list that is given twice is one list. The flags of booleans
// take no value, or the one that follows them, as they did before they were booleans.
func TestListFlagsAddUp(t *testing.T) {
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
		{"of a word the last one counts", []string{stated, "--existing=Narrow", "--existing=Keep"}, []string{stated, "--existing=Keep"}},
		{"a boolean", []string{stated, "--expand=Emit", "--expand-support"}, []string{stated, "--expand=Emit", "--expand-support=true"}},
		{"a boolean with the value after it", []string{stated, "--expand=Emit", "--expand-support", "true"}, []string{stated, "--expand=Emit", "--expand-support"}},
		{"and with false", []string{stated, "--expand=Emit", "--expand-support", "false"}, []string{stated, "--expand=Emit"}},
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
		{"a word", []string{"render", "--existing=Narow"}, `flag --existing: unknown value "Narow": expected one of Narrow, Replace, Keep; did you mean "Narrow"?`},
		{"an architecture", []string{"render", "--workload-architectures=amd64", "--workload-architectures=arm46"}, `did you mean "arm64"?`},
		{"names its flag", []string{"render", "--workload-architectures=amd64,vax"}, `flag --workload-architectures: unknown architecture "vax"`},
		{"a number", []string{"render", "--registry-retries=many"}, `flag --registry-retries: "many" is not a whole number`},
		{"a duration", []string{"resolve", "a", "--registry-timeout=2"}, `flag --registry-timeout: is "2", expected a duration`},
		{"a boolean", []string{"render", "--expand-support=tru"}, `"--expand-support"`},
		{
			reason: "an output",
			args:   []string{"check", "-o", "jsn"},
			want:   `flag --output: unknown output "jsn": expected text, json, markdown, html, sarif, junit or github; did you mean "json"?`,
		},
		{"an output of another verb", []string{"forecast", "--output=txt"}, `did you mean "text"?`},
		{"a severity", []string{"check", "--fail-on=eror"}, `flag --fail-on: unknown severity "eror": expected error, warning or info; did you mean "error"?`},
		{"an admission", []string{"forecast", "--admission=skp"}, `flag --admission: unknown admission "skp": expected apply or skip; did you mean "skip"?`},
		{"a finding", []string{"explain", "GA1O4"}, `did you mean "GA104"?`},
		{"flags that contradict each other", []string{"fix", "--abort", "--undo"}, "--abort and --undo contradict each other"},
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
		{"a commit of one", []string{"check", file, "--untrusted", "--policy-ref="}, "flag --policy-ref: the value is empty"},
		{"a budget of one", []string{"plan", file, "--storage-budget="}, "flag --storage-budget: the value is empty"},
		{"a release of one", []string{"plan", file, "--to-release="}, "flag --to-release: the value is empty"},
		{"a list of one", []string{"plan", file, "--add-architecture", ""}, "flag --add-architecture: the value is empty"},
		{"blanks", []string{"render", file, "--registry-insecure", " "}, "flag --registry-insecure: the value is empty"},
		{"a second value of one", []string{"plan", file, "--remove-architecture=arm64", "--remove-architecture="}, "flag --remove-architecture: the value is empty"},
		{"a second value of an option", []string{"render", file, "--allow=arm64", "--allow="}, `flag --allow: the list "arm64," has an empty element`},
		{"an image of one", []string{"lock", file, "--only="}, "flag --only: the value is empty"},
		{"an element of one", []string{"lock", file, "--only=quay.io/a/b,"}, "--only"},
		{"a word of one", []string{"check", file, "--gate="}, "flag --gate: the value is empty, as that of a variable that is not set: state MODE"},
		{"a word that no value is, before what contradicts it", []string{"check", file, "--offline", "--lock=nosuch"}, `flag --lock: unknown mode "nosuch"`},
		{"a form of one", []string{"check", file, "--as="}, "flag --as: the value is empty"},
		{"a truth value of one", []string{"render", file, "--expand-support="}, "flag --expand-support: the value is empty, as"},
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

// TestIdleFlagsDoNothing: a flag that help does not show for a verb changes nothing
// of what it prints, and the user is told.
func TestIdleFlagsDoNothing(t *testing.T) {
	t.Parallel()
	other := map[string]string{
		"mode":                             "Check",
		"workloads":                        "Affinity",
		"platform":                         "kubernetes",
		"existing":                         "Keep",
		"allow":                            "s390x",
		"unsupported":                      "Fail",
		"unresolved":                       "Keep",
		"gate":                             "Enable",
		"single-architecture":              "arm64",
		"defaults":                         "Write",
		"expand":                           "TakeOver",
		"expand-namespace":                 "elsewhere",
		"expand-data-sources":              "None",
		"expand-predefined":                "true",
		"expand-support":                   "true",
		"expand-replace-on-change":         "true",
		"lock":                             "Require",
		"verify":                           "config",
		"registry-timeout":                 "1ms",
		"registry-request-timeout":         "1ms",
		"registry-retries":                 "0",
		"registry-concurrency":             "1",
		"registry-requests-per-second":     "1",
		"registry-insecure":                "quay.io",
		"registry-pull-secrets":            "no",
		"registry-certificate-authorities": "no",
		"workload-architectures":           "s390x",
		"control-plane-architectures":      "s390x",
		"allow-insecure-credentials":       "true",
		"authfile":                         "none",
		"registries-conf":                  "none",
		"registry-allow":                   "quay.example",
		"offline":                          "true",
	}
	tree := newLockedTree(t)
	tried := 0
	for verb, args := range map[string][]string{
		"forecast": {"forecast", "-", stated, "--release=1.19"},
		"lock":     {"lock", "--check", tree.dir, "--registry-insecure=" + tree.registry.Host()},
	} {
		_, want, _ := runFed(t, manifests, args...)
		if want == "" {
			t.Fatalf("%s: prints nothing", verb)
		}
		cmd := command(t, verb)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				return
			}
			tried++
			if other[flag.Name] == "" {
				t.Fatalf("no value to try of --%s", flag.Name)
			}
			_, out, errs := runFed(t, manifests, append(slices.Clone(args), "--"+flag.Name+"="+other[flag.Name])...)
			if out != want {
				t.Errorf("%s --%s: is hidden and does something:\n%s", verb, flag.Name, cmp.Diff(want, out))
			}
			if !strings.Contains(errs, "info GA132") || !strings.Contains(errs, "--"+flag.Name) {
				t.Errorf("%s --%s: nobody says that it does nothing: %s", verb, flag.Name, errs)
			}
		})
	}
	if tried < 35 {
		t.Errorf("only %d flags were tried", tried)
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

// TestHelp: flags are in groups, with what they are without the flag, and a boolean
// takes no word.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		args   []string
		want   []string
		never  []string
	}{
		{
			"groups and defaults",
			[]string{"render", "--help"},
			[]string{
				"\nInput flags:\n", "\nCluster flags:\n", "\nDecision flags:\n", "\nRegistry and lock flags:\n",
				"\nOutput flags:\n", "\nGeneral flags:\n",
				"(default Narrow)", "(default Auto)", "(default 100)",
				"(default 4)", "(default 2m)", "--expand-support  ", "--registry-retries NUMBER ",
				"--allow ARCH,... ",
			},
			[]string{"--expand-support string", "--fail-on", "true, false"},
		},
		{
			reason: "forecast queries no registry",
			args:   []string{"forecast", "-h"},
			want:   []string{"--workload-architectures"},
			never:  []string{"Registry", "--existing", "--lock", "--authfile"},
		},
		{"lock needs no nodes", []string{"help", "lock"}, []string{"--registry-timeout", "--only"}, []string{"--workload-architectures", "--gate", "--lock "}},
		{"a verb that reads no file", []string{"version", "--help"}, []string{"General flags"}, []string{"--max-file-size"}},
		{"so does explain", []string{"explain", "--help"}, []string{"General flags"}, []string{"--max-file-size"}},
		{"the verbs are listed", []string{"--help"}, []string{"explain     ", "--version"}, nil},
		{
			"what hosts and installations call comes after them",
			[]string{"--help"},
			[]string{"Commands:\n check ", "resolve     Print the architectures of images\n\nOther commands:\n  argocd ", "\n  copy-to "},
			nil,
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runFed(t, "", tc.args...)
			if status != 0 || errs != "" {
				t.Fatalf("status %d: %s", status, errs)
			}
			for _, want := range tc.want {
				if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) { // whatever the lines
					t.Errorf("want %q in:\n%s", want, out)
				}
			}
			for _, never := range tc.never {
				if strings.Contains(out, never) {
					t.Errorf("want no %q in:\n%s", never, out)
				}
			}
		})
	}
}

// TestEveryFlagHasAGroup: help would put a new one among the general flags.
func TestEveryFlagHasAGroup(t *testing.T) {
	t.Parallel()
	flags := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { flags[flag.Name] = true })
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(command(t))
	for name := range flags {
		if groupOf(name) == "" {
			t.Errorf("--%s is in no group", name)
		}
	}
	if len(flags) < 40 || len(flags) < len(v1alpha1.Scalars()) {
		t.Errorf("only %d flags", len(flags))
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
	_, want, _ := runFed(t, "", "explain", "GA104", "GA301")
	if _, out, _ := runFed(t, "", "explain", "ga104", "301"); out != want || !strings.Contains(want, "\n\nGA301: ") {
		t.Errorf("an id is known without its capitals and its letters: %s", out)
	}
	if _, out, _ := runFed(t, "", "explain"); strings.Count(out, "\n") != len(finding.IDs()) || !strings.Contains(out, "GA301  ") {
		t.Errorf("without an id all are listed: %s", out)
	}
	if status, out, _ := runFed(t, "", "explain", "GA736"); status != 0 || !strings.Contains(out, "no finding has this id any more") {
		t.Errorf("a retired id is known: status %d, %s", status, out)
	}
}

func TestJoinBooleans(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, args, want string }{
		{"a value after it", "render --expand-support true x", "render --expand-support=true x"},
		{"a path after it", "render --expand-support x", "render --expand-support x"},
		{"a path of that name", "render --expand-support ./true", "render --expand-support ./true"},
		{"another flag", "render --strict true", "render --strict true"},
		{"nothing after it", "render --expand-predefined", "render --expand-predefined"},
		{"after the end of the flags", "render -- --expand-support true", "render -- --expand-support true"},
	} {
		if got := strings.Join(joinBooleans(strings.Fields(tc.args)), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}
