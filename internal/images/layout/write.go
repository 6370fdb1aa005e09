package layout

import (
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// temporary is the prefix of a temporary file name.
const temporary = ".goldenarch-"

// write writes a file of the layout.
func (r *Recording) write(name string, content []byte) error {
	return durable.Write(r.disk, filepath.Join(r.dir, name), temporary+"*", 0o644, content)
}
