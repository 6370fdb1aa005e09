package expansion

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, claim string
		want          arch.Set
	}{
		{"no claim, no architecture", "", nil},
		{"blanks are trimmed, though HCO does not", " arm64 ,amd64", arch.NewSet(arch.AMD64, arch.ARM64)},
		{"nothing between commas", "amd64,,", arch.NewSet(arch.AMD64)},
		{"twice is once", "s390x,s390x", arch.NewSet(arch.S390X)},
		{"what SSP does not know is dropped", "ppc64le,riscv64,amd64", arch.NewSet(arch.AMD64)},
		{"other spellings are not known", "AMD64,x86_64,aarch64", nil},
		{"a claim of blanks is one, and has nothing", " , ", nil},
	} {
		if got := parse(tc.claim); !got.Equal(tc.want) {
			t.Errorf("%s: want %s, got %s", tc.reason, tc.want, got)
		}
	}
}

func TestFirst(t *testing.T) {
	t.Parallel()
	order := []arch.Arch{arch.S390X, arch.AMD64, arch.ARM64}
	for _, tc := range []struct {
		reason string
		of     arch.Set
		want   arch.Arch
	}{
		{"the control plane's comes first", arch.NewSet(arch.AMD64, arch.S390X), arch.S390X},
		{"if it is there", arch.NewSet(arch.ARM64, arch.AMD64), arch.AMD64},
		{"none that the cluster has", arch.NewSet(arch.PPC64LE), ""},
		{"none at all", nil, ""},
	} {
		got, ok := first(order, tc.of)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("%s: want %q, got %q, %v", tc.reason, tc.want, got, ok)
		}
	}
}

// TestShipped: the default of a DataSource of the bundle is that of the common
// templates, whatever a claim says.
func TestShipped(t *testing.T) {
	t.Parallel()
	s := SSP{Order: []arch.Arch{arch.S390X, arch.AMD64}, Bundle: Shipped()}
	got := map[string]arch.Arch{}
	for _, name := range []string{"fedora", "win10", "rhel8", "rhel10", "centos-stream10"} {
		if a, ok := s.BundleDefault(name); ok {
			got[name] = a
		}
	}
	if diff := cmp.Diff(map[string]arch.Arch{"fedora": arch.S390X, "rhel8": arch.S390X, "win10": arch.AMD64}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
