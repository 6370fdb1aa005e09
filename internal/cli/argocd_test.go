package cli

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func variables(list map[string]string) environment {
	return func(name string) (string, bool) { value, ok := list[name]; return value, ok }
}

func TestApplicationOptions(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		env    map[string]string
		want   map[string]string
		err    string
	}{
		"Outside": {
			reason: "PARAM_RELEASE may be anybody's where Argo CD does not run",
			env:    map[string]string{"PARAM_RELEASE": "1.19", argoParameters: `[{"name":"gate","string":"Keep"}]`}, want: map[string]string{},
		},
		"String": {
			reason: "a parameter is a flag", env: map[string]string{argoParameters: `[{"name":"release","string":" 1.19 "}]`},
			want: map[string]string{"release": "1.19"},
		},
		"Key": {
			reason: "the names of a GoldenImages are known too", env: map[string]string{argoParameters: `[{"name":"workloadArchitectures","string":"amd64, arm64"}]`},
			want: map[string]string{"workload-architectures": "amd64, arm64"},
		},
		"Array": {
			reason: "an array is a list", env: map[string]string{argoParameters: `[{"array":["amd64","arm64"],"name":"workload-architectures"}]`},
			want: map[string]string{"workload-architectures": "amd64,arm64"},
		},
		"Empty": {
			reason: "the user interface leaves empty ones behind",
			env:    map[string]string{argoParameters: `[{"name":"release","string":""},{"name":"allow","array":[]},{"name":"gate"}]`},
			want:   map[string]string{},
		},
		"None":  {reason: "an Application with a plugin and no parameters", env: map[string]string{argoParameters: "null"}, want: map[string]string{}},
		"Unset": {reason: "an Application without a plugin in its source", want: map[string]string{}},
		"Variable": {
			reason: "PARAM_ alone will do",
			env:    map[string]string{"PARAM_EXPAND_NAMESPACE": "images"},
			want:   map[string]string{"expand-namespace": "images"},
		},
		"Variables": {
			reason: "an array comes in several",
			env:    map[string]string{"PARAM_ALLOW_0": "amd64", "PARAM_ALLOW_1": "arm64", "PARAM_ALLOW_3": "s390x"},
			want:   map[string]string{"allow": "amd64,arm64"},
		},
		"Environment": {reason: "plugin.env is read too", env: map[string]string{"ARGOCD_ENV_RELEASE": "1.18"}, want: map[string]string{"release": "1.18"}},
		"Others": {
			reason: "variables that are no option are for somebody else",
			env:    map[string]string{"ARGOCD_ENV_COLOUR": "red", "PARAM_COLOUR": "red"},
			want:   map[string]string{},
		},
		"Precedence": {
			reason: "what is structured wins, then the parameter, then the environment",
			env: map[string]string{
				argoParameters:       `[{"name":"release","string":"1.20"}]`,
				"PARAM_RELEASE":      "1.19",
				"ARGOCD_ENV_RELEASE": "1.18",
				"PARAM_GATE":         "Keep",
				"ARGOCD_ENV_GATE":    "Enable",
			},
			want: map[string]string{"release": "1.20", "gate": "Keep"},
		},
		"Unknown": {
			reason: "a misspelt parameter is not dropped in silence", env: map[string]string{argoParameters: `[{"name":"relaese","string":"1.19"}]`},
			err: `plugin parameter: unknown option "relaese"; did you mean "release"?`,
		},
		"Credentials": {
			reason: "what a package must not decide, an Application must not", env: map[string]string{argoParameters: `[{"name":"authfile","string":"/secret"}]`},
			err: `plugin parameter: unknown option "authfile"`,
		},
		"Map": {
			reason: "no option is a map",
			env:    map[string]string{argoParameters: `[{"name":"expand","map":{"mode":"Emit"}}]`},
			err:    `plugin parameter "expand": it is a map, expected a string or an array`,
		},
		"Both": {
			reason: "which one counts?",
			env:    map[string]string{argoParameters: `[{"name":"allow","string":"amd64","array":["arm64"]}]`},
			err:    `plugin parameter "allow": it is both a string and an array`,
		},
		"Twice": {
			reason: "which one counts?",
			env:    map[string]string{argoParameters: `[{"name":"gate","string":"Keep"},{"name":"gate"}]`},
			err:    `duplicate plugin parameter "gate"`,
		},
		"NoJSON": {
			reason: "the variable is named", env: map[string]string{argoParameters: "["},
			err: "read the plugin parameters in ARGOCD_APP_PARAMETERS: unexpected end of JSON input",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{argoAppName: "hco"}
			if name == "Outside" {
				delete(env, argoAppName)
			}
			maps.Copy(env, tc.env)
			got, err := applicationOptions(variables(env))
			if tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Errorf("%s: got %v, want the error %s", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// The environment is of the whole process, so these have one each.
func TestRunForAnApplication(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file("hco.yaml", manifests)
	file("golden-images.yaml", "apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n"+
		"spec: {release: '1.18', defaults: Write, existing: Keep, cluster: {workloadArchitectures: [arm64]}}\n")
	t.Chdir(dir)
	for name, tc := range map[string]struct {
		reason     string
		parameters string
		args       []string
		status     int
		stdout     string // part of it; "" for none at all
		stderr     string // all of it, "" for whatever a success says
		log        string // part of standard error
	}{
		"Config":    {reason: "Git says all", parameters: "null", stdout: `dict.architectures: "amd64, arm64"`, log: "GA101"},
		"Parameter": {reason: "a parameter wins over Git", parameters: `[{"name":"existing","string":"Narrow"}]`, stdout: tidied},
		"Flag": {
			reason: "a flag wins over a parameter", parameters: `[{"name":"existing","string":"Narrow"}]`, args: []string{"--existing=Keep"},
			stdout: `dict.architectures: "amd64, arm64"`,
		},
		"Drift": {reason: "what HCO adds is told", parameters: `[{"name":"defaults","string":"Keep"}]`, stdout: "kind: HyperConverged", log: "info GA422"},
		"WrongWord": {
			reason: "a wrong parameter is told as such, in one line", parameters: `[{"name":"expand","string":"Emti"}]`, status: statusFailed,
			stderr: `goldenarch: the plugin parameters of the Application: spec.expand.mode: unknown mode "Emti": expected one of None, ` +
				`Emit, TakeOver; did you mean "Emit"?` +
				"\n",
		},
		"WrongNumber": {
			reason: "a value that cannot be read names its parameter", parameters: `[{"name":"registry-retries","string":"few"}]`, status: statusFailed,
			stderr: `goldenarch: plugin parameter "registry-retries": "few" is not a whole number: invalid syntax` + "\n",
		},
		"WrongFlag": {
			reason:     "a wrong flag is still misuse",
			parameters: "null",
			args:       []string{"--gate=x"},
			status:     statusMisuse,
			log:        "Run 'goldenarch help' for usage.",
		},
		"Errors": {
			reason:     "of a failure only the errors are told",
			parameters: `[{"name":"workload-architectures","string":"s390x"},{"name":"unsupported","string":"Fail"}]`,
			status:     statusFailed,
			log:        "error GA111",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(argoAppName, "hco")
			t.Setenv(argoParameters, tc.parameters)
			child := goldenarch(t, append([]string{"render"}, tc.args...)...)
			var out, errs bytes.Buffer
			child.Stdout, child.Stderr = &out, &errs
			_ = child.Run()
			if got := child.ProcessState.ExitCode(); got != tc.status {
				t.Errorf("%s: status %d, want %d\n%s", tc.reason, got, tc.status, errs.String())
			}
			if !strings.Contains(out.String(), tc.stdout) || tc.stdout == "" && out.Len() > 0 {
				t.Errorf("%s: want %q on standard output, got\n%s", tc.reason, tc.stdout, out.String())
			}
			if tc.stderr != "" && errs.String() != tc.stderr || !strings.Contains(errs.String(), tc.log) {
				t.Errorf("%s: want %q%q on standard error, got\n%s", tc.reason, tc.stderr, tc.log, errs.String())
			}
			if drifts := strings.Contains(errs.String(), "GA422"); drifts != (name == "Drift") {
				t.Errorf("%s: the drift is told: %v\n%s", tc.reason, drifts, errs.String())
			}
			if tc.status != statusOK && strings.Contains(errs.String(), "warning GA") {
				t.Errorf("%s: warnings hide the error:\n%s", tc.reason, errs.String())
			}
		})
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("error GA201 no\n", briefLines+2)
	long := "error GA201 " + strings.Repeat("ä", briefLine)
	for name, tc := range map[string]struct {
		reason, text string
		status       int
		want         string
	}{
		"Success": {"all of it is for the log", "warning GA104 x\ninfo GA107 y\n", statusOK, "warning GA104 x\ninfo GA107 y\n"},
		"Failure": {
			reason: "the errors are for the user",
			text:   "error GA201 x\nwarning GA104 y\ninfo GA107 z\ngoldenarch: q\n",
			status: statusFailed,
			want:   "error GA201 x\ngoldenarch: q\n",
		},
		"Many": {
			reason: "a screen of them is enough",
			text:   many,
			status: statusFailed,
			want:   many[:len(many)*briefLines/(briefLines+2)] + "and 2 more lines: run 'goldenarch render' on the directory\n",
		},
		"Long": {"a letter is not cut in two", long + "\n", statusFailed, long[:briefLine] + "…\n"},
		"Repository": {
			reason: "the same failure has the same words",
			text:   "build /w/17/app: open /w/17/base/x.yaml: in /w/17\n",
			status: statusFailed,
			want:   "build app: open base/x.yaml: in .\n",
		},
	} {
		var out bytes.Buffer
		b := &brief{to: &out, root: "/w/17"}
		if _, err := b.Write([]byte(tc.text)); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: told before the end", name)
		}
		if b.print(tc.status); out.String() != tc.want {
			t.Errorf("%s: %s\nwant %q\ngot  %q", name, tc.reason, tc.want, out.String())
		}
	}
}

func TestRepositoryRoot(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "clusters/prod"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "clusters/prod"))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"clusters/prod": strings.TrimSuffix(here, "/clusters/prod"), "./clusters/prod/": strings.TrimSuffix(here, "/clusters/prod"),
		".": here, "": here, "elsewhere": here,
	} {
		if got := repositoryRoot(variables(map[string]string{argoSourcePath: path})); strings.TrimSuffix(got, "/") != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
