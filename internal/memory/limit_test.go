package memory

import (
	"path/filepath"
	"testing"

	"github.com/goldenarch/goldenarch/test/filetest"
)

func TestOfGroups(t *testing.T) {
	t.Parallel()
	const own = "0::/pods/one\n"
	for name, tc := range map[string]struct {
		groups string
		files  map[string]string
		want   int64
	}{
		"none":                            {"", nil, 0},
		"a group without a limit":         {own, map[string]string{"pods/one/memory.max": "max\n"}, 0},
		"a group":                         {own, map[string]string{"pods/one/memory.max": "536870912\n"}, 512 << 20},
		"one above has less":              {own, map[string]string{"pods/one/memory.max": "536870912\n", "pods/memory.max": "1048576\n"}, 1 << 20},
		"a container sees its own only":   {own, map[string]string{"memory.max": "536870912\n"}, 512 << 20},
		"version 1":                       {"4:memory:/a\n0::/\n", map[string]string{"memory/a/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1, beside another":       {"4:cpu,memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1 without a limit":       {"4:memory:/\n", map[string]string{"memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"what is no number":               {own, map[string]string{"pods/one/memory.max": "-7\n"}, 0},
		"another controller of version 1": {"4:cpu:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "536870912\n"}, 0},
	} {
		root := t.TempDir()
		filetest.File(t, filepath.Join(root, "proc/self/cgroup"), tc.groups)
		for file, text := range tc.files {
			filetest.File(t, filepath.Join(root, "sys/fs/cgroup", file), text)
		}
		if got := ofGroups(root); got != tc.want {
			t.Errorf("%s: want %d, got %d", name, tc.want, got)
		}
	}
	if got := ofGroups(t.TempDir()); got != 0 {
		t.Errorf("without control groups: want no limit, got %d", got)
	}
}
