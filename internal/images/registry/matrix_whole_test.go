package registry_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestMatrixIsWhole compares the table with the list: each line has a row, and
// each row a line.
func TestMatrixIsWhole(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/robustness.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := map[string]int{}
	names := map[string]bool{}
	for _, r := range matrix() {
		rows[r.row]++
		if name := r.row + "/" + r.variant; names[name] {
			t.Errorf("two rows are called %q", name)
		} else {
			names[name] = true
		}
		if r.sent == "" || r.want.kind == nil && r.want.platforms == "" {
			t.Errorf("%s %s: it says neither what is sent nor what must come of it", r.row, r.variant)
		}
	}
	lines := bufio.NewScanner(file)
	listed := map[string]bool{}
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		listed[line] = true
		if rows[line] == 0 {
			t.Errorf("no row for %q", line)
		}
	}
	if len(listed) < 70 {
		t.Errorf("the list has %d lines only", len(listed))
	}
	for row := range rows {
		if !listed[row] {
			t.Errorf("row %q is not in the list", row)
		}
	}
}
