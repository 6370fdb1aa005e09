package admission

// fit makes of an object what the API server makes of it when it decodes it:
// defaults, then no unknown fields, then no nulls (apiextensions-apiserver
// customresource_handler.go).
func (s *structure) fit(object map[string]any) {
	s.fill(object)
	s.prune(object)
}

// fill sets the defaults. One applies where its parent is there and the field
// is not, or is null and may not be; then the default's own fields are filled
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

// prune drops the fields that the CRD does not have, and those that are null
// and may not be (apiextensions-apiserver schema/pruning, schema/defaulting).
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
