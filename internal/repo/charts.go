package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
)

// Unreadable reports a file that cannot be read. The place that the error begins with
// becomes that of the finding.
func Unreadable(path string, err error) finding.Finding {
	f := finding.Finding{ID: finding.Unreadable, Severity: finding.Error, Object: finding.Object{File: filepath.ToSlash(path)}, Text: err.Error()}
	if rest, is := strings.CutPrefix(f.Text, path+":"); is {
		number, text, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			f.Line, rest = line, text
		}
		f.Text = strings.TrimSpace(rest)
	}
	if !strings.Contains(f.Text, ".krmignore") {
		f.Do = "correct it, or name it in .krmignore"
	}
	return f
}

// charts notes the Helm charts.
func (s *scan) charts() {
	for _, dir := range s.dirs {
		if !dir.Chart {
			continue
		}
		chart := Chart{Path: filepath.ToSlash(dir.Path), Values: s.apps[s.real[dir.Path]].values}
		chart.Relevant = s.mentionsBelow(dir.Path)
		s.out.Charts = append(s.out.Charts, chart)
	}
}

// unchecked notes the files that the run does not look into: excluded ones that mention a CR,
// those with virtual machines, and those with pods in a run that is not about them.
func (s *scan) unchecked() {
	for _, dir := range s.dirs {
		for _, path := range dir.Ignored {
			if target, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(s.Named, target) && s.mentionsAt(path) {
				s.out.Excluded = append(s.out.Excluded, filepath.ToSlash(path))
			}
		}
		for _, file := range dir.Files {
			t := s.texts[s.real[file]]
			if t == nil {
				continue
			}
			if t.machines {
				s.out.Machines = append(s.out.Machines, filepath.ToSlash(file))
			}
			if t.pods && t.containers && !s.Pods && len(s.aboutPods) == 0 {
				s.out.PodFiles = append(s.out.PodFiles, filepath.ToSlash(file))
			}
		}
	}
}

// mentionsAt reports whether a file, or one below a directory, mentions a CR.
func (s *scan) mentionsAt(path string) bool {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		return s.mentionsBelow(path)
	case !info.Mode().IsRegular():
		return false
	}
	data, err := s.budget.Read(path)
	return err == nil && newText(data).mentions
}

// mentionsBelow reports whether a file below a directory mentions a CR.
func (s *scan) mentionsBelow(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		path := filepath.Join(dir, entry.Name())
		if entry.IsDir() {
			return s.mentionsBelow(path)
		}
		if !entry.Type().IsRegular() {
			return false
		}
		data, err := s.budget.Read(path)
		return err == nil && newText(data).mentions
	})
}
