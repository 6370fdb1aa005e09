package kustomization

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// In reports whether a path is a directory that has a kustomization.
func In(path string) bool {
	return slices.ContainsFunc(konfig.RecognizedKustomizationFileNames(), func(name string) bool {
		info, err := os.Stat(filepath.Join(path, name))
		return err == nil && !info.IsDir()
	})
}

// CleanedAbs implements [filesys.FileSystem]. kustomize calls it before it reads a file. A
// kustomization may be a link to a file with another name.
func (b *build) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if dir, file, is := b.inVirtual(path); is {
		return dir, file, nil
	}
	dir, file, err := b.FileSystem.CleanedAbs(path)
	if err == nil && file != "" && slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
		b.places[dir.Join(file)] = filepath.Dir(path)
	}
	return dir, file, err
}

// ReadFile implements [filesys.FileSystem]. It changes each kustomization as the method
// seen does, before kustomize gets it.
func (b *build) ReadFile(path string) ([]byte, error) {
	if text, is := b.virtual[path]; is {
		b.notes.bytesRead.Add(int64(len(text)))
		return text, nil
	}
	data, err := b.FileSystem.ReadFile(path)
	if err != nil {
		return nil, err
	}
	dir, is := b.places[path]
	if is {
		if err = b.notes.again(path); err == nil {
			data, err = b.seen(dir, data)
		}
	} else {
		err = b.refusePlugin(path, data)
	}
	if err != nil && b.refused == nil {
		b.refused = err
	}
	return data, err
}

// decode reads a kustomization as kustomize does, which accepts field names in any case.
// It reports false for a kustomization that kustomize refuses.
func decode(data []byte) (types.Kustomization, bool) {
	var k types.Kustomization
	err := k.Unmarshal(data)
	return k, err == nil
}

// fields returns the fields of a kustomization that are set, by their correct names.
func fields(k types.Kustomization) (map[string]any, error) {
	data, err := json.Marshal(k)
	if err != nil {
		return nil, fmt.Errorf("encode the kustomization: %w", err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("encode the kustomization: %w", err)
	}
	return out, nil
}

// load reads the kustomization of a directory. It reports false unless there is exactly
// one.
func (b *build) load(dir string) (types.Kustomization, bool) {
	var out types.Kustomization
	found := 0
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		if at, file, err := b.FileSystem.CleanedAbs(path); err != nil || file == "" || !b.below(dir, at) {
			continue // kustomize refuses a link that leads elsewhere
		}
		data, err := b.FileSystem.ReadFile(path)
		if err != nil {
			continue
		}
		k, ok := decode(data)
		if !ok {
			return k, false
		}
		out = k
		found++
	}
	return out, found == 1
}
