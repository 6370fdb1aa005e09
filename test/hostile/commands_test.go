//go:build unix

package hostile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// ciCommands are commands of CI systems, as somebody may write them into a name.
var ciCommands = []string{
	"##[group]x", "a ##[set-env name=PATH]x", "##vso[task.setvariable variable=PATH]x", "a ##vso[task.complete result=Succeeded;]x",
	"::set-output name=a::b", " ::error::x", "x\n::stop-commands::t", "x\r::add-mask::t", "x\u2028::debug::t", "\x1b[2J##[error]x", "\u202e##[error]x",
	"###[error]x", "#\ufe0f#[error]x", "\ufe0f::error::x",
}

// ignored is what .NET's comparison of texts by the rules of a language ignores, as
// IndexOf(string) and StartsWith(string) of the runners use it.
func ignored(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// The commands that the runners know. Azure's agent takes any area and event.
var registered = map[string]bool{
	"group": true, "endgroup": true, "error": true, "warning": true, "notice": true, "debug": true, "set-env": true, "set-output": true, "save-state": true,
	"add-path": true, "add-mask": true, "add-matcher": true, "remove-matcher": true, "stop-commands": true, "echo": true, "internal-set-repo-path": true,
}

// gitHubV1 is actions/runner src/Runner.Common/ActionCommand.cs: TryParse.
func gitHubV1(line string) bool {
	_, after, ok := strings.Cut(line, "##[")
	info, _, closed := strings.Cut(after, "]")
	name, _, _ := strings.Cut(info, " ")
	return ok && closed && registered[name]
}

// gitHubV2 is TryParseV2 of the same file. It returns the name of the command.
func gitHubV2(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::")
	info, _, closed := strings.Cut(rest, "::")
	name, _, _ := strings.Cut(info, " ")
	if !ok || !closed || !registered[name] {
		return ""
	}
	return name
}

// azure is azure-pipelines-agent src/Microsoft.VisualStudio.Services.Agent/Command.cs:
// TryParse.
func azure(line string) bool {
	_, after, ok := strings.Cut(line, "##vso[")
	info, _, closed := strings.Cut(after, "]")
	name, _, _ := strings.Cut(info, " ")
	return ok && closed && len(strings.FieldsFunc(name, func(r rune) bool { return r == '.' })) == 2
}

// lineEnds are where the runners end a line (.NET StreamReader.ReadLine).
var lineEnds = regexp.MustCompile("\r\n|\r|\n")

// commandless fails the test for a line that is a command of a CI system, except the own
// ones of -o github.
func commandless(t testing.TB, what, text string, own ...string) {
	t.Helper()
	for _, line := range lineEnds.Split(text, -1) {
		for _, line := range []string{line, ignored(line)} {
			name := gitHubV2(line)
			for _, allowed := range own {
				if strings.HasPrefix(line, "::"+name+" ") && name == allowed {
					name = ""
				}
			}
			if gitHubV1(line) || name != "" || azure(line) || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
				t.Errorf("%s: a command of a CI system: %q", what, line)
			}
			if steers.MatchString(line) {
				t.Errorf("%s: it steers a terminal: %q", what, line)
			}
		}
	}
}

// TestTheParsersOfCISystems: the parsers find the commands, or the tests prove nothing.
func TestTheParsersOfCISystems(t *testing.T) {
	t.Parallel()
	for _, command := range ciCommands {
		seen := &fake{TB: t}
		commandless(seen, "x", command)
		if !seen.failed {
			t.Errorf("no parser finds %q", command)
		}
	}
}

// TestNoCommandsOfCISystems: no name, reference or answer is a command, whatever shows it:
// each format of check, and standard error beside it.
func TestNoCommandsOfCISystems(t *testing.T) {
	t.Parallel()
	for i, command := range ciCommands {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			quoted, err := json.Marshal(command)
			if err != nil {
				t.Fatal(err)
			}
			q := string(quoted)
			cr := "apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata: {name: " + q + ", namespace: " + q + "}\n" +
				"spec:\n  " + q + ": 1\n  dataImportCronTemplates:\n  - metadata: {name: " + q + ", annotations: {ssp.kubevirt.io/dict.architectures: " + q + "}}\n" +
				"    spec: {managedDataSource: " + q + ", schedule: " + q + ", template: {spec: {source: {registry: {url: " + q + "}}}}}\n" +
				"  - metadata: {name: b}\n    spec: {managedDataSource: b, schedule: '', template: {spec: {source: {registry: {url: \"docker://127.0.0.1:1/" +
				strings.Trim(q, `"`) + "\"}}}}}\n"
			dir := t.TempDir()
			place := filepath.Join(dir, command, "prod") // a name may hold all but / and NUL
			filetest.Write(t, "", map[string]string{
				filepath.Join(place, command+".yaml"):               cr,
				filepath.Join(dir, "broken", "kustomization.yaml"):  "resources: [" + q + ", " + strings.TrimSuffix(q, `"`) + "/base\"]\n",
				filepath.Join(dir, "listed", "kustomization.yaml"):  "resources: [" + strings.TrimSuffix(q, `"`) + ".yaml\"]\nnamePrefix: " + q + "\n",
				filepath.Join(dir, "listed", command+".yaml"):       cr,
				filepath.Join(dir, "invalid", command, "hco.yaml"):  "a: [" + q,
				filepath.Join(dir, "unknown", "kustomization.yaml"): q + ": 1\nresources: []\n",
				filepath.Join(dir, "patched", "kustomization.yaml"): "resources: [a.yaml]\n" +
					"patches: [{target: {kind: HyperConverged, name: " + q + "}, path: " + q + "}]\n",
				filepath.Join(dir, "patched", "a.yaml"):              cr,
				filepath.Join(dir, "golden-images", command+".lock"): q,
				filepath.Join(dir, command, "GoldenImages", "ga.yaml"): "apiVersion: goldenarch.dev/v1alpha1\n" +
					"kind: GoldenImages\nmetadata: {name: " + q + "}\nspec: {" + q + ": 1}\n",
			})
			check := func(at string, format string, own ...string) {
				got := Run(t, []string{"check", "--offline", "-o", format, at}, "", Limits{Dir: dir, Once: true})
				commandless(t, "stdout of "+format+" of "+at, got.Stdout, own...)
				commandless(t, "stderr of "+format+" of "+at, got.Stderr)
				if isJSON := format == "json" || format == "sarif"; isJSON && got.Stdout != "" && !json.Valid([]byte(got.Stdout)) {
					t.Errorf("%s of %s: not valid JSON:\n%s", format, at, got.Stdout)
				}
			}
			for _, format := range []string{"text", "markdown", "html", "junit", "sarif", "json"} {
				check(".", format)
			}
			check(".", "github", "error", "warning", "notice")
			for _, at := range []string{".", filepath.Join(command, "prod"), "broken", "listed", "invalid", "unknown", "patched", command} {
				check(at, "junit")
				for _, args := range [][]string{{"render", "--offline", at}, {"forecast", at}} {
					got := Run(t, args, "", Limits{Dir: dir, Once: true})
					commandless(t, "stderr of "+args[0]+" of "+at, got.Stderr)
					if args[0] == "forecast" {
						commandless(t, "stdout of forecast of "+at, got.Stdout)
					}
				}
			}
			for _, args := range [][]string{
				{"fix", "--check", ".", "--offline"},
				{"lock", "--check", "."},
				{command},
				{"render", command},
				{"render", "--" + command},
				{"check", ".", "-o", command},
				{"explain", command},
				{"resolve", command},
				{"resolve", "127.0.0.1:1/a/b:" + command, "-o", "json"},
				{"customize", command, "--disable", command},
				{"help", command},
				{"render", ".", "--workload-architectures", command},
				{"render", ".", "--config", command},
			} {
				got := Run(t, args, "", Limits{Dir: dir, Once: true})
				commandless(t, strings.Join(args, " "), got.Stdout)
				commandless(t, strings.Join(args, " "), got.Stderr)
			}
			list := Run(t, nil, listOf(cr), Limits{Once: true})
			commandless(t, "stderr of the function", list.Stderr)
			for _, one := range resultsOf(t, list.Stdout) { // its values are data, as the items are
				for _, text := range []string{
					one.Message, one.Field.Path, one.File.Path, one.ResourceRef.Kind, one.ResourceRef.Name, one.ResourceRef.Namespace, one.ResourceRef.APIVersion,
				} {
					commandless(t, "a result of the function", text)
				}
			}
		})
	}
}

// TestNoCommandsOfRegistries: the words of a registry are no command.
func TestNoCommandsOfRegistries(t *testing.T) {
	t.Parallel()
	for i, command := range ciCommands {
		quoted, err := json.Marshal(command)
		if err != nil {
			t.Fatal(err)
		}
		for name, wrap := range map[string]registrytest.Wrapper{
			"message": registrytest.ReplyBody(http.StatusForbidden, "application/json",
				[]byte(`{"errors":[{"code":`+string(quoted)+`,"message":`+string(quoted)+`,"detail":`+string(quoted)+`}]}`), nil),
			"text": registrytest.ReplyBody(http.StatusForbidden, "text/plain", []byte(command), nil),
			"type": registrytest.ReplyBody(http.StatusOK, strings.NewReplacer("\n", "", "\r", "").Replace(command), []byte(command), nil),
			"entry": registrytest.ReplyBody(http.StatusOK, ociIndex, []byte(`{"schemaVersion":2,"mediaType":`+string(quoted)+`,"manifests":[{"mediaType":`+
				string(quoted)+`,"digest":`+string(quoted)+`,"platform":{"os":`+string(quoted)+`,"architecture":`+string(quoted)+`}}]}`), nil),
		} {
			t.Run(fmt.Sprint(i, name), func(t *testing.T) {
				t.Parallel()
				s := serving(t, wrap)
				for _, format := range []string{"text", "json"} {
					got := Run(t, []string{"resolve", s.Host() + "/org/disk:1", "-o", format, "--set", "registryInsecure=" + s.Host()}, "", Limits{Once: true})
					commandless(t, "stdout of "+format, got.Stdout)
					commandless(t, "stderr of "+format, got.Stderr)
				}
			})
		}
	}
}
