package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// held is a registry that answers when it is let.
type held struct{ asked, answer chan struct{} }

func (h held) Resolve(context.Context, imageref.Reference) (registry.Image, error) {
	h.asked <- struct{}{}
	<-h.answer
	return registry.Image{}, nil
}

// TestProgressNamesWhatIsWaitedFor: while registries have not answered, the line says
// which, and how many images they owe; it fits on a terminal, and is taken away.
func TestProgressNamesWhatIsWaitedFor(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	bar := &queries{status: console.NewStatus(&out)}
	done := make(chan struct{})
	ask := func(image string) held {
		ref, err := imageref.Parse(image)
		if err != nil {
			t.Fatal(err)
		}
		h := held{asked: make(chan struct{}), answer: make(chan struct{})}
		go func() {
			if _, err := bar.before(h).Resolve(t.Context(), ref); err != nil {
				t.Error(err)
			}
			done <- struct{}{}
		}()
		<-h.asked
		return h
	}
	shown := func() string {
		lines := strings.Split(out.String(), "\r")
		last := lines[len(lines)-1]
		if before := strings.TrimRight(lines[len(lines)-2], " "); len([]rune(last)) < len([]rune(before)) {
			t.Errorf("%q does not hide %q", last, before)
		}
		return strings.TrimRight(last, " ")
	}
	answer := func(h held) {
		close(h.answer)
		<-done
	}
	first, second := ask("quay.io/x/a:1"), ask("registry.example.com/x/a:1")
	third := ask("quay.io/x/b:1")
	var got []string
	got = append(got, shown())
	answer(first)
	got = append(got, shown())
	answer(third)
	got = append(got, shown())
	answer(second)
	got = append(got, shown())
	want := []string{
		"[..........] 0 of 3 images, waiting for quay.io (2), registry.example.com (1)",
		"[###.......] 1 of 3 images, waiting for quay.io (1), registry.example.com (1)",
		"[######....] 2 of 3 images, waiting for registry.example.com (1)",
		"[##########] 3 of 3 images",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	long := ask("a-registry-with-a-name-that-no-terminal-has-room-for.apps.example.com/x/a:1")
	if len([]rune(shown())) != 79 || !strings.HasSuffix(shown(), "…") {
		t.Errorf("the line does not fit: %q", shown())
	}
	answer(long)
	bar0 := []rune(shown())
	bar.status.Clear()
	if !strings.HasSuffix(out.String(), "\r"+strings.Repeat(" ", len(bar0))+"\r") {
		t.Errorf("the line is not taken away: %q", out.String())
	}
}
