package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// extensions are those of the golden files of each format.
var extensions = map[string]string{
	"text": "text.txt", "json": "json.json", "markdown": "markdown.md", "html": "html.html",
	"sarif": "sarif.json", "junit": "junit.xml", "github": "github.txt",
}

// TestCheck runs the verb on the directories of testdata/check: input.yaml, with
// the flags of args.txt, gives the golden file of each format in formats.txt. The
// status is 1 exactly where the verdict is that the check failed, in all formats,
// and an error always fails it; a format that goes to a file has the findings on
// standard error.
func TestCheck(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/check/*")
	if err != nil || len(dirs) < 12 {
		t.Fatalf("want at least 12 directories, got %d (%v)", len(dirs), err)
	}
	seen := map[string]int{}
	for _, dir := range dirs {
		asText := sync.OnceValue(func() string {
			text, _, _ := checked(t, dir, "text")
			return text
		})
		for format := range strings.FieldsSeq(golden(t, dir, "formats.txt")) {
			seen[format]++
			t.Run(filepath.Base(dir)+"/"+format, func(t *testing.T) {
				t.Parallel()
				out, errs, status := checked(t, dir, format)
				hold(t, dir, extensions[format], out)
				text := asText()
				failed := strings.Contains("\n"+text, "\nfailed")
				if strings.Contains(text, "\nerror ") && !failed {
					t.Error("there is an error, and the check does not fail")
				}
				if (status == statusFailed) != failed || status != statusOK && status != statusFailed {
					t.Errorf("status %d, the verdict is that it failed: %v", status, failed)
				}
				reported := findingsIn(onOneLine(text))
				if slices.Contains(readByPeople, format) {
					reported = ""
				}
				if diff := cmp.Diff(sortedLines(reported), sortedLines(printable(errs))); diff != "" {
					t.Errorf("standard error (-want +got):\n%s", diff)
				}
				wellFormed(t, format, out)
			})
		}
	}
	if len(seen) != len(checkFormats) {
		t.Errorf("want golden files of every format, got %v", slices.Sorted(maps.Keys(seen)))
	}
}

// sortedLines returns the lines of a text in another order: a text has the reasons first.
func sortedLines(text string) []string { return slices.Sorted(strings.Lines(text)) }

// findingsIn returns the lines of a text that are findings.
func findingsIn(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "error GA") || strings.HasPrefix(line, "warning GA") || strings.HasPrefix(line, "info GA") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// printable is how the text format shows a line.
func printable(s string) string { return strings.ReplaceAll(s, "\x1b", "\uFFFD") }

// checked runs the verb on the input of a directory.
func checked(t *testing.T, dir, format string, flags ...string) (stdout, stderr string, status int) {
	t.Helper()
	args := slices.Concat([]string{"check", filepath.Join(dir, "input.yaml"), "-o", format}, strings.Fields(golden(t, dir, "args.txt")), flags)
	status, stdout, stderr = runFed(t, "", args...)
	return stdout, stderr, status
}

// wellFormed reads a product back.
func wellFormed(t *testing.T, format, out string) {
	t.Helper()
	switch format {
	case "json", "sarif":
		if !json.Valid([]byte(out)) {
			t.Errorf("no JSON:\n%s", out)
		}
	case "junit":
		decoder := xml.NewDecoder(strings.NewReader(out))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("no XML: %v\n%s", err, out)
			}
		}
	}
}

// TestCheckShowsNoSecret: whatever stands in the URLs and headers of a CR, no
// format shows it; so do the forecast's.
func TestCheckShowsNoSecret(t *testing.T) {
	t.Parallel()
	const dir, secret = "testdata/check/hostile", "s3cret"
	input := golden(t, dir, "input.yaml")
	if strings.Count(input, secret) < 5 {
		t.Fatal("the input has no secrets: this test proves nothing")
	}
	runs := [][]string{{"forecast", "-", "-o", "text"}, {"forecast", "-", "-o", "json"}, {"forecast", "-", "-o", "yaml"}}
	for format := range checkFormats {
		runs = append(runs, []string{"check", "-", "-o", format})
	}
	for _, args := range runs {
		_, out, errs := runFed(t, input, args...)
		if len(out) == 0 || strings.Contains(out, secret) || strings.Contains(errs, secret) {
			t.Errorf("%v: want a product without %q, got\n%s%s", args, secret, out, errs)
		}
	}
}

// TestCheckWritesNothing: what is checked has the same files and bytes after it,
// and nothing is made in the working directory.
func TestCheckWritesNothing(t *testing.T) {
	dir := t.TempDir()
	input := golden(t, "testdata/check/changes-and-warnings", "input.yaml")
	filetest.File(t, filepath.Join(dir, "input.yaml"), input)
	t.Chdir(dir)
	before := everything(t, dir)
	for format := range checkFormats {
		for _, path := range []string{"input.yaml", dir} {
			var out bytes.Buffer
			args := []string{"check", path, "-o", format, "--as", "rendered"}
			if status := Execute(t.Context(), args, Streams{Out: &out, Err: io.Discard}); status != statusOK || out.Len() == 0 {
				t.Errorf("%s: status %d, %d bytes", format, status, out.Len())
			}
			if format == "github" && !strings.Contains(out.String(), "file=input.yaml,line=") {
				t.Errorf("%s: want the file named from the working directory, got\n%s", path, out.String())
			}
		}
	}
	if diff := cmp.Diff(before, everything(t, dir)); diff != "" {
		t.Errorf("the directory (-before +after):\n%s", diff)
	}
}

// everything returns the files below a directory.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		info, _ := entry.Info()
		out[path] = info.Mode().String() + info.ModTime().String() + string(data)
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d files, %v", len(out), err)
	}
	return out
}

// TestCheckStatus: 2 is for misuse only, and then there is no product.
func TestCheckStatus(t *testing.T) {
	t.Parallel()
	const input = "testdata/check/right-as-it-is/input.yaml"
	missing := filepath.Join(t.TempDir(), "none.yaml")
	for _, tc := range []struct {
		reason  string
		args    []string
		status  int
		product bool
		stderr  string
	}{
		{"all is right", []string{input}, 0, true, ""},
		{"what cannot be read is an error, in the product too", []string{missing, "-o", "junit"}, 1, true, "error GA001"},
		{"no configuration, no check", []string{input, "--config", missing}, 1, false, missing},
		{"what it is to print is not known", []string{input, "-o", "xml"}, 2, false, `"xml"`},
		{"a flag is not known", []string{input, "--nonsense"}, 2, false, "--nonsense"},
		{"a flag is wrong", []string{input, "--set", "existing=Naro"}, 2, false, "Narrow"},
		{"a severity is wrong", []string{input, "--fail-on", "critical"}, 2, false, "expected error, warning or info"},
		{"flags contradict each other", []string{input, "--offline", "--set", "lock=Ignore"}, 2, false, "--offline"},
	} {
		status, out, errs := runFed(t, "", append([]string{"check"}, tc.args...)...)
		if status != tc.status || (len(out) > 0) != tc.product || !strings.Contains(errs, tc.stderr) || tc.stderr == "" && len(errs) > 0 {
			t.Errorf("%s: want status %d, got %d\n%s%s", tc.reason, tc.status, status, out, errs)
		}
	}
}

// TestCheckSaysWhatRenderSays: the findings of render are among those of check, in
// their order, with the same severity; and the other way round, where render
// fails check does. Of the fields of templates, of what an image disproves, of alerts, and of
// CRs that goldenarch does not read, check alone makes errors.
func TestCheckSaysWhatRenderSays(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/check/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	for _, dir := range dirs {
		args := append([]string{"render", filepath.Join(dir, "input.yaml")}, strings.Fields(golden(t, dir, "args.txt"))...)
		if i := slices.Index(args, "--fail-on"); i >= 0 {
			args = slices.Delete(args, i, i+2) // a flag of check alone
		}
		var errs bytes.Buffer
		rendered := Execute(t.Context(), args, Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
		text, _, status := checked(t, dir, "text", "--as", "rendered")
		if rendered != statusOK && status == statusOK {
			t.Errorf("%s: render ends with %d, check with %d", dir, rendered, status)
		}
		said := onOneLine(text)
		for line := range strings.Lines(printable(errs.String())) {
			if strings.HasPrefix(line, "goldenarch: ") || strings.HasPrefix(line, "warning GA003: ") || filepath.Base(dir) == "nothing-for-the-cluster" {
				continue // there the warning is an error to check
			}
			onlyCheckFails := func(id string) bool { return strings.HasPrefix(line, "warning "+id+" ") }
			if about, _, cut := strings.Cut(line, "): "); cut &&
				slices.ContainsFunc([]string{"GA402", "GA104", "GA430", "GA515", "GA830"}, onlyCheckFails) {
				if !strings.Contains(text, strings.TrimPrefix(about, "warning")) {
					t.Errorf("%s: check does not say:\n%s", dir, line)
				}
				continue
			}
			if about, _, _ := strings.Cut(line, "): "); changedText.MatchString(line) {
				line = about // check says what is missing instead
			}
			if strings.Contains(line, "only from documentation") {
				line = "* OpenShift Virtualization publishes no list of its predefined templates" // the note of the table
			}
			if !strings.Contains(said, line) {
				t.Errorf("%s: check does not say:\n%s", dir, line)
			}
		}
	}
}

// onOneLine returns the text of a check with each finding on one line, as the other verbs print it.
func onOneLine(text string) string {
	var out []string
	begun := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		advice, ok := strings.CutPrefix(line, "  ")
		command := strings.TrimPrefix(advice, "  ")
		switch {
		case !begun || !ok || strings.HasPrefix(command, "  "):
			out, begun = append(out, line), strings.Contains(line, " GA") && !ok
		case command != advice:
			out[len(out)-1] = strings.Replace(out[len(out)-1], "this command", command, 1)
		default:
			out[len(out)-1] += ". " + advice
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// adviceOf returns the first command that the text of a check advises, without the program; false if there is none.
func adviceOf(text string) (string, bool) {
	_, command, ok := strings.Cut(text, "\n    goldenarch ")
	command, _, _ = strings.Cut(command, "\n")
	return command, ok
}

// TestGateThatAnApplyKeeps: the CR does not state the gate, and the live CR has it on.
func TestGateThatAnApplyKeeps(t *testing.T) {
	t.Parallel()
	const text = "The live CR has it on, and the committed CR does not state it, so an apply leaves it on"
	for gate, want := range map[string]bool{"Disable": true, "Keep": false} {
		var out bytes.Buffer
		status := Execute(t.Context(), []string{
			"check", "testdata/livegate/unstated.yaml", "--live", "testdata/live/hco-1.17-gate-on.yaml", "--offline", "--set", "gate=" + gate,
			"--image", "quay.io/example/app:1=amd64,arm64",
		}, Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard})
		if got := strings.Contains(out.String(), text); got != want || (status == statusFailed) != want {
			t.Errorf("gate=%s ends with %d:\n%s", gate, status, out.String())
		}
	}
}
