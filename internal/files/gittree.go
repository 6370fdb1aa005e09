package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // the ids of Git
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// GitTop returns the top of the Git work tree that holds a directory, and the top of the
// outermost one, which differs in a submodule. Both are "" if there is none. The directory is
// absolute and without links.
func GitTop(dir string) (own, outermost string) {
	for at := dir; ; at = filepath.Dir(at) {
		if hasGit(at) {
			if own == "" {
				own = at
			}
			outermost = at
		}
		if at == filepath.Dir(at) {
			return own, outermost
		}
	}
}

// hasGit reports whether a directory is the top of a Git work tree.
func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git")) //nolint:gosec // it says only whether there is one
	return err == nil
}

// GitRoot returns the top of the Git work tree that holds a directory, "" if there is none. The
// directory is absolute and without links.
func GitRoot(dir string) string {
	own, _ := GitTop(dir)
	return own
}

// ExportCommit writes the files of a commit below a directory that exists and is empty. Links
// stay links if they lead to a place below the directory; other links and submodules are left
// out. The limits are those of all that goldenarch reads.
func ExportCommit(ctx context.Context, top, ref, into string) error {
	git := repository{top}
	out, err := git.run(ctx, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return fmt.Errorf("%q is not a commit of the repository %s: %w", ref, top, err)
	}
	entries, err := git.entries(ctx, strings.TrimSpace(string(out)))
	if err != nil {
		return err
	}
	return git.write(ctx, entries, into)
}

// IndexObjects returns the ids of the texts that Git's index has for files of a work tree, by their
// paths. It has none for a file that Git does not track.
func IndexObjects(ctx context.Context, top string, paths []string) (map[string]string, error) {
	var asked []string
	var wanted strings.Builder
	for _, file := range paths {
		name, err := filepath.Rel(top, file)
		if err != nil || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("%q is not a name that goldenarch can pass to git", file)
		}
		asked = append(asked, file)
		wanted.WriteString(":0:" + filepath.ToSlash(name) + "\n")
	}
	cmd := repository{top}.command(ctx, "cat-file", "--batch-check=%(objectname)")
	cmd.Stdin = strings.NewReader(wanted.String())
	answers, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(answers), "\n"), "\n")
	if len(lines) != len(asked) {
		return nil, fmt.Errorf("git cat-file answered %d of %d questions", len(lines), len(asked))
	}
	out := map[string]string{}
	for i, line := range lines {
		if strings.Trim(line, "0123456789abcdef") == "" { // otherwise it ends with: missing
			out[asked[i]] = line
		}
	}
	return out, nil
}

// IsBlob reports whether an id is that of a text, which may have other line ends in a checkout.
func IsBlob(id string, text []byte) bool {
	return id == blobID(len(id), text) || id == blobID(len(id), bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// blobID returns the id of a text in a repository whose ids have so many digits.
func blobID(digits int, text []byte) string {
	sum := sha1.New() //nolint:gosec // the ids of Git
	if digits == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	_, _ = fmt.Fprintf(sum, "blob %d\x00", len(text)) // a hash takes everything
	_, _ = sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil))
}

// repository is a repository with its work tree.
type repository struct{ top string }

// command returns a command of git. What it is given as the directory of the repository is
// all that git looks at: no configuration of the machine counts, and the settings of the
// repository's own that start programs or fetch objects do not count either (git-config,
// githooks). GIT_ALLOW_PROTOCOL wins over protocol.allow in that configuration, and older
// versions of git do not know GIT_NO_LAZY_FETCH.
func (r repository) command(ctx context.Context, args ...string) *exec.Cmd {
	fixed := []string{
		"--no-pager", "--no-replace-objects", "--no-optional-locks", "--git-dir=" + filepath.Join(r.top, ".git"),
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	}
	cmd := exec.CommandContext(ctx, "git", append(fixed, args...)...)
	cmd.Dir = filepath.Join(r.top, ".git")
	if info, err := os.Stat(cmd.Dir); err != nil || !info.IsDir() {
		cmd.Dir = os.TempDir() // a worktree or a submodule: .git is a file
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "GIT_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C")
	return cmd
}

// maxList is the size limit of a list of files.
const maxList = 64 << 20

func (r repository) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err == nil && len(out) > maxList {
		err = fmt.Errorf("the answer of git %s is larger than %d bytes", args[0], maxList)
	}
	if text := strings.TrimSpace(problems.String()); err != nil && text != "" {
		return nil, fmt.Errorf("git %s: %s", args[0], text)
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// treeEntry is a file or a link of a commit.
type treeEntry struct {
	name, object string
	link         bool
}

func (r repository) entries(ctx context.Context, commit string) ([]treeEntry, error) {
	out, err := r.run(ctx, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit)
	if err != nil {
		return nil, err
	}
	var list []treeEntry
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if len(fields) != 3 || fields[1] != "blob" { // the end, or a submodule
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the commit has a file with the name %q", name)
		}
		list = append(list, treeEntry{name: name, object: fields[2], link: fields[0] == "120000"})
		if len(list) > MaxFiles {
			return nil, fmt.Errorf("the commit has more than %d files", MaxFiles)
		}
	}
	return list, nil
}

// write writes files and links below a directory.
func (r repository) write(ctx context.Context, list []treeEntry, into string) (err error) {
	root, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	var wanted strings.Builder
	for _, one := range list {
		wanted.WriteString(one.object + "\n")
	}
	cmd := r.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(wanted.String())
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	defer func() {
		if err != nil {
			_ = cmd.Process.Kill() // what it still has to say is not needed
		}
		if wrong := cmd.Wait(); err == nil && wrong != nil {
			err = fmt.Errorf("git cat-file: %w", wrong)
		}
	}()
	answers := bufio.NewReader(stdout)
	total := int64(0)
	for _, one := range list {
		size, err := sizeOf(answers, one)
		if err != nil {
			return err
		}
		if total += size; size > Limit() || total > 4*Limit() {
			return fmt.Errorf("%s makes the commit larger than goldenarch reads: see --max-file-size", one.name)
		}
		if err := one.writeTo(root, io.LimitReader(answers, size)); err != nil {
			return err
		}
		if _, err := answers.Discard(1); err != nil { // the newline after each object
			return fmt.Errorf("read %s: %w", one.name, err)
		}
	}
	return nil
}

// sizeOf reads the line before an object: its id, type and size.
func sizeOf(answers *bufio.Reader, one treeEntry) (int64, error) {
	line, err := answers.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", one.name, err)
	}
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return 0, fmt.Errorf("the repository lacks the content of %s: fetch the commit whole", one.name)
	}
	return strconv.ParseInt(fields[2], 10, 64)
}

func (e treeEntry) writeTo(root *os.Root, content io.Reader) error {
	if dir := path.Dir(e.name); dir != "." {
		if err := root.MkdirAll(filepath.FromSlash(dir), 0o700); err != nil {
			return err
		}
	}
	name := filepath.FromSlash(e.name)
	if e.link {
		target, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		if leads := path.Join(path.Dir(e.name), string(target)); path.IsAbs(string(target)) || !filepath.IsLocal(filepath.FromSlash(leads)) {
			return nil
		}
		return root.Symlink(string(target), name)
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
