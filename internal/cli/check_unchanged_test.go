package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// changedText matches texts that say what goldenarch changed.
var changedText = regexp.MustCompile(`goldenarch (turns on|narrowed|declared|replaced|removed|removes|enables|adds|restricts|writes "|` +
	`disables template|disabled template "[^"]+":)`)

// TestCheckSaysWhatIsMissing: check changes nothing, so no finding says that goldenarch
// changed something. The golden files show all of its texts.
func TestCheckSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/check/*/*")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := changedText.Find(data); found != nil {
			t.Errorf("%s: %q", file, found)
		}
	}
}
