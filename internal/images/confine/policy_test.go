package confine

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func env(values map[string]string) func(string) string {
	return func(key string) string { return values[key] }
}

func TestAddress(t *testing.T) {
	t.Parallel()
	const always, argo, never = "always", "argo", "never"
	for text, refused := range map[string]string{
		"169.254.169.254":              always,
		"169.254.0.1":                  always,
		"fe80::1":                      always,
		"fe80::1%eth0":                 always,
		"::ffff:169.254.169.254":       always,
		"2001:0:a9fe:a9fe::1":          always,
		"2001:0:808:808::5601:5601":    always,
		"2001:db8::5efe:a9fe:a9fe":     always,
		"2001:db8::200:5efe:a9fe:a9fe": always,
		"fd12::5efe:169.254.169.254":   always,
		"::ffff:0:a9fe:a9fe":           always,
		"64:ff9b:1:a9fe:a9:fe00::":     always,
		"64:ff9b:1:a9:fe:a9fe::":       always,
		"64:ff9b:1:0:a9:fea9:fe00:0":   always,
		"2001:0:808:808::80ff:fffe":    argo,
		"2001:db8::5efe:7f00:1":        argo,
		"2002:7f00:1::":                argo,
		"64:ff9b:1:7f00:0:100::":       argo,
		"2001:0:808:808::f5ff:fffe":    never,
		"2001:db8::5efe:a00:1":         never,
		"64:ff9b:1::a00:1":             never,
		"2001:db8:1::a9fe:a9fe":        never,
		"64:ff9b::a9fe:a9fe":           always,
		"64:ff9b:1::a9fe:a9fe":         always,
		"2002:a9fe:a9fe::1":            always,
		"::a9fe:a9fe":                  always,
		"fd00:ec2::254":                always,
		"fd20:ce::254":                 always,
		"100.100.100.200":              always,
		"168.63.129.16":                always,
		"192.0.0.192":                  always,
		"::ffff:100.100.100.200":       always,
		"224.0.0.1":                    always,
		"ff02::1":                      always,
		"255.255.255.255":              always,
		"127.0.0.1":                    argo,
		"127.8.9.1":                    argo,
		"::1":                          argo,
		"0.0.0.0":                      argo,
		"0.1.2.3":                      argo,
		"::":                           argo,
		"::ffff:127.0.0.1":             argo,
		"64:ff9b::7f00:1":              argo,
		"::ffff:0.0.0.0":               argo,
		"::7f00:1":                     argo,
		"10.0.0.1":                     never,
		"172.16.3.4":                   never,
		"192.168.1.1":                  never,
		"fd12::1":                      never,
		"100.64.0.1":                   never,
		"8.8.8.8":                      never,
		"2001:db8::1":                  never,
		"64:ff9b::a00:1":               never,
	} {
		a := netip.MustParseAddr(text)
		if err := (Policy{}).Address(a); (err != nil) != (refused == always) {
			t.Errorf("%s: refused %s, got %v", text, refused, err)
		}
		err := (Policy{Argo: true}).Address(a)
		if (err != nil) != (refused != never) || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%s under Argo CD: refused %s, got %v", text, refused, err)
		}
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		allowed string
		argo    string
		yes, no []string
	}{
		"Anything": {
			yes: []string{"quay.io", "localhost:5000", "127.0.0.1:5000", "[::1]:5000", "10.0.0.1:5000", "r1.example", "1.example.com"},
			no: []string{
				"169.254.169.254", "[fe80::1]:443", "2852039166", "0xa9fea9fe", "169.254.43518",
				"0251.0376.0251.0376", "metadata.google.internal", "metadata.google.internal.:443", "127.1",
			},
		},
		"Argo": {
			argo: "app",
			yes:  []string{"quay.io", "10.0.0.1:5000"},
			no:   []string{"localhost:5000", "localhost.:5000", "a.localhost", "127.0.0.1:5000", "[::1]:5000", "0.0.0.0:80", "[::ffff:7f00:1]:80"},
		},
		"Listed": {
			allowed: "quay.io, *.corp.example\t.other.example registry.example:5000",
			yes:     []string{"quay.io", "quay.io:8443", "QUAY.IO", "a.corp.example", "a.b.corp.example:5000", "x.other.example", "registry.example:5000"},
			no: []string{
				"cdn.quay.io", "evilquay.io", "quay.io.evil.example", "corp.example", "evilcorp.example",
				"registry.example", "registry.example:5001", "docker.io", "10.0.0.1",
			},
		},
		"Hub":       {allowed: "docker.io", yes: []string{"docker.io", "registry-1.docker.io"}, no: []string{"auth.docker.io"}},
		"LinkLocal": {allowed: "169.254.169.254", no: []string{"169.254.169.254"}},
	}
	for name, tc := range cases {
		p, err := FromEnv(env(map[string]string{AllowedRegistries: tc.allowed, ArgoCD: tc.argo}))
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range tc.yes {
			if err := p.Host(host); err != nil {
				t.Errorf("%s: %s must be allowed: %v", name, host, err)
			}
		}
		for _, host := range tc.no {
			if err := p.Host(host); !errors.Is(err, ErrRefused) {
				t.Errorf("%s: %s must be refused, got %v", name, host, err)
			}
		}
	}
	for _, list := range []string{",", "https://quay.io", "quay.io/org", "*", ".", "a@b", "*quay.io"} {
		if _, err := FromEnv(env(map[string]string{AllowedRegistries: list})); err == nil {
			t.Errorf("%q names no hosts, and must be an error: who sets it means to restrict", list)
		}
	}
}

// TestLists: a host must be in each list that is given.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, machine, flag, host string
		names                       string // what the refusal names; "" if the host is allowed
	}{
		{"in both", "quay.io,ghcr.io", "quay.io", "quay.io", ""},
		{"the flag narrows the list of the machine", "quay.io,ghcr.io", "quay.io", "ghcr.io", AllowFlag},
		{"the flag does not widen it", "quay.io", "quay.io,ghcr.io", "ghcr.io", AllowedRegistries},
		{"only the flag", "", "*.example.com", "a.example.com", ""},
		{"only the flag, another host", "", "*.example.com", "quay.io", AllowFlag},
		{"no list", "", "", "quay.io", ""},
	} {
		p, err := FromEnv(env(map[string]string{AllowedRegistries: tc.machine}))
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.WithList(AllowFlag, tc.flag); err != nil {
			t.Fatal(err)
		}
		err = p.Host(tc.host)
		if (err != nil) != (tc.names != "") || err != nil && !strings.Contains(err.Error(), tc.names) {
			t.Errorf("%s: want a refusal that names %q, got %v", tc.reason, tc.names, err)
		}
		if p.ListsHosts() != (tc.machine+tc.flag != "") {
			t.Errorf("%s: ListsHosts is %v", tc.reason, p.ListsHosts())
		}
	}
	if _, err := (Policy{}).WithList(AllowFlag, "https://quay.io"); err == nil || !strings.Contains(err.Error(), AllowFlag) {
		t.Errorf("want an error that names the flag, got %v", err)
	}
}

// TestAdvice: a setting is named only where it would help.
func TestAdvice(t *testing.T) {
	t.Parallel()
	cases := []struct {
		allowed, argo, host string
		lists               bool
	}{
		{host: "169.254.169.254"},
		{allowed: "169.254.169.254", host: "169.254.169.254"},
		{argo: "app", host: "127.0.0.1:5000"},
		{argo: "app", host: "localhost"},
		{host: "2852039166"},
		{host: "metadata.google.internal"},
		{allowed: "quay.io", host: "ghcr.io", lists: true},
		{allowed: "quay.io", host: "169.254.169.254"},
		{allowed: "quay.io", argo: "app", host: "localhost:5000"},
	}
	for _, tc := range cases {
		p, err := FromEnv(env(map[string]string{AllowedRegistries: tc.allowed, ArgoCD: tc.argo}))
		if err != nil {
			t.Fatal(err)
		}
		err = p.Host(tc.host)
		if advice := Advice(err); err == nil || strings.Contains(advice, AllowedRegistries) != tc.lists {
			t.Errorf("%+v: got %v; %s", tc, err, advice)
		}
	}
	// Of two lists, the one that lacks the host.
	p, err := (Policy{}).WithList(AllowFlag, "quay.io,ghcr.io")
	if err == nil {
		p, err = p.WithList(AllowedRegistries, "quay.io")
	}
	if advice := Advice(p.Host("ghcr.io")); err != nil || !strings.HasSuffix(advice, " must list it in "+AllowedRegistries) {
		t.Errorf("two lists: %v, %s", err, advice)
	}
}
