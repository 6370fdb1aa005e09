package lock

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// asWriter makes the test binary write two locks over and over, by turns; its
// value is the file.
const asWriter = "GOLDENARCH_TEST_WRITER"

func TestMain(m *testing.M) {
	if name := os.Getenv(asWriter); name != "" {
		var locks [][]byte
		for turn := range 2 {
			text, err := os.ReadFile(fmt.Sprintf("%s.%d", name, turn))
			if err != nil {
				panic(err)
			}
			locks = append(locks, text)
		}
		fmt.Fprintln(os.Stdout, "begun")
		for turn := 0; ; turn++ {
			old, err := os.ReadFile(name)
			if err == nil {
				err = Replace(name, old, locks[turn%2])
			}
			if err != nil {
				fmt.Fprintln(os.Stdout, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// wholeLock is one of two locks of 200 images.
func wholeLock(turn int) []byte {
	var changes []Change
	for i := range 200 {
		answer := image(fmt.Sprintf("r.io/image%03d:1", i), []string{"a", "b"}[turn%2], []string{"amd64", "arm64", "s390x"}[:1+turn%2]...)
		changes = append(changes, Change{Answer: &answer})
	}
	text, err := NewFile("l.yaml").With(changes)
	if err != nil {
		panic(err)
	}
	return text
}

// temporaries are the temporary files beside a file.
func temporaries(t *testing.T, name string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(filepath.Dir(name), temporary(name)))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// A process that does nothing but write is killed 200 times, at moments of
// chance: the file is always whole, and what they leave beside it does not stay.
func TestReplaceIsKilled(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock.yaml")
	locks := [][]byte{wholeLock(0), wholeLock(1)}
	for file, text := range map[string][]byte{name: locks[0], name + ".0": locks[0], name + ".1": locks[1]} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dice := rand.New(rand.NewPCG(3, 4))
	seen := map[int]int{}
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
		which := map[bool]int{true: 0, false: 1}[bytes.Equal(got, locks[0])]
		if err != nil || !bytes.Equal(got, locks[which]) {
			t.Fatalf("turn %d: the file is not whole (%v): %d bytes", turn, err, len(got))
		}
		seen[which]++
	}
	if len(seen) != 2 {
		t.Errorf("the writer never got to the other lock: %v", seen)
	}
	left := temporaries(t, name)
	if len(left) == 0 {
		t.Fatal("no process was killed while it wrote: the test proves nothing")
	}
	// Young ones may be somebody's, old ones are nobody's.
	long := time.Now().Add(-2 * leftoverAge)
	for _, file := range left[1:] {
		if err := os.Chtimes(file, long, long); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(name)
	if err == nil {
		err = Replace(name, old, locks[1])
	}
	if now := temporaries(t, name); err != nil || !slices.Equal(now, left[:1]) {
		t.Errorf("want %d files of killed processes removed and one kept, got %v, %v", len(left)-1, now, err)
	}
	file, found, err := ReadFile(name, locks[1])
	if err != nil || found.Failed() || len(file.Lock().Images()) != 200 {
		t.Errorf("the lock can be read: %v %s", err, found)
	}
}
