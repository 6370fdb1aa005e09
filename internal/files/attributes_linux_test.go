package files_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/goldenarch/goldenarch/internal/files"
)

// aclOf returns an access control list as the kernel has it (linux posix_acl_xattr.h): the
// owner may read and write, the user 12345, the group and the mask may read.
func aclOf() []byte {
	out := binary.LittleEndian.AppendUint32(nil, 2)
	const nobody = 0xffffffff
	for _, entry := range []struct {
		tag, permissions uint16
		id               uint32
	}{{0x01, 6, nobody}, {0x02, 4, 12345}, {0x04, 4, nobody}, {0x10, 4, nobody}, {0x20, 0, nobody}} {
		out = binary.LittleEndian.AppendUint16(out, entry.tag)
		out = binary.LittleEndian.AppendUint16(out, entry.permissions)
		out = binary.LittleEndian.AppendUint32(out, entry.id)
	}
	return out
}

func attribute(t *testing.T, name, of string) []byte {
	t.Helper()
	value := make([]byte, 1000)
	n, err := unix.Getxattr(name, of, value)
	if errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return value[:n]
}

// TestStageKeepsAccess: the access control list and the labels of a file are those of the
// new one, whatever the directory gives new files. A list or a label that the kernel refuses
// to set is none to keep.
func TestStageKeepsAccess(t *testing.T) {
	t.Parallel()
	const access, inherited, label = "system.posix_acl_access", "system.posix_acl_default", "security.goldenarch"
	for name, tc := range map[string]struct {
		reason   string
		own, dir string // the attribute of the file, and of the directory
		value    []byte
	}{
		"List":          {reason: "the file has a list", own: access, value: aclOf()},
		"ListOfTheDir":  {reason: "the directory gives new files a list that the file does not have", dir: inherited},
		"ListOfBoth":    {reason: "the file has a list, and the directory another one", own: access, dir: inherited, value: aclOf()},
		"SecurityLabel": {reason: "the file has a label", own: label, value: []byte("label")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			file := filepath.Join(top, "file")
			if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			set := func(path, attribute string, value []byte) {
				t.Helper()
				if attribute == "" {
					return
				}
				if err := unix.Setxattr(path, attribute, value, 0); err != nil && !errors.Is(err, unix.ENOTSUP) && !errors.Is(err, unix.EPERM) {
					t.Fatal(err)
				}
			}
			set(file, tc.own, tc.value)
			set(top, tc.dir, aclOf())
			before, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			list, security := attribute(t, file, access), attribute(t, file, label)
			dir, err := files.OpenDir(top, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := replace(dir, "file"); err != nil {
				t.Fatal(err)
			}
			if got := attribute(t, file, access); !slices.Equal(got, list) {
				t.Errorf("%s: want the list %v, got %v", tc.reason, list, got)
			}
			if got := attribute(t, file, label); !slices.Equal(got, security) {
				t.Errorf("%s: want the label %q, got %q", tc.reason, security, got)
			}
			if after, err := os.Stat(file); err != nil || after.Mode() != before.Mode() {
				t.Errorf("%s: want the mode %v, got %v (%v)", tc.reason, before.Mode(), after.Mode(), err)
			}
		})
	}
}
