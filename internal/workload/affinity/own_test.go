package affinity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
)

// podOf returns a PodSpec with terms, each a list of expressions.
func podOf(terms ...string) *yaml.Node {
	if len(terms) == 0 {
		return yaml.MustParse("containers: []\n").YNode()
	}
	text := "affinity:\n  nodeAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      nodeSelectorTerms:\n"
	for _, term := range terms {
		text += "      - matchExpressions: [" + term + "]\n"
	}
	return yaml.MustParse(text).YNode()
}

func textOf(t interface{ Fatal(args ...any) }, n *yaml.Node) string {
	text, err := yaml.NewRNode(n).String()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func in(key string, values ...string) string {
	return fmt.Sprintf("{key: %s, operator: In, values: [%s]}", key, strings.Join(values, ", "))
}

// TestOwnTerms: a record identifies the terms that goldenarch wrote into by what else they
// require. A term that equals what goldenarch writes stays a person's.
func TestOwnTerms(t *testing.T) {
	t.Parallel()
	const zone, disk = "{key: zone, operator: In, values: [x]}", "{key: disk, operator: Exists}"
	both, one, os := in(ArchLabel, "amd64", "arm64"), in(ArchLabel, "amd64"), in(OSLabel, "linux")
	write := func(spec *yaml.Node, record string, want Want) string {
		wrote, _ := Write(spec, want, ParseRecords(record)[""])
		return Records{"": wrote}.String()
	}
	all, narrow := Want{Architectures: arch.NewSet("amd64", "arm64")}, Want{Architectures: arch.NewSet("amd64")}
	first := podOf(zone+", "+both, disk)
	record := write(first, "", all)
	onlyDisk := podOf(disk)
	single := write(onlyDisk, "", all)
	withOS := podOf(zone+", "+os, disk)
	osRecord := write(withOS, "", Want{Architectures: all.Architectures, OS: true})
	for name, tc := range map[string]struct {
		reason string
		spec   *yaml.Node
		record string
		want   Want
		after  *yaml.Node
		wrote  string
	}{
		"PersonsTermIsEqual": {
			reason: "the first term is a person's", spec: podOf(zone+", "+both, disk+", "+both), record: record, want: narrow,
			after: podOf(zone+", "+both, disk+", "+one), wrote: "amd64",
		},
		"OtherOrder": {
			reason: "somebody has sorted the terms", spec: podOf(disk+", "+both, zone+", "+both), record: record, want: narrow,
			after: podOf(disk+", "+one, zone+", "+both), wrote: "amd64",
		},
		"OwnTermIsGone": {
			reason: "what is left is a person's", spec: podOf(zone + ", " + both), record: record, want: narrow, after: podOf(zone + ", " + both),
		},
		"RecordOfOne": {
			reason: "a record without ids owns the only term that fits", spec: podOf(disk+", "+both, zone+", "+one), record: "amd64,arm64", want: narrow,
			after: podOf(disk+", "+one, zone+", "+one), wrote: "amd64 terms " + strings.Fields(write(podOf(disk, zone+", "+one), "", narrow))[2],
		},
		"RecordOfOneThatFitsTwo": {
			reason: "a record without ids owns none of two", spec: podOf(disk+", "+both, zone+", "+both), record: "amd64,arm64", want: narrow,
			after: podOf(disk+", "+both, zone+", "+both),
		},
		"SystemOfAPerson": {
			reason: "goldenarch wrote the system into the second term only", spec: withOS, record: osRecord, want: all,
			after: podOf(zone+", "+os+", "+both, disk+", "+both), wrote: "amd64,arm64 terms " + strings.ReplaceAll(strings.Fields(osRecord)[2], osPrefix, ""),
		},
		"Twins": {
			reason: "of two that are equal in all one is a person's", spec: podOf(disk+", "+both, disk+", "+both), record: record, want: narrow,
			after: podOf(disk+", "+one, disk+", "+both), wrote: "amd64",
		},
		"OneTerm": {reason: "a record of one term needs no id", spec: onlyDisk, record: single, want: narrow, after: podOf(disk + ", " + one), wrote: "amd64"},
	} {
		t.Run(name, func(t *testing.T) {
			wrote := write(tc.spec, tc.record, tc.want)
			if diff := cmp.Diff(flow(textOf(t, tc.after)), flow(textOf(t, tc.spec))); diff != "" || wrote != tc.wrote {
				t.Errorf("%s: record %q, want %q\n%s", tc.reason, wrote, tc.wrote, diff)
			}
		})
	}
	if single != "amd64,arm64" {
		t.Errorf("the record of one term is %q", single)
	}
}

// flow removes what the style of a text adds.
func flow(text string) any {
	var out any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		return err
	}
	return out
}

// TestLaterRunUpdatesItsOwn: whatever a pod had, a second run changes nothing, and one that wants
// something else gives what it would have given without the first.
func TestLaterRunUpdatesItsOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		expressions := []string{in("zone", "x"), "{key: disk, operator: Exists}", in(ArchLabel, "amd64"), in(ArchLabel, "amd64", "arm64"), in(OSLabel, "linux")}
		var terms []string
		for range rapid.IntRange(0, 3).Draw(t, "terms") {
			expressions[0] = in("zone", fmt.Sprint("x", len(terms)))
			more := strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(expressions[1:]), 0, 3, rapid.ID[string]).Draw(t, "term"), ", ")
			terms = append(terms, expressions[0]+", "+more)
		}
		spec, fresh := podOf(terms...), podOf(terms...)
		drawn := func(which string) Want {
			want := Want{OS: rapid.Bool().Draw(t, which+" os")}
			want.Architectures = arch.NewSet(rapid.SampledFrom([][]arch.Arch{{"amd64"}, {"amd64", "arm64"}, {"s390x"}}).Draw(t, which)...)
			if rapid.Bool().Draw(t, which+" prefers") {
				want.Preferred = []Preference{{"arm64", 50}}
			}
			return want
		}
		want := drawn("want")
		wrote, _ := Write(spec, want, Record{})
		wrote = ParseRecords(Records{"": wrote}.String())[""]
		after := textOf(t, spec)
		if again, _ := Write(spec, want, wrote); textOf(t, spec) != after || cmp.Diff(wrote, again) != "" {
			t.Fatalf("the second run changes the pod or the record: %v, then %v\n%s\n%s", wrote, again, after, textOf(t, spec))
		}
		later := drawn("later")
		Write(spec, later, wrote)
		Write(fresh, later, Record{})
		if diff := cmp.Diff(textOf(t, fresh), textOf(t, spec)); diff != "" {
			t.Fatalf("record %v\n%s", wrote, diff)
		}
	})
}
