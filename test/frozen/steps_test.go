package frozen

// step is a command by which testdata/repository was made of testdata/source.
type step struct {
	args  []string
	stdin string // a file that is the standard input
	to    string // a file that gets the standard output
}

// steps are in the order of a user: lock, fix, set up, render.
func steps() []step {
	var out []step
	run := func(args ...string) { out = append(out, step{args: args}) }
	for _, dir := range []string{
		"plain", "person", "person-keep", "person-replace", "shapes/list", "shapes/json", "shapes/documents", "shapes/crlf", "shapes/flow",
		"shapes/v1", "shapes/wrapped", "single", "argocd/application", "kpt", "expand/emit", "expand/takeover", "flux/source",
		"kustomize/base", "patched/base", "fleet", "workloads",
	} {
		run("lock", dir, "--replay", "answers")
	}
	for _, overlay := range []string{"own-locks/a", "own-locks/b"} {
		run("lock", overlay, "--replay", "answers", "--config", overlay+"/golden-images.yaml", "--file", overlay+"/golden-images.lock.yaml")
		run("fix", overlay, "--config", overlay+"/golden-images.yaml", "--patch")
	}
	run("lock", "workloads-kustomize/base", "--workloads", "Check", "--replay", "answers")
	run("lock", "operator/config/default", "--workloads", "Check", "--replay", "answers", "--file", "operator/golden-images.lock.yaml")
	run("lock", "operator/bundle", "--workloads", "Check", "--replay", "answers", "--file", "operator/golden-images.lock.yaml")
	run("lock", "operator/bundle", "operator/cluster", "--workloads", "Check", "--replay", "answers", "--file", "operator/cluster/golden-images.lock.yaml")
	for _, dir := range []string{
		"plain", "person", "person-keep", "person-replace", "shapes/list", "shapes/json", "shapes/documents", "shapes/crlf", "shapes/flow",
		"shapes/v1", "shapes/wrapped", "argocd/application", "workloads", "operator/cluster",
	} {
		run("fix", dir)
	}
	run(append([]string{"fix"}, single...)...)
	run("fix", "fleet", "--patch")
	run("fix", "patched/overlays/a", "--config", "patched/golden-images.yaml", "--patch")
	run("fix", "patched/overlays/b", "--config", "patched/golden-images.yaml", "--patch")
	run("fix", "operator/config/default", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml")
	run("fix", "operator/bundle", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml")
	for _, args := range inits {
		run(append([]string{"init"}, args...)...)
	}
	run("fix", "kpt")
	return append(out,
		step{args: []string{"render", "flux/source", "--no-flux-substitution"}, to: "flux/rendered/manifests.yaml"},
		step{args: []string{"render", "expand/emit"}, to: "expand/rendered/emit.yaml"},
		step{args: []string{"render", "expand/takeover"}, to: "expand/rendered/takeover.yaml"},
		step{stdin: "function/list.yaml", to: "function/list.yaml"},
	)
}

// single is a file without a configuration: flags say everything.
var single = []string{
	"single/hco.yaml", "--release", "1.19", "--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
}

var inits = [][]string{
	{"kustomize/production", "--release", "1.19", "--lock", "Require"},
	{"kustomize/edge", "--release", "1.19", "--lock", "Require"},
	{"argocd/application", "--argocd", "argocd/install"},
	{"kpt", "--release", "1.19"},
}
