package repo

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/manifest"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// Options is what the caller of [Scan] knows.
type Options struct {
	// IsBundle reports whether a directory is a bundle of the Operator Lifecycle Manager.
	IsBundle func(dir string) bool
	// Named are files that the user names as a configuration, and that are therefore
	// part of no cluster.
	Named []string
	// IgnoreFrom says which .krmignore counts; nil: those of the tree.
	IgnoreFrom manifest.IgnoreFrom
	// Pods says that objects with pods are checked, also where there is no CR.
	Pods bool
	// AboutPods reports whether a GoldenImages says that the run is about the pods beside it; nil for none.
	AboutPods func(*yaml.RNode) bool
	// ByDirectory says that each directory with a CR is a cluster, also the only one.
	ByDirectory bool
	// Local says that a CR counts although an annotation says that it is for tools alone: a stranger may have written that.
	Local bool
	// Machines says that the user states the cluster of all virtual machines.
	Machines bool
	// Stated reports whether the user states that a directory is a cluster.
	Stated func(dir string) bool
	// Directories are those that the user names as ones of clusters.
	Directories []Named
	// CRPath returns where in a file the user states that a CR is.
	CRPath func(file string) (fieldpath.Place, bool)
	// CRPaths are the places of CRs that the run reads besides. Their files are absolute and without links.
	CRPaths []fieldpath.Place
}

// Kind says how the manifests of a place are made.
type Kind string

// The kinds of places.
const (
	Kustomization Kind = "kustomization" // kustomize builds the directory
	Directory     Kind = "directory"     // the files of the directory are the manifests
	File          Kind = "file"          // one file has the CR, and its directory has others
	Bundle        Kind = "bundle"        // a bundle of the Operator Lifecycle Manager
)

// Place is a directory or a file that is applied to one cluster.
type Place struct {
	// Path names the place below the path that the user named.
	Path string
	Kind Kind
	// Files are the manifests of a Directory or a File.
	Files []string
	// CRPath is where in its only file a File has the CR; nil if the file is a manifest.
	CRPath *fieldpath.Place
	// Pods says that the run is also about the pods in it.
	Pods bool
	// OnlyMachines says that it has virtual machines, and nothing that makes it a cluster by itself.
	OnlyMachines bool
	// Beside are other places of the same cluster, with virtual machines alone.
	Beside []Place
}

// Chart is a Helm chart.
type Chart struct {
	Path string
	// Uses say how the Applications of Argo CD and the HelmReleases of Flux render it, each way once.
	Uses []ChartUse
	// Relevant says that helm makes a HyperConverged CR of the chart, or pods in a run about pods.
	Relevant bool
}

// ChartUse is what an Application or a HelmRelease passes to helm for a chart.
type ChartUse struct {
	// By names the Application or the HelmRelease.
	By string
	// Values are its value files, as the user names them.
	Values []string
	// Replaces says that they are in the place of the values.yaml of the chart.
	Replaces bool
	// Fields are those that have values in the Application or the HelmRelease itself.
	Fields []string
}

// Unseen is a kustomization that goldenarch cannot look into.
type Unseen struct {
	Path string
	// Because says why: it names a remote base, or inflates a Helm chart.
	Because string
}

// Layout is what a tree holds.
type Layout struct {
	// Places may have a CR, in the order of their paths.
	Places []Place
	// One says that the tree is one place, its root: nothing in it divides it, or the kustomization of the root builds all.
	One bool
	// BareRoot says that the root has a kustomization, which nobody includes, without anything that makes it a place.
	BareRoot bool
	// Pods says that the places may have pods in place of a CR.
	Pods bool
	// Without are the outermost kustomizations that mention no CR.
	Without []string
	// Shared are the directories with a kustomization that others include.
	Shared []string
	// Unseen are outermost kustomizations that mention no CR, and that include what
	// goldenarch does not read.
	Unseen []Unseen
	Charts []Chart
	// Bundles are bundles of the Operator Lifecycle Manager that are no places.
	Bundles []string
	// Applications and ApplicationSets are how many of Argo CD there are. Unfollowed are
	// those whose directory only Argo CD knows, by file and name.
	Applications, ApplicationSets int
	Unfollowed                    []string
	// Unread is what goldenarch checks and does not read: errors, and warnings about texts that a
	// person or a pipeline runs.
	Unread finding.List
	// Excluded are the files and directories with a CR that a .krmignore leaves out, and Hidden the files that an Application
	// does not apply, or that say so themselves.
	Excluded, Hidden []string
	// Machines are the files with virtual machines that are in no cluster, and PodFiles those that may
	// have pods in a run that is not about pods.
	Machines, PodFiles []string
	// Guessed are the files with machines that the only CR of the repository judges, since nothing states their cluster.
	Guessed []string
	// UnreadMachines are files and charts in the directory of a cluster with virtual machines in a form that
	// goldenarch does not read, and UnreadPods those with pods in a run about pods.
	UnreadMachines, UnreadPods []string
	// Routes are the ways on which directories get to clusters.
	Routes Routes
	// Files is the number of files that goldenarch read.
	Files int
	// Found is what is wrong with files and directories.
	Found finding.List
}
