package cli

import (
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuildOf(t *testing.T) {
	t.Parallel()
	const (
		pseudo   = "v0.0.0-20261122010000-0123456789ab"
		revision = "0123456789abcdef0123456789abcdef01234567"
		when     = "2026-11-22T01:00:00Z"
	)
	noted := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: []debug.BuildSetting{
			{Key: "-trimpath", Value: "true"},
			{Key: "vcs.revision", Value: revision},
			{Key: "vcs.time", Value: when},
			{Key: "vcs.modified", Value: modified},
		}}
	}
	cases := map[string]struct {
		reason  string
		stamped build
		info    *debug.BuildInfo
		want    build
	}{
		"Nothing": {
			reason: "the program runs without either",
			info:   &debug.BuildInfo{},
			want:   build{"dev", "unknown", "unknown"},
		},
		"NoRepository": {
			reason: "(devel) is what Go says when it knows no version",
			info:   &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}},
			want:   build{"dev", "unknown", "unknown"},
		},
		"Installed": {
			reason: "go install module@version knows the version and no commit",
			info:   &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}},
			want:   build{"v1.2.3", "unknown", "unknown"},
		},
		"Repository": {
			reason: "go build in a repository knows all of it",
			info:   noted(pseudo, "false"),
			want:   build{pseudo, revision, when},
		},
		"Modified": {
			reason: "a build with changes is not the commit's",
			info:   noted("v1.2.3", "true"),
			want:   build{"v1.2.3+dirty", revision + "+dirty", when},
		},
		"ModifiedSaidOnce": {
			reason: "Go itself says it in the version",
			info:   noted(pseudo+"+dirty", "true"),
			want:   build{pseudo + "+dirty", revision + "+dirty", when},
		},
		"Stamped": {
			reason:  "a stamp wins",
			stamped: build{"v1.2.3", "c", "d"},
			info:    noted(pseudo, "true"),
			want:    build{"v1.2.3", "c", "d"},
		},
		"PartlyStamped": {
			reason:  "what is not stamped is known all the same",
			stamped: build{version: "v1.2.3"},
			info:    noted(pseudo, "false"),
			want:    build{"v1.2.3", revision, when},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, buildOf(tc.stamped, tc.info), cmp.AllowUnexported(build{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
