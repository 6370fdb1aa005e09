package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/pattern"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// capacityAnnotation holds, for the autoscaler, the labels that new nodes of a pool
// will have: "kubernetes.io/arch=arm64,zone=a".
const capacityAnnotation = "capacity.cluster-autoscaler.kubernetes.io/labels"

// multiArchTaint is the taint that OpenShift's documentation puts on nodes of
// another architecture.
const multiArchTaint = "multi-arch.openshift.io/arch"

// Pool is a worker pool, or a machine that will become a node. It counts whatever its
// number of replicas is: the result must not change when somebody scales a pool to zero
// and back.
type Pool struct {
	// Node is what is certain about the nodes of the pool. Its architecture is "" if
	// nothing declares it. The nodes may have more labels than these.
	Node
	// Lacks are labels that the nodes certainly do not have.
	Lacks []string
	// Declare says how to declare the architecture in the pool itself. It is "" for a kind
	// of pool that always has one.
	Declare string
	// DeclareLabel says how to declare a label of the nodes, if not in a template of them.
	DeclareLabel string
	// Schedulable says why the nodes may run workloads or not, if nothing in the pool can state it; "" for others.
	Schedulable string
	// Hint is what else suggests an architecture. It is never a fact.
	Hint Hint
}

// withWorker adds the worker label to the labels of a pool's nodes.
func withWorker(labels map[string]string) map[string]string {
	labels[workerLabel] = ""
	return labels
}

// workersOnly are the labels that worker nodes lack.
var workersOnly = []string{controlPlaneLabel, masterLabel}

// declaration is a field of a worker pool that declares its architecture.
type declaration struct{ field, value string }

// declared returns the architecture that the fields of a pool agree on, or "" if no
// field declares one.
func declared(list ...declaration) (arch.Arch, error) {
	var first declaration
	var found arch.Arch
	for _, d := range list {
		if d.value == "" {
			continue
		}
		a, err := arch.Parse(d.value)
		switch {
		case err != nil:
			return "", fmt.Errorf("%s: %w", d.field, err)
		case found == "":
			first, found = d, a
		case a != found:
			return "", fmt.Errorf("%s is %s, but %s is %s: correct one of them", first.field, found, d.field, a)
		}
	}
	return found, nil
}

// capacity returns the labels in the autoscaler's annotation, and the architecture that
// it declares.
func capacity(t tree) (map[string]string, declaration) {
	labels := map[string]string{}
	for pair := range strings.SplitSeq(t.labels("metadata", "annotations")[capacityAnnotation], ",") {
		if key, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			labels[key] = value
		}
	}
	return labels, declaration{"metadata.annotations[" + capacityAnnotation + "]", labels[archLabel]}
}

// infraSuffix is what OpenShift's installer adds to the name of a cluster.
var infraSuffix = pattern.Of(`-[a-z0-9]{5}$`)

// stateNodes names the ways to say which nodes the cluster has. It has no example values:
// people copy them, and then they look like facts.
const stateNodes = "pass the live CR (--live FILE) or the nodes (--nodes FILE), name the cluster in a Fleet (goldenarch.yaml), " +
	"or state the architectures with --workload-architectures and --control-plane-architectures (in a GoldenImages: spec.cluster)"

// stateArchitectures says how a user can state the architectures if nothing else does.
const stateArchitectures = "state the architectures: --workload-architectures <architecture>,..., " +
	"or spec.cluster: {workloadArchitectures: [<architecture>, ...]}, or spec.workload of a ClusterArchitectures"

// StateControlPlane says how a user can state the architectures of the control plane.
const StateControlPlane = "state them: spec.cluster.controlPlaneArchitectures: [amd64] (--control-plane-architectures amd64), " +
	"or [] (none) if the cluster has no control-plane nodes"

// uncertainPool is a pool or a group of nodes with an unknown property: whether
// workloads run on it, or which architecture it has.
type uncertainPool struct {
	object       finding.Object
	what         string
	pool         Pool
	unknownField string // the label or field whose value is not known
}

// matters reports whether the uncertainty could change the workload architectures that
// are certain. single narrows these to one architecture, unless it is "".
func (d uncertainPool) matters(sure arch.Set, single arch.Arch) bool {
	switch a := d.pool.Architecture; {
	case single == "":
		return a == "" || !sure.Contains(a)
	case sure.Contains(single):
		return false
	default:
		return a == "" || a == single
	}
}

func (d uncertainPool) finding() finding.Finding {
	f := finding.Finding{ID: finding.PoolUndeclared, Severity: finding.Error, Object: d.object, Do: stateArchitectures}
	who := d.what + " " + d.object.String()
	switch {
	case d.pool.Architecture == "":
		f.Text = who + " does not declare its architecture"
		f.Do = d.pool.Declare + d.pool.Hint.aside()
	case d.unknownField == workerLabel && d.pool.Schedulable != "":
		f.Text = fmt.Sprintf("of %s nobody knows whether workloads run on its nodes with %s: %s", d.object, d.pool.Architecture, d.pool.Schedulable)
	case d.unknownField == workerLabel:
		f.Text = fmt.Sprintf("%s does not give its nodes the label %s, which HCO uses to find workload nodes", who, workerLabel)
		f.Do = cmp.Or(d.pool.DeclareLabel, "add the label to the node template of the pool") + ", or " + stateArchitectures
	default:
		f.Text = fmt.Sprintf("%s does not declare %q, which the workload placement requires", who, d.unknownField)
	}
	return f
}

// karpenterPoolLabel is the label that Karpenter gives to the nodes of a pool: its name.
const karpenterPoolLabel = "karpenter.sh/nodepool"

// readKarpenter reads a NodePool of Karpenter, which creates nodes of each architecture
// that its requirements admit. A label of its template is one more requirement In, and a
// label of the nodes (karpenter pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go).
// Without a requirement In, the instance types of the cloud decide: Karpenter has no
// default. Nothing in Karpenter gives its nodes the worker label, except the template.
func readKarpenter(t tree) (Facts, bool, error) {
	template := t.child("spec", "template")
	labels := template.labels("metadata", "labels")
	architectures, err := admittedValues(template, archLabel)
	if err != nil {
		return Facts{}, false, err
	}
	systems, err := admittedValues(template, osLabel)
	if err != nil {
		return Facts{}, false, err
	}
	if len(systems) == 1 {
		labels[osLabel] = systems[0]
	}
	if name := t.text("metadata", "name"); name != "" {
		labels[karpenterPoolLabel] = name
	}
	f := Facts{Class: Pooled}
	admitted := arch.Named(architectures...)
	if len(architectures) == 0 {
		admitted = arch.Set{""}
	}
	for _, a := range admitted {
		f.Pools = append(f.Pools, Pool{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "add a requirement to spec.template.spec.requirements: {key: " + archLabel + ", operator: In, values: [<architecture>]}",
		})
	}
	return f, true, nil
}

// karpenterRequirement is what a NodePool requires of a label, and the fields that say so.
type karpenterRequirement struct {
	operatorAt, operator string
	valuesAt             string
	values               []string
}

// requirementsOf returns what the requirements of a NodePool, and the labels of its
// template, say about a label. Both may have its beta name (karpenter pkg/apis/v1/labels.go:
// NormalizedLabels).
func requirementsOf(template tree, label string) []karpenterRequirement {
	var out []karpenterRequirement
	for _, r := range template.list("spec", "requirements") {
		if key := r.text("key"); key == label || key == "beta."+label {
			out = append(out, karpenterRequirement{r.path + ".operator", r.text("operator"), r.path + ".values", r.texts("values")})
		}
	}
	labels := template.labels("metadata", "labels")
	for _, key := range []string{label, "beta." + label} {
		if value, has := labels[key]; has {
			at := "spec.template.metadata.labels[" + key + "]"
			out = append(out, karpenterRequirement{at, "In", at, []string{value}})
		}
	}
	return out
}

// admittedValues returns the values of a label that a NodePool admits; nil if it admits
// values that it does not name (karpenter pkg/scheduling/requirement.go: Intersection).
func admittedValues(template tree, label string) ([]string, error) {
	var out []string
	excluded := map[string]bool{}
	for _, r := range requirementsOf(template, label) {
		if label == archLabel {
			if err := checkArchitectures(r); err != nil {
				return nil, err
			}
		}
		switch r.operator {
		case "In":
			if len(r.values) == 0 {
				return nil, fmt.Errorf("%s is empty, expected the values that operator In admits", r.valuesAt)
			}
			out = both(out, r.values)
			if len(out) == 0 {
				return nil, fmt.Errorf("%s has no value in common with the other requirements of %s, so the pool creates no node: correct one of them", r.valuesAt, label)
			}
		case "NotIn":
			for _, value := range r.values {
				excluded[value] = true
			}
		case "Exists":
		case "DoesNotExist", "Gt", "Lt", "Gte", "Lte":
			return nil, fmt.Errorf("%s is %s, which no value of %s matches, so the pool creates no node: use In or NotIn", r.operatorAt, r.operator, label)
		default:
			return nil, fmt.Errorf("%s is %q, expected In, NotIn or Exists", r.operatorAt, r.operator)
		}
	}
	if out == nil {
		return nil, nil
	}
	var left []string
	for _, value := range out {
		if !excluded[value] {
			left = append(left, value)
		}
	}
	if len(left) == 0 {
		return nil, fmt.Errorf("spec.template.spec.requirements exclude all values of %s that spec.template admits, so the pool creates no node: correct them", label)
	}
	return left, nil
}

// checkArchitectures returns an error for a value that no node has. Karpenter compares the
// values as they are, so x86_64 matches no node.
func checkArchitectures(r karpenterRequirement) error {
	for i, value := range r.values {
		at := r.valuesAt
		if at != r.operatorAt {
			at = fieldpath.Element(at, i)
		}
		switch a, err := arch.Parse(value); {
		case err != nil:
			return fmt.Errorf("%s: %w", at, err)
		case string(a) != value:
			return fmt.Errorf("%s is %q, which is not the name that nodes have: write %q", at, value, a)
		}
	}
	return nil
}

// both returns the values that are in both lists. A list that is nil admits all.
func both(list, values []string) []string {
	if list == nil {
		return values
	}
	out := []string{}
	for _, value := range list {
		for _, other := range values {
			if value == other {
				out = append(out, value)
			}
		}
	}
	return out
}

// hivePlatforms are the fields of a MachinePool of hive with the instance type, and the
// field of a MachineSet that it becomes.
var hivePlatforms = []struct{ platform, field string }{{"aws", "instanceType"}, {"azure", "vmSize"}, {"gcp", "machineType"}}

// readHiveMachinePool reads a MachinePool of hive. hive makes MachineSets of it that boot
// with worker-user-data, the configuration of workers (hive pkg/controller/machinepool:
// workerUserDataName), whatever its name. spec.labels become the labels of their nodes
// (machinepool_controller.go: generateMachineSets). It has no field for the architecture,
// on no platform (hive apis/hive/v1/machinepool_types.go).
func readHiveMachinePool(t tree) (Facts, bool, error) {
	labels := t.labels("spec", "labels")
	a, err := declared(declaration{"spec.labels[" + archLabel + "]", labels[archLabel]})
	if err != nil {
		return Facts{}, false, err
	}
	withWorker(labels)
	var hint Hint
	for _, p := range hivePlatforms {
		if name := t.lenient().text("spec", "platform", p.platform, "type"); name != "" {
			hint = providerHint(newTree(map[string]any{p.field: name}))
		}
	}
	return Facts{
		Class: Pooled, Cluster: t.text("spec", "clusterDeploymentRef", "name"),
		Pools: []Pool{{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "add the label to spec.labels: {" + archLabel + ": <architecture>}", Hint: hint,
		}},
	}, true, nil
}

// readMachineDeployment reads a MachineDeployment of Cluster API. Only some labels of a
// machine reach its node: roles, and those of two other domains (cluster-api
// util/labels/helpers.go: GetManagedLabels). Nothing gives its nodes the worker label
// automatically, and a user who sets it by hand leaves no trace in this object. So unless
// the template or the annotation has that label, it is not known whether HCO counts the
// nodes.
func readMachineDeployment(t tree) (Facts, bool, error) {
	return clusterAPIPool(t, Pool{}, t.labels("spec", "template", "metadata", "labels"))
}

// readClusterAPIMachineSet reads a MachineSet of Cluster API like a MachineDeployment. It
// skips one that a MachineDeployment owns, because the MachineDeployment counts. Cluster
// API makes the Cluster the owner of any other (cluster-api
// core/reconcilers/machineset/machineset_controller.go: reconcileMachineSetOwnerAndLabels).
func readClusterAPIMachineSet(t tree) (Facts, bool, error) {
	if slices.ContainsFunc(t.list("metadata", "ownerReferences"), func(owner tree) bool { return owner.text("kind") == "MachineDeployment" }) {
		return Facts{}, false, nil
	}
	return readMachineDeployment(t)
}

// readClusterAPIMachinePool reads a MachinePool of Cluster API. Its controller sets
// annotations of the nodes, and no labels (cluster-api
// core/reconcilers/machinepool/machinepool_controller_noderef.go: patchNodes). Only some
// providers make a Machine for each node, which would pass labels of the template on, and
// the MachinePool does not say so. So only the annotation declares labels.
func readClusterAPIMachinePool(t tree) (Facts, bool, error) {
	return clusterAPIPool(t, Pool{DeclareLabel: "add the label to the annotation " + capacityAnnotation + ", if the nodes have it"}, nil)
}

// clusterAPIPool reads what the pools of Cluster API have in common. machine are labels of
// the machines.
func clusterAPIPool(t tree, p Pool, machine map[string]string) (Facts, bool, error) {
	labels, declaration := capacity(t)
	a, err := declared(declaration)
	if err != nil {
		return Facts{}, false, err
	}
	for key, value := range machine {
		if reachesNode(key) {
			labels[key] = value
		}
	}
	p.Node, p.Lacks = newNode("", a, labels), workersOnly
	p.Declare = "annotate it with " + capacityAnnotation + ": kubernetes.io/arch=<architecture>"
	return Facts{Class: Pooled, Cluster: t.text("spec", "clusterName"), Pools: []Pool{p}}, true, nil
}

func reachesNode(label string) bool {
	prefix, _, _ := strings.Cut(label, "/")
	return prefix == "node-role.kubernetes.io" ||
		prefix == "node-restriction.kubernetes.io" || strings.HasSuffix(prefix, ".node-restriction.kubernetes.io") ||
		prefix == "node.cluster.x-k8s.io" || strings.HasSuffix(prefix, ".node.cluster.x-k8s.io")
}

// readMachineSet reads a MachineSet of OpenShift. Three fields may declare its
// architecture, and they must agree. Its machines become nodes with the worker label if
// their role, or the configuration they boot with, is that of workers. A set of another
// role may also create workers (infra nodes often are), so for such a set this is not
// known. A set of the control plane is not a worker pool.
func readMachineSet(t tree) (Facts, bool, error) {
	machine := t.child("spec", "template")
	machineLabels := machine.labels("metadata", "labels")
	role := machineLabels["machine.openshift.io/cluster-api-machine-role"]
	if role == "master" || role == "control-plane" {
		return Facts{}, false, nil
	}
	labels, annotated := capacity(t)
	own := machine.labels("spec", "metadata", "labels")
	declarations := []declaration{annotated, {"spec.template.spec.metadata.labels[" + archLabel + "]", own[archLabel]}}
	for _, taint := range machine.list("spec", "taints") {
		if taint.text("key") == multiArchTaint {
			declarations = append(declarations, declaration{"spec.template.spec.taints[" + multiArchTaint + "]", taint.text("value")})
		}
	}
	a, err := declared(declarations...)
	if err != nil {
		return Facts{}, false, err
	}
	maps.Copy(labels, own)
	provider := machine.lenient().child("spec", "providerSpec", "value")
	if role == "worker" || strings.HasPrefix(provider.text("userDataSecret", "name"), "worker-user-data") {
		withWorker(labels)
	}
	if machineLabels["machine.openshift.io/os-id"] == "Windows" { // windows-machine-config-operator
		labels[osLabel] = "windows"
	}
	return Facts{
		Class: Pooled, Cluster: infraSuffix().ReplaceAllString(machineLabels["machine.openshift.io/cluster-api-cluster"], ""),
		Pools: []Pool{{
			Node: newNode("", a, labels), Lacks: workersOnly,
			Declare: "annotate it with " + capacityAnnotation + ": kubernetes.io/arch=<architecture>",
			Hint:    providerHint(provider),
		}},
	}, true, nil
}

// nodePoolLabel is the label that HyperShift sets on the nodes of a pool: the pool's
// name (hypershift api/hypershift/v1beta1/nodepool_types.go).
const nodePoolLabel = "hypershift.openshift.io/nodePool"

// readNodePool reads a NodePool of HyperShift. The API server itself writes amd64 if
// spec.arch is missing (the field's default in nodepool_types.go), so a missing value
// is a fact, not a guess. The nodes are workers. It is not known whether they lack the
// control-plane label, because older HCOs set it there.
//
// A pool on the platform KubeVirt gives no facts: its nodes are virtual machines that
// run on the cluster of the CR.
func readNodePool(t tree) (Facts, bool, error) {
	if t.text("spec", "platform", "type") == "KubeVirt" {
		return Facts{}, false, nil
	}
	a, err := declared(declaration{"spec.arch", cmp.Or(t.text("spec", "arch"), "amd64")})
	if err != nil {
		return Facts{}, false, err
	}
	labels := withWorker(t.labels("spec", "nodeLabels"))
	if name := t.text("metadata", "name"); name != "" {
		labels[nodePoolLabel] = name
	}
	if t.text("spec", "platform", "aws", "imageType") == "Windows" {
		labels[osLabel] = "windows"
	}
	return Facts{
		Class: Pooled, Cluster: t.text("spec", "clusterName"),
		Pools: []Pool{{Node: newNode("", a, labels)}},
	}, true, nil
}

// readClusterInstance reads a ClusterInstance of the SiteConfig operator: its nodes,
// each with a role. spec.cpuArchitecture is the default of the nodes. If it is missing,
// it defaults to x86_64. "multi" says nothing about a node (siteconfig
// api/v1alpha1/clusterinstance_types.go).
func readClusterInstance(t tree) (Facts, bool, error) {
	f := Facts{Class: Pooled, Cluster: t.text("spec", "clusterName")}
	general := cmp.Or(t.text("spec", "cpuArchitecture"), "x86_64")
	nodes := t.list("spec", "nodes")
	workers := 0
	for _, n := range nodes {
		if n.text("role") == "worker" {
			workers++
		}
	}
	for i, n := range nodes {
		field := fmt.Sprintf("spec.nodes[%d].cpuArchitecture", i)
		value := cmp.Or(n.text("cpuArchitecture"), general)
		if value == "multi" {
			value = ""
		}
		a, err := declared(declaration{field, value})
		if err != nil {
			return Facts{}, false, err
		}
		has, lacks := roleLabels(n.text("role"), workers)
		name, labels := n.text("hostName"), n.labels("nodeLabels")
		maps.Copy(labels, has)
		pool := Pool{Node: newNode(name, a, labels), Lacks: lacks, Declare: "set " + field + ": <x86_64 or aarch64>"}
		if workers == 1 {
			pool.Schedulable = "with a single worker the installer may let the control plane run them"
		}
		f.Pools = append(f.Pools, pool)
	}
	return f, len(nodes) > 0, nil
}

// roleLabels returns the labels that a node of this role has, and those that it lacks.
// Without a worker, the control plane runs workloads and has the worker label too. With
// a single worker it may have that label (assisted-service:
// schedulable_masters_forced_true).
func roleLabels(role string, workers int) (has map[string]string, lacks []string) {
	switch role {
	case "worker":
		return withWorker(map[string]string{}), workersOnly
	case "arbiter": // etcd only
		return map[string]string{"node-role.kubernetes.io/arbiter": ""}, []string{workerLabel, controlPlaneLabel, masterLabel}
	}
	has = map[string]string{controlPlaneLabel: "", masterLabel: ""} // master is the default
	switch workers {
	case 0:
		return withWorker(has), nil
	case 1:
		return has, nil
	default:
		return has, []string{workerLabel}
	}
}
