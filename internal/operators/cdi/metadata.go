package cdi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// WrongMetadata returns what the API server finds wrong with the metadata of an object of a
// CRD: a name that is not a DNS subdomain, a namespace, label or annotation that is not valid
// (apiextensions-apiserver pkg/registry/customresource/validator.go).
// The name comes first, and the order is always the same, unlike that of the API server. What has
// a variable of Flux, or a template of a policy, gets its value on the way to the cluster.
func WrongMetadata(m metav1.ObjectMeta) field.ErrorList {
	if isPlain(m) {
		return nil
	}
	found := validation.ValidateObjectMeta(&m, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	found = slices.DeleteFunc(found, func(e *field.Error) bool { return hasVariable(fmt.Sprint(e.BadValue)) })
	slices.SortStableFunc(found, func(a, b *field.Error) int {
		return cmp.Or(-strings.Compare(a.Field, b.Field), strings.Compare(a.Error(), b.Error()))
	})
	return found
}

// isPlain reports whether all names and values in metadata are of a form that is valid in each of
// these places. Almost all are, and the API server's regular expressions take long.
func isPlain(m metav1.ObjectMeta) bool {
	for key, value := range m.Labels {
		if !isPlainKey(key) || value != "" && !isPlainName(value) {
			return false
		}
	}
	size := 0
	for key, value := range m.Annotations {
		if size += len(key) + len(value); !isPlainKey(key) || size > validation.TotalAnnotationSizeLimitB {
			return false
		}
	}
	return isPlainName(m.Name) && isPlainName(m.Namespace) && !strings.Contains(m.Namespace, ".") &&
		m.GenerateName == "" && m.Generation == 0 && len(m.OwnerReferences)+len(m.Finalizers)+len(m.ManagedFields) == 0
}

// isPlainKey reports whether the key of a label or an annotation is a plain name, with or without
// another one before it.
func isPlainKey(key string) bool {
	before, name, has := strings.Cut(key, "/")
	return isPlainName(before) && (!has || isPlainName(name))
}

// isPlainName reports whether a text is a short DNS name.
func isPlainName(text string) bool {
	const longest = 63
	previous := byte('.')
	for i := range len(text) {
		c := text[i]
		isInner := c == '.' || c == '-'
		if !isInner && (c < 'a' || c > 'z') && (c < '0' || c > '9') || c == '.' && previous == '-' || isInner && previous == '.' {
			return false
		}
		previous = c
	}
	return text != "" && len(text) <= longest && previous != '.' && previous != '-'
}

func hasVariable(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "{{")
}

// Invalid returns why the API server does not create an object of CDI, in its words; "" if the
// metadata is valid. CDI's webhook does not see such an object: the API server first looks for
// the namespace and validates the object.
func Invalid(kind string, m metav1.ObjectMeta) string {
	if !hasVariable(m.Namespace) && len(validation.ValidateNamespaceName(m.Namespace, false)) > 0 {
		return fmt.Sprintf("namespaces %q not found", m.Namespace)
	}
	wrong := WrongMetadata(m)
	if m.Name == "" {
		wrong = field.ErrorList{field.Required(field.NewPath("metadata", "name"), "name is required")}
	}
	if len(wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("%s.cdi.kubevirt.io %q is invalid: %v", kind, m.Name, wrong.ToAggregate())
}
