package olm

// one is a manager with an image.
func one(image string) []container { return []container{{"manager", image}} }

const (
	both  = "amd64, arm64"
	linux = "linux"
)

// judged is a bundle with what each of the two says of it. right says who is right where
// that is not the same thing; "" where it is.
type judged struct {
	name                string
	bundle              bundle
	theirs, ours, right string
}

var bundles = []judged{
	{
		name: "no label, amd64 only, no affinity", bundle: bundle{containers: one("amd:1")},
		theirs: "no affinity", ours: "info GA701",
		right: `goldenarch: it knows no nodes`,
	},
	{
		name: "no label, two architectures, no affinity", bundle: bundle{containers: one("two:1")},
		theirs: "label missing, no affinity", ours: "info GA701, warning GA713",
	},
	{
		name:   "labels and affinity as the image",
		bundle: bundle{labels: "arch.amd64 arch.arm64 os.linux", containers: one("two:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "",
		ours:   "",
	},
	{
		name: "labels as the image, no affinity", bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("two:1")},
		theirs: "no affinity", ours: "info GA701",
		right: `goldenarch: it knows no nodes`,
	},
	{
		name:   "a label that the image lacks",
		bundle: bundle{labels: "arch.amd64 arch.s390x", containers: one("two:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "error label, label missing",
		ours:   "error GA713, warning GA713",
	},
	{
		name:   "a label that a related image lacks",
		bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("two:1"), related: []string{"amd:1"}, terms: term(in("arch", both), in("os", linux))},
		theirs: "error label, other image",
		ours:   "error GA713, info GA735",
	},
	{
		name:   "no label, the image lacks amd64's default for a related image",
		bundle: bundle{containers: one("two:1"), related: []string{"four:1"}, terms: term(in("arch", both), in("os", linux))},
		theirs: "label missing",
		ours:   "warning GA713",
	},
	{
		name: "explicit labels without amd64", bundle: bundle{labels: "arch.arm64", containers: one("two:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "label missing", ours: "warning GA713",
	},
	{
		name:   "a label that is part of another",
		bundle: bundle{labels: "arch.amd64 arch.arm64x", containers: one("two:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "error label",
		ours:   "error GA713, warning GA713",
		right:  `goldenarch: the validator takes "arm64x" for a label of arm64, and its error does not name the label as the cause`,
	},
	{
		name:   "a label with another value",
		bundle: bundle{labels: "arch.amd64 arch.arm64=no", containers: one("two:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "label missing",
		ours:   "error GA713",
		right:  `goldenarch also says why the label does not count`,
	},
	{
		name: "affinity wider than the image", bundle: bundle{containers: one("amd:1"), terms: term(in("arch", "amd64, arm64, ppc64le, s390x"), in("os", linux))},
		theirs: "too wide", ours: "error GA701",
		right: `goldenarch: the pod fails there, so it is an error`,
	},
	{
		name:   "affinity narrower than the image",
		bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("two:1"), terms: term(in("arch", "amd64"), in("os", linux))},
		theirs: "too narrow",
		ours:   "error GA713, info GA701",
		right:  `goldenarch: OLM offers the operator where its pod stays Pending, so it is an error`,
	},
	{
		name: "affinity without the system", bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("two:1"), terms: term(in("arch", both))},
		theirs: "no affinity", ours: "",
		right: `goldenarch: the label of the system is no part of the question`,
	},
	{
		name: "a nodeSelector in the place of affinity", bundle: bundle{containers: one("amd:1"), selector: "kubernetes.io/arch: amd64"},
		theirs: "no affinity", ours: "",
		right: `goldenarch: a nodeSelector restricts the pod as well`,
	},
	{
		name: "two terms, one without the architecture",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			terms:      term(in("arch", both), in("os", linux)) + ", " + term("{key: disk, operator: Exists}"),
		},
		theirs: "",
		ours:   "info GA701",
		right:  `goldenarch: the terms are ORed, so the second one admits any architecture`,
	},
	{
		name: "NotIn",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			terms:      term("{key: kubernetes.io/arch, operator: NotIn, values: [s390x]}", in("os", linux)),
		},
		theirs: "no affinity",
		ours:   "info GA701",
		right:  `goldenarch: NotIn lists no architecture, so the pod is one without a constraint; without node facts that is an info`,
	},
	{
		name: "a name of the kernel in the affinity", bundle: bundle{containers: one("amd:1"), terms: term(in("arch", "x86_64"), in("os", linux))},
		theirs: "too narrow, too wide", ours: "error GA704, error GA713",
		right: `goldenarch: no node has the name x86_64, so the pod lands nowhere`,
	},
	{
		name: "a proxy with fewer architectures",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: []container{{"manager", "two:1"}, {"kube-rbac-proxy", "amd:1"}},
			terms:      term(in("arch", both), in("os", linux)),
		},
		theirs: "error label, other image, too wide",
		ours:   "error GA701, error GA713",
	},
	{
		name: "a proxy with more architectures",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: []container{{"manager", "two:1"}, {"kube-rbac-proxy", "four:1"}},
			terms:      term(in("arch", both), in("os", linux)),
		},
		theirs: "too narrow",
		ours:   "",
		right:  `goldenarch: what the pod cannot use does no harm`,
	},
	{
		name: "an init container that lacks one",
		bundle: bundle{
			labels:     "arch.amd64 arch.arm64",
			containers: one("two:1"),
			init:       []container{{"init", "amd:1"}},
			terms:      term(in("arch", both), in("os", linux)),
		},
		theirs: "",
		ours:   "error GA701, error GA713",
		right:  `goldenarch: the validator does not look at init containers, and the pod fails`,
	},
	{
		name: "the image of one architecture, no index", bundle: bundle{containers: one("single:1")},
		theirs: "error label, no affinity", ours: "info GA701",
		right: `goldenarch: the validator reads no platform from a single manifest, and its error is wrong`,
	},
	{
		name:   "the same with a label for two",
		bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("single:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "error label, too wide",
		ours:   "error GA701, error GA713",
		right:  `both; goldenarch names the cause`,
	},
	{
		name:   "an index with attestations",
		bundle: bundle{labels: "arch.amd64 arch.arm64", containers: one("attested:1"), terms: term(in("arch", both), in("os", linux))},
		theirs: "",
		ours:   "",
	},
	{
		name: "an image that is not there", bundle: bundle{containers: one("gone:1")},
		theirs: "inspect, label missing, no affinity, system missing", ours: "error GA201",
		right: `goldenarch: the validator goes on with the platform "error/error", and nothing of this pod is proven`,
	},
	{
		name: "a related image that is not there", bundle: bundle{containers: one("amd:1"), related: []string{"gone:1"}, selector: "kubernetes.io/arch: amd64"},
		theirs: "inspect, no affinity", ours: "warning GA201",
		right: `goldenarch: the nodeSelector restricts the pod`,
	},
	{
		name: "a related image that is an operator bundle image",
		bundle: bundle{
			labels: "arch.amd64 arch.arm64", containers: one("two:1"), related: []string{"acme-bundle:1"},
			terms: term(in("arch", both), in("os", linux)),
		},
		theirs: "error label, other image", ours: "",
		right: `goldenarch: no node runs what is in it`,
	},
	{
		name: "a label for Windows", bundle: bundle{labels: "os.windows", containers: one("amd:1")},
		theirs: "error label, no affinity, system missing", ours: "error GA713, info GA701",
		right: `both: the image has no Windows`,
	},
}
