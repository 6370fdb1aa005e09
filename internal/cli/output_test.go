package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stuck is a stream whose reader takes a part and no more.
type stuck struct {
	part    bytes.Buffer
	reached chan struct{} // closed when the part is written
	never   chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	n, _ := s.part.Write(p[:len(p)/2])
	close(s.reached)
	<-s.never
	return n, io.ErrClosedPipe
}

// TestStoppedWhileWriting: in the middle of the output, nobody says that
// nothing was written.
func TestStoppedWhileWriting(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		args   []string
		stdin  string
	}{
		{"the function", []string{stated}, resourceList(manifests)},
		{"render", []string{"render", "-", stated}, manifests},
	} {
		out := &stuck{reached: make(chan struct{}), never: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-out.reached; cancel() }()
		var errs bytes.Buffer
		if status := Execute(ctx, tc.args, Streams{In: strings.NewReader(tc.stdin), Out: out, Err: &errs}); status != statusFailed {
			t.Errorf("%s: want status %d, got %d", tc.reason, statusFailed, status)
		}
		if got := errs.String(); !strings.HasSuffix(got, "goldenarch: stopped by a signal, the output is not complete\n") {
			t.Errorf("%s: want it said that the output is not complete, got %q", tc.reason, got)
		}
		if out.part.Len() == 0 {
			t.Errorf("%s: the writer was not reached", tc.reason)
		}
		close(out.never)
	}
}

// fullDisk fails each write.
type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

// TestUnwrittenOutput: a run whose output cannot be written fails, also where the output is help,
// which has no error of its own.
func TestUnwrittenOutput(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, args := range []string{
		"--help", "help", "help check", "check --help", "completion bash", "completion --help", "version", "--version", "explain GA601",
		"argocd --help",
	} {
		var errs bytes.Buffer
		status := Execute(t.Context(), strings.Fields(args), Streams{In: strings.NewReader(""), Out: fullDisk{full}, Err: &errs})
		if status != statusFailed || !strings.Contains(errs.String(), full.Error()) {
			t.Errorf("%s: want status %d and the error, got %d:\n%s", args, statusFailed, status, &errs)
		}
	}
}

// TestReportFiles: one check writes several reports, with the bytes that standard output would get.
func TestReportFiles(t *testing.T) {
	t.Parallel()
	dir := writeTree(t, map[string]string{"hco.yaml": gateOn})
	check := func(args ...string) (string, string, int) {
		return runIn(t, dir, append([]string{"check", "hco.yaml", "--offline", "--workload-architectures", "amd64"}, args...)...)
	}
	formats := []string{"json", "markdown", "html", "sarif", "junit", "github", "text"}
	var all []string
	for _, format := range formats {
		all = append(all, "-o", format+"="+format)
	}
	printed, _, status := check(all...)
	text, _, want := check()
	if printed != text || status != want {
		t.Errorf("want the text on standard output and status %d, got %d and\n%s", want, status, printed)
	}
	for _, format := range formats {
		data, err := os.ReadFile(filepath.Join(dir, format))
		if alone, _, _ := check("-o", format); err != nil || string(data) != alone {
			t.Errorf("%s, %v: want\n%s\ngot\n%s", format, err, alone, data)
		}
	}
	for value, says := range map[string]string{
		"jsn=x":  `unknown output "jsn"`,
		"json=":  `"json=" names no file: expected json=FILE`,
		"json=.": "--output json: ",
	} {
		if out, errs, got := check("-o", value); got == statusOK || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: status %d, want %q in\n%s%s", value, got, says, out, errs)
		}
	}
}
