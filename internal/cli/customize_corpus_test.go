package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

// TestCustomizeCorpus: in files of people customize only adds lines, but for a list or a
// spec without content, and a second run changes nothing.
func TestCustomizeCorpus(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, name := range corpus(t) {
		before := filetest.Read(t, name)
		file := filepath.Join(t.TempDir(), "f.yaml")
		config := filepath.Join(t.TempDir(), "config.yaml")
		for file, text := range map[string][]byte{file: before, config: []byte(`
apiVersion: goldenarch.dev/v1alpha1
kind: GoldenImages
metadata: {name: a}
spec:
  overrides:
  - image: quay.io/acme/fedora:1
    architectures: [amd64, arm64]
`)} {
			filetest.File(t, file, string(text))
		}
		run := func() (string, int) {
			var messages bytes.Buffer
			status := Execute(t.Context(),
				[]string{
					"customize", "fedora-image-cron", "--set-image", "quay.io/acme/fedora:1", "--offline", "--set", "predefined=upstream",
					"--config", config, file,
				},
				Streams{In: strings.NewReader(""), Out: &messages, Err: &messages})
			return messages.String(), status
		}
		messages, status := run()
		after := filetest.Read(t, file)
		if bytes.Equal(before, after) || status != statusOK {
			if status == statusOK || !bytes.Equal(before, after) {
				t.Errorf("%s: the status is %d, and the file changed: %v\n%s", name, status, !bytes.Equal(before, after), messages)
			}
			continue
		}
		changed++
		left := strings.Split(string(after), "\n")
		for line := range strings.SplitSeq(string(before), "\n") {
			if i := slices.Index(left, line); i >= 0 {
				left = left[i+1:]
			} else if !emptied.MatchString(strings.TrimRight(line, "\r")) && !strings.ContainsAny(line, "{[") {
				t.Errorf("%s: the line %q is gone or has moved", name, line)
			}
		}
		if !bytes.Contains(after, []byte("docker://quay.io/acme/fedora:1")) {
			t.Errorf("%s: the file does not have the image", name)
		}
		if messages, status := run(); status != statusOK {
			t.Errorf("%s: the second run fails: %s", name, messages)
		}
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(after, again) {
			t.Errorf("%s: the second run changes the file (%v)", name, err)
		}
	}
	t.Logf("%d files were changed", changed)
	if changed < 8 {
		t.Errorf("only %d files were changed", changed)
	}
}
