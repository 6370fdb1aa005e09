package v1alpha1

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// LockedOperator has the architectures on which the pods of an operator run: those that all
// images of its deployments have.
type LockedOperator struct {
	// Package is the name of the operator's package in a catalog.
	Package string `json:"package"`
	// CSV is the name of the ClusterServiceVersion whose images prove the architectures.
	CSV           string   `json:"csv"`
	Architectures []string `json:"architectures"`
	// ConstrainedBy says how the deployments of the ClusterServiceVersion restrict their
	// pods to these architectures: each way once, sorted. A lock of an earlier release does
	// not say it.
	ConstrainedBy []OperatorConstraint `json:"constrainedBy,omitempty"`
}

// OperatorConstraint is a field of a deployment that restricts its pods to architectures.
type OperatorConstraint string

// None says that a deployment does not restrict its pods.
const (
	ConstrainedByAffinity     OperatorConstraint = "Affinity"
	ConstrainedByBoth         OperatorConstraint = "Both"
	ConstrainedByNodeSelector OperatorConstraint = "NodeSelector"
	ConstrainedByNone         OperatorConstraint = "None"
)

func checkOperators(errs *Errors, list []LockedOperator) {
	seen := map[[2]string]bool{}
	for i, o := range list {
		at := fmt.Sprintf("operators[%d]", i)
		if o.Package == "" {
			errs.add(at+".package", "is empty, expected the name of the operator's package")
		}
		if o.CSV == "" {
			errs.add(at+".csv", "is empty, expected the name of a ClusterServiceVersion")
		}
		if key := [2]string{o.Package, o.CSV}; seen[key] {
			errs.add(at, "duplicate entry %q of %q", o.CSV, o.Package)
		} else {
			seen[key] = true
		}
		if len(o.Architectures) == 0 {
			errs.add(at+".architectures", "is empty, expected the architectures of the operator")
		}
		checkLockedArchitectures(errs, at+".architectures", o.Architectures)
		for j, by := range o.ConstrainedBy {
			checkWord(errs, fmt.Sprintf("%s.constrainedBy[%d]", at, j), "value", by,
				ConstrainedByAffinity, ConstrainedByBoth, ConstrainedByNodeSelector, ConstrainedByNone)
		}
	}
}

// checkLockedArchitectures accepts only what goldenarch writes into a lock.
func checkLockedArchitectures(errs *Errors, path string, names []string) {
	seen := map[string]bool{}
	for i, name := range names {
		at := fmt.Sprintf("%s[%d]", path, i)
		if !arch.Known(arch.Arch(name)) {
			errs.add(at, "is %q, expected the name of an architecture, such as \"amd64\"", name)
		}
		if seen[name] {
			errs.add(at, "duplicate name %q", name)
		}
		seen[name] = true
	}
}
