package lock

import "path/filepath"

// FileName is the default name of a lock.
const FileName = "golden-images.lock.yaml"

// Target returns the file that a name leads to, after links. Two names with the same target
// are one lock, which [Replace] writes. For a file that does not exist Target returns the
// absolute name.
//
// Two hard links are two targets: after a replacement the two names no longer lead to the
// same file.
func Target(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // before Abs, which resolves ".." after a link to the link's own directory
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
