package cli

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/olm/catalog"
	"github.com/goldenarch/goldenarch/internal/regular"
)

// catalogFiles are the files of a catalog of the Operator Lifecycle Manager.
type catalogFiles struct {
	contents map[string][]byte
	// databases are the files of a catalog of the older form.
	databases []string
}

// catalogIn returns the files of a catalog, and false if a path is none: all files that may
// be manifests are documents of a catalog, or databases.
func catalogIn(path string) (catalogFiles, bool) {
	out := catalogFiles{contents: map[string][]byte{}}
	err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != path && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		case filepath.Ext(file) == ".db":
			out.databases = append(out.databases, file)
			return nil
		case !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
			return nil
		}
		data, err := regular.Read(file)
		if err != nil || !catalog.Is(data) {
			out = catalogFiles{}
			return filepath.SkipAll
		}
		out.contents[file] = data
		return nil
	})
	return out, err == nil && len(out.contents)+len(out.databases) > 0
}

// readCatalog reads a catalog. A database is reported as not read.
func (r *render) readCatalog(path string, files catalogFiles) error {
	for _, file := range files.databases {
		r.warned = append(r.warned, finding.Finding{
			ID: finding.CatalogNotRead, Severity: finding.Error, Object: finding.Object{File: file},
			Text: "the catalog is a database (SQLite), which goldenarch does not read: OLM has deprecated this form",
			Do:   "convert it: opm migrate " + file + " DIRECTORY, and check the directory",
		})
	}
	one, err := catalog.Read(path, files.contents)
	if err != nil {
		return err
	}
	r.catalogs = append(r.catalogs, one)
	return nil
}
