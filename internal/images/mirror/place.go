package mirror

// Place is where an image may be had.
type Place struct {
	// Name is the image's name there: "mirror.example.com/quay/fedora".
	Name string
	// Source says that it is no mirror.
	Source bool
	// Insecure says that it is asked over plain HTTP, or with any certificate.
	Insecure bool
	// Blocked says that it must not be asked.
	Blocked bool
}

// Places returns where the image of a name can be had, in the order to ask; the
// source is the last. pinned says that it is asked for by digest. A name is
// without tag and digest, and begins with a registry.
//
// Whether a place is blocked is reported by the scope that the place itself is in:
// a blocked source does not block its mirrors.
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

// Mirrored reports whether the policy has a mirror for an image, whatever it is
// asked for by.
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
