package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLibrary: what goldenarch is compared with does the whole work, in as few
// requests as it says. Else the ratio would mean nothing.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	programs := tools{}
	if err := programs.build(dir, "library", ".", "./library"); err != nil {
		t.Fatal(err)
	}
	env, err := trusting(dir)
	if err != nil {
		t.Fatal(err)
	}
	const count, singles = 8, 2
	cases := map[string]struct {
		reason, way string
		bearer      bool
		requests    int
		challenges  int
	}{
		"Shared":         {reason: "a challenge; a token and a manifest each", way: "shared", bearer: true, requests: 1 + 2*count + singles, challenges: 1},
		"SharedNoBearer": {reason: "a challenge; a manifest each", way: "shared", requests: 1 + count + singles, challenges: 1},
		"Puller":         {reason: "a challenge, a token and a manifest each", way: "puller", bearer: true, requests: 3*count + singles, challenges: count},
		"PullerNoBearer": {reason: "a challenge and a manifest each", way: "puller", requests: 2*count + singles, challenges: count},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			server, list, err := registryOf(count, distance{http2: true, bearer: tc.bearer})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			args, want := []string{tc.way}, ""
			for _, one := range list {
				args = append(args, one.name)
				has := "amd64,arm64,s390x"
				if one.single {
					has = "amd64"
				}
				want += one.name + " " + has + "\n"
			}
			command := exec.CommandContext(t.Context(), programs["library"], args...)
			command.Env = append(os.Environ(), env...)
			out, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(out)); diff != "" {
				t.Errorf("the architectures (-want +got):\n%s", diff)
			}
			// On a slow machine the library asks for a challenge over plain HTTP too,
			// which is a request more for each challenge.
			if got := server.Counts().Total(); got < tc.requests || got > tc.requests+tc.challenges {
				t.Errorf("%d requests, expected %d: %s", got, tc.requests, tc.reason)
			}
		})
	}
	for name, args := range map[string][]string{"NoArguments": nil, "NoSuchWay": {"other"}, "NoImage": {"shared", "a:b:c"}} {
		command := exec.CommandContext(t.Context(), programs["library"], args...)
		if out, err := command.Output(); err == nil {
			t.Errorf("%s: no error\n%s", name, out)
		}
	}
	if _, err := call(env, nil, programs["library"], "shared", "127.0.0.1:1/a:1"); err == nil {
		t.Error("nobody listens, and there is no error")
	}
}

// TestWhoAsksInOneProcess: the peers with a process for each image are told apart
// from those with one process.
func TestWhoAsksInOneProcess(t *testing.T) {
	t.Parallel()
	got := map[string]bool{}
	for _, peer := range peers(tools{"crane": "crane"}, 20, false) {
		got[peer.name] = peer.together
	}
	want := map[string]bool{"goldenarch": true, "library shared": true, "library puller": true, "crane x32": false, "crane loop": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the peers (-want +got):\n%s", diff)
	}
}
