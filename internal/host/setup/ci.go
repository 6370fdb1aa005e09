package setup

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/pattern"
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

// Check is what a pipeline runs.
type Check struct {
	Command string
	// Hosts are the registries that it queries for a commit of a stranger: no lock has the answers.
	Hosts []string
}

// hostname matches the hosts that a shell does not change.
var hostname = pattern.Of(`^[A-Za-z0-9.:*\[\]_-]+$`)

// untrusted returns the command with the flags for a commit of a stranger, which the variable TRUST begins.
func (c Check) untrusted(format string) string {
	hosts := slices.DeleteFunc(slices.Clone(c.Hosts), func(host string) bool { return !hostname().MatchString(host) })
	out := c.Command + format + " $TRUST"
	if len(hosts) > 0 {
		out += ` ${TRUST:+--registry-allow "` + strings.Join(hosts, ",") + `"}`
	}
	return out
}

// Workflow returns the text of a workflow of GitHub that runs a check on a pull request.
func Workflow(check Check) []byte {
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
      # that it is for, and without logins. It makes goldenarch contact the
      # registries of --registry-allow alone. For all other images the branch
      # needs a lock: goldenarch lock.
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
      - run: ` + scalar(onGitHub(check).untrusted(formatOnGitHub)) + "\n")
}

// formatOnGitHub makes GitHub show findings at their lines.
const formatOnGitHub = " -o github"

// onGitHub returns a check as a workflow has it. GitHub fills in expressions before a shell reads the command, so one in a name is
// the text of its beginning.
func onGitHub(check Check) Check {
	check.Command = strings.ReplaceAll(check.Command, "${{", "${{ '${{' }}")
	return check
}

// AddStep returns the text of a [Workflow] that also runs a check. A workflow of
// another form keeps its text.
func AddStep(text []byte, check Check) ([]byte, error) {
	return edited(text, func(root *yaml.Node) error {
		path := []string{"jobs", "check", "steps"}
		steps := yamlnode.Get(root, path...)
		if steps == nil || steps.Kind != yaml.SequenceNode {
			return nil
		}
		var there []string
		for _, step := range steps.Content {
			there = append(there, yamlnode.Text(step, "run"))
		}
		own := onGitHub(check)
		if runs(there, own.Command) {
			return nil
		}
		step := yamlnode.NewMapping()
		yamlnode.SetString(step, "run", own.untrusted(formatOnGitHub), 0)
		return appendTo(root, path, step)
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
const fetchOnGitLab = `if [ -n "$TRUST" ]; then git fetch --depth=1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"; fi`

// AddGitLabJob returns the text of a .gitlab-ci.yml with a job that runs a check.
func AddGitLabJob(text []byte, check Check) ([]byte, error) {
	const job = "goldenarch"
	header := gitLabHeader().Find(text)
	out, err := edited(text[len(header):], func(root *yaml.Node) error {
		if there := yamlnode.Dealias(yamlnode.Value(root, job)); there != nil {
			return addCommand(root, there, job, check)
		}
		entry := yamlnode.NewMapping()
		if stage := stageOf(root); stage != "" {
			yamlnode.SetString(entry, "stage", stage, 0)
		}
		yamlnode.SetString(entry, "image", "golang:1.26", 0)
		const mergeRequest = `$CI_PIPELINE_SOURCE == "merge_request_event"`
		fork, own, variables := yamlnode.NewMapping(), yamlnode.NewMapping(), yamlnode.NewMapping()
		yamlnode.SetString(fork, "if", mergeRequest+" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_PROJECT_ID", 0)
		yamlnode.SetString(variables, "TRUST", "--untrusted --base FETCH_HEAD", 0)
		yamlnode.Put(fork, "variables", variables)
		yamlnode.SetString(own, "if", mergeRequest, 0)
		rules := yamlnode.Sequence(entry, "rules")
		rules.Content = append(rules.Content, fork, own)
		script := yamlnode.Sequence(entry, "script")
		for _, command := range []string{install, fetchOnGitLab, check.untrusted("")} {
			script.Content = append(script.Content, yamlnode.NewScalar(command, yaml.NodeTagString, 0))
		}
		return put(root, []string{job}, entry)
	})
	if err != nil {
		return nil, err
	}
	if crlf := []byte("\r\n"); bytes.HasSuffix(header, crlf) && !bytes.Contains(out, crlf) {
		out = bytes.ReplaceAll(out, []byte("\n"), crlf) // nothing in the jobs showed how lines end
	}
	return append(bytes.Clone(header), out...), nil
}

// addCommand adds a check to a job that does not run it.
func addCommand(root, entry *yaml.Node, job string, check Check) error {
	if entry.Kind != yaml.MappingNode {
		return errShape
	}
	script, err := listAt(entry, "script")
	if err != nil {
		return err
	}
	var there []string
	for _, n := range yamlnode.Elements(script) {
		there = append(there, yamlnode.Text(n))
	}
	if runs(there, check.Command) {
		return nil
	}
	return appendTo(root, []string{job, "script"}, yamlnode.NewScalar(check.untrusted(""), yaml.NodeTagString, 0))
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
