//go:build unix

package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/test/registrytest"
)

// lockedDisk is a lock that says what the registry does not.
const lockedDisk = "apiVersion: goldenarch.dev/v1alpha1\nkind: ArchitectureLock\nmetadata: {name: golden-images}\nimages:\n" +
	"- reference: OWN/org/disk:1\n  digest: sha256:0000000000000000000000000000000000000000000000000000000000000000\n" +
	"  mediaType: application/vnd.oci.image.index.v1+json\n  platforms: [{os: linux, architecture: amd64}]\n"

// TestUntrustedHosts: of an untrusted tree, goldenarch contacts what the operator lists and
// nothing else, believes no other server, and uses no login of the machine.
func TestUntrustedHosts(t *testing.T) {
	t.Parallel()
	users := registrytest.Users{"machine": "machine-password", "git": "git-password"}
	for name, tc := range map[string]struct {
		args     string // with OWN and OTHER
		env      string
		spec     string // of the tree's configuration
		more     string // of the tree
		redirect bool   // the registry redirects to the other one
		login    bool   // the registry requires one
		own      bool   // the registry is asked
		status   int
		says     string
	}{
		"NoList":           {args: "check", status: 1, says: "GA601"},
		"NoListLockIgnore": {args: "check", spec: "lock: {mode: Ignore}", status: 1, says: "GA601"},
		"LockCheckNoList":  {args: "lock --check", status: 2, says: "--registry-allow"},
		"Flag":             {args: "check --registry-allow OWN --set registryInsecure=OWN", own: true},
		"Variable":         {args: "check --set registryInsecure=OWN", env: "GOLDENARCH_ALLOWED_REGISTRIES=OWN", own: true},
		"LockCheck":        {args: "lock --check --registry-allow OWN --set registryInsecure=OWN", own: true, status: 3},
		"OtherListed":      {args: "check --registry-allow OTHER --set registryInsecure=OWN", status: 1, says: "--registry-allow"},
		"FlagWidensNothing": {
			args: "check --registry-allow OWN --set registryInsecure=OWN", env: "GOLDENARCH_ALLOWED_REGISTRIES=quay.io",
			status: 1, says: "GOLDENARCH_ALLOWED_REGISTRIES",
		},
		"Redirect": {args: "check --registry-allow OWN --set registryInsecure=OWN,OTHER", redirect: true, own: true, status: 1, says: "--registry-allow"},
		"Mirror": {
			args: "check --registry-allow OWN,OTHER --set registryInsecure=OWN,OTHER",
			spec: "registry: {mirrors: [{source: OWN, mirrors: [OTHER]}]}", own: true, says: "GA852",
		},
		"MirrorSet": {
			args: "check --registry-allow OWN,OTHER --set registryInsecure=OWN,OTHER", own: true,
			more: "---\napiVersion: config.openshift.io/v1\nkind: ImageDigestMirrorSet\nmetadata: {name: m}\n" +
				"spec: {imageDigestMirrors: [{source: OWN/org, mirrors: [OTHER/org]}]}\n" +
				"---\napiVersion: config.openshift.io/v1\nkind: ImageTagMirrorSet\nmetadata: {name: m}\n" +
				"spec: {imageTagMirrors: [{source: OWN/org, mirrors: [OTHER/org]}]}\n",
		},
		"Insecure":     {args: "check --registry-allow OWN", spec: "registry: {insecure: [OWN]}", status: 1, says: "GA201"},
		"InsecureOfCR": {args: "check --registry-allow OWN", more: "  storageImport: {insecureRegistries: [OWN]}\n", status: 1, says: "GA201"},
		"Login":        {args: "check --registry-allow OWN --set registryInsecure=OWN", login: true, own: true, status: 1, says: "no logins of this machine"},
		"LockAnswers":  {args: "check", more: "---\n" + lockedDisk, status: 1, says: "error GA854"},
		"LockIsAsked":  {args: "check --registry-allow OWN --set registryInsecure=OWN", more: "---\n" + lockedDisk, own: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := serving(t)
			other.Push("org/disk:1", registrytest.Index("linux/amd64", "linux/arm64"))
			var wrappers []registrytest.Wrapper
			if tc.redirect {
				wrappers = append(wrappers, registrytest.Redirect("http://"+other.Host(), ""))
			}
			if tc.login {
				wrappers = append(wrappers, registrytest.Basic(users))
			}
			own := serving(t, wrappers...)
			own.Push("org/disk:1", registrytest.Index("linux/amd64", "linux/arm64"))
			fill := strings.NewReplacer("OWN", own.Host(), "OTHER", other.Host()).Replace
			dir, home := t.TempDir(), t.TempDir()
			ran := filepath.Join(home, "ran")
			for file, text := range map[string]string{
				filepath.Join(dir, "hco.yaml"): crOf(own.Host()+"/org/disk:1") + fill(tc.more),
				filepath.Join(dir, "config.yaml"): fill("apiVersion: goldenarch.dev/v1alpha1\nkind: GoldenImages\nmetadata: {name: g}\n" +
					"spec: {cluster: {workloadArchitectures: [amd64], controlPlaneArchitectures: [amd64]}, release: \"1.19\", " + tc.spec + "}\n"),
				filepath.Join(home, "auth.json"): fmt.Sprintf(
					`{"auths":{%q:{"username":"machine","password":"machine-password"}},"credsStore":"spy","credHelpers":{%q:"spy"}}`, own.Host(), own.Host()),
				filepath.Join(home, "docker-credential-spy"): "#!/bin/sh\necho ran >> '" + ran + "'\n" +
					"echo '{\"Username\":\"machine\",\"Secret\":\"machine-password\"}'\n",
			} {
				if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			env := []string{"REGISTRY_AUTH_FILE=" + filepath.Join(home, "auth.json"), "PATH=" + home + ":" + os.Getenv("PATH")}
			if tc.env != "" {
				env = append(env, fill(tc.env))
			}
			for _, args := range [][]string{
				{"init", "--quiet"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message", "a"},
			} {
				if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			args := append(strings.Fields(fill(tc.args)), ".", "--untrusted", "--base", "HEAD", "--set", "predefined=none", "--set", "registryRetries=0")
			got := Run(t, args, "", Limits{Dir: dir, Env: env, Once: true})
			if all := got.Stdout + got.Stderr; got.Status != tc.status || !strings.Contains(all, tc.says) {
				t.Errorf("want status %d and %q, got %d and\n%s", tc.status, tc.says, got.Status, all)
			}
			if n := other.Counts().Total(); n > 0 {
				t.Errorf("the other host was asked %d times", n)
			}
			if n := own.Counts().Total(); n > 0 != tc.own {
				t.Errorf("the registry was asked %d times", n)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("the credential helper ran")
			}
		})
	}
}
