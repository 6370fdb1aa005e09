package edits

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/goldenarch/goldenarch/internal/cli"
)

// casesVariable and seedVariable name the number of cases and the first of their seeds.
const casesVariable, seedVariable = "GOLDENARCH_EDITS_CASES", "GOLDENARCH_EDITS_SEED"

func numberOf(t *testing.T, variable string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// podsConfig is the configuration of a run about pods.
const podsConfig = `{"apiVersion": "goldenarch.dev/v1alpha1", "kind": "WorkloadArchitectures", "metadata": {"name": "pods"},
"spec": {"clusterArchitectures": ["amd64", "arm64"], "mode": "Affinity"}}`

// outcome is how a case ended.
type outcome int

const (
	edited outcome = iota
	same
	refused // an anchor or an alias stands in the way of the edit, and fix says so
	unread  // the parser that judges does not read the file as it was drawn
	outcomes
)

// TestAnyFormatting: fix of CRs and pods in random formatting gives a file that says what
// the function decides, has all other bytes as they were, and stays as it is in a second run.
func TestAnyFormatting(t *testing.T) {
	t.Parallel()
	cases, first, parts := numberOf(t, casesVariable, 200), numberOf(t, seedVariable, 0), uint64(runtime.GOMAXPROCS(0))
	var count [outcomes]atomic.Uint64
	t.Cleanup(func() {
		t.Logf("%d cases: %d were edited, %d had nothing to edit, %d were refused for an alias, %d are not read by the other parser",
			cases, count[edited].Load(), count[same].Load(), count[refused].Load(), count[unread].Load())
		if count[edited].Load()*2 < cases || count[refused].Load()*20 > cases || count[unread].Load()*20 > cases {
			t.Error("too few cases were edited")
		}
	})
	for part := range parts {
		t.Run(strconv.FormatUint(part, 10), func(t *testing.T) {
			t.Parallel()
			file, config := filepath.Join(t.TempDir(), "case.yaml"), filepath.Join(t.TempDir(), "pods.yaml")
			if err := os.WriteFile(config, []byte(podsConfig), 0o600); err != nil {
				t.Fatal(err)
			}
			failed := 0
			for seed := first + part; seed < first+cases && failed < 20; seed += parts {
				c := draw(seed, file, config)
				how, err := c.judge()
				if err != nil {
					failed++
					t.Errorf("seed %d: %v\n--- before\n%s\n--- after\n%s", seed, err, c.before, c.after)
					continue
				}
				count[how].Add(1)
			}
		})
	}
}

// drawn is a case: objects, and a file with them.
type drawn struct {
	objects       []object
	before, after string
	file, config  string // config is "" for a run about CRs
}

func draw(seed uint64, file, config string) *drawn {
	d := drawer{rand.New(rand.NewPCG(seed, 23))}
	c := &drawn{file: file}
	if d.IntN(2) == 0 {
		c.objects = append(c.objects, d.cr())
	} else {
		c.config = config
		for i := range 1 + d.IntN(2) {
			c.objects = append(c.objects, d.pods(i))
		}
	}
	for i := range d.IntN(3) {
		c.objects = append(c.objects, d.other(i))
	}
	d.Shuffle(len(c.objects), func(i, k int) { c.objects[i], c.objects[k] = c.objects[k], c.objects[i] })
	c.before = newWriter(d).file(c.objects)
	return c
}

// ofCRs are the flags that say what a run about CRs knows of the cluster.
var ofCRs = []string{
	"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64", "--set", "predefined=none", "--release", "1.18",
}

// run runs a verb that decides on the objects, without a registry, and returns what it prints.
func (c *drawn) run(verb, path, in string) (stdout, stderr string, status int) {
	args := []string{verb, path, "--offline"}
	for _, name := range slices.Sorted(maps.Keys(statedImages)) {
		args = append(args, "--image", name+"="+statedImages[name])
	}
	if c.config != "" {
		args = append(args, "--config", c.config)
	} else {
		args = append(args, ofCRs...)
	}
	var out, errs bytes.Buffer
	status = cli.Run(context.Background(), args, cli.Streams{In: strings.NewReader(in), Out: &out, Err: &errs}, nil)
	return out.String(), errs.String(), status
}

// hopeless matches the errors of images that fit no node, or no other image.
var hopeless = regexp.MustCompile(`error (GA101|GA704|GA701) `)

// decided returns what goldenarch decides about the objects where it gets them as JSON, or
// that it fails because they cannot run.
func (c *drawn) decided() (items []any, fails bool, err error) {
	var in strings.Builder
	for _, o := range c.objects {
		text, err := json.Marshal(o)
		if err != nil {
			return nil, false, err
		}
		in.WriteString(string(text) + "\n---\n")
	}
	out, messages, status := c.run("render", "-", in.String())
	switch {
	case status != 0 && hopeless.MatchString(messages):
		return nil, true, nil
	case status != 0:
		return nil, false, fmt.Errorf("render fails: %s", messages)
	}
	items, err = parse(out)
	return items, false, err
}

// judge runs fix twice on the file of a case, and judges what it wrote.
func (c *drawn) judge() (outcome, error) {
	var had []any
	for _, o := range c.objects {
		had = append(had, plain(o))
	}
	if !reads(c.before, had) {
		return unread, nil
	}
	want, fails, err := c.decided()
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(c.file, []byte(c.before), 0o600); err != nil {
		return 0, err
	}
	_, messages, status := c.run("fix", c.file, "")
	after, err := os.ReadFile(c.file)
	if err != nil {
		return 0, err
	}
	c.after = string(after)
	switch {
	case status != 0 && c.after != c.before:
		return 0, fmt.Errorf("a run that fails changes the file: %s", messages)
	case fails && status != 0:
		return same, nil
	case status != 0 && aliased.MatchString(messages):
		return refused, nil
	case status != 0:
		return 0, fmt.Errorf("fix fails: %s", messages)
	}
	if err := c.content(had, want); err != nil {
		return 0, err
	}
	if err := outsideOf(c.before, c.after, had, want); err != nil {
		return 0, err
	}
	_, messages, status = c.run("fix", c.file, "")
	if again, err := os.ReadFile(c.file); err != nil || status != 0 || !bytes.Equal(again, after) {
		return 0, errors.Join(err, fmt.Errorf("the second run ends with %d and\n%s%s", status, again, messages))
	}
	if c.after == c.before {
		return same, nil
	}
	return edited, nil
}

// reads reports whether the parser that judges reads a file as it was drawn.
func reads(text string, drawn []any) bool {
	read, err := objectsOf(text)
	return err == nil && reflect.DeepEqual(read, drawn)
}

// aliased matches the refusal of an edit that would also be one of another place.
var aliased = regexp.MustCompile(`GA8\d\d .*\b(alias|anchor)`)

// content judges whether a file says what was decided.
func (c *drawn) content(had, want []any) error {
	got, err := objectsOf(c.after)
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d objects are %d now", len(want), len(got))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			return fmt.Errorf("object %d is\n%v\nand is wanted as\n%v\nand was\n%v", i, got[i], want[i], had[i])
		}
	}
	return nil
}

// parse reads the documents of a text.
func parse(text string) ([]any, error) {
	var out []any
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var value any
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		case value != nil:
			out = append(out, asDrawn(value))
		}
	}
}

// asDrawn gives numbers one type.
func asDrawn(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = asDrawn(v[key])
		}
		return v
	case []any:
		for i := range v {
			v[i] = asDrawn(v[i])
		}
		return v
	case string, bool, nil:
		return v
	}
	return fmt.Sprint(value)
}

// objectsOf reads the objects of a text, which may have them in a List.
func objectsOf(text string) ([]any, error) {
	all, err := parse(text)
	if err != nil || len(all) != 1 {
		return all, err
	}
	if list, is := all[0].(map[string]any); is && list["kind"] == "List" {
		items, _ := list["items"].([]any)
		return items, nil
	}
	return all, nil
}

// wordly matches the parts of a text: anchors and tags, words, and what else is no blank.
var wordly = regexp.MustCompile(`&a\d+|!!\w+|[\p{L}\p{N}_]+|\S`)

// formal matches what an edit may write, or take away with a value that it replaces, in
// whatever number: brackets, quotes, the sign of a block, a null. An anchor goes with the value that
// it names.
var formal = regexp.MustCompile(`^([{}\[\],:"'~\\./|>-]|null|&a\d+|!!\w+)$`)

// outsideOf judges the bytes of a file outside the edits. Lines that are not the same hold
// the words that they had in their order, without the values that were replaced, and beside
// them the words of what was decided: each as often as it was decided.
func outsideOf(before, after string, had, want []any) error {
	crlf, bare := strings.Contains(before, "\r"), strings.ReplaceAll(after, "\r\n", "")
	if crlf && strings.Contains(bare, "\n") || !crlf && bare != after {
		return errors.New("the line ends are not those of the file")
	}
	added, removed := map[string]int{}, map[string]int{}
	edits := differ(had, want, added, removed)
	hunks := hunksOf(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	count := map[string]int{}
	lines := 0
	for _, h := range hunks {
		lines += len(h.old)
		for _, word := range words(h.now) {
			count[word]++
		}
		for _, word := range words(h.old) {
			count[word]--
		}
		if lost := lost(words(h.old), words(h.now), removed); lost > 0 {
			return fmt.Errorf("%d words of\n%q are not where they were in\n%q", lost, h.old, h.now)
		}
	}
	if lines > edits {
		return fmt.Errorf("%d lines are changed for %d edits: %q", lines, edits, hunks)
	}
	for _, word := range slices.Sorted(maps.Keys(count)) {
		if decided := added[word] - removed[word]; !formal.MatchString(word) && count[word] != decided {
			return fmt.Errorf("the word %q: %d more than before, and %d are decided: %q", word, count[word], decided, hunks)
		}
	}
	return nil
}

func words(lines []string) []string { return wordly.FindAllString(strings.Join(lines, ""), -1) }

// lost returns how many words have gone, or have another place among the others, and are
// neither formal nor of a value that was removed.
func lost(old, now []string, removed map[string]int) int {
	costs := make([]int, len(now)+1)
	for _, word := range slices.Backward(old) {
		cost := 1
		if removed[word] > 0 || formal.MatchString(word) {
			cost = 0
		}
		next := slices.Clone(costs)
		costs[len(now)] = next[len(now)] + cost
		for k := len(now) - 1; k >= 0; k-- {
			if costs[k] = min(next[k]+cost, costs[k+1]); word == now[k] {
				costs[k] = min(costs[k], next[k+1])
			}
		}
	}
	return costs[0]
}

// hunk is lines of a text, and what they are in another.
type hunk struct{ old, now []string }

// hunksOf returns the lines that are not in both texts.
func hunksOf(before, after []string) []hunk {
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i, line := range slices.Backward(before) {
		for k := len(after) - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); line == after[k] {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	out := []hunk{{}}
	for i, k := 0, 0; i < len(before) || k < len(after); {
		last := &out[len(out)-1]
		switch {
		case i < len(before) && k < len(after) && before[i] == after[k]:
			if i, k = i+1, k+1; len(last.old)+len(last.now) > 0 {
				out = append(out, hunk{})
			}
		case k == len(after) || i < len(before) && common[i+1][k] >= common[i][k+1]:
			last.old, i = append(last.old, before[i]), i+1
		default:
			last.now, k = append(last.now, after[k]), k+1
		}
	}
	return out
}

// differ counts the words that an edit adds and removes, and returns the number of edits.
func differ(had, want any, added, removed map[string]int) int {
	switch w := want.(type) {
	case map[string]any:
		h, is := had.(map[string]any)
		if !is {
			break
		}
		edits := 0
		if len(h) == 0 && len(w) > 0 {
			edits++ // the line of brackets with nothing in them, which may not be that of the key
		}
		for _, key := range slices.Sorted(maps.Keys(w)) {
			if _, is := h[key]; is {
				edits += differ(h[key], w[key], added, removed)
				continue
			}
			edits++
			tally(key, added)
			tally(w[key], added)
		}
		for key := range h {
			if _, is := w[key]; !is {
				edits++
				tally(key, removed)
				tally(h[key], removed)
			}
		}
		return edits
	case []any:
		h, is := had.([]any)
		if !is || len(h) > len(w) {
			break
		}
		edits := 0
		for i := range w {
			if i < len(h) {
				edits += differ(h[i], w[i], added, removed)
				continue
			}
			edits++
			tally(w[i], added)
		}
		return edits
	}
	if reflect.DeepEqual(had, want) {
		return 0
	}
	tally(had, removed)
	tally(want, added)
	return 1
}

// tally counts the words of a value.
func tally(value any, into map[string]int) {
	switch v := value.(type) {
	case map[string]any:
		for key, entry := range v {
			tally(key, into)
			tally(entry, into)
		}
	case []any:
		for _, entry := range v {
			tally(entry, into)
		}
	case nil:
	default:
		for _, word := range words([]string{fmt.Sprint(v)}) {
			into[word]++
		}
	}
}
