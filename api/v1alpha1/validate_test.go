package v1alpha1

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/goldenarch/goldenarch/internal/arch"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	arm := []string{"arm64"}
	for _, test := range []struct {
		reason string
		edit   func(*GoldenImagesSpec)
		paths  []string // of the errors; the texts of words and releases are tested elsewhere
	}{
		{"the defaults are valid", func(*GoldenImagesSpec) {}, nil},
		{
			reason: "every word is checked",
			edit: func(s *GoldenImagesSpec) {
				s.Platform, s.Predefined, s.Existing, s.Unsupported, s.Unresolved = "x", "x", "x", "x", "x"
				s.Gate, s.Defaults, s.Expand.Mode, s.Lock.Mode = "x", "x", "x", "x"
			},
			paths: []string{
				"spec.platform", "spec.predefined", "spec.existing", "spec.unsupported", "spec.unresolved",
				"spec.gate", "spec.defaults", "spec.expand.mode", "spec.lock.mode",
			},
		},
		{"every architecture is checked", func(s *GoldenImagesSpec) {
			s.Cluster = ClusterSpec{WorkloadArchitectures: []string{"amd64", "x"}, ControlPlaneArchitectures: []string{"x", "amd64"}}
			s.Allow, s.SingleArchitecture = []string{"x", "y"}, "x"
			s.Overrides = []Override{{Image: "a", Architectures: []string{"amd64", "x"}}}
			s.PredefinedTemplates = []PredefinedTemplate{{Name: "a", Architectures: []string{"amd64", "x"}}}
		}, []string{
			"spec.cluster.workloadArchitectures[1]", "spec.cluster.controlPlaneArchitectures[0]",
			"spec.predefinedTemplates[0].architectures[1]", "spec.allow[0]", "spec.allow[1]",
			"spec.overrides[0].architectures[1]", "spec.singleArchitecture",
		}},
		{"aliases and upper case are read", func(s *GoldenImagesSpec) { s.Allow, s.SingleArchitecture = []string{"x86_64", " ARM64"}, "aarch64" }, nil},
		{"a release that is none", func(s *GoldenImagesSpec) { s.Release = "newest" }, []string{"spec.release"}},
		{"inputs below the working directory", func(s *GoldenImagesSpec) { s.Inputs = []string{"a.yaml", "./b/c.yaml", "..d/e..yaml"} }, nil},
		{"inputs that leave it, or could through a link", func(s *GoldenImagesSpec) {
			s.Inputs = []string{"/etc/passwd", "..", "../a", "a/../../b", "a/../b", `a\..\b`, `\a`}
		}, []string{"spec.inputs[0]", "spec.inputs[1]", "spec.inputs[2]", "spec.inputs[3]", "spec.inputs[4]", "spec.inputs[5]", "spec.inputs[6]"}},
		{"inputs that are no file", func(s *GoldenImagesSpec) { s.Inputs = []string{"", ".", "./"} }, []string{"spec.inputs[0]", "spec.inputs[1]", "spec.inputs[2]"}},
		{"an input twice, however it is spelled", func(s *GoldenImagesSpec) { s.Inputs = []string{"a", "b", "./a"} }, []string{"spec.inputs[2]"}},
		{
			"an override of nothing", func(s *GoldenImagesSpec) { s.Overrides = []Override{{Architectures: arm}, {Architectures: arm}} },
			[]string{"spec.overrides[0]", "spec.overrides[1]"},
		},
		{"an override of two things", func(s *GoldenImagesSpec) {
			s.Overrides = []Override{{Image: "a", Template: "b", Architectures: arm}}
		}, []string{"spec.overrides[0]"}},
		{"an override of a template twice", func(s *GoldenImagesSpec) {
			s.Overrides = []Override{{Template: "a", Architectures: arm}, {Template: "b", Architectures: arm}, {Template: "a", Architectures: []string{"amd64"}}}
		}, []string{"spec.overrides[2]"}},
		{"the same override twice", func(s *GoldenImagesSpec) {
			s.Overrides = []Override{{Template: "a", Architectures: arm}, {Image: "a", Architectures: arm}, {Template: "a", Architectures: arm}}
		}, nil},
		{"an override must say something", func(s *GoldenImagesSpec) { s.Overrides = []Override{{Template: "a"}} }, []string{"spec.overrides[0].architectures"}},
		{"templates of the table have names, each its own", func(s *GoldenImagesSpec) {
			s.PredefinedTemplates = []PredefinedTemplate{{Name: "a"}, {}, {Name: "a"}}
		}, []string{"spec.predefinedTemplates[1].name", "spec.predefinedTemplates[2].name"}},
		{
			"durations", func(s *GoldenImagesSpec) { s.Registry.Timeout, s.Registry.RequestTimeout = "30", "-1s" },
			[]string{"spec.registry.timeout", "spec.registry.requestTimeout"},
		},
		{"no time at all", func(s *GoldenImagesSpec) { s.Registry.Timeout = "0s" }, []string{"spec.registry.timeout"}},
		{
			"counts", func(s *GoldenImagesSpec) { *s.Registry.Retries, s.Registry.Concurrency = -1, 0 },
			[]string{"spec.registry.retries", "spec.registry.concurrency"},
		},
		{"hosts", func(s *GoldenImagesSpec) {
			s.Registry.Insecure = []string{"r", "r.example.com:5000", "10.0.0.1", "[::1]:5000", "[fe80::1]"}
		}, nil},
		{"what is no host", func(s *GoldenImagesSpec) {
			s.Registry.Insecure = []string{"http://r", "r/a", "r:", "r:0", "r:65536", "", "*.r", "user@r"}
		}, []string{
			"spec.registry.insecure[0]", "spec.registry.insecure[1]", "spec.registry.insecure[2]", "spec.registry.insecure[3]",
			"spec.registry.insecure[4]", "spec.registry.insecure[5]", "spec.registry.insecure[6]", "spec.registry.insecure[7]",
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			var spec GoldenImagesSpec
			spec.Default()
			test.edit(&spec)
			var paths []string
			for _, line := range lines(t, spec.Validate()) {
				path, _, _ := strings.Cut(line, ": ")
				paths = append(paths, path)
			}
			if diff := cmp.Diff(test.paths, paths); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		edit   func(*GoldenImagesSpec)
		want   Errors
	}{
		{"Prefer is a mode", func(s *GoldenImagesSpec) { s.Lock.Mode = LockPrefer }, nil},
		{"Ignore is a mode", func(s *GoldenImagesSpec) { s.Lock.Mode = LockIgnore }, nil},
		{"Require is a mode", func(s *GoldenImagesSpec) { s.Lock.Mode = LockRequire }, nil},
		{"Emit is a mode", func(s *GoldenImagesSpec) { s.Expand.Mode = ExpandEmit }, nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			var spec GoldenImagesSpec
			spec.Default()
			test.edit(&spec)
			var got Errors
			errors.As(spec.Validate(), &got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestAccessors(t *testing.T) {
	t.Parallel()
	spec := GoldenImagesSpec{
		Cluster:            ClusterSpec{WorkloadArchitectures: []string{"x86_64", "arm64", "amd64"}, ControlPlaneArchitectures: []string{"S390X"}},
		Allow:              []string{" aarch64"},
		SingleArchitecture: "x86_64",
		Release:            "4.23",
	}
	spec.Default()
	if err := spec.Validate(); err != nil {
		t.Fatal(err)
	}
	override := Override{Architectures: []string{"arm64", "AMD64"}}
	template := PredefinedTemplate{Architectures: []string{"arm64"}}
	got := map[string]string{
		"workload": arch.Named(spec.Cluster.WorkloadArchitectures...).String(), "controlPlane": arch.Named(spec.Cluster.ControlPlaneArchitectures...).String(),
		"allow": arch.Named(spec.Allow...).String(), "single": string(arch.NamedOne(spec.SingleArchitecture)), "release": spec.ParsedRelease().String(),
		"override": arch.Named(override.Architectures...).String(), "template": arch.Named(template.Architectures...).String(),
		"timeout": spec.Registry.RunTimeout().String(), "request": spec.Registry.OneRequestTimeout().String(),
		"no single": string(arch.NamedOne("")),
	}
	want := map[string]string{
		"workload": "amd64,arm64", "controlPlane": "s390x", "allow": "arm64", "single": "amd64", "release": "1.19",
		"override": "amd64,arm64", "template": "arm64", "timeout": "2m0s", "request": "15s", "no single": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was validated is understood (-want +got):\n%s", diff)
	}
}
