package lock

import "path/filepath"

// FileName is the name of a lock that is made.
const FileName = "golden-images.lock.yaml"

// Target returns the file that a name leads to, links followed: two names of one
// target are one lock, which [Replace] writes. Of a file that is not there it is the
// name, absolute.
//
// Two hard links are two targets: the one that is replaced is no longer the other.
func Target(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // before Abs, which takes ".." behind a link for the link's directory
	}
	whole, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	if target, err := filepath.EvalSymlinks(whole); err == nil {
		return target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		return filepath.Join(dir, filepath.Base(whole))
	}
	return whole
}
