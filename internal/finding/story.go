package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// scope says what a run has one finding about, of the kinds that make a story.
type scope int

const (
	// eachFact keeps the findings apart: they share only the id.
	eachFact scope = iota
	// eachTemplate is one finding for each template of a CR.
	eachTemplate
	// eachObject is one finding for each object.
	eachObject
	// eachCluster is one finding for each cluster.
	eachCluster
)

// story is what several kinds of findings tell. Users see one id, the lowest, one title and one section of
// docs/findings.md. Each kind keeps its class: an error that leaves no answer stays one.
type story struct {
	id    ID
	title string
	scope scope
	// kinds are the others than that of the id.
	kinds []ID
}

// stories are those of which the kinds have one cause or one cure for the user.
var stories = []story{
	{KindNear, "a name looks like one that an operator or goldenarch reads", eachFact, []ID{AnnotationNear, NameUnusual, NamespaceUnusual}},
	{NodeLeftOut, "the input has what only a dump of a cluster has", eachObject, []ID{ServerFields, StatusKept}},
	{ClaimMalformed, "the declared architectures cannot be read", eachFact, []ID{ClaimUnknown, ClaimEmpty}},
	{ClaimNarrowed, "a template, its image and the nodes do not agree on architectures", eachTemplate, []ID{
		ClaimWrong, TemplateDisabled, ClaimReplaced, PredefinedLacks, ImageLacks, DeclaredOmit, ImportFails, DeclaredStale,
	}},
	{ClaimIgnored, "HCO ignores an annotation or a label of a template", eachFact, []ID{LabelsIgnored}},
	{ClaimAdded, "what is committed is not what goldenarch renders", eachFact, []ID{NotAsRendered, GateOn, DiffersAsCommitted, EmittedNotCommitted}},
	{SharedDataSource, "two templates make objects of one name", eachFact, []ID{CronDuplicate, CronLost}},
	{PredefinedUnknown, "something about the cluster is not stated", eachCluster, []ID{NoNodeFacts, NodeFactsDisagree, DefaultUnknown, ReleaseNeeded}},
	{ConfigUnlisted, "nothing reads a configuration or a lock", eachFact, []ID{LockNotRead}},
	{LiveInvalid, "the live CR does not fit the CR", eachFact, []ID{LiveOther, LivePlacement, ReleaseDiffers}},
	{Unresolved, "the architectures of an image are unknown", eachFact, []ID{SourceNotQueried, NoImageStream, PodUnresolved}},
	{MirrorDiffers, "a mirror does not serve what it should", eachFact, []ID{MirrorUnavailable, MirrorInvalid, MirrorNotForCDI, MirrorBelieved}},
	{SecretMissing, "a Secret or a ConfigMap for a registry is missing or cannot be read", eachFact, []ID{
		SecretUnreadable, AuthorityMissing, AuthorityInvalid, PollerLacks,
	}},
	{PoolUndeclared, "a source of node facts does not state an architecture", eachFact, []ID{NodeHint, NodeInvalid}},
	{APIVersionUnknown, "the release does not serve the API version", eachFact, []ID{ReleaseUnserved}},
	{FieldMisplaced, "a field has no effect in this API version or release", eachFact, []ID{DeadFeatureGate, FieldOfOtherRelease}},
	{NameDuplicate, "the name of a template is missing, invalid or a duplicate", eachFact, []ID{NameMissing, NameInvalid}},
	{EnableInvalid, "a template is not valid", eachFact, []ID{SpecMissing, SourceMissing, AffinityInvalid, DataSourceMissing}},
	{GateContradicts, "the multi-arch gate cannot be set", eachFact, []ID{NoGate, GateUnpatchable, FeatureGateDuplicate}},
	{SchemaViolated, "the API server or HCO refuses the CR", eachFact, []ID{AdmissionRefuses}},
	{WebhookWarns, "HCO or its documentation warns about the CR", eachFact, []ID{GateContested}},
	{CronRefused, "CDI refuses or cannot import a DataImportCron", eachFact, []ID{CronBroken}},
	{BundleReplaced, "SSP manages what goldenarch would emit", eachFact, []ID{TemplateReplaced, EmitBesideSSP}},
	{EmittedUnknown, "goldenarch cannot emit an object", eachFact, []ID{NotExpanded, EmitWrapped}},
	{ItemInTheWay, "an item of the input conflicts with an emitted one", eachFact, []ID{ItemRemoved, EmittedDuplicate}},
	{OperatorStops, "an operator stops at the CR", eachFact, []ID{SSPStops}},
	{LockDisagrees, "a lock is not valid, or two locks disagree", eachFact, []ID{LockInvalid}},
	{PodUnconstrained, "the constraints of a pod and its images do not agree", eachFact, []ID{ConstraintTooWide, ConstraintNarrow, NoCommonArch}},
	{NoNodeFits, "no node meets a constraint of a pod", eachFact, []ID{ArchLabelValue, TermEmpty}},
	{TermsMissing, "Kubernetes does not accept the constraints of a pod", eachFact, []ID{PodUnreadable}},
	{AffinityReplaced, "a Subscription replaces the constraints of the operator", eachFact, []ID{AffinityErased, SelectorReplaced}},
	{LabelNotKept, "the labels of the ClusterServiceVersion and the images do not agree", eachFact, []ID{LabelMissing, LabelIgnored, LabelWritten}},
	{ManifestMissing, "the registry lacks a part of an image", eachFact, []ID{PlatformAbsent}},
	{AffinityWritten, "the node affinity is written", eachFact, []ID{ConstraintReplaced}},
	{ImageOmitted, "an image or a pod does not count", eachFact, []ID{PodSkipped}},
	{OperandNotRelated, "an image that an operator runs needs something that the files lack", eachFact, []ID{OperandUnrestricted}},
	{OperatorDisagrees, "the architectures of an operator are not proved", eachFact, []ID{OperatorUnknown}},
	{EditUnsafe, "a file cannot be edited safely", eachFact, []ID{EditFile}},
	{EditShared, "others build the file", eachFact, []ID{EditUnknown}},
	{EditNoPlace, "no file holds what must change", eachFact, []ID{EditNewObjects}},
	{PatchStale, "a patch of goldenarch no longer fits", eachFact, []ID{PatchUnfit}},
	{FleetInvalid, "the Fleet is not valid, or does not fit the repository", eachFact, []ID{FleetUnmatched, FleetOverruled}},
	{CustomizeUnknown, "customize cannot choose a template", eachFact, []ID{CustomizeUncertain, CustomizeWhichCR}},
	{Customized, "a template imports another image", eachFact, []ID{CustomizeDisabled}},
	{InitNodesUnknown, "init cannot set goldenarch up", eachFact, []ID{InitConflict, InitArgoCD}},
	{Undecodable, "a file that may hold a CR is not read", eachFact, []ID{Excluded}},
	{MachinesUnchecked, "machines or pods are not checked", eachFact, []ID{PodsUnchecked, MachineUnknown}},
	{MachineRefused, "KubeVirt refuses a machine, or it never starts", eachFact, []ID{MachineNeverStarts}},
	{MachineDiskOther, "a machine cannot boot: its disk or the nodes have another architecture", eachObject, []ID{MachineNoNode}},
	{MachineDepends, "what a machine gets depends on the cluster", eachFact, []ID{MachineRaces}},
	{FactsDisagree, "a facts file is not valid, or does not agree with the CR", eachFact, []ID{FactsInvalid}},
}

// storyOf has the story of each kind of finding that is a part of one.
var storyOf = sync.OnceValue(func() map[ID]story {
	out := map[ID]story{}
	for _, s := range stories {
		out[s.id] = s
		for _, kind := range s.kinds {
			out[kind] = s
		}
	}
	return out
})

// Public returns the id that users see: that of the story of which a finding is a part, or its own.
func (id ID) Public() ID {
	if s, ok := storyOf()[id]; ok {
		return s.id
	}
	return id
}

// lowering returns what an exception may do with the findings of an id that users see. Where the kinds differ, it may lower
// those that are no errors; an error that leaves no answer stays one ([mayLower]).
func (id ID) lowering() class {
	kinds := append([]ID{id}, storyOf()[id].kinds...)
	all := func(c class) bool {
		return !slices.ContainsFunc(kinds, func(kind ID) bool { return kind.class() != c })
	}
	switch {
	case slices.ContainsFunc(kinds, func(kind ID) bool { return kind.class() == lowerable }):
		return lowerable
	case all(id.class()):
		return id.class()
	default:
		return errorStays
	}
}

// storyKey is what a finding of a story is about.
type storyKey struct {
	id              ID
	object          Object
	field, template string
}

// key returns what a finding of the story is about, false if it stands alone.
func (s story) key(f Finding) (storyKey, bool) {
	out := storyKey{id: s.id, object: f.Object}
	switch s.scope {
	case eachTemplate:
		if out.template = f.Template; f.Template == "" {
			out.field = f.Field
		} else if list, element, ok := strings.Cut(f.Field, "emplates["); ok { // one of several with the same name
			at, _, _ := strings.Cut(element, "]")
			out.field = list + at
		}
	case eachObject:
	case eachCluster:
		out.object = Object{Cluster: f.Object.Cluster}
	case eachFact:
		return out, false
	}
	return out, true
}

// Stories returns the findings as users see them: with the ids of their stories, and those that are about the same as one.
func (l List) Stories() List {
	out := make(List, 0, len(l))
	at, more := map[storyKey]int{}, map[storyKey]int{}
	for _, f := range l {
		s, ok := storyOf()[f.ID]
		if !ok {
			out = append(out, f)
			continue
		}
		f.ID = s.id
		key, merges := s.key(f)
		i, known := at[key]
		switch {
		case !merges:
			out = append(out, f)
		case known && more[key] < mostParts:
			out[i], more[key] = out[i].And(f), more[key]+1
		case known:
			more[key]++
			if f.rank() < out[i].rank() {
				out[i].Severity = f.Severity
			}
		default:
			at[key] = len(out)
			out = append(out, f)
		}
	}
	for key, n := range more {
		if n > mostParts {
			out[at[key]].Text += fmt.Sprintf(". There are %d more findings about the same", n-mostParts)
		}
	}
	return out
}

// mostParts is how many other findings one says. Of more, it says the number: a hostile input has thousands.
const mostParts = 8

// And returns a finding that also says what another one about the same does. The more severe one comes first.
func (f Finding) And(other Finding) Finding {
	if other.rank() < f.rank() {
		f, other = other, f
	}
	if f.Severity != Error || other.Severity == Error { // what is wrong beside an error goes with it
		f.Text, f.Do, f.Run = sentences(f.Text, other.Text), sentences(f.Do, other.Do), cmp.Or(f.Run, other.Run)
	}
	for _, one := range other.Changes {
		if !slices.Contains(f.Changes, one) {
			f.Changes = append(slices.Clip(f.Changes), one)
		}
	}
	if f.Current == nil && f.Proposed == nil {
		f.Current, f.Proposed = other.Current, other.Proposed
	}
	f.Final = f.Final || other.Final
	return f
}

// sentences joins two texts, unless the first has what the second says.
func sentences(text, more string) string {
	switch {
	case more == "" || strings.Contains(text, more):
		return text
	case text == "":
		return more
	}
	return strings.TrimSuffix(text, ".") + ". " + capitalized(more)
}
