package forecast

import (
	"fmt"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/operators/expansion"
)

// Image is what the image of a template has, as a registry or a lock proves it.
type Image struct {
	// Name is what to call the image in messages.
	Name          string
	Architectures arch.Set
}

// importFails returns why CDI cannot import what a cron asks for; "" if it can, or
// if nothing is known of the image. CDI asks the image for exactly the
// architecture of the cron (cdi pkg/importer/transport.go: buildSourceContext,
// validateImagePlatformMatch).
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

// importOf returns why the import of a cron that is left fails; "" if it does not.
func (s ssp) importOf(m made, key expansion.Key) string {
	kept, wanted := m.kept[key]
	if !wanted {
		return ""
	}
	return s.importFails(m.wanted[kept])
}
