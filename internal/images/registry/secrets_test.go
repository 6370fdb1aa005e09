package registry

import "testing"

// TestRepeatedIn: TestEchoedCredentials has the forms in which an answer repeats a secret. These
// are texts that only resemble one, and the parts of a secret.
func TestRepeatedIn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, secret, text string
		want                 bool
	}{
		{"an answer without the secret is shown", "Pa55-w0rd/of", "UNAUTHORIZED: bad credentials", false},
		{"a part from the middle is one", "Pa55-w0rd/of+Someone=Else?", "no: of+Someone", true},
		{"so is the beginning that is left of a text that was cut", "Pa55-w0rd/of+Someone=Else?", "no: Pa55-w0rd...", true},
		{"a few letters are none", "Pa55-w0rd/of+Someone=Else?", "some others are here", false},
		{"a word of messages is none", "registry-of-mine", "the registry refuses it", false},
		{"but it may be a part of one", "registry-of-mine", "no: registry-of-mine", true},
		{"a short secret is a word of its own", "test", "no test is here", true},
		{"and no part of another word", "test", "the latest tag", false},
		{"a secret without letters is found, too", "!#%&/()=", `no: "!#%&/()="`, true},
		{"what is too short is not looked for", "abc", "abc", false},
	} {
		s := &sentSecrets{}
		s.add(tc.secret)
		if got := s.repeatedIn(tc.text); got != tc.want {
			t.Errorf("%s: %q in %q: want %t, got %t", tc.reason, tc.secret, tc.text, tc.want, got)
		}
	}
}
