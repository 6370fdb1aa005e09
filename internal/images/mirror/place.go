package mirror

// Place is a place that may have an image.
type Place struct {
	// Name is the image's name in that place: "mirror.example.com/quay/fedora".
	Name string
	// Source says that the place is the source, not a mirror.
	Source bool
	// Insecure allows plain HTTP, or any certificate.
	Insecure bool
	// Blocked forbids any query to the place.
	Blocked bool
}

// Places returns the places that may have the image of a name, in the order of the queries,
// the source last. pinned says that the reference has a digest. The name has no tag or
// digest, and begins with a registry.
//
// The scope that a place itself is in decides whether the place is blocked: a blocked
// source does not block its mirrors.
func (p Policy) Places(name string, pinned bool) []Place {
	scope, rest, found := p.find(name)
	var places []Place
	for _, m := range scope.Mirrors {
		if m.serves(pinned) {
			places = append(places, Place{Name: m.Location + rest, Insecure: m.Insecure})
		}
	}
	source := Place{Name: name, Source: true, Insecure: scope.Insecure}
	if found && scope.Location != "" {
		source.Name = scope.Location + rest
	}
	places = append(places, source)
	for i := range places {
		at, _, _ := p.find(places[i].Name)
		places[i].Blocked = at.Blocked
	}
	return places
}

// Mirrored reports whether the policy has a mirror for an image, for a tag or for a digest.
func (p Policy) Mirrored(name string) bool {
	scope, _, _ := p.find(name)
	return len(scope.Mirrors) > 0
}

func (m Endpoint) serves(pinned bool) bool {
	switch m.Use {
	case DigestOnly:
		return pinned
	case TagOnly:
		return !pinned
	case Any:
	}
	return true
}
