package workload

import (
	"github.com/goldenarch/goldenarch/internal/workload/affinity"
	"github.com/goldenarch/goldenarch/internal/workload/podspec"
)

// Undo takes out of the pods of an object what earlier runs wrote, as the annotation of the
// object records it, and the annotation. It reports whether there was one.
func Undo(o podspec.Object) bool {
	text := o.Annotation(RecordAnnotation)
	if text == "" {
		return false
	}
	had := affinity.ParseRecords(text)
	for _, place := range podspec.Places(o, podspec.Options{Discover: true}) {
		affinity.Remove(place.Node, had[place.Key])
		place.Attach()
	}
	record(o.Node, "")
	return true
}
