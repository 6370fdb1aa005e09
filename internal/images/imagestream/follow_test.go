package imagestream

import (
	"strings"
	"testing"
)

const streams = `[
 {"metadata":{"name":"rhel9-guest","namespace":"os"},"spec":{"tags":[
   {"name":"9.4","from":{"kind":"DockerImage","name":"r.example/rhel9:9.4"},"importPolicy":{"importMode":"Legacy"}},
   {"name":"latest","from":{"kind":"ImageStreamTag","name":"9.5"}},
   {"name":"9.5","from":{"kind":"DockerImage","name":"r.example/rhel9:9.5"},"importPolicy":{"importMode":"PreserveOriginal"}},
   {"name":"old","from":{"kind":"ImageStreamTag","name":"9.4"}},
   {"name":"misspelled","from":{"kind":"DockerImage","name":"r.example/rhel9:9.4"},"importPolicy":{"importMode":"preserveoriginal"}},
   {"name":"said-of-a-tag","from":{"kind":"ImageStreamTag","name":"9.5"},"importPolicy":{"importMode":"Legacy"}},
   {"name":"pushed"},
   {"name":"fixed","from":{"kind":"ImageStreamImage","name":"rhel9-guest@sha256:aa"}},
   {"name":"loop","from":{"kind":"ImageStreamTag","name":"pool"}},
   {"name":"pool","from":{"kind":"ImageStreamTag","name":"loop"}},
   {"name":"other","from":{"kind":"ImageStreamTag","name":"fedora:41","namespace":"shared"}}]}},
 {"metadata":{"name":"fedora","namespace":"shared"},"spec":{"tags":[{"name":"41","from":{"kind":"DockerImage","name":"q.example/fedora:41"}}]}},
 {"metadata":{"name":"two"},"spec":{"tags":[{"name":"a"},{"name":"b"}]}},
 {"metadata":{"name":"none"}}
]`

func TestFollow(t *testing.T) {
	t.Parallel()
	known := readAll(t, streams)
	for name, tc := range map[string]struct {
		ask    string
		want   Image
		err    string
		reason string
	}{
		"tag":            {"rhel9-guest:9.5", Image{Reference: "r.example/rhel9:9.5"}, "", "the tag asked for, not the first one"},
		"legacy":         {"rhel9-guest:9.4", Image{"r.example/rhel9:9.4", true}, "", "importMode Legacy keeps one architecture"},
		"no tag":         {"rhel9-guest", Image{Reference: "r.example/rhel9:9.5"}, "", "latest comes first in status.tags, and leads to 9.5"},
		"no mode":        {"rhel9-guest:misspelled", Image{"r.example/rhel9:9.4", true}, "", "the API server refuses it"},
		"legacy chain":   {"rhel9-guest:old", Image{"r.example/rhel9:9.4", true}, "", "one Legacy tag on the way is enough"},
		"other stream":   {"rhel9-guest:other", Image{"q.example/fedora:41", true}, "", "from.namespace is followed; no importMode is Legacy"},
		"mode of a tag":  {"rhel9-guest:said-of-a-tag", Image{Reference: "r.example/rhel9:9.5"}, "", "a tag that follows another is not imported itself"},
		"circle":         {"rhel9-guest:loop", Image{}, "circle", "a circle ends in an error, not in a hang"},
		"pushed":         {"rhel9-guest:pushed", Image{}, "has no from", "what was pushed is not in Git"},
		"image":          {"rhel9-guest:fixed", Image{}, "ImageStreamImage", "only the cluster knows it"},
		"unknown tag":    {"rhel9-guest:8", Image{}, `no tag "8"`, "a missing tag is not replaced by another"},
		"unknown stream": {"rhel8-guest", Image{}, "the input has no ImageStream \"rhel8-guest\"", ""},
		"namespace":      {"fedora:41", Image{}, "in os, where CDI looks", "CDI reads only the cron's namespace"},
		"several tags":   {"two", Image{}, "name the tag", "the order of other tags is not foretold"},
		"no tags":        {"none", Image{}, "no tags", ""},
		"two colons":     {"a:b:c", Image{}, "not of the form", "CDI fails on it at run time"},
		"empty tag":      {"a:", Image{}, "empty tag", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := known.Follow(tc.ask, "os")
			if (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Fatalf("%s: want error with %q, got %v", tc.reason, tc.err, err)
			}
			if err == nil && got != tc.want {
				t.Errorf("%s: want %+v, got %+v", tc.reason, tc.want, got)
			}
		})
	}
}

// TestFollowDoesNotGuess: of two ImageStreams that may be meant none is taken.
func TestFollowDoesNotGuess(t *testing.T) {
	t.Parallel()
	const both = `[{"metadata":{"name":"a","namespace":"x"},"spec":{"tags":[{"name":"1","from":{"kind":"DockerImage","name":"r.example/a:1"}}]}},
 {"metadata":{"name":"a"},"spec":{"tags":[{"name":"1","from":{"kind":"DockerImage","name":"r.example/a:2"}}]}},
 {"metadata":{"name":"a","namespace":"y"},"spec":{"tags":[{"name":"1","from":{"kind":"DockerImage","name":"r.example/a:3"}}]}}]`
	known := readAll(t, both)
	for _, namespaces := range [][]string{{"x"}, {"x", "y"}} {
		if got, err := known.Follow("a:1", namespaces...); err == nil || !strings.Contains(err.Error(), "may be meant") {
			t.Errorf("%q: want an error, got %+v, %v", namespaces, got, err)
		}
	}
	if got, err := known[1:2].Follow("a:1", "x"); err != nil || got.Reference != "r.example/a:2" {
		t.Errorf("the only one is taken: got %+v, %v", got, err)
	}
}
