package setup

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/yaml/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/yamledit"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// Command returns what a pipeline runs for a directory.
func Command(host Host, dir string, facts Facts) string {
	return console.Command(append([]string{"goldenarch", "check"}, checkArguments(host, dir, facts)...)...)
}

// checkArguments returns the arguments of "goldenarch check" for a directory. kustomize runs goldenarch
// on the way to the cluster; kpt renders the files in place, so what is committed counts.
func checkArguments(host Host, dir string, facts Facts) []string {
	out := []string{console.CommandPath(dir)}
	switch host {
	case HostKustomize, HostArgoCD:
		return append(out, "--as", "rendered")
	case HostFiles:
		return append(out, facts.Flags()...)
	case HostKpt:
	}
	return out
}

const install = "go install github.com/goldenarch/goldenarch@" + version

// Workflow returns the text of a workflow of GitHub that runs a command on a pull request.
func Workflow(command string) []byte {
	return []byte(`# goldenarch checks the golden images of the HyperConverged CR
# on each pull request.
name: golden images
"on":
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    env:
      # A commit of another repository is checked by the rules of the branch
      # that it is for.
      TRUST: >-
        ${{ github.event.pull_request.head.repo.full_name != github.repository
        && format('--untrusted --base origin/{0}', github.base_ref) || '' }}
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0  # with that branch
      - uses: actions/setup-go@v5
        with:
          go-version: "1.26"
          cache: false
      # No version is published yet: replace main by the commit that you have
      # tested.
      - name: Install goldenarch
        run: ` + install + `
      - run: ` + scalar(onGitHub(command)) + "\n")
}

// formatOnGitHub is how a workflow ends a check: with the format that GitHub reads, and the flags for a commit of a stranger.
const formatOnGitHub = " -o github $TRUST"

// onGitHub returns a command whose findings GitHub shows at their lines. GitHub fills in
// expressions before a shell reads the command, so one in a name is the text of its beginning.
func onGitHub(command string) string {
	command = strings.ReplaceAll(command, "${{", "${{ '${{' }}")
	if strings.HasPrefix(command, "goldenarch check ") {
		return command + formatOnGitHub
	}
	return command
}

// AddStep returns the text of a [Workflow] that also runs a command. A workflow of
// another form keeps its text.
func AddStep(text []byte, command string) ([]byte, error) {
	return edited(text, func(root *yaml.Node) ([]yamledit.Change, error) {
		path := []string{"jobs", "check", "steps"}
		steps := yamlnode.Lookup(root, path)
		if steps == nil || steps.Kind != yaml.SequenceNode {
			return nil, nil
		}
		var there []string
		for _, step := range steps.Content {
			there = append(there, yamlnode.Text(step, "run"))
		}
		command := onGitHub(command)
		if runs(there, strings.TrimSuffix(command, formatOnGitHub)) {
			return nil, nil
		}
		step := yamlnode.NewMapping()
		yamlnode.SetString(step, "run", command, 0)
		return appendedTo(steps, path, step), nil
	})
}

// runs reports whether a line of one of the commands does the same to the same directory,
// with whatever flags.
func runs(there []string, command string) bool {
	for _, flag := range []string{" --release ", " --as ", " --set ", " --workload-architectures ", " --control-plane-architectures "} {
		command, _, _ = strings.Cut(command, flag)
	}
	return slices.ContainsFunc(there, func(one string) bool {
		for line := range strings.Lines(one) {
			if beginsWith(strings.TrimSpace(line), command) {
				return true
			}
		}
		return beginsWith(one, command) // with a name of several lines
	})
}

// beginsWith reports whether a command begins with the words of another one.
func beginsWith(command, words string) bool {
	return command == words || strings.HasPrefix(command, words+" ")
}

// scalar returns a command as a YAML scalar.
func scalar(command string) string {
	if strings.ContainsFunc(command, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.QuoteToASCII(command) // whose escapes are those of YAML
	}
	if strings.ContainsAny(command, `'"#:{}[]&*!|>%@\`) {
		return "'" + strings.ReplaceAll(command, "'", "''") + "'"
	}
	return command
}

// gitLabHeader matches the document before the jobs, which describes the inputs of the file
// (https://docs.gitlab.com/ci/yaml/#specinputs).
var gitLabHeader = pattern.Of(`(?s)\A(?:\x{feff})?(?:---[ \t]*\r?\n)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*spec:.*?\n---[ \t]*(?:#[^\n]*)?\r?\n`)

// A merge request of a fork is checked by the rules of the branch that it is for, which the clone of a job has not.
const (
	fetchOnGitLab = `if [ -n "$TRUST" ]; then git fetch --depth=1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"; fi`
	onGitLab      = " $TRUST"
)

// AddGitLabJob returns the text of a .gitlab-ci.yml with a job that runs a command.
func AddGitLabJob(text []byte, command string) ([]byte, error) {
	const job = "goldenarch"
	header := gitLabHeader().Find(text)
	out, err := edited(text[len(header):], func(root *yaml.Node) ([]yamledit.Change, error) {
		if there := yamlnode.Dealias(yamlnode.Value(root, job)); there != nil {
			return addedCommand(there, job, command)
		}
		entry := yamlnode.NewMapping()
		if stage := stageOf(root); stage != "" {
			yamlnode.SetString(entry, "stage", stage, 0)
		}
		yamlnode.SetString(entry, "image", "golang:1.26", 0)
		const mergeRequest = `$CI_PIPELINE_SOURCE == "merge_request_event"`
		fork, own, trust := yamlnode.NewMapping(), yamlnode.NewMapping(), yamlnode.NewMapping()
		yamlnode.SetString(fork, "if", mergeRequest+" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_PROJECT_ID", 0)
		yamlnode.SetString(trust, "TRUST", "--untrusted --base FETCH_HEAD", 0)
		yamlnode.Put(fork, "variables", trust)
		yamlnode.SetString(own, "if", mergeRequest, 0)
		rules := yamlnode.Sequence(entry, "rules")
		rules.Content = append(rules.Content, fork, own)
		script := yamlnode.Sequence(entry, "script")
		for _, command := range []string{install, fetchOnGitLab, command + onGitLab} {
			script.Content = append(script.Content, yamlnode.NewScalar(command, yaml.NodeTagString, 0))
		}
		return []yamledit.Change{{Path: []string{job}, Value: entry}}, nil
	})
	if err != nil {
		return nil, err
	}
	if crlf := []byte("\r\n"); bytes.HasSuffix(header, crlf) && !bytes.Contains(out, crlf) {
		out = bytes.ReplaceAll(out, []byte("\n"), crlf) // nothing in the jobs showed how lines end
	}
	return append(bytes.Clone(header), out...), nil
}

// addedCommand returns the changes that add a command to a job that does not run it.
func addedCommand(entry *yaml.Node, job, command string) ([]yamledit.Change, error) {
	if entry.Kind != yaml.MappingNode {
		return nil, errShape
	}
	script, err := listAt(entry, "script")
	if err != nil {
		return nil, err
	}
	var there []string
	if script != nil {
		for _, n := range script.Content {
			there = append(there, yamlnode.Text(n))
		}
	}
	if runs(there, command) {
		return nil, nil
	}
	return appendedTo(script, []string{job, "script"}, yamlnode.NewScalar(command+onGitLab, yaml.NodeTagString, 0)), nil
}

// stageOf returns a stage for the job: "" for GitLab's default, which is test, and else
// the first stage, if the file has stages without test.
func stageOf(root *yaml.Node) string {
	stages := yamlnode.Get(root, "stages")
	if stages == nil || stages.Kind != yaml.SequenceNode || len(stages.Content) == 0 ||
		slices.ContainsFunc(stages.Content, func(n *yaml.Node) bool { return yamlnode.Text(n) == "test" }) {
		return ""
	}
	return yamlnode.Text(stages.Content[0])
}
