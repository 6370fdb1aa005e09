package files

import (
	"bufio"
	"bytes"
	"context"
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

// indexTexts returns the texts that Git's index has of files of a work tree, by their paths. It has none
// of a file that Git does not track.
func indexTexts(ctx context.Context, top string, paths []string) (map[string][]byte, error) {
	names := make([]string, len(paths))
	for i, file := range paths {
		name, err := filepath.Rel(top, file)
		if err != nil || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("%q is not a name that goldenarch can pass to git", file)
		}
		names[i] = ":0:" + filepath.ToSlash(name)
	}
	out := map[string][]byte{}
	err := repository{top}.objects(ctx, names, func(i int, content io.Reader, size int64) error {
		if size < 0 {
			return nil
		}
		text, err := upTo(paths[i], content, ofProcess(), size)
		out[paths[i]] = text
		return err
	})
	return out, err
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
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.object
	}
	total := int64(0)
	return r.objects(ctx, names, func(i int, content io.Reader, size int64) error {
		if size < 0 {
			return fmt.Errorf("the repository lacks the content of %s: fetch the commit whole", list[i].name)
		}
		if total += size; size > Limit() || total > 4*Limit() {
			return fmt.Errorf("%s makes the commit larger than goldenarch reads: see --max-file-size", list[i].name)
		}
		return list[i].writeTo(root, content)
	})
}

// objects passes the contents and the sizes of objects to a function, in their order. The size of an object that
// the repository does not have is negative.
func (r repository) objects(ctx context.Context, names []string, use func(i int, content io.Reader, size int64) error) (err error) {
	cmd := r.command(ctx, "cat-file", "--batch=%(objectsize)")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
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
	for i, name := range names {
		line, err := answers.ReadString('\n')
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		size, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 64)
		if err != nil { // it ends with: missing
			size = -1
		}
		if err := use(i, io.LimitReader(answers, size), size); err != nil {
			return err
		}
		if size < 0 {
			continue
		}
		if _, err := answers.Discard(len("\n")); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	return nil
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
