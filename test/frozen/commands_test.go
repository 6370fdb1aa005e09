package frozen

import "strings"

// command is one call of the program in a fresh copy of the repository.
type command struct {
	name  string // of its files in testdata/expected
	edits []edit // what a person changes before
	dir   string // the working directory, in the repository
	args  []string
	stdin string // a file that is the standard input
	env   []string
	// product says that the standard output is what the user gets, byte for byte. Of other
	// output only the ids and severities of the findings count.
	product bool
	// same says that nothing is left to do: status 0, no file changed, and no difference
	// printed.
	same bool
	// keeps are texts that the files must have afterwards, and lacks those that they must not
	// have: what is a person's stays, and what goldenarch has to undo goes.
	keeps, lacks []edit
}

// edit replaces a text of a file by another, each time.
type edit struct{ file, old, new string }

func in(file, text string) edit { return edit{file: file, old: text} }

// part is a part of the repository on which each verb runs.
type part struct {
	name string
	// args name the part, with the options that a user has to give.
	args []string
	// lock are the arguments of lock, if they are not args.
	lock []string
	// unfixed is a part that fix did not write: its decisions are made when it is rendered.
	unfixed bool
	// many is a part of several clusters, which render does not read.
	many bool
}

var parts = []part{
	{name: "plain", args: []string{"plain"}},
	{name: "person", args: []string{"person"}},
	{name: "person-keep", args: []string{"person-keep"}},
	{name: "person-replace", args: []string{"person-replace"}},
	{name: "list", args: []string{"shapes/list"}},
	{name: "json", args: []string{"shapes/json"}},
	{name: "documents", args: []string{"shapes/documents"}},
	{name: "crlf", args: []string{"shapes/crlf"}},
	{name: "flow", args: []string{"shapes/flow"}},
	{name: "v1", args: []string{"shapes/v1"}},
	{name: "wrapped", args: []string{"shapes/wrapped"}},
	{name: "single", args: single},
	{name: "kustomize-edge", args: []string{"kustomize/edge"}, unfixed: true},
	{name: "kustomize-production", args: []string{"kustomize/production"}, unfixed: true},
	{name: "patched-a", args: []string{"patched/overlays/a", "--config", "patched/golden-images.yaml"}},
	{name: "patched-b", args: []string{"patched/overlays/b", "--config", "patched/golden-images.yaml"}},
	{
		name: "own-lock-a", args: []string{"own-locks/a", "--config", "own-locks/a/golden-images.yaml"},
		lock: []string{"own-locks/a", "--config", "own-locks/a/golden-images.yaml", "--file", "own-locks/a/golden-images.lock.yaml"},
	},
	{
		name: "own-lock-b", args: []string{"own-locks/b", "--config", "own-locks/b/golden-images.yaml"},
		lock: []string{"own-locks/b", "--config", "own-locks/b/golden-images.yaml", "--file", "own-locks/b/golden-images.lock.yaml"},
	},
	{name: "fleet", args: []string{"fleet"}, many: true},
	{name: "workloads", args: []string{"workloads"}},
	{
		name: "workloads-kustomize", args: []string{"workloads-kustomize/production"}, unfixed: true,
		lock: []string{"workloads-kustomize/production", "--workloads", "Check"},
	},
	{
		name: "operator-config",
		args: []string{"operator/config/default", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml"},
	},
	{name: "operator-bundle", args: []string{"operator/bundle", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml"}},
	{
		name: "operator-cluster", args: []string{"operator/cluster"},
		lock: []string{"operator/bundle", "operator/cluster", "--workloads", "Check", "--file", "operator/cluster/golden-images.lock.yaml"},
	},
	{name: "argocd", args: []string{"argocd/application"}},
	{name: "kpt", args: []string{"kpt"}},
	{name: "flux", args: []string{"flux/source"}, unfixed: true},
	{name: "expand-emit", args: []string{"expand/emit"}, unfixed: true},
	{name: "expand-takeover", args: []string{"expand/takeover"}, unfixed: true},
}

// commands are all of them.
func commands() []command {
	var out []command
	for _, p := range parts {
		lock := p.lock
		if lock == nil {
			lock = p.args
		}
		verb := func(c command, name string, args ...string) {
			c.name, c.args = p.name+"/"+strings.ReplaceAll(name, " ", "-"), args
			out = append(out, c)
		}
		fixed := !p.unfixed
		verb(command{same: fixed}, "fix", with(p.args, "fix")...)
		verb(command{product: true, same: fixed}, "fix diff", with(p.args, "fix", "--diff")...)
		verb(command{same: fixed}, "fix check", with(p.args, "fix", "--check")...)
		if !p.many {
			verb(command{product: true}, "render", with(p.args, "render")...)
			verb(command{}, "forecast", with(p.args, "forecast")...)
		}
		verb(command{}, "check", with(p.args, "check", "-o", "json")...)
		verb(command{same: true}, "lock", with(lock, "lock", "--replay", "answers")...)
		verb(command{same: true}, "lock check", with(lock, "lock", "--check", "--replay", "answers")...)
	}
	for _, args := range inits {
		name := strings.ReplaceAll(args[0], "/", "-")
		out = append(out,
			command{name: "init/" + name, args: with(args, "init"), same: true},
			command{name: "init/" + name + "-diff", args: with(args, "init", "--diff"), same: true, product: true},
		)
	}
	out = append(out, hosts...)
	for _, s := range supported {
		out = append(out, support(s))
	}
	return append(out, ownership...)
}

func with(args []string, first ...string) []string {
	return append(first, args...)
}

// hosts call the program as a host does.
var hosts = []command{
	{name: "function/emit", stdin: "function/list.yaml", product: true, same: true},
	{name: "flux/rendered", args: []string{"render", "flux/source", "--no-flux-substitution"}, product: true},
	{name: "argocd/discover", dir: "argocd/application", args: []string{"argocd", "discover"}},
	{name: "argocd/discover-nothing", dir: "argocd/install", args: []string{"argocd", "discover"}, product: true},
	{name: "argocd/parameters", dir: "argocd/application", args: []string{"argocd", "parameters"}},
	{
		name: "argocd/plugin", dir: "argocd/application", args: []string{"render", "."}, product: true,
		env: []string{`ARGOCD_APP_PARAMETERS=[{"name":"workload-architectures","array":["amd64","arm64"]}]`, "ARGOCD_APP_NAME=golden-images"},
	},
	{name: "argocd/install", args: []string{"render", "argocd/install"}, product: true},
	{name: "repository/check", args: []string{"check", ".", "-o", "json"}},
	{name: "repository/fix-check", args: []string{"fix", "--check", "."}},
}
