package transformers

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/yamlnode"

	"github.com/goldenarch/goldenarch/internal/operators/hyperconverged"
)

// writeClaim writes the declared architectures of a template. If goldenarch computed
// them, it also writes goldenarch.dev/claim with the same value. If a user wrote them,
// it removes that annotation. goldenarch.dev/claim-changed keeps the value of a user that
// it changes.
func writeClaim(entry *yaml.Node, claim *Claim) {
	if claim == nil {
		return
	}
	record, changes := newClaimRecord(entry, claim.Value)
	switch claim.Value {
	case "":
		removeAnnotations(entry, hyperconverged.ClaimAnnotation, hyperconverged.WrittenAnnotation)
	default:
		notes := annotations(entry)
		yamlnode.SetString(notes, hyperconverged.ClaimAnnotation, claim.Value, 0)
		if claim.Written {
			yamlnode.SetString(notes, hyperconverged.WrittenAnnotation, claim.Value, 0)
		} else {
			yamlnode.Remove(notes, hyperconverged.WrittenAnnotation)
		}
	}
	if changes {
		yamlnode.SetString(annotations(entry), hyperconverged.ClaimRecord, record.String(), 0)
	} else {
		removeAnnotations(entry, hyperconverged.ClaimRecord)
	}
}

// claimRecord is a value of [hyperconverged.ClaimRecord]: the declared architectures that
// goldenarch wrote, "" for none, and those that a person had written.
type claimRecord struct{ written, before string }

// noClaim is in a record that says that goldenarch removed the annotation.
const noClaim = "none"

// String returns the record as it is written.
func (r claimRecord) String() string {
	return fmt.Sprintf("%s from %q", cmp.Or(r.written, noClaim), r.before)
}

// claimRecordOf returns the record of a template. It reports false if the template has none, or
// if somebody changed the declared architectures after goldenarch wrote the record.
func claimRecordOf(entry *yaml.Node) (claimRecord, bool) {
	text, _ := annotation(entry, hyperconverged.ClaimRecord)
	written, quoted, _ := strings.Cut(text, " from ")
	before, err := strconv.Unquote(quoted)
	if err != nil {
		return claimRecord{}, false
	}
	if written == noClaim {
		written = ""
	}
	current, has := annotation(entry, hyperconverged.ClaimAnnotation)
	return claimRecord{written, before}, current == written && has == (written != "")
}

// newClaimRecord returns the record for a template that goldenarch makes declare a value. It
// reports false if that changes nothing that a person wrote.
func newClaimRecord(entry *yaml.Node, value string) (claimRecord, bool) {
	if known, is := claimRecordOf(entry); is {
		return claimRecord{value, known.before}, true
	}
	current, has := annotation(entry, hyperconverged.ClaimAnnotation)
	written, marked := annotation(entry, hyperconverged.WrittenAnnotation)
	ours := marked && current == written
	return claimRecord{value, current}, has && !ours && current != value
}

// annotation returns the value of an annotation, and whether the template has it.
func annotation(entry *yaml.Node, key string) (string, bool) {
	value := yamlnode.Get(yamlnode.Get(yamlnode.Get(entry, "metadata"), "annotations"), key)
	if value == nil {
		return "", false
	}
	return value.Value, true
}

func annotations(entry *yaml.Node) *yaml.Node {
	return yamlnode.Mapping(entry, "metadata", "annotations")
}

// removeAnnotations removes annotations of an entry, and the map if it is then empty.
func removeAnnotations(entry *yaml.Node, keys ...string) {
	removeNotes(yamlnode.Get(entry, "metadata"), keys...)
}

// removeNotes removes annotations from metadata, and the map if that makes it empty.
func removeNotes(metadata *yaml.Node, keys ...string) {
	notes := yamlnode.Get(metadata, "annotations")
	if notes == nil || len(notes.Content) == 0 {
		return // empty as a person wrote it
	}
	for _, key := range keys {
		yamlnode.Remove(notes, key)
	}
	if len(notes.Content) == 0 {
		yamlnode.Remove(metadata, "annotations")
	}
}
