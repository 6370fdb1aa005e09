package olm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"

	"github.com/goldenarch/goldenarch/internal/cli"
	"github.com/goldenarch/goldenarch/test/filetest"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// theirs are the messages of the validator (pkg/validation/internal/multiarch.go), by a
// part that does not change.
var theirs = []struct{ part, name string }{
	{"not all images specified are providing the support", "error label"},
	{"unable to inspect the image", "inspect"},
	{"missing the label (operatorframework.io/arch", "label missing"},
	{"missing the label (operatorframework.io/os", "system missing"},
	{"should not support", "other image"},
	{"is missing a node affinity", "no affinity"},
	{"missing or invalid node affinity", "no affinity"},
	{"the CSV includes", "too wide"},
	{"the image data indicates", "too narrow"},
}

// upstream returns what the validator of operator-framework/api says, sorted, each once.
func upstream(t *testing.T, dir string) string {
	t.Helper()
	read, err := manifests.GetBundleFromDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, result := range validation.MultipleArchitecturesValidator.Validate(read, map[string]string{"container-tools": "docker"}) {
		for _, one := range append(result.Errors, result.Warnings...) {
			at := slices.IndexFunc(theirs, func(known struct{ part, name string }) bool { return strings.Contains(one.Error(), known.part) })
			if at < 0 {
				t.Errorf("an unknown message: %s", one.Error())
				continue
			}
			out = append(out, theirs[at].name)
		}
	}
	return joined(out)
}

// ours returns what "goldenarch check" says, sorted, each once.
func ours(t *testing.T, dir, registry string) string {
	t.Helper()
	var out, errs bytes.Buffer
	status := cli.Run(t.Context(),
		[]string{"check", dir, "-o", "json", "--set", "registryInsecure=" + registry, "--set", "registryRetries=0"},
		cli.Streams{In: nil, Out: &out, Err: &errs}, nil)
	var report struct {
		Findings []struct {
			ID       string `json:"id"`
			Severity string `json:"severity"`
		} `json:"findings"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("status %d: %v\n%s%s", status, err, out.String(), errs.String())
	}
	var list []string
	for _, f := range report.Findings {
		list = append(list, f.Severity+" "+f.ID)
	}
	return joined(list)
}

func joined(list []string) string {
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

// TestBundles gives bundles to both, which ask the same registry, one of them through a
// container tool.
func TestBundles(t *testing.T) {
	s, err := registrytest.Start(registrytest.Options{PlainHTTP: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Push("x/two:1", registrytest.Index("linux/amd64", "linux/arm64")).
		Push("x/four:1", registrytest.Index("linux/amd64", "linux/arm64", "linux/ppc64le", "linux/s390x")).
		Push("x/amd:1", registrytest.Index("linux/amd64")).
		Push("x/attested:1", registrytest.AttestedIndex("linux/amd64", "linux/arm64")).
		Push("x/single:1", registrytest.Image("linux/amd64")).
		Push("x/acme-bundle:1", registrytest.ImageWithConfig([]byte(
			`{"os":"linux","architecture":"amd64","config":{"Labels":{"operators.operatorframework.io.bundle.manifests.v1":"manifests/"}}}`)))
	tools := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tools, "docker"), []byte("#!/bin/sh\nexec '"+self+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	t.Setenv(registryVariable, s.Host())
	var rows []bundleRow
	names := map[bundleRow][]string{}
	for _, tc := range slices.Concat(bundles, published) {
		dir := tc.bundle.write(t, s.Host())
		before, after := upstream(t, dir), ours(t, dir, s.Host())
		if before != tc.theirs || after != tc.ours {
			t.Errorf("%s:\nthe validator says %q, want %q\ngoldenarch says %q, want %q", tc.name, before, tc.theirs, after, tc.ours)
		}
		row := bundleRow{before, after, tc.right}
		if names[row] == nil {
			rows = append(rows, row)
		}
		names[row] = append(names[row], tc.name)
	}
	table := "| the validator | goldenarch | who is right, where they differ | bundles |\n|---|---|---|---|\n"
	for _, row := range rows {
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", row.theirs, row.ours, row.right, firstOf(names[row]))
	}
	filetest.Part(t, "../../docs/dev/olm.md", "bundles", table, os.Getenv("OLM_TEST_UPDATE") != "")
}

// firstOf returns the first names, and how many more there are.
func firstOf(names []string) string {
	const shown = 2
	if len(names) <= shown {
		return strings.Join(names, "; ")
	}
	return fmt.Sprintf("%s; %d more", strings.Join(names[:shown], "; "), len(names)-shown)
}

// bundleRow is what both say of some bundles.
type bundleRow struct{ theirs, ours, right string }
