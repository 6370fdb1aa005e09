package argocd

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func variables(list map[string]string) Environment {
	return func(name string) (string, bool) { value, ok := list[name]; return value, ok }
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		env    map[string]string
		want   map[string]string
		err    string
	}{
		"Outside": {
			reason: "PARAM_RELEASE may be anybody's where Argo CD does not run",
			env:    map[string]string{"PARAM_RELEASE": "1.19", Parameters: `[{"name":"gate","string":"Keep"}]`}, want: map[string]string{},
		},
		"String": {
			reason: "a parameter is a flag", env: map[string]string{Parameters: `[{"name":"release","string":" 1.19 "}]`},
			want: map[string]string{"release": "1.19"},
		},
		"Key": {
			reason: "the names of a GoldenImages are known too", env: map[string]string{Parameters: `[{"name":"workloadArchitectures","string":"amd64, arm64"}]`},
			want: map[string]string{"workloadArchitectures": "amd64, arm64"},
		},
		"Array": {
			reason: "an array is a list", env: map[string]string{Parameters: `[{"array":["amd64","arm64"],"name":"workload-architectures"}]`},
			want: map[string]string{"workloadArchitectures": "amd64,arm64"},
		},
		"Empty": {
			reason: "the user interface leaves empty ones behind",
			env:    map[string]string{Parameters: `[{"name":"release","string":""},{"name":"allow","array":[]},{"name":"gate"}]`},
			want:   map[string]string{},
		},
		"None":  {reason: "an Application with a plugin and no parameters", env: map[string]string{Parameters: "null"}, want: map[string]string{}},
		"Unset": {reason: "an Application without a plugin in its source", want: map[string]string{}},
		"Variable": {
			reason: "PARAM_ alone will do",
			env:    map[string]string{"PARAM_EXPAND_NAMESPACE": "images"},
			want:   map[string]string{"expandNamespace": "images"},
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
				Parameters:           `[{"name":"release","string":"1.20"}]`,
				"PARAM_RELEASE":      "1.19",
				"ARGOCD_ENV_RELEASE": "1.18",
				"PARAM_GATE":         "Keep",
				"ARGOCD_ENV_GATE":    "Enable",
			},
			want: map[string]string{"release": "1.20", "gate": "Keep"},
		},
		"Unknown": {
			reason: "a misspelt parameter is not dropped in silence", env: map[string]string{Parameters: `[{"name":"relaese","string":"1.19"}]`},
			err: `plugin parameter: unknown setting "relaese"; did you mean "release"?`,
		},
		"Credentials": {
			reason: "what a package must not decide, an Application must not", env: map[string]string{Parameters: `[{"name":"authfile","string":"/secret"}]`},
			err: `plugin parameter: unknown setting "authfile": expected one of workloadArchitectures, `,
		},
		"Map": {
			reason: "no option is a map",
			env:    map[string]string{Parameters: `[{"name":"expand","map":{"mode":"Emit"}}]`},
			err:    `plugin parameter "expand": it is a map, expected a string or an array`,
		},
		"Both": {
			reason: "which one counts?",
			env:    map[string]string{Parameters: `[{"name":"allow","string":"amd64","array":["arm64"]}]`},
			err:    `plugin parameter "allow": it is both a string and an array`,
		},
		"Twice": {
			reason: "which one counts?",
			env:    map[string]string{Parameters: `[{"name":"gate","string":"Keep"},{"name":"gate"}]`},
			err:    `duplicate plugin parameter "gate"`,
		},
		"NoJSON": {
			reason: "the variable is named", env: map[string]string{Parameters: "["},
			err: "read the plugin parameters in ARGOCD_APP_PARAMETERS: unexpected end of JSON input",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{appName: "hco"}
			if name == "Outside" {
				delete(env, appName)
			}
			maps.Copy(env, tc.env)
			got, err := Options(variables(env))
			if tc.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tc.err) {
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

func TestBrief(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("error GA201 no\n", briefLines+2)
	long := "error GA201 " + strings.Repeat("ä", briefLine)
	for name, tc := range map[string]struct {
		reason, text string
		failed       bool
		want         string
	}{
		"Success": {"all of it is for the log", "warning GA104 x\ninfo GA107 y\n", false, "warning GA104 x\ninfo GA107 y\n"},
		"Failure": {
			reason: "the errors are for the user",
			text:   "error GA201 x\nwarning GA104 y\ninfo GA107 z\ngoldenarch: q\n",
			failed: true,
			want:   "error GA201 x\ngoldenarch: q\n",
		},
		"Many": {
			reason: "a screen of them is enough",
			text:   many,
			failed: true,
			want:   many[:len(many)*briefLines/(briefLines+2)] + "and 2 more lines: run 'goldenarch render' on the directory\n",
		},
		"Long": {"a letter is not cut in two", long + "\n", true, long[:briefLine] + "…\n"},
		"Repository": {
			reason: "the same failure has the same words",
			text:   "build /w/17/app: open /w/17/base/x.yaml: in /w/17\n",
			failed: true,
			want:   "build app: open base/x.yaml: in .\n",
		},
	} {
		var out bytes.Buffer
		b := &Brief{To: &out, Root: "/w/17"}
		if _, err := b.Write([]byte(tc.text)); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 {
			t.Errorf("%s: told before the end", name)
		}
		if b.Print(tc.failed); out.String() != tc.want {
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
		if got := RepositoryRoot(variables(map[string]string{sourcePath: path})); strings.TrimSuffix(got, "/") != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
