package registry_test

import (
	"strings"

	"github.com/goldenarch/goldenarch/internal/images/mirror"
	"github.com/goldenarch/goldenarch/internal/images/mirror/registriesconf"
	"github.com/goldenarch/goldenarch/test/registrytest"
)

// conf is a registries.conf, with the words for the hosts in it.
func conf(text string) func(*world) mirror.Policy {
	return func(w *world) mirror.Policy {
		w.Helper()
		p, err := registriesconf.Read(write(w, w.said(text), w.TempDir(), "registries.conf"))
		if err != nil {
			w.Fatal(err)
		}
		return p
	}
}

// object is a mirror set: its kind and its spec.
type object struct{ kind, spec string }

// sets are mirror sets of OpenShift.
func sets(objects ...object) func(*world) mirror.Policy {
	return func(w *world) mirror.Policy {
		w.Helper()
		var rules []mirror.Rule
		for _, o := range objects {
			version := "config.openshift.io/v1"
			if o.kind == "ImageContentSourcePolicy" {
				version = "operator.openshift.io/v1alpha1"
			}
			list, faults := mirror.Parse(version, o.kind, []byte(w.said(`{"spec":`+o.spec+`}`)))
			if len(faults) > 0 {
				w.Fatal(faults)
			}
			rules = append(rules, list...)
		}
		return mirror.Translate(rules...)
	}
}

// said puts the hosts in the place of their words.
func (w *world) said(text string) string {
	return strings.NewReplacer("SOURCE", w.registry.Host(), "FIRST", w.other.Host(), "SECOND", w.third.Host()).Replace(text)
}

// plainMirror makes the first mirror one without TLS.
func plainMirror(w *world) {
	w.registry.Push(appImage, registrytest.Index("linux/amd64", "linux/arm64"))
	w.other = start(w.T, registrytest.Options{PlainHTTP: true})
	w.other.Push(appImage, registrytest.Index("linux/amd64", "linux/arm64"))
}
