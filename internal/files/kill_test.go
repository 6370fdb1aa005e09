package files

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// asWriter makes the test binary write two texts over and over, by turns; its value is the
// file.
const asWriter = "GOLDENARCH_TEST_WRITER"

func TestMain(m *testing.M) {
	if name := os.Getenv(asWriter); name != "" {
		writeForever(name)
	}
	os.Exit(m.Run())
}

func writeForever(name string) {
	texts := [][]byte{largeText(0), largeText(1)}
	fmt.Fprintln(os.Stdout, "begun")
	for turn := 0; ; turn++ {
		tree, err := FindTree([]string{name})
		if err == nil {
			_, err = tree.Update(context.Background(), []string{name}, func(int, []byte) ([]byte, error) { return texts[turn%2], nil })
		}
		if err != nil {
			fmt.Fprintln(os.Stdout, err)
			os.Exit(1)
		}
	}
}

// largeText is one of two texts that take some time to write.
func largeText(turn int) []byte {
	return bytes.Repeat([]byte(fmt.Sprintf("- line of text %d\n", turn)), 2000)
}

// temporaries returns the temporary files of a directory.
func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".*.goldenarch-*.tmp"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestUpdateIsKilled: a process that does nothing but write is killed 200 times, at random
// moments. The file is always complete, and what they leave beside it does not stay.
func TestUpdateIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "lock.yaml")
	texts := [][]byte{largeText(0), largeText(1)}
	if err := os.WriteFile(name, texts[0], 0o600); err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(3, 4))
	seen, left := map[int]int{}, 0
	for turn := range 200 {
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), asWriter+"="+name)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Scan()
		timer := time.AfterFunc(time.Duration(dice.Int64N(int64(15*time.Millisecond))), func() { _ = child.Process.Kill() })
		if lines.Scan() {
			t.Fatalf("turn %d: the writer failed: %s", turn, lines.Text())
		}
		_ = child.Wait()
		timer.Stop()
		got, err := os.ReadFile(name)
		which := map[bool]int{true: 0, false: 1}[bytes.Equal(got, texts[0])]
		if err != nil || !bytes.Equal(got, texts[which]) {
			t.Fatalf("turn %d: the file is not complete (%v): %d bytes", turn, err, len(got))
		}
		seen[which]++
		left += len(temporaries(t, dir)) // the next process removes them
	}
	if len(seen) != 2 {
		t.Errorf("the writer never got to the other text: %v", seen)
	}
	if left == 0 {
		t.Fatal("no process was killed while it wrote: the test proves nothing")
	}
	put(t, dir, ".lock.yaml.goldenarch-1.tmp", "half")
	last := temporaries(t, dir)
	tree, err := FindTree([]string{name})
	var written Written
	if err == nil {
		written, err = tree.Update(t.Context(), []string{name}, func(int, []byte) ([]byte, error) { return []byte("last"), nil })
	}
	if diff := cmp.Diff(last, written.Removed); err != nil || diff != "" {
		t.Errorf("removed (-want +got):\n%s\n(%v)", diff, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("want the file alone, got %v (%v)", entries, err)
	}
}
