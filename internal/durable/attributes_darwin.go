package durable

import "golang.org/x/sys/unix"

// noAttribute is the error of a file that does not have an attribute.
const noAttribute = unix.ENOATTR
