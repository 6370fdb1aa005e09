package object

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestDuplicateKeys: which of two keys counts depends on the reader, if they
// differ.
func TestDuplicateKeys(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"none", "a: 1\nb: {a: 1}\nc: [{a: 1}, {a: 2}]\n", nil},
		{"two values", "a: 1\na: 2\n", []string{"error a 2"}},
		{"one value", "a: 1\nb: 2\na: 1\n", []string{"warning a 3"}},
		{"a number and its text are two values", "a: 1\na: \"1\"\n", []string{"error a 2"}},
		{"quotes alone make no difference", "a: x\na: 'x'\n", []string{"warning a 2"}},
		{"comments make none either", "a: x # one\na: x # two\n", []string{"warning a 2"}},
		{"three times", "a: 1\na: 1\na: 2\n", []string{"warning a 2", "error a 3"}},
		{"below", "spec:\n  list:\n  - a: 1\n  - b: 1\n    b: 2\n", []string{"error spec.list[1].b 5"}},
		{"objects of one text", "a: {b: 1}\na: {b: 1}\n", []string{"warning a 2"}},
		{"objects that differ below", "a: {b: [1]}\na: {b: [2]}\n", []string{"error a 2"}},
		{"objects of another length", "a: {b: 1}\na: {b: 1, c: 2}\n", []string{"error a 2"}},
		{"in both of the values", "a: {b: 1, b: 1}\na: {b: 1, b: 1}\n", []string{"warning a 2", "warning a.b 1", "warning a.b 2"}},
		{"in what an alias stands for, once", "a: &x {b: 1, b: 2}\nc: *x\n", []string{"error a.b 1"}},
		{"an alias is the value it stands for", "x: &x [1]\na: *x\na: [1]\nb: *x\nb: [2]\n", []string{"warning a 3", "error b 5"}},
		{"a value that holds itself", "a: &x {b: *x}\na: &y {b: *y}\n", []string{"error a 2"}},
		{"an alias may be the key", "a: {b: &k c}\nc: 1\n*k : 1\n", []string{"warning c 3"}},
		{"an alias may be the key, of another value", "a: {b: &k c}\nc: 1\n*k : 2\n", []string{"error c 3"}},
		{"the name of an anchor is no key", "a: {b: &c x}\nc: 1\n*c : 2\n", nil},
		{"a number as a key is its text", "1: x\n\"1\": y\n", []string{"error 1 2"}},
		{"null is a value like any other", "a: ~\na: ~\n", []string{"warning a 2"}},
	} {
		node := parse(t, tc.text)
		var got []string
		for _, f := range DuplicateKeys(Object{Item: node, Node: node}) {
			got = append(got, fmt.Sprintf("%s %s %d", f.Severity, f.Field, f.Line))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestDuplicateKeysInList: a finding names the field of the item.
func TestDuplicateKeysInList(t *testing.T) {
	t.Parallel()
	item := parse(t, "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A}\n- apiVersion: v1\n  kind: A\n  spec: {a: 1, a: 2}\n")
	found := DuplicateKeys(All([]*yaml.RNode{item})[1])
	if len(found) != 1 || found[0].Field != "items[1].spec.a" || found[0].Line != 7 {
		t.Errorf("want items[1].spec.a in line 7, got %v", found)
	}
}

// TestHeadKeys: an item that readers take for two different things is an error,
// whatever it is.
func TestHeadKeys(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, text string
		want         []string
	}{
		{"a kind of two values", "apiVersion: v1\nkind: ConfigMap\nkind: HyperConverged\n", []string{"error kind 3"}},
		{"a version of two values", "apiVersion: v1\nkind: ConfigMap\napiVersion: v2\n", []string{"error apiVersion 3"}},
		{"two lists", "kind: List\nitems: [{a: 1}]\nitems: []\n", []string{"error items 3"}},
		{"the same twice", "kind: List\nitems: []\nkind: List\nitems: []\n", nil},
		{"what else an item has is not looked at", "kind: ConfigMap\ndata: {a: b}\ndata: {a: c}\n", nil},
	} {
		node := parse(t, tc.text)
		var got []string
		for _, f := range DuplicateHeadKeys(Object{Item: node}) {
			got = append(got, fmt.Sprintf("%s %s %d", f.Severity, f.Field, f.Line))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
		}
	}
}

// TestSingleKeys: the first of two equal keys stays, also in a List around the
// object.
func TestSingleKeys(t *testing.T) {
	t.Parallel()
	item := parse(t, "items: [{a: 1, b: {c: 1, c: 1}, a: 1}]\nother: {a: 1, a: 1}\nitems: [{a: 1, b: {c: 1, c: 1}, a: 1}]\n")
	Object{Item: item, Path: "items[0]"}.RemoveRepeated(item)
	text, err := item.String()
	if want := "items: [{a: 1, b: {c: 1}}]\nother: {a: 1, a: 1}\n"; err != nil || text != want {
		t.Errorf("want %q, got %q (error %v)", want, text, err)
	}
}
