package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Image has the architectures of a template's image, as a registry or a lock proves them.
type Image struct {
	// Name is the name of the image in messages.
	Name          string
	Architectures arch.Set
}

// importFails returns why CDI cannot import the image of a cron. It returns "" if CDI can,
// or if nothing is known about the image. CDI requests exactly the cron's architecture (cdi
// pkg/importer/transport.go: buildSourceContext, validateImagePlatformMatch).
func (s ssp) importFails(w wanted) string {
	image, known := s.images[w.template]
	a := w.cron.Architecture
	if !known || a == "" || image.Architectures.Contains(a) {
		return ""
	}
	has := image.Architectures.String()
	if has == "" {
		has = "no architecture"
	}
	return fmt.Sprintf("%s has %s: CDI finds no image for %s and keeps retrying", image.Name, has, a)
}

// importOf returns why the import of a remaining cron fails; "" if it does not fail.
func (s ssp) importOf(m made, key expansion.Key) string {
	kept, wanted := m.kept[key]
	if !wanted {
		return ""
	}
	return s.importFails(m.wanted[kept])
}
