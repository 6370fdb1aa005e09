//go:build !linux

package regular

import "os"

// isOfKernel reports whether a file is one that the kernel makes up.
func isOfKernel(*os.File) bool { return false }
