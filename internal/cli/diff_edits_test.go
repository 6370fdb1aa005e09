package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/goldenarch/goldenarch/internal/files"
)

// TestDiffIsTheEdit: in a file whose parts are alike, the diff has the lines of the edits and
// no others, as many as there are.
func TestDiffIsTheEdit(t *testing.T) {
	t.Parallel()
	var before, after strings.Builder
	var edits []files.Edit
	for i := range 3000 {
		fmt.Fprint(&before, "- spec:\n    a: 1\n    b:\n")
		fmt.Fprint(&after, "- spec:\n    a: 1\n    b:\n")
		if i%3 == 0 {
			const added = "    - x: 1\n      y: 2\n"
			edits = append(edits, files.Edit{From: before.Len(), To: before.Len(), Text: added})
			after.WriteString(added)
		}
		fmt.Fprint(&before, "    - x: 1\n      y: 2\n")
		fmt.Fprint(&after, "    - x: 1\n      y: 2\n")
	}
	diff := changeDiff("a.yaml", files.Change{Before: []byte(before.String()), After: []byte(after.String()), Edits: edits}, false)
	added, removed := 0, 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	if added != 2*len(edits) || removed != 0 {
		t.Errorf("%d edits are +%d -%d lines", len(edits), added, removed)
	}
}

// TestLineEdits: edits at any offset become edits of whole lines that give the same text.
func TestLineEdits(t *testing.T) {
	t.Parallel()
	piece := []string{"a", "\n", "b\n", "\n\n", "c d", "é", "\r\n", "", "a\nb"}
	draw := func(r *rand.Rand, n int) string {
		out := ""
		for range n {
			out += piece[r.IntN(len(piece))]
		}
		return out
	}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 821))
		before := "x" + draw(r, 1+r.IntN(20))
		var edits []udiff.Edit
		after, at := "", 0
		for at < len(before) {
			from := at + r.IntN(len(before)-at+1)
			e := udiff.Edit{Start: from, End: min(len(before), from+r.IntN(4)), New: draw(r, r.IntN(3))}
			if e.Start == e.End && e.New == "" {
				break
			}
			after += before[at:e.Start] + e.New
			at = e.End
			edits = append(edits, e)
			if at++; at <= len(before) {
				after += before[at-1 : at]
			}
		}
		if at < len(before) {
			after += before[at:]
		}
		if len(edits) == 0 || after == "" {
			continue
		}
		if lines, known := lineEdits(before, after, edits); !known {
			t.Fatalf("seed %d: %q with %v is not %q: %v", seed, before, edits, after, lines)
		}
	}
}

// TestDiffOfADump: whatever the form of a dump, what goldenarch decides comes before what only a cluster
// sets, and on a terminal one line stands for that.
func TestDiffOfADump(t *testing.T) {
	t.Parallel()
	managed := "  managedFields:\n" + strings.Repeat("  - manager: kubectl\n    operation: Update\n", 20)
	status := "status:\n" + strings.Repeat("  - {type: Available}\n", 40)
	for _, tc := range []struct {
		reason  string
		before  string
		edits   [][2]string // what goes, and what takes its place
		decided string
	}{
		{
			"a block", "metadata:\n  name: a\n" + managed + "  uid: u\nspec: {a: 1}\n" + status,
			[][2]string{{managed, ""}, {"  uid: u\n", ""}, {"{a: 1}", "{a: 2}"}, {status, ""}},
			"+spec: {a: 2}",
		},
		{
			"one edit for both", "metadata:\n  annotations:\n    x: y\n" + managed + "  name: a\n",
			[][2]string{{managed, "    b: c\n"}},
			"+    b: c",
		},
		{
			"JSON", "{\n  \"spec\": {\"a\": 1},\n  \"status\": {\n    \"x\": [\n" + strings.Repeat("      1,\n", 40) + "      1\n    ]\n  }\n}\n",
			[][2]string{{"1}", "2}"}, {",\n  \"status\": {\n    \"x\": [\n" + strings.Repeat("      1,\n", 40) + "      1\n    ]\n  }", ""}},
			`+  "spec": {"a": 2}`,
		},
		{"nothing else", "metadata: {name: a}\n" + status, [][2]string{{status, ""}}, ""},
	} {
		change := files.Change{Name: "a.yaml", Before: []byte(tc.before), After: []byte(tc.before)}
		for _, e := range tc.edits {
			from := strings.Index(tc.before, e[0])
			change.Edits = append(change.Edits, files.Edit{From: from, To: from + len(e[0]), Text: e[1]})
			change.After = []byte(strings.Replace(string(change.After), e[0], e[1], 1))
		}
		full, short := changeDiff("a.yaml", change, false), changeDiff("a.yaml", change, true)
		if strings.Count(short, "\n") > 14 || !strings.Contains(short, tc.decided) || !strings.Contains(short, "lines that only a cluster sets") {
			t.Errorf("%s: want %q and one line on a terminal:\n%s", tc.reason, tc.decided, short)
		}
		if at := strings.Index(full, tc.decided); strings.Count(full[:at], "\n") > 12 {
			t.Errorf("%s: %q comes too late:\n%s", tc.reason, tc.decided, full)
		}
	}
	if _, isDump := withoutDump([]byte("a: 1\nstatusPage: x\nb: 2\n"), []udiff.Edit{{Start: 5, End: 19}}); isDump {
		t.Error("another field is no part of a dump")
	}
}

// dumpOfCluster is what kubectl prints of a CR.
const dumpOfCluster = `apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  annotations:
    deployOVS: "false"
  creationTimestamp: "2026-03-01T10:00:00Z"
  generation: 4
  managedFields:
  - apiVersion: hco.kubevirt.io/v1beta1
    fieldsType: FieldsV1
    fieldsV1:
      f:spec:
        .: {}
        f:featureGates: {}
    manager: kubectl
    operation: Update
    time: "2026-03-01T10:00:00Z"
  name: kubevirt-hyperconverged
  namespace: kubevirt-hyperconverged
  resourceVersion: "123456"
  uid: 3b9b8a11-0000-0000-0000-000000000001
spec:
  featureGates:
    enableMultiArchBootImageImport: false
  dataImportCronTemplates:
  - metadata:
      name: app
    spec:
      managedDataSource: app
      schedule: "0 0 * * *"
      template:
        spec:
          storage:
            resources:
              requests:
                storage: 5Gi
          source:
            registry:
              url: docker://quay.io/acme/app:1
status:
  conditions:
  - lastTransitionTime: "2026-03-01T10:00:00Z"
    message: Reconcile completed successfully
    reason: ReconcileCompleted
    status: "True"
    type: ReconcileComplete
  nodeInfo:
    workloadsArchitectures: [amd64, arm64]
    controlPlaneArchitectures: [amd64]
  versions:
  - name: operator
    version: 1.19.0
`

// TestFixDiffOfADump: the diff of a dump begins with what goldenarch decides, and "git apply" of it makes
// the file that fix makes.
func TestFixDiffOfADump(t *testing.T) {
	t.Parallel()
	args := []string{
		"fix", "hco.yaml", "--offline", "--image", "quay.io/acme/app:1=amd64,arm64", "--release", "1.19",
		"--workload-architectures", "amd64,arm64", "--control-plane-architectures", "amd64",
	}
	applied, fixed := writeTree(t, map[string]string{"hco.yaml": dumpOfCluster}), writeTree(t, map[string]string{"hco.yaml": dumpOfCluster})
	git(t, applied, "", "init", "-q")
	diff, messages, status := runIn(t, applied, append(args, "--diff")...)
	declared, gone := strings.Index(diff, "+        ssp.kubevirt.io/dict.architectures: amd64,arm64\n"), strings.Index(diff, "-status:\n")
	if status != statusDiffers || declared < 0 || declared > strings.Index(diff, "-  managedFields:\n") || declared > gone {
		t.Fatalf("want the declared architectures first, got status %d\n%s%s", status, diff, messages)
	}
	git(t, applied, diff, "apply", "-")
	succeeds(t, fixed, args...)
	got, want := filesBelow(t, applied)["hco.yaml"], filesBelow(t, fixed)["hco.yaml"]
	if got != want || strings.Contains(want, "managedFields") || strings.Contains(want, "status:") {
		t.Errorf("git apply gives\n%s\nand fix\n%s", got, want)
	}
}

// TestHunksNameTheirLines: each hunk names where its lines are in both files, also after
// hunks that join several edits. "git apply" searches for the place, other tools do not.
func TestHunksNameTheirLines(t *testing.T) {
	t.Parallel()
	joined := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 29))
		var before, after strings.Builder
		var edits []files.Edit
		for i := range 10 + r.IntN(60) {
			line := fmt.Sprintf("line %d\n", i)
			from := before.Len()
			before.WriteString(line)
			switch r.IntN(9) {
			case 0:
				edits = append(edits, files.Edit{From: from, To: before.Len()})
			case 1:
				text := fmt.Sprintf("new %d\nnew\n", i)
				edits = append(edits, files.Edit{From: from, To: before.Len(), Text: text})
				after.WriteString(text)
			case 2:
				edits = append(edits, files.Edit{From: from, To: from, Text: "added\n"})
				after.WriteString("added\n" + line)
			default:
				after.WriteString(line)
			}
		}
		if len(edits) == 0 || after.Len() == 0 {
			continue
		}
		diff := changeDiff("a.yaml", files.Change{Before: []byte(before.String()), After: []byte(after.String()), Edits: edits}, false)
		if strings.Count(diff, "\n@@ ") < len(edits) {
			joined++
		}
		have := map[byte][]string{'-': strings.SplitAfter(before.String(), "\n"), '+': strings.SplitAfter(after.String(), "\n")}
		next := map[byte]int{}
		for line := range strings.Lines(diff) {
			switch {
			case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
				continue
			case strings.HasPrefix(line, "@@"):
				var old, now int
				for _, field := range strings.Fields(line)[1:3] {
					start, _, _ := strings.Cut(field[1:], ",")
					if _, err := fmt.Sscan(start, map[byte]*int{'-': &old, '+': &now}[field[0]]); err != nil {
						t.Fatalf("seed %d: %q: %v", seed, line, err)
					}
				}
				next['-'], next['+'] = old-1, now-1
				continue
			}
			for _, side := range []byte("-+") {
				if line[0] != side && line[0] != ' ' {
					continue
				}
				if at := next[side]; at >= len(have[side]) || have[side][at] != line[1:] {
					t.Fatalf("seed %d: %q is not line %d of the file on the side of %q:\n%s", seed, line, at+1, side, diff)
				}
				next[side]++
			}
		}
	}
	if joined < 1000 {
		t.Errorf("only %d diffs have a hunk of several edits", joined)
	}
}
