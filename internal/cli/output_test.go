package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
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

// TestOutputStops: what was said when the process stopped stays true.
func TestOutputStops(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		writes int
		want   string
	}{
		{"before the first write", 0, "nothing was written"},
		{"between two writes", 1, "the output may not be complete"},
	} {
		var to bytes.Buffer
		out := &output{to: &to}
		for range tc.writes {
			if _, err := out.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if got := out.stop(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
		if _, err := out.Write([]byte("y")); !errors.Is(err, errStopped) || to.Len() != tc.writes {
			t.Errorf("%s: nothing is written any more: %v, %q", tc.reason, err, to.String())
		}
	}
}
