package frozen

// supported are the parts whose mainframe template goldenarch has disabled, with the file
// that says so.
var supported = []part{
	{name: "plain", args: []string{"plain", "plain/hyperconverged.yaml"}},
	{name: "person", args: []string{"person", "person/hyperconverged.yaml"}},
	{name: "list", args: []string{"shapes/list", "shapes/list/hco.yaml"}},
	{name: "documents", args: []string{"shapes/documents", "shapes/documents/all.yaml"}},
	{name: "crlf", args: []string{"shapes/crlf", "shapes/crlf/hco.yaml"}},
	{name: "v1", args: []string{"shapes/v1", "shapes/v1/hco.yaml"}},
	{name: "wrapped", args: []string{"shapes/wrapped", "shapes/wrapped/policy.yaml"}},
	{name: "argocd", args: []string{"argocd/application", "argocd/application/hyperconverged.yaml"}},
	{name: "kpt", args: []string{"kpt", "kpt/hyperconverged.yaml"}},
	{name: "patched-a", args: []string{"patched/overlays/a", "patched/overlays/a/goldenarch-patch.yaml", "--config", "patched/golden-images.yaml"}},
}

// support adds nodes that run the template: goldenarch takes back that it disabled it.
func support(p part) command {
	args := append([]string{"fix", p.args[0], "--workload-architectures", "amd64,arm64,s390x"}, p.args[2:]...)
	return command{name: "support/" + p.name, args: args, lacks: []edit{in(p.args[1], "goldenarch.dev/disabled-because")}}
}

const (
	mine = "ssp.kubevirt.io/dict.architectures: amd64,arm64,s390x"
)

// ownership changes what goldenarch decided about: it brings up to date what it wrote, and
// nothing else.
var ownership = []command{
	{
		name: "ownership/one-architecture", args: []string{"fix", "plain", "--workload-architectures", "amd64"},
		keeps: []edit{in("plain/hyperconverged.yaml", mine), in("plain/hyperconverged.yaml", "# Only the mainframes run it.")},
	},
	{
		name: "ownership/no-support", args: []string{"fix", "plain", "--workload-architectures", "arm64"},
		keeps: []edit{in("plain/hyperconverged.yaml", "# ours")},
	},
	{
		name:  "ownership/image-loses-an-architecture",
		edits: []edit{{"plain/golden-images.lock.yaml", "architecture: arm64", "architecture: ppc64le"}},
		args:  []string{"fix", "plain"}, lacks: []edit{in("plain/hyperconverged.yaml", mine)},
	},
	{
		name:  "ownership/person-edits-the-value",
		edits: []edit{{"plain/hyperconverged.yaml", mine, "ssp.kubevirt.io/dict.architectures: arm64"}},
		args:  []string{"fix", "plain"}, keeps: []edit{in("plain/hyperconverged.yaml", "ssp.kubevirt.io/dict.architectures: arm64")},
	},
	{
		name:  "ownership/person-removes-the-claim",
		edits: []edit{{"plain/hyperconverged.yaml", "        goldenarch.dev/claim: amd64,arm64,s390x\n", ""}},
		args:  []string{"fix", "plain"}, keeps: []edit{in("plain/hyperconverged.yaml", mine)},
	},
	{
		name:  "ownership/person-enables-what-was-disabled",
		edits: []edit{{"plain/hyperconverged.yaml", `dataimportcrontemplate.kubevirt.io/enable: "false"`, `dataimportcrontemplate.kubevirt.io/enable: "true"`}},
		args:  []string{"fix", "plain"},
	},
	{
		name: "ownership/person-disabled", args: []string{"fix", "person", "--workload-architectures", "amd64,arm64,s390x"},
		keeps: []edit{
			in("person/hyperconverged.yaml", `dataimportcrontemplate.kubevirt.io/enable: "false" # a person has disabled it`),
			in("person/hyperconverged.yaml", "# a person says less"), in("person/hyperconverged.yaml", "# not yet"),
		},
	},
	{
		name: "ownership/patch", args: []string{"fix", "patched/overlays/b", "--config", "patched/golden-images.yaml", "--workload-architectures", "amd64,arm64"},
		keeps: []edit{
			in("patched/overlays/b/more.yaml", "# A person's."), in("patched/overlays/b/kustomization.yaml", "- path: more.yaml"),
			in("patched/overlays/b/goldenarch-patch.yaml", "goldenarch.dev/disabled-because"),
		},
	},
	{
		name:  "ownership/fleet",
		edits: []edit{{"fleet/goldenarch.yaml", "workloadArchitectures: [s390x]", "workloadArchitectures: [amd64, s390x]"}},
		args:  []string{"fix", "fleet"}, lacks: []edit{in("fleet/overlays/lab/goldenarch-patch.yaml", "goldenarch.dev/disabled-because")},
	},
	{
		name:  "ownership/fleet-lock",
		edits: []edit{{"fleet/base/golden-images.lock.yaml", "architecture: arm64", "architecture: ppc64le"}},
		args:  []string{"fix", "fleet"}, lacks: []edit{in("fleet/overlays/prod-a/goldenarch-patch.yaml", mine)},
	},
	{
		name:  "ownership/affinity",
		edits: []edit{{"workloads/golden-images.lock.yaml", "architecture: arm64", "architecture: ppc64le"}},
		args:  []string{"fix", "workloads"},
		keeps: []edit{
			in("workloads/shop.yaml", "- {key: kubernetes.io/arch, operator: In, values: [amd64]} # a person's"),
			in("workloads/shop.yaml", "nodeSelector: {kubernetes.io/arch: amd64} # a person's"),
			in("workloads/shop.yaml", "preference:"), in("workloads/shop.yaml", "values: [ssd]"), in("workloads/shop.yaml", "team: storage"),
		},
		lacks: []edit{in("workloads/shop.yaml", "- arm64")},
	},
	{
		name:  "ownership/affinity-that-a-person-edited",
		edits: []edit{{"workloads/shop.yaml", "                - amd64\n                - arm64\n---", "                - amd64\n---"}},
		args:  []string{"fix", "workloads"},
		keeps: []edit{in("workloads/shop.yaml", "                - amd64\n---")},
	},
	{
		name:  "ownership/operator-config",
		edits: []edit{{"operator/golden-images.lock.yaml", "architecture: s390x", "architecture: riscv64"}},
		args: []string{
			"fix", "operator/config/default", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml",
		},
		lacks: []edit{in("operator/config/manager/manager.yaml", "- s390x")},
	},
	{
		name:  "ownership/operator-bundle",
		edits: []edit{{"operator/golden-images.lock.yaml", "architecture: s390x", "architecture: riscv64"}},
		args:  []string{"fix", "operator/bundle", "operator/golden-images.lock.yaml", "--config", "operator/workload-architectures.yaml"},
		lacks: []edit{in("operator/bundle/manifests/acme.clusterserviceversion.yaml", "- s390x")},
	},
	{
		name:  "ownership/subscription",
		edits: []edit{{"operator/cluster/golden-images.lock.yaml", "architectures: [amd64, arm64, s390x]", "architectures: [amd64, arm64]"}},
		args:  []string{"fix", "operator/cluster"}, lacks: []edit{in("operator/cluster/subscription.yaml", "- s390x")},
		keeps: []edit{in("operator/cluster/subscription.yaml", "{key: node-role.kubernetes.io/infra, operator: Exists}")},
	},
	{
		name:  "ownership/emitted-objects-follow-the-nodes",
		edits: []edit{{"function/list.yaml", "architecture: arm64\n", "architecture: s390x\n"}},
		stdin: "function/list.yaml", product: true,
	},
	{
		name:  "ownership/emitted-objects-are-removed",
		edits: []edit{{"function/list.yaml", "mode: Emit", "mode: None"}},
		stdin: "function/list.yaml", product: true,
	},
}
