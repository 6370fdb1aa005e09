package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEachLintExclusionHasFiles: an exclusion that matches no file belongs to a
// package that moved, where its linter now complains, or is gone.
func TestEachLintExclusionHasFiles(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Exclusions struct {
				Rules []struct {
					Path string `json:"path"`
				} `json:"rules"`
			} `json:"exclusions"`
		} `json:"linters"`
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && ignoredByGo(file):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		below, err := filepath.Rel(root, file)
		files = append(files, filepath.ToSlash(below))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := config.Linters.Exclusions.Rules
	if len(rules) == 0 {
		t.Fatal("no exclusions read: adapt this test to .golangci.yml")
	}
	for _, rule := range rules {
		pattern, err := regexp.Compile(rule.Path)
		if err != nil {
			t.Errorf("the path %q of an exclusion: %v", rule.Path, err)
			continue
		}
		found := false
		for _, file := range files {
			found = found || pattern.MatchString(file)
		}
		if !found {
			t.Errorf("the exclusion of .golangci.yml for %q matches no file: correct its path, or remove it", rule.Path)
		}
	}
}
