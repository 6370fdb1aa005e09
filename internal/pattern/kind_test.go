package pattern_test

import (
	"testing"

	"github.com/goldenarch/goldenarch/internal/pattern"
)

// TestOfKind: any line may have the kind, and only a line that has nothing else but fields.
func TestOfKind(t *testing.T) {
	t.Parallel()
	has := pattern.OfKind("VirtualMachine(?:Pool)?|DataVolume", "VirtualMachine", "DataVolume")
	for _, tc := range []struct {
		reason, text string
		want         bool
	}{
		{"the first line", "kind: VirtualMachine\nspec: {}\n", true},
		{"the value in the next line", "kind:\n  VirtualMachine\nspec: {}\n", true},
		{"as in JSON", "{\"kind\" :\r\n\t\"DataVolume\"\r\n}", true},
		{"as a block", "a: b\nkind: >-\n  VirtualMachine", true},
		{"another field in the line before", "a: b\nkinds:\n  VirtualMachine\n", false},
		{"the last line, without its end", "apiVersion: kubevirt.io/v1\nkind: VirtualMachinePool", true},
		{"a line after others with the word", "a: VirtualMachine of DataVolume\nkinds: [DataVolume]\nkind: DataVolume\n", true},
		{"twice in a line", "{note: a VirtualMachine, kind: VirtualMachine}", true},
		{"with the line ends of Windows", "# VirtualMachine\r\nkind: VirtualMachine\r\n", true},
		{"the value is on the next line", "kind:\nVirtualMachine\n", false},
		{"the name of another kind", "kind: VirtualMachineInstancetype\n", false},
		{"the words alone", "VirtualMachine\nDataVolume", false},
		{"only an end of a line", "\n", false},
		{"nothing", "", false},
	} {
		if got := has([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.reason, got, tc.want)
		}
	}
}
