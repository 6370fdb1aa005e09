package arch

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestClaimAsHCOReadsIt is HCO's own table (cases of removeUnsupportedArchs,
// with workload architectures amd64 and arm64).
func TestClaimAsHCOReadsIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ claim, hco, meant, reason string }{
		{"amd64,arm64", "amd64,arm64", "amd64,arm64", "as it should be"},
		{"amd64, arm64", "amd64", "amd64,arm64", "a blank after the comma loses arm64"},
		{"amd64 ,arm64", "arm64", "amd64,arm64", "a blank before the comma loses amd64"},
		{"arm64,amd64,arm64,s390x,", "arm64,amd64,arm64", "amd64,arm64,s390x", "order and repeats are kept"},
		{"AMD64,x86_64,aarch64", "", "amd64,arm64", "case and aliases mean nothing to HCO"},
		{"arm64/v8,linux/amd64", "", "amd64,arm64", "platforms mean nothing to HCO"},
		{"amd64;arm64", "", "amd64,arm64", "only a comma separates"},
		{"amd64,\n\tarm64", "amd64", "amd64,arm64", "line breaks are not trimmed"},
		{"", "", "", "nothing"},
		{" ", "", "", "a blank"},
	} {
		list := Claim(tc.claim).HCO(NewSet(AMD64, ARM64))
		parts := make([]string, len(list))
		for i, a := range list {
			parts[i] = string(a)
		}
		if got := strings.Join(parts, ","); got != tc.hco {
			t.Errorf("%q (%s): HCO reads %q, got %q", tc.claim, tc.reason, tc.hco, got)
		}
		if got, _ := Claim(tc.claim).Meant(); got.String() != tc.meant {
			t.Errorf("%q (%s): meant is %q, got %q", tc.claim, tc.reason, tc.meant, got)
		}
	}
}

func TestClaimUnknownParts(t *testing.T) {
	t.Parallel()
	meant, unknown := Claim("amd64,vax, <architecture_list>").Meant()
	if meant.String() != "amd64" || strings.Join(unknown, "|") != "vax|<architecture_list>" {
		t.Errorf("want amd64 and two unknown parts, got %s and %q", meant, unknown)
	}
}

// TestCleanClaimIsReadAlike: what goldenarch writes, HCO and a person read as
// the same thing.
func TestCleanClaimIsReadAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set := NewSet(rapid.SliceOf(rapid.SampledFrom(known)).Draw(t, "architectures")...)
		claim := Claim(set.String())
		meant, unknown := claim.Meant()
		if !meant.Equal(set) || len(unknown) > 0 || !NewSet(claim.HCO(set)...).Equal(set) {
			t.Fatalf("claim %q is read as %v (unknown %v)", claim, meant, unknown)
		}
		if len(set) > 0 && !claim.Clean() {
			t.Fatalf("claim %q is not clean", claim)
		}
	})
}

// FuzzClaim: whatever stands in the annotation, HCO's reading is part of what
// was meant, and writing what was meant gives a clean claim.
func FuzzClaim(f *testing.F) {
	for _, seed := range []string{"amd64,arm64", "amd64, arm64", "linux/arm64/v8;x86_64", ",,", "\x00", "AMD64"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		claim := Claim(text)
		meant, _ := claim.Meant()
		if reads := NewSet(claim.HCO(NewSet(known...))...); len(reads.Minus(meant)) > 0 {
			t.Errorf("HCO reads %s out of %q, which nobody meant", reads, text)
		}
		if again := Claim(meant.String()); len(meant) > 0 && !again.Clean() {
			t.Errorf("what was meant by %q is written unclean: %q", text, again)
		}
		if claim.Clean() && !NewSet(claim.HCO(meant)...).Equal(meant) {
			t.Errorf("the claim %q is called clean, but HCO reads it differently", text)
		}
	})
}
