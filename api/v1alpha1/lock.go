package v1alpha1

import (
	"fmt"
	"strings"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/fieldpath"
)

// ArchitectureLock keeps what registries answered for images, in Git. The same commit
// then gives the same manifests.
type ArchitectureLock struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata"`
	// Images is sorted by reference.
	Images []LockedImage `json:"images,omitempty"`
	// Operators is sorted by package and ClusterServiceVersion.
	Operators []LockedOperator `json:"operators,omitempty"`
}

// LockedImages is the key of the list of images in a lock.
const LockedImages = "images"

// LockedImage is the answer for one reference.
type LockedImage struct {
	// Reference is what a template names, without "docker://".
	Reference string `json:"reference"`
	// Digest and MediaType are those of the manifest or index.
	Digest    string `json:"digest"`
	MediaType string `json:"mediaType"`
	// Size is the size of the manifest or index in bytes; 0 means that it is not known.
	Size int `json:"size,omitempty"`
	// Mirror is the mirror that answered, if it was not the registry of the reference.
	Mirror string `json:"mirror,omitempty"`
	// Bundle says that the image is an operator bundle image, which runs on no node. It
	// then constrains no pod.
	Bundle bool `json:"bundle,omitempty"`
	// Platforms are the Linux platforms of the image.
	Platforms []LockedPlatform `json:"platforms"`
	// Absent are the platforms that the index lists and whose manifests the registry did not
	// have: a sparse mirror. They count as if the index did not list them.
	Absent []LockedPlatform `json:"absent,omitempty"`
}

// LockedPlatform is one platform of an image, with the digest of the manifest
// that holds it.
type LockedPlatform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
	Variant      string `json:"variant,omitempty"`
	Digest       string `json:"digest,omitempty"`
}

// DecodeArchitectureLock reads a lock from decoded JSON. If the object is invalid, the
// error is an [Errors] that lists every problem. It does not check whether the
// references are valid.
func DecodeArchitectureLock(object map[string]any) (*ArchitectureLock, error) {
	return decode(object, new(ArchitectureLock), ArchitectureLockKind, (*ArchitectureLock).check)
}

// Validate returns the problems of a lock as [Errors].
func (l *ArchitectureLock) Validate() error { return l.check().orNil() }

func (l *ArchitectureLock) check() Errors {
	var errs Errors
	for i, image := range l.Images {
		at := fmt.Sprintf("images[%d]", i)
		if image.Reference == "" {
			errs.add(at+".reference", "is empty, expected an image reference")
		}
		checkDigest(&errs, at+".digest", image.Digest)
		if image.MediaType == "" {
			errs.add(at+".mediaType", "is empty, expected the media type of the manifest or index")
		}
		if image.Size < 0 {
			errs.add(at+".size", "is %d, expected 0 or more", image.Size)
		}
		if len(image.Platforms) == 0 {
			errs.add(at+".platforms", "is empty, expected the platforms of the image")
		}
		checkPlatforms(&errs, at+".platforms", image.Platforms)
		checkPlatforms(&errs, at+".absent", image.Absent)
	}
	checkOperators(&errs, l.Operators)
	return errs
}

// checkPlatforms accepts only what goldenarch writes into a lock: Linux, Go's
// architecture names, each platform once. Users do not write locks, so goldenarch does
// not normalize the values.
func checkPlatforms(errs *Errors, path string, platforms []LockedPlatform) {
	seen := map[string]bool{}
	for i, p := range platforms {
		at := fieldpath.Element(path, i)
		if p.OS != "linux" {
			errs.add(at+".os", "is %q, expected \"linux\": no other system runs on a node", p.OS)
		}
		if !arch.Known(arch.Arch(p.Architecture)) {
			text := "expected the name of an architecture, such as \"amd64\""
			if _, err := arch.Parse(p.Architecture); err != nil {
				text = err.Error()
			}
			errs.add(at+".architecture", "is %q: %s", p.Architecture, text)
		}
		if p.Digest != "" {
			checkDigest(errs, at+".digest", p.Digest)
		}
		key := p.OS + "/" + p.Architecture + "/" + p.Variant
		if seen[key] {
			errs.add(at, "duplicate platform %q", strings.TrimSuffix(key, "/"))
		}
		seen[key] = true
	}
}

func checkDigest(errs *Errors, path, digest string) {
	algorithm, digits, _ := strings.Cut(digest, ":")
	hasLength := algorithm == "sha256" && len(digits) == 64 || algorithm == "sha512" && len(digits) == 128
	if !hasLength || strings.Trim(digits, "0123456789abcdef") != "" {
		errs.add(path, "is %q, expected sha256:<64 hex digits> or sha512:<128 hex digits>", digest)
	}
}

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
		at := fieldpath.Element(path, i)
		if !arch.Known(arch.Arch(name)) {
			errs.add(at, "is %q, expected the name of an architecture, such as \"amd64\"", name)
		}
		if seen[name] {
			errs.add(at, "duplicate name %q", name)
		}
		seen[name] = true
	}
}
