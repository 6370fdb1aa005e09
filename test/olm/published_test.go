package olm

// beta is a term with the old labels, which several published operators require beside the
// new ones.
func beta(values string) string {
	return "{matchExpressions: [{key: beta.kubernetes.io/arch, operator: In, values: [" + values + "]}, " +
		"{key: beta.kubernetes.io/os, operator: In, values: [linux]}]}"
}

const (
	master  = `node-role.kubernetes.io/master: ""`
	onLinux = "kubernetes.io/os: linux"
	three   = "amd64, ppc64le, s390x"
	four    = "amd64, arm64, ppc64le, s390x"
)

// proxied is a manager beside kube-rbac-proxy, as kubebuilder writes it.
func proxied(manager, proxy string) []container {
	return []container{{"manager", manager}, {"kube-rbac-proxy", proxy}}
}

// published are the shapes of operators in the community's catalog: the newest
// ClusterServiceVersion of each of 238 operators. The names of operators say where a shape
// was first seen; images and labels are varied.
var published = []judged{
	{
		name: "apicurito: one container, no label, one architecture", bundle: bundle{containers: one("single:1")},
		theirs: "error label, no affinity", ours: "info GA701",
		right: "goldenarch: the validator reads no platform from a single manifest, and its error is wrong",
	},
	{
		name: "apicurito, with an image for four", bundle: bundle{containers: one("four:1")},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "apicurito, labelled for four",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 arch.ppc64le arch.s390x os.linux",
			containers: one("four:1"),
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "cert-utils-operator: kube-rbac-proxy for four beside a manager for two",
		bundle: bundle{
			containers: proxied("two:1", "four:1"),
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "cert-utils-operator, labelled as the manager",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: proxied("two:1", "four:1"),
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "cert-utils-operator, labelled as the proxy",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 arch.ppc64le arch.s390x",
			containers: proxied("two:1", "four:1"),
		},
		theirs: "error label, no affinity", ours: "error GA713, info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "kubebuilder's affinity for four, manager and proxy for four",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 arch.ppc64le arch.s390x os.linux",
			containers: proxied("four:1", "four:1"),
			terms:      term(in("arch", four), in("os", linux)),
		},
		theirs: "", ours: "",
	},
	{
		name: "kubebuilder's affinity for four, a manager for two",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 os.linux",
			containers: proxied("two:1", "four:1"),
			terms:      term(in("arch", four), in("os", linux)),
		},
		theirs: "too wide", ours: "error GA701",
		right: "goldenarch: the pod fails there, so it is an error",
	},
	{
		name: "apicurio-registry: operands in the environment only",
		bundle: bundle{
			containers: one("two:1"),
			env:        []string{"REGISTRY_IMAGE_MEM=two:1", "REGISTRY_IMAGE_SQL=two:1"},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "apicurio-registry, labelled, and an operand lacks one",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			env:        []string{"REGISTRY_IMAGE_SQL=amd:1"},
		},
		theirs: "no affinity", ours: "error GA713, info GA701, info GA735, warning GA735",
		right: "goldenarch: the validator does not read the environment, where the operand that lacks arm64 is named",
	},
	{
		name: "apicast: an operand of one architecture",
		bundle: bundle{
			containers: one("amd:1"),
			env:        []string{"RELATED_IMAGE_APICAST=amd:1"},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "3scale: operands in both places",
		bundle: bundle{
			containers: one("amd:1"),
			related:    []string{"amd:1", "two:1"},
			env:        []string{"RELATED_IMAGE_A=amd:1", "RELATED_IMAGE_B=two:1"},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "3scale, labelled for two, and a related image lacks one",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			related:    []string{"amd:1", "two:1"},
			env:        []string{"RELATED_IMAGE_A=amd:1", "RELATED_IMAGE_B=two:1"},
		},
		theirs: "error label, no affinity, other image", ours: "error GA713, info GA701, info GA735",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "bundle-examples: beta.kubernetes.io/os in a nodeSelector",
		bundle: bundle{
			containers: one("amd:1"),
			selector:   "beta.kubernetes.io/os: linux",
		},
		theirs: "no affinity", ours: "info GA701, warning GA708",
		right: "goldenarch: it knows no nodes; it also names the old label",
	},
	{
		name: "dell-csi: an init container", bundle: bundle{containers: one("amd:1"), init: []container{{"certs", "amd:1"}}},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "dell-csi, labelled, and the init container lacks one",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			init:       []container{{"certs", "amd:1"}},
		},
		theirs: "no affinity", ours: "error GA713, info GA701",
		right: "goldenarch: the validator does not look at init containers",
	},
	{
		name: "keepalived: a proxy, and an operand",
		bundle: bundle{
			containers: proxied("two:1", "four:1"),
			env:        []string{"KEEPALIVED_OPERATOR_IMAGE_NAME=two:1"},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "koku-metrics: the operator itself is its related image",
		bundle: bundle{
			containers: one("two:1"),
			related:    []string{"two:1"},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "koku-metrics, labelled",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			related:    []string{"two:1"},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "etcd: three containers of one image",
		bundle: bundle{
			containers: []container{{"a", "amd:1"}, {"b", "amd:1"}, {"c", "amd:1"}},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "windows-machine-config: on the masters", bundle: bundle{containers: one("amd:1"), selector: master},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "maistra: labelled for amd64, related images for it",
		bundle: bundle{
			labels:     "arch.amd64",
			containers: one("amd:1"),
			related:    []string{"amd:1", "single:1"},
		},
		theirs: "error label, no affinity, other image", ours: "info GA701",
		right: "goldenarch: the validator reads no platform from a single manifest, and its error is wrong",
	},
	{
		name: "openshift-nfd: labelled for three, on the masters, an operand",
		bundle: bundle{
			labels:     "arch.amd64 arch.ppc64le arch.s390x",
			containers: one("four:1"),
			selector:   master,
			env:        []string{"NODE_FEATURE_DISCOVERY_IMAGE=four:1"},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "cert-manager: three deployments",
		bundle: bundle{
			containers: one("four:1"),
			more:       []deployment{{containers: one("four:1")}, {containers: one("four:1")}},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "cert-manager, and one deployment lacks architectures",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 arch.ppc64le arch.s390x",
			containers: one("four:1"),
			more:       []deployment{{containers: one("four:1")}, {containers: one("two:1")}},
		},
		theirs: "error label, no affinity", ours: "error GA713, info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "couchdb: affinity for amd64, a preference too",
		bundle: bundle{
			containers: one("amd:1"),
			terms:      term(in("arch", "amd64")),
			preferred:  term(in("arch", "amd64")),
		},
		theirs: "no affinity", ours: "",
		right: "goldenarch: the label of the system is no part of the question",
	},
	{
		name: "enmasse: a preference only",
		bundle: bundle{
			containers: one("amd:1"),
			preferred:  term(in("arch", "amd64")),
			env:        []string{"CONTROLLER_IMAGE=amd:1"},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "flux: six deployments with kubernetes.io/os",
		bundle: bundle{
			containers: one("two:1"),
			selector:   onLinux,
			more:       []deployment{{containers: one("two:1"), selector: onLinux}, {containers: one("two:1"), selector: onLinux}},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "flux, labelled",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64 os.linux",
			containers: one("two:1"),
			selector:   onLinux,
			more:       []deployment{{containers: one("two:1"), selector: onLinux}},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "ibm-block-csi: labels and affinity for three",
		bundle: bundle{
			labels:     "arch.amd64 arch.ppc64le arch.s390x",
			containers: one("four:1"),
			related:    []string{"four:1"},
			terms:      term(in("arch", three)),
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "both; the validator also wants the system beside the architecture",
	},
	{
		name: "ibm-spectrum-scale: beta.kubernetes.io/arch Exists",
		bundle: bundle{
			labels:     "arch.amd64 arch.ppc64le arch.s390x",
			containers: one("four:1"),
			terms:      term("{key: beta.kubernetes.io/arch, operator: Exists}"),
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA708, warning GA713",
		right: "both; goldenarch also names the old label",
	},
	{
		name: "infinispan: an operand that is its related image",
		bundle: bundle{
			containers: one("two:1"),
			related:    []string{"two:1"},
			env:        []string{"RELATED_IMAGE_SERVER=two:1"},
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: it knows no nodes",
	},
	{
		name: "multicluster-subscription: several deployments, one of four containers",
		bundle: bundle{
			containers: []container{{"a", "two:1"}, {"b", "two:1"}, {"c", "four:1"}, {"d", "amd:1"}},
			more:       []deployment{{containers: one("two:1")}},
		},
		theirs: "label missing, no affinity", ours: "info GA701",
		right: "goldenarch: a label for arm64 would promise what one container lacks",
	},
	{
		name: "oneagent: old and new labels in two terms",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			terms:      beta(both) + ", " + term(in("arch", both), in("os", linux)),
			more:       []deployment{{containers: one("two:1"), terms: beta(both) + ", " + term(in("arch", both), in("os", linux))}},
		},
		theirs: "", ours: "warning GA708",
		right: "goldenarch: the old label will go, and the API server warns of it",
	},
	{
		name: "snapscheduler: a nodeSelector for amd64 and Linux",
		bundle: bundle{
			containers: one("two:1"),
			selector:   "kubernetes.io/arch: amd64, kubernetes.io/os: linux",
		},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
		right: "goldenarch: a nodeSelector restricts the pod as well",
	},
	{
		name: "crossplane: init containers in several deployments",
		bundle: bundle{
			containers: one("two:1"),
			more: []deployment{
				{containers: one("two:1"), init: []container{{"init", "two:1"}}},
				{containers: one("amd:1"), init: []container{{"init", "amd:1"}}},
			},
		},
		theirs: "label missing, no affinity", ours: "info GA701",
		right: "goldenarch: a label for arm64 would promise what one deployment lacks",
	},
	{
		name: "hyperconverged: deployments on the masters by affinity",
		bundle: bundle{
			labels:     "arch.amd64",
			containers: one("amd:1"),
			related:    []string{"amd:1"},
			env:        []string{"OPERATOR_IMAGE=amd:1"},
			more: []deployment{
				{containers: one("amd:1"), terms: term("{key: node-role.kubernetes.io/master, operator: Exists}")},
				{containers: one("amd:1"), selector: onLinux},
			},
		},
		theirs: "no affinity", ours: "info GA701",
		right: "goldenarch: it knows no nodes",
	},
}
