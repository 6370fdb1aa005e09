//go:build linux || darwin

package files

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes copies the extended attributes of a file: what users wrote there, access
// control lists, and labels. What belongs to the user, or decides who may read the file,
// must arrive. What only the system may write, it writes itself where it refuses us.
func copyAttributes(from, to *os.File) error {
	names, err := attributes(int(from.Fd()))
	if err != nil {
		return fmt.Errorf("list the extended attributes of %s: %w", from.Name(), err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "security.ima") || strings.HasPrefix(name, "security.evm") {
			continue // the kernel's signature of the text
		}
		if err := copyAttribute(int(from.Fd()), int(to.Fd()), name); err != nil && mustArrive(name) {
			return fmt.Errorf("keep the extended attribute %q of %s: %w", name, from.Name(), err)
		}
	}
	if slices.Contains(names, accessList) {
		return nil
	}
	if _, err := unix.Fgetxattr(int(to.Fd()), accessList, nil); err != nil { // none, or a system without such lists
		return nil //nolint:nilerr // the same
	}
	// The directory gives each new file an access control list.
	if err := unix.Fremovexattr(int(to.Fd()), accessList); err != nil {
		return fmt.Errorf("remove the access control list that %s does not have: %w", from.Name(), err)
	}
	return nil
}

// accessList is the attribute with the access control list of a file on Linux.
const accessList = "system.posix_acl_access"

// mustArrive reports whether an attribute belongs to the user, or decides who may read.
func mustArrive(name string) bool {
	return strings.HasPrefix(name, "user.") || name == accessList
}

func attributes(fd int) ([]string, error) {
	for {
		size, err := unix.Flistxattr(fd, nil)
		if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) || size == 0 && err == nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		buffer := make([]byte, size)
		size, err = unix.Flistxattr(fd, buffer)
		if errors.Is(err, unix.ERANGE) {
			continue // it has more of them now
		}
		if err != nil {
			return nil, err
		}
		var names []string
		for name := range bytes.SplitSeq(buffer[:size], []byte{0}) {
			if len(name) > 0 {
				names = append(names, string(name))
			}
		}
		return names, nil
	}
}

func copyAttribute(from, to int, name string) error {
	size, err := unix.Fgetxattr(from, name, nil)
	if err != nil {
		return err
	}
	value := make([]byte, size)
	if size, err = unix.Fgetxattr(from, name, value); err != nil {
		return err
	}
	return unix.Fsetxattr(to, name, value[:size], 0)
}
