package object

import (
	"testing"
)

func TestNone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason string
		items  []string
		want   bool
	}{
		{"no items", nil, true},
		{"an empty List", []string{"{apiVersion: v1, kind: List, items: []}"}, true},
		{"several", []string{"{apiVersion: v1, kind: List, items: []}", "{apiVersion: v1, kind: ConfigMapList, items: []}"}, true},
		{"whose items are null", []string{"{apiVersion: v1, kind: List, items: }"}, true},
		{"or not there", []string{"{apiVersion: v1, kind: List}"}, true},
		{"or empty Lists", []string{"{apiVersion: v1, kind: List, items: [&l {apiVersion: v1, kind: List, items: []}, *l]}"}, true},
		{"an object beside it", []string{"{apiVersion: v1, kind: List, items: []}", "{apiVersion: v1, kind: ConfigMap}"}, false},
		{"an object in it", []string{"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMap}]}"}, false},
		{"an object deep in it", []string{"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: ConfigMap}]}]}"}, false},
		{"an object of a kind with such a name", []string{"{apiVersion: example.com/v1, kind: AllowList}"}, false},
		{"and with a list of its own", []string{"{apiVersion: example.com/v1, kind: AllowList, items: [a]}"}, false},
		{"a List without an end is told elsewhere", []string{"&a {apiVersion: v1, kind: List, items: [*a]}"}, false},
	} {
		if got := None(items(t, tc.items...)); got != tc.want {
			t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
		}
	}
}
