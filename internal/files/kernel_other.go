//go:build !linux

package files

import "os"

// isOfKernel reports whether the kernel generates a file's content.
func isOfKernel(*os.File) bool { return false }
