//go:build !unix

package console

import "os"

// terminalWidth returns 0: the width is not known.
func terminalWidth(*os.File) int { return 0 }
