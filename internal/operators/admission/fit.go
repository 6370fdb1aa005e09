package admission

// fit changes an object as the API server does when it decodes it. It sets defaults, then
// removes unknown fields, then removes nulls (apiextensions-apiserver
// customresource_handler.go).
func (s *structure) fit(object map[string]any) {
	s.fill(object)
	s.prune(object)
}

// fill sets the defaults. A default applies if the parent exists and the field does not, or
// if the field is null and not nullable. fill then sets the defaults inside that default
// (apiextensions-apiserver schema/defaulting).
func (s *structure) fill(value any) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, property := range s.Properties {
			if property.fallback == nil {
				continue
			}
			if now, ok := value[key]; !ok || now == nil && !property.Nullable {
				value[key] = clone(property.fallback)
			}
		}
		for key, v := range value {
			s.child(key).fill(v)
		}
	case []any:
		for _, v := range value {
			s.Items.fill(v)
		}
	}
}

// prune removes the fields that the CRD does not have, and null fields that are not
// nullable (apiextensions-apiserver schema/pruning, schema/defaulting).
func (s *structure) prune(value any) {
	if s == nil || s.keep {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			below := s.child(key)
			if below == nil || v == nil && !below.Nullable {
				delete(value, key)
				continue
			}
			below.prune(v)
		}
	case []any:
		for _, v := range value {
			s.Items.prune(v)
		}
	}
}
