package report

import (
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/workload"
)

// TestSentenceOfOperators: the sentence says which architectures all operators of a check support, and why not others.
func TestSentenceOfOperators(t *testing.T) {
	t.Parallel()
	two := arch.Named("amd64", "arm64")
	image := func(name, has string) workload.SupportedImage {
		return workload.SupportedImage{Reference: name, Has: arch.Named(strings.Fields(has)...), Unknown: has == "?"}
	}
	csv := func(name string, labels, admitted arch.Set, images ...workload.SupportedImage) workload.Support {
		return workload.Support{
			Object: finding.Object{Kind: "ClusterServiceVersion", Name: name}, Architectures: two, Images: images, Labels: labels, Labelled: true, Admitted: admitted,
		}
	}
	amd := arch.Named("amd64")
	for _, tc := range []struct {
		reason string
		list   []workload.Support
		want   string
	}{
		{"all of it", []workload.Support{csv("a", two, two, image("m", "amd64 arm64"))}, "The operator supports amd64 and arm64."},
		{
			"an image is the cause, whatever the labels say",
			[]workload.Support{csv("a", amd, two, image("m", "amd64 arm64"), image("db", "amd64"))},
			"The operator supports amd64. It does not support arm64, because the image db lacks it.",
		},
		{
			"several images are",
			[]workload.Support{csv("a", two, two, image("m", "amd64"), image("db", "amd64"))},
			"The operator supports amd64. It does not support arm64, because 2 images lack it: m, db.",
		},
		{
			"then what nothing proves",
			[]workload.Support{csv("a", two, two, image("m", "?"))},
			"It is not known whether the operator supports amd64 and arm64, because nothing proves that m has it.",
		},
		{
			"then the label",
			[]workload.Support{csv("a", amd, two, image("m", "amd64 arm64"))},
			"The operator supports amd64. It does not support arm64, because no label names it.",
		},
		{
			"then the node affinity",
			[]workload.Support{csv("a", two, amd, image("m", "amd64 arm64"))},
			"The operator supports amd64. It does not support arm64, because the node affinity excludes it.",
		},
		{
			"or both",
			[]workload.Support{csv("a", amd, amd, image("m", "amd64 arm64"))},
			"The operator supports amd64. It does not support arm64, because no label names it and the node affinity excludes it.",
		},
		{
			"an object that nobody asked about arm64 decides it, too",
			[]workload.Support{csv("a", two, two, image("m", "amd64 arm64")), {Architectures: amd, Admitted: amd, Images: []workload.SupportedImage{image("x", "amd64")}}},
			"The operator supports amd64. It does not support arm64, because the image x lacks it.",
		},
		{
			"several operators",
			[]workload.Support{csv("a", two, two, image("m", "amd64 arm64")), csv("b", two, two, image("n", "amd64"))},
			"All 2 operators support amd64. Not all operators support arm64, because the image n lacks it.",
		},
		{
			"and none of them",
			[]workload.Support{csv("a", two, two, image("m", "arm64")), csv("b", two, two, image("n", "amd64"))},
			"Not all operators support amd64, because the image m lacks it. Not all operators support arm64, because the image n lacks it.",
		},
	} {
		c := Check{Summary: check.Summary{Supports: tc.list, Pods: []finding.Object{{Kind: "ClusterServiceVersion"}}}}
		if got := c.tell().sentence(); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
		}
	}
}

// TestImagesOfAnOperator: a short table of many images has those that lack something, and counts the others; the page has all.
func TestImagesOfAnOperator(t *testing.T) {
	t.Parallel()
	two := arch.Named("amd64", "arm64")
	s := workload.Support{Architectures: two, Admitted: two, Images: []workload.SupportedImage{{Reference: "db", NamedBy: "env DB", Has: arch.Named("amd64")}}}
	for range fewImages {
		s.Images = append(s.Images, workload.SupportedImage{Reference: "right", NamedBy: "relatedImages", Has: two})
	}
	if g := supportGrid(s, true); len(g.rows) != 4 || g.rows[1][0] != "15 more images" || strings.Join(g.rows[0], " ") != "db env DB yes no" {
		t.Errorf("want the image that lacks something, and a count, got %v", g.rows)
	}
	if g := supportGrid(s, false); len(g.rows) != fewImages+3 {
		t.Errorf("want all images, got %d rows", len(g.rows))
	}
}
