package cli

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
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
		data := filetest.Read(t, file)
		if found := changedText.Find(data); found != nil {
			t.Errorf("%s: %q", file, found)
		}
	}
}
