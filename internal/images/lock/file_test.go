package lock

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// head is how a lock begins.
const head = "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata:\n  name: l\n"

// entryOf is an entry as goldenarch writes it.
func entryOf(reference, letter string, platforms ...string) string {
	text := "- reference: " + reference + "\n  digest: " + digest(letter) + "\n  mediaType: " + index + "\n  size: 700\n  platforms:\n"
	for _, p := range platforms {
		text += "  - {os: linux, architecture: " + p + ", digest: '" + digest("0") + "'}\n"
	}
	return text
}

func TestWith(t *testing.T) {
	t.Parallel()
	a, c := entryOf("r.io/a:1", "a", "amd64"), entryOf("r.io/c:1", "a", "amd64")
	b := image("r.io/b:1", "b", "amd64", "arm64")
	added := entryOf("r.io/b:1", "b", "amd64", "arm64")
	addB := []Change{{Answer: &b}}
	newA := image("r.io/a:1", "c", "amd64", "arm64")
	oldA, oldC := image("r.io/a:1", "a", "amd64"), image("r.io/c:1", "a", "amd64")
	changeA := []Change{{Locked: &oldA, Answer: &newA}}
	arm := image("r.io/a:1", "c", "arm/v7")
	arm.Mirror, arm.Size = "[::1]:5000/a", 0
	const noted = "  annotations:\n    note: "
	wide := func(text string) string {
		var out strings.Builder
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "  -") {
				line = "  " + line
			}
			out.WriteString("  " + line)
		}
		return out.String()
	}
	for _, tc := range []struct {
		reason       string
		before, want string
		changes      []Change
	}{
		{"without a change there is nothing to write, however it is written", "# x\n" + head + "images:   [ ]\n# y", "# x\n" + head + "images:   [ ]\n# y", nil},
		{"an entry goes to its place", head + "images:\n" + a + c, head + "images:\n" + a + added + c, addB},
		{
			"behind the end of another document, and before one", "kind: A\n...\n# x\n" + head + "images: []\n...\nkind: B\n",
			"kind: A\n...\n# x\n" + head + "images:\n" + added + "...\nkind: B\n", addB,
		},
		{"at the beginning", head + "images:\n" + c, head + "images:\n" + added + c, addB},
		{
			"at the end, and a missing last line feed stays missing",
			head + "images:\n" + strings.TrimSuffix(a, "\n"), head + "images:\n" + a + strings.TrimSuffix(added, "\n"), addB,
		},
		{"into an empty list", head + "images: []\n", head + "images:\n" + added, addB},
		{"where there is no list", head, head + "images:\n" + added, addB},
		{
			reason: "a document that is written anew keeps its values",
			before: head + noted + ">-\n      [\n        {}\n      ]\nimages: [{reference: 'r.io/c:1', digest: \"" + digest("a") +
				"\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}]\n",
			want: head + noted + "|-\n      [\n        {}\n      ]\nimages:\n" +
				added + "- {reference: 'r.io/c:1', digest: \"" + digest("a") +
				"\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}\n",
			changes: addB,
		},
		{"where the list is null", head + "images:\n", head + "images:\n" + added, addB},
		{
			"comments stay with what they are about", head + "# list\nimages:\n# about a\n" + a + "\n# about c\n" + c + "# the end\n",
			head + "# list\nimages:\n# about a\n" + a + added + "\n# about c\n" + c + "# the end\n", addB,
		},
		{
			"a changed entry keeps its comments, the others their bytes",
			head + "images:\n- reference: \"r.io/a:1\" # why\n  digest: '" + digest("a") + "' # pinned\n  mediaType: " + index +
				"\n  size:   700\n  platforms:\n  # the only one\n  - os: linux\n    architecture: amd64\n    digest: " + digest("0") +
				"\n-   {reference: 'r.io/x:1',   digest: \"" + digest("a") +
				"\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}\n",
			head + "images:\n- reference: \"r.io/a:1\" # why\n  digest: '" + digest("c") + "' # pinned\n  mediaType: " + index +
				"\n  size: 700\n  platforms:\n  # the only one\n  - os: linux\n    architecture: amd64\n    digest: " + digest("0") +
				"\n  - {os: linux, architecture: arm64, digest: '" + digest("0") + "'}\n-   {reference: 'r.io/x:1',   digest: \"" +
				digest("a") + "\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}\n",
			changeA,
		},
		{
			"what is no more goes: a platform, the size; a mirror comes", head + "images:\n" + a,
			head + "images:\n- reference: r.io/a:1\n  digest: " + digest("c") + "\n  mediaType: " + index +
				"\n  mirror: '[::1]:5000/a'\n  platforms:\n  - {os: linux, architecture: arm, variant: v7, digest: '" + digest("0") +
				"'}\n",
			[]Change{{Locked: &oldA, Answer: &arm}},
		},
		{"an entry goes with its comment", head + "images:\n# about a\n" + a + "# about c\n" + c, head + "images:\n# about c\n" + c, []Change{{Locked: &oldA}}},
		{"the last entry goes", head + "images:\n" + a + "# bye\n", head + "images: []\n# bye\n", []Change{{Locked: &oldA}}},
		{"what follows the list stays", head + "images:\n" + c + "# more\nmetadata2: x\n", "", addB},
		{"keys after the list stay", "images:\n" + c + "\n# types\n" + head, "images:\n" + added + c + "\n# types\n" + head, addB},
		{"a list that is not in order is put in order", head + "images:\n# about c\n" + c + a, head + "images:\n" + a + added + "# about c\n" + c, addB},
		{"indented lists stay indented", head + "images:\n" + wide(a), head + "images:\n" + wide(a) + wide(added), addB},
		{
			reason:  "other documents stay",
			before:  "kind:   X\n---   \n" + head + "images:\n" + a + "---\nkind:   Y\n",
			want:    "kind:   X\n---   \n" + head + "images:\n" + a + added + "---\nkind:   Y\n",
			changes: addB,
		},
		{
			reason:  "an empty one between documents too",
			before:  "kind:   X\n---\n" + head + "images: []\n---\nkind:   Y\n",
			want:    "kind:   X\n---\n" + head + "images:\n" + added + "---\nkind:   Y\n",
			changes: addB,
		},
		{"an end mark stays", head + "images:\n" + a + "...\n", head + "images:\n" + a + added + "...\n", addB},
		{"line feeds of Windows stay", strings.ReplaceAll(head+"images:\n"+a, "\n", "\r\n"), strings.ReplaceAll(head+"images:\n"+a+added, "\n", "\r\n"), addB},
		{
			"one of them does not spread: other documents and entries keep their bytes, what is new ends as the lock does",
			"kind: X\r\n---\n" + head + "images:\n" + strings.Replace(a, "\n", "\r\n", 1) + "---\nkind: Y\n",
			"kind: X\r\n---\n" + head + "images:\n" + strings.Replace(a, "\n", "\r\n", 1) + added + "---\nkind: Y\n", addB,
		},
		{
			"a lock with line feeds of Windows among others", "kind: X\n" + windows("---\n"+head+"images:\n"+c) + "---\nkind: Y\n",
			"kind: X\n" + windows("---\n"+head+"images:\n"+added+c) + "---\nkind: Y\n", addB,
		},
		{
			reason:  "also where it is written anew",
			before:  windows("kind: X\n---\n"+head+"images: []\n") + "---\nkind: Y\n",
			want:    windows("kind: X\n---\n"+head+"images:\n"+added) + "---\nkind: Y\n",
			changes: addB,
		},
		{
			"and where the last line has none",
			windows(head + "images:\n" + strings.TrimSuffix(a, "\n")), windows(strings.TrimSuffix(head+"images:\n"+a+added, "\n")), addB,
		},
		{"a marker with a comment stays", "kind: X\n--- # lock\n" + head + "images: []\n", "kind: X\n--- # lock\n" + head + "images:\n" + added, addB},
		{"a directive stays", "%YAML 1.1\n---\n" + head + "images: []\n", "%YAML 1.1\n---\n" + head + "images:\n" + added, addB},
		{"a byte order mark stays", "\ufeff" + head + "images:\n" + a, "\ufeff" + head + "images:\n" + a + added, addB},
		{
			"a dash alone on its line", head + "images:\n-\n  reference: r.io/c:1\n" + strings.Join(strings.SplitAfter(c, "\n")[1:], ""),
			head + "images:\n" + added + "-\n  reference: r.io/c:1\n" + strings.Join(strings.SplitAfter(c, "\n")[1:], ""), addB,
		},
		{
			reason: "a list in flow style is written anew",
			before: head + "images: [{reference: 'r.io/c:1', digest: \"" + digest("a") + "\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}] # c\n",
			want: head + "# c\nimages:\n" +
				added + "- {reference: 'r.io/c:1', digest: \"" + digest("a") +
				"\", mediaType: m, platforms: [{os: linux, architecture: amd64}]}\n",
			changes: addB,
		},
		{"a key in quotes is the key", head + "\"images\":\n" + a, head + "\"images\":\n" + a + added, addB},
		{
			reason:  "many at once",
			before:  head + "images:\n" + a + c,
			want:    head + "images:\n" + entryOf("r.io/a:1", "c", "amd64", "arm64") + added,
			changes: []Change{changeA[0], addB[0], {Locked: &oldC}},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			t.Parallel()
			f, found, err := ReadFile("l.yaml", []byte(tc.before))
			if tc.want == "" {
				if err == nil && !found.Failed() {
					t.Errorf("%s: want a refusal", tc.reason)
				}
				return
			}
			if err != nil || found.Failed() {
				t.Fatalf("%s: %v %v", tc.reason, err, found)
			}
			got, err := f.With(tc.changes)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			again, _, err := ReadFile("l.yaml", got)
			if err != nil {
				t.Fatalf("%s: what was written cannot be read: %v", tc.reason, err)
			}
			if text, err := again.With(nil); err != nil || string(text) != string(got) {
				t.Errorf("%s: a second run must change nothing (%v)", tc.reason, err)
			}
		})
	}
}

// windows is a text with the line ends of Windows.
func windows(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestNewFile(t *testing.T) {
	t.Parallel()
	b := image("r.io/b:1", "b", "amd64", "arm64")
	got, err := NewFile("l.yaml").With([]Change{{Answer: &b}})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(empty, "images: []\n", "images:\n"+entryOf("r.io/b:1", "b", "amd64", "arm64"), 1)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("a new file (-want +got):\n%s", diff)
	}
}

func TestReadFileRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		err          error
		says         string
	}{
		{"a file without a lock is somebody else's", "kind: X\n", ErrNone, ""},
		{"nothing is no lock", "", ErrNone, ""},
		{"JSON without a lock", `{"kind":"ArchitectureLock"}`, ErrNone, ""},
		{
			reason: "what is wrong in a List is named there",
			text:   list("List", strings.Replace(head, "metadata", "metadatas", 1)),
			says:   `GA602 ArchitectureLock items[0].metadatas (l.yaml): unknown field`,
		},
		{"no YAML", "# a\n---\na: [", nil, "l.yaml: the document that begins at line 2 is not YAML: line 3: did not find expected node content"},
		{
			reason: "a key twice",
			text:   "kind: X\n---\napiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nimages: []\nimages: []\n",
			says:   `GA602 ArchitectureLock (l.yaml): line 6: mapping key "images" already defined at line 5.`,
		},
		{"all that is wrong is a finding", head + "image: []\n", nil, `GA602 ArchitectureLock image (l.yaml): unknown field "image"; did you mean "images"?`},
		{"another version is not guessed at", strings.Replace(head, "v1alpha1", "v2", 1), nil, `GA602 ArchitectureLock apiVersion (l.yaml): is "goldenarch.dev/v2"`},
	} {
		_, found, err := ReadFile("l.yaml", []byte(tc.text))
		reported := found.String()
		if err != nil {
			reported += err.Error()
		}
		if tc.err != nil && !errors.Is(err, tc.err) || !strings.Contains(reported, tc.says) || reported == "" {
			t.Errorf("%s: got %q", tc.reason, reported)
		}
	}
}

// What neither way of editing gets right is refused, not written.
func TestWithIsReadAgain(t *testing.T) {
	t.Parallel()
	const amd64, arm64 = "\n  - {os: linux, architecture: amd64}", "\n  - {os: linux, architecture: arm64}"
	for _, tc := range []struct{ reason, first, second string }{
		{"the other entry has the same platforms by its alias", "platforms: &p" + amd64, "platforms: *p"},
		{"the other entry has the same absent platforms by its alias", "platforms:" + amd64 + "\n  absent: &p" + arm64, "platforms:" + amd64 + "\n  absent: *p"},
	} {
		entry := func(reference, platforms string) string {
			return "- reference: " + reference + "\n  digest: " + digest("a") + "\n  mediaType: m\n  " + platforms + "\n"
		}
		f, found, err := ReadFile("l.yaml", []byte(head+"images:\n"+entry("r.io/a:1", tc.first)+entry("r.io/c:1", tc.second)))
		if err != nil || found.Failed() {
			t.Fatal(err, found)
		}
		changed := image("r.io/a:1", "b", "arm64")
		changed.Absent = image("r.io/a:1", "b", "s390x").Platforms
		if got, err := f.With([]Change{{Answer: &changed}}); err == nil || !strings.Contains(err.Error(), "l.yaml: goldenarch cannot edit a lock") {
			t.Errorf("%s: want a refusal, got %v\n%s", tc.reason, err, got)
		}
	}
}
