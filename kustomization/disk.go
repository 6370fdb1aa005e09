package kustomization

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/goldenarch/goldenarch/finding"
)

// disk is the file system, and remembers what was read of it, and what there is to
// tell of that.
type disk struct {
	filesys.FileSystem

	read  map[string][]byte
	found finding.List
}

func newDisk() *disk { return &disk{FileSystem: filesys.MakeFsOnDisk(), read: map[string][]byte{}} }

// ReadFile implements [filesys.FileSystem].
func (d *disk) ReadFile(path string) ([]byte, error) {
	data, err := d.FileSystem.ReadFile(path)
	if err == nil {
		d.read[path] = data
	}
	return data, err
}

// tell notes a finding, once: kustomize reads some files twice.
func (d *disk) tell(f finding.Finding) {
	if !slices.Contains(d.found, f) {
		d.found = append(d.found, f)
	}
}
