package v1alpha1

import "testing"

func TestParseRelease(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason, in, want string
		known, newer     bool
		fails            string
	}{
		{reason: "nothing is the undeclared release", in: "", want: ""},
		{reason: "HCO", in: "1.18", want: "1.18", known: true},
		{reason: "as a tag", in: "v1.18", want: "1.18", known: true},
		{reason: "a patch changes nothing", in: "1.18.1", want: "1.18", known: true},
		{reason: "CNV's number is HCO's and four", in: "4.22", want: "1.18", known: true},
		{reason: "CNV with a patch", in: "v4.20.3", want: "1.16", known: true},
		{reason: "the first with the gate", in: "1.16", want: "1.16", known: true},
		{reason: "the last that is known", in: "1.20", want: "1.20", known: true},
		{reason: "the last that is known, as CNV", in: "4.24", want: "1.20", known: true},
		{reason: "older, without the gate", in: "1.15", want: "1.15"},
		{reason: "older, as CNV", in: "4.10", want: "1.6"},
		{reason: "a newer one", in: "1.21", want: "1.21", known: true, newer: true},
		{reason: "a newer one, as CNV", in: "4.25", want: "1.21", known: true, newer: true},
		{reason: "the next major of CNV, on which HCO's CI runs 1.19", in: "5.0", want: "1.19", known: true},
		{reason: "with a patch", in: "v5.0.2", want: "1.19", known: true},
		{reason: "one with an HCO that nobody knows", in: "6.0", want: "of CNV 6.0", known: true, newer: true},
		{reason: "one with a patch", in: "v5.1.2", want: "of CNV 5.1", known: true, newer: true},
		{
			reason: "1.2 is what YAML makes of 1.20: not a release that was read about", in: "1.2",
			fails: `unknown release "1.2": expected HCO 1.6 or newer (CNV 4.10 or newer)`,
		},
		{
			reason: "a leading zero is a slip", in: "1.018",
			fails: `unknown release "1.018": expected a release of HCO such as "1.19", or of OpenShift Virtualization such as "5.0"`,
		},
		{
			reason: "no other product", in: "2.18",
			fails: `unknown release "2.18": expected a release of HCO such as "1.19", or of OpenShift Virtualization such as "5.0"`,
		},
		{
			reason: "no pre-release", in: "1.20.0-dev",
			fails: `unknown release "1.20.0-dev": expected a release of HCO such as "1.19", or of OpenShift Virtualization such as "5.0"`,
		},
		{
			reason: "a word", in: "newest",
			fails: `unknown release "newest": expected a release of HCO such as "1.19", or of OpenShift Virtualization such as "5.0"`,
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			got, err := ParseRelease(test.in)
			if test.fails != "" {
				if err == nil || err.Error() != test.fails {
					t.Errorf("ParseRelease(%q): got error %v, expected %s", test.in, err, test.fails)
				}
				return
			}
			if err != nil || got.String() != test.want || got.Known() != test.known || got.Verified() == test.newer {
				t.Errorf("ParseRelease(%q) = %q, known %v, %v; expected %q, known %v", test.in, got, got.Known(), err, test.want, test.known)
			}
		})
	}
}

func TestReleaseAtLeast(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason, release string
		minor           int
		want            bool
	}{
		{"the same", "1.19", 19, true},
		{"newer", "1.20", 19, true},
		{"older: 9 is less than 19, whatever the letters say", "1.9", 19, false},
		{"an undeclared release is at least nothing", "", 0, false},
	} {
		release, err := ParseRelease(test.release)
		if err != nil {
			t.Fatal(err)
		}
		if got := release.AtLeast(test.minor); got != test.want {
			t.Errorf("%s: %q at least 1.%d: got %v", test.reason, test.release, test.minor, got)
		}
	}
}

// TestReleaseSince: an undeclared release counts as the newest one, and one that is
// not known yet as well.
func TestReleaseSince(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		release         string
		since, declared bool
	}{
		{"", true, false},
		{"1.17", false, true},
		{"4.21", false, true},
		{"1.18", true, true},
		{"4.22", true, true},
		{"1.99", true, true},
		{"5.0", true, true},
	} {
		release, err := ParseRelease(tc.release)
		if err != nil {
			t.Fatal(err)
		}
		if release.Since(18) != tc.since || release.Declared() != tc.declared {
			t.Errorf("%q: want since 1.18 %v and declared %v, got %v and %v", tc.release, tc.since, tc.declared, release.Since(18), release.Declared())
		}
	}
}

// TestReleaseOfEitherProduct: a release is the same one under the number of HCO and that of
// OpenShift Virtualization, and knows which of them the user wrote.
func TestReleaseOfEitherProduct(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b                 string
		aOfCNV, bOfCNV, same bool
	}{
		{"1.18", "4.22.3", false, true, true},
		{"v1.19", "1.19.4", false, false, true},
		{"5.0", "5.1", true, true, false},
		{"1.19", "5.0", false, true, true},
		{"4.23", "5.0", true, true, true},
		{"1.21", "6.0", false, true, false},
		{"", "1.20", false, false, false},
		{"", "", false, false, true},
	} {
		a, errA := ParseRelease(tc.a)
		b, errB := ParseRelease(tc.b)
		if errA != nil || errB != nil || a.Same(b) != tc.same || b.Same(a) != tc.same || a.OfCNV() != tc.aOfCNV || b.OfCNV() != tc.bOfCNV {
			t.Errorf("%q and %q: want same %v, got %v; of CNV %v and %v (%v, %v)", tc.a, tc.b, tc.same, a.Same(b), a.OfCNV(), b.OfCNV(), errA, errB)
		}
	}
}

// TestReleaseText: the text names the same release in the numbers of the same product.
func TestReleaseText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "1.19": "1.19", "v1.18.1": "1.18", "4.22": "4.22", "4.23.1": "4.23", "5.0": "5.0", "5.1.2": "5.1"} {
		release, err := ParseRelease(text)
		if err != nil || release.Text() != want {
			t.Errorf("%q: got %q (%v), want %q", text, release.Text(), err, want)
		}
		if again, err := ParseRelease(release.Text()); err != nil || again != release {
			t.Errorf("%q: its text is of another release, %v (%v)", text, again, err)
		}
	}
}
