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
	// An answer for each reference, sorted by reference.
	Images []LockedImage `json:"images,omitempty"`
	// The architectures of operators, sorted by package and ClusterServiceVersion.
	// See docs/olm.md#the-architectures-of-an-operator.
	Operators []LockedOperator `json:"operators,omitempty"`
}

// LockedImages is the key of the list of images in a lock.
const LockedImages = "images"

// LockedImage is the answer for one reference.
type LockedImage struct {
	// The image, as a template names it without `docker://`. Each is there once.
	Reference string `json:"reference"`
	// That of the manifest or index.
	Digest string `json:"digest"`
	// That of the manifest or index.
	MediaType string `json:"mediaType"`
	// How many bytes the manifest or index has; 0 if that is not known.
	Size int `json:"size,omitempty"`
	// The mirror that answered, if it was one.
	Mirror string `json:"mirror,omitempty"`
	// The image is an operator bundle, which constrains no pod. See docs/workloads.md#which-images.
	Bundle bool `json:"bundle,omitempty"`
	// What the image has for Linux.
	Platforms []LockedPlatform `json:"platforms"`
	// What the index lists and the registry did not have, with the same fields.
	// See docs/lock.md#truth.
	Absent []LockedPlatform `json:"absent,omitempty"`
}

// LockedPlatform is one platform of an image.
type LockedPlatform struct {
	// `linux`.
	OS string `json:"os"`
	// Go's name; no alias.
	Architecture string `json:"architecture"`
	// Such as `v8`.
	Variant string `json:"variant,omitempty"`
	// That of the manifest for this platform.
	Digest string `json:"digest,omitempty"`
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
	// The package in the catalog.
	Package string `json:"package"`
	// The ClusterServiceVersion whose images prove it. Each is there once for a package.
	CSV string `json:"csv"`
	// What all images of its deployments have.
	Architectures []string `json:"architectures"`
	// How its deployments restrict their pods to these architectures. An entry of an earlier
	// release does not have it until you remove the entry.
	ConstrainedBy []OperatorConstraint `json:"constrainedBy,omitempty"`
}

// OperatorConstraint is a field of a deployment that restricts its pods to architectures.
type OperatorConstraint string

// None does not restrict them.
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
