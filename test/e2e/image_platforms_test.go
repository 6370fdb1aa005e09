package e2e

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// machines are the platforms of the image, with what their programs are for.
var machines = map[string]elf.Machine{
	"linux/amd64": elf.EM_X86_64, "linux/arm64": elf.EM_AARCH64, "linux/s390x": elf.EM_S390, "linux/ppc64le": elf.EM_PPC64,
}

// imageHasAllPlatforms pushes the manifest list to a registry, by each engine, and
// looks at what is there. What is compiled does not depend on the engine, so the second one
// makes two platforms.
func imageHasAllPlatforms(t *testing.T, e engines, source string) {
	host := e.registry(t)
	for engine, platforms := range map[string][]string{
		"podman": slices.Collect(maps.Keys(machines)), "buildah": {"linux/arm64", "linux/ppc64le"},
	} {
		t.Run(engine, func(t *testing.T) {
			image, more := host+"/"+engine+"/goldenarch:"+stampVersion, []string{}
			if len(platforms) < len(machines) {
				more = append(more, "PLATFORMS="+strings.Join(platforms, ","))
			}
			e.make(t, source, append(more, "image-multiarch", "ENGINE="+engine, "PUSH=yes", "PUSH_FLAGS=--tls-verify=false", "IMAGE="+image)...)
			checkIndex(t, e, host, image, platforms)
		})
	}
}

// registry starts a registry that the engines may speak HTTP with.
func (e engines) registry(t *testing.T) (host string) {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host = strings.TrimPrefix(server.URL, "http://")
	e.write(t, "registries.conf", fmt.Sprintf("[[registry]]\nlocation = %q\ninsecure = true\n", host))
	return host
}

// imageIsPushed pushes the image of this machine. Each engine makes it from the source
// elsewhere and later, and it is the one that was made before, byte for byte.
func imageIsPushed(t *testing.T, e engines, elsewhere string) {
	host, first := e.registry(t), e.id(t, imageName)
	for _, engine := range []string{"podman", "buildah"} {
		image := host + "/" + engine + ":one"
		said := e.make(t, elsewhere, "image", "ENGINE="+engine, "PUSH=yes", "IMAGE="+image)
		if !strings.Contains(said.stdout, "with "+engine+"\n") {
			t.Errorf("ENGINE=%s did not build with it:\n%s", engine, said.stdout)
		}
		if id := e.id(t, image); id != first {
			t.Errorf("of the source %s was made, and elsewhere and later by %s, %s", first, engine, id)
		}
		pushed, err := remote.Image(reference(t, image))
		if err != nil {
			t.Fatal(err)
		}
		checkImage(t, pushed, "linux/"+runtime.GOARCH)
	}
}

func reference(t *testing.T, image string) name.Reference {
	t.Helper()
	parsed, err := name.ParseReference(image, name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func checkIndex(t *testing.T, e engines, host, image string, platforms []string) {
	t.Helper()
	index, err := remote.Index(reference(t, image))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, child := range manifest.Manifests {
		platform := child.Platform.OS + "/" + child.Platform.Architecture
		seen[platform] = true
		image, err := index.Image(child.Digest)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(child.Platform.Architecture, func(t *testing.T) { checkImage(t, image, platform) })
	}
	if len(manifest.Manifests) != len(platforms) || len(seen) != len(platforms) {
		t.Errorf("the list has %d manifests, for %v", len(manifest.Manifests), seen)
	}
	// goldenarch's own word on its own image.
	got := e.must(t, "env", "goldenarch", "resolve", "--set", "registryInsecure="+host, image)
	for _, platform := range platforms {
		if !seen[platform] {
			t.Errorf("the list has nothing for %s", platform)
		}
		if !strings.Contains(got, strings.TrimPrefix(platform, "linux/")) {
			t.Errorf("goldenarch resolve does not find %s:\n%s", platform, got)
		}
	}
}

func checkImage(t *testing.T, image v1.Image, platform string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	const source = "https://github.com/goldenarch/goldenarch"
	labels := map[string]string{
		"title": "goldenarch", "source": source, "documentation": source + "/tree/main/docs", "licenses": "Apache-2.0",
		"version": stampVersion, "revision": stampCommit, "created": stampDate,
	}
	got := map[string]string{}
	for key := range labels {
		got[key] = config.Config.Labels["org.opencontainers.image."+key]
	}
	if diff := cmp.Diff(labels, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if config.OS+"/"+config.Architecture != platform || config.Config.User != "65534:65534" ||
		!cmp.Equal(config.Config.Entrypoint, []string{"/usr/local/bin/goldenarch"}) || len(config.Config.Cmd) > 0 {
		t.Errorf("unexpected configuration %s/%s %+v", config.OS, config.Architecture, config.Config)
	}
	if created := config.Created.Unix(); created != stampEpoch {
		t.Errorf("created at %d, expected the commit's time %d", created, stampEpoch)
	}
	files := filesOf(t, image)
	want := map[string]string{
		"etc": "drwxr-xr-x", "etc/group": "-rw-r--r--", "etc/passwd": "-rw-r--r--",
		"etc/ssl": "drwxr-xr-x", "etc/ssl/certs": "drwxr-xr-x", "etc/ssl/certs/ca-certificates.crt": "-rw-r--r--",
		"usr": "drwxr-xr-x", "usr/local": "drwxr-xr-x", "usr/local/bin": "drwxr-xr-x", "usr/local/bin/goldenarch": "-rwxr-xr-x",
		"usr/share": "drwxr-xr-x", "usr/share/licenses": "drwxr-xr-x", "usr/share/licenses/goldenarch": "drwxr-xr-x",
		"usr/share/licenses/goldenarch/LICENSE": "-rw-r--r--", "usr/share/licenses/goldenarch/THIRD_PARTY_LICENSES": "-rw-r--r--",
	}
	modes := map[string]string{}
	for path, file := range files {
		modes[path] = file.mode
	}
	if diff := cmp.Diff(want, modes); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for file, want := range map[string]string{
		// By name for kustomize and kpt, which say `--user nobody`.
		"etc/passwd": "nobody:x:65534:65534:nobody:/:/sbin/nologin\n", "etc/group": "nobody:x:65534:\n",
	} {
		if got := string(files[file].content); got != want {
			t.Errorf("%s is %q, expected %q", file, got, want)
		}
	}
	if !x509.NewCertPool().AppendCertsFromPEM(files["etc/ssl/certs/ca-certificates.crt"].content) {
		t.Error("no certificate authority in the bundle")
	}
	for _, text := range []string{"k8s.io/api v", "Apache License", "Redistribution and use in source"} {
		if !bytes.Contains(files["usr/share/licenses/goldenarch/THIRD_PARTY_LICENSES"].content, []byte(text)) {
			t.Errorf("the licence texts do not have %q", text)
		}
	}
	checkProgram(t, files["usr/local/bin/goldenarch"].content, machines[platform])
}

func checkProgram(t *testing.T, program []byte, machine elf.Machine) {
	t.Helper()
	file, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	if file.Machine != machine {
		t.Errorf("the program is for %s, expected %s", file.Machine, machine)
	}
	if needs := loader(t, file); needs != "" {
		t.Errorf("the program is not static, it needs %s", needs)
	}
	if _, err := file.Symbols(); !errors.Is(err, elf.ErrNoSymbols) {
		t.Errorf("the program is not stripped of symbols (%v)", err)
	}
	if file.Section(".debug_info") != nil || file.Section(".zdebug_info") != nil {
		t.Error("the program is not stripped of what a debugger reads")
	}
}

type imageFile struct {
	mode    string
	content []byte
}

// filesOf reads the files of an image; all have the commit's time.
func filesOf(t *testing.T, image v1.Image) map[string]imageFile {
	t.Helper()
	files := map[string]imageFile{}
	stream := mutate.Extract(image)
	defer stream.Close()
	for archive := tar.NewReader(stream); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if header.ModTime.Unix() != stampEpoch || header.Uid != 0 || header.Gid != 0 {
			t.Errorf("%s is of %s and %d:%d, expected the commit's time and root", header.Name, header.ModTime, header.Uid, header.Gid)
		}
		files[strings.Trim(header.Name, "/")] = imageFile{mode: header.FileInfo().Mode().String(), content: content}
	}
}
