package files

import "golang.org/x/sys/unix"

// errNoAttribute is the error of a file that does not have an attribute.
const errNoAttribute = unix.ENODATA
