package arch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Arch{
		"amd64": AMD64, "x86_64": AMD64, " AMD64\n": AMD64, "aarch64": ARM64, "i386": "386", "s390x": S390X, "riscv64": RISCV64,
	} {
		if got, err := Parse(in); err != nil || got != want {
			t.Errorf("Parse(%q): want %q, got %q (%v)", in, want, got, err)
		}
	}
	for _, in := range []string{"", "vax", "arm64/v8", "amd64,arm64", "unknown"} {
		if got, err := Parse(in); err == nil {
			t.Errorf("Parse(%q): want an error, got %q", in, got)
		} else if !strings.Contains(err.Error(), "s390x") {
			t.Errorf("Parse(%q): the error must list what is expected: %v", in, err)
		}
	}
	if _, err := ParseAll([]string{"amd64", "vax"}); err == nil {
		t.Error("ParseAll: one unknown name is an error")
	}
	if got := Named("vax", "x86_64", "arm64").String(); got != "amd64,arm64" {
		t.Errorf("Named keeps the names that it knows, got %q", got)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	s := NewSet(S390X, AMD64, "", AMD64)
	if got := s.String(); got != "amd64,s390x" {
		t.Errorf("a set is sorted, distinct and without empty names: got %q", got)
	}
	other := NewSet(ARM64, S390X)
	for name, tc := range map[string]struct {
		got  Set
		want string
	}{
		"intersect": {s.Intersect(other), "s390x"},
		"minus":     {s.Minus(other), "amd64"},
		"union":     {s.Union(other), "amd64,arm64,s390x"},
		"nil":       {Set(nil).Union(nil), ""},
	} {
		if tc.got.String() != tc.want {
			t.Errorf("%s: want %q, got %q", name, tc.want, tc.got)
		}
	}
	if !s.Contains(S390X) || s.Equal(other) {
		t.Error("containment is of members")
	}
}

func TestPlatforms(t *testing.T) {
	t.Parallel()
	p := Platforms{
		{OS: "linux", Architecture: ARM64, Variant: "v8"},
		{OS: "windows", Architecture: S390X},
		{OS: "linux", Architecture: AMD64},
		{OS: "linux", Architecture: ARM64, Variant: "v8"},
		{OS: "linux", Architecture: ARM64},
	}
	if got := p.Linux().String(); got != "amd64,arm64" {
		t.Errorf("variants fold, other systems are left out: got %q", got)
	}
	var names []string
	for _, one := range p.Sorted() {
		names = append(names, one.String())
	}
	if diff := cmp.Diff([]string{"linux/amd64", "linux/arm64", "linux/arm64/v8", "windows/s390x"}, names); diff != "" {
		t.Errorf("sorted, each once:\n%s", diff)
	}
}
