package layout

import (
	"path/filepath"

	"github.com/goldenarch/goldenarch/internal/durable"
)

// temporary is how files begin that have not got their names yet.
const temporary = ".goldenarch-"

// write writes a file of the layout.
func (r *Recording) write(name string, content []byte) error {
	return durable.Write(r.disk, filepath.Join(r.dir, name), temporary+"*", 0o644, content)
}
