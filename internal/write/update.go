package write

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/goldenarch/goldenarch/internal/regular"
)

// Update reads files, calls edit for each, and writes all texts that edit returns, or none.
// Meanwhile no other process can update them, so that none of several simultaneous
// additions is lost. The text is nil if the file does not exist. If edit returns nil, or the
// same text, the file stays. Update returns the error of edit unchanged.
func (t Tree) Update(names []string, edit func(i int, text []byte) ([]byte, error)) error {
	places := make([]place, len(names))
	type file struct {
		place place
		name  string
	}
	files := map[string]file{}
	for i, name := range names {
		p, err := t.locate(name)
		if err != nil {
			return &ConflictError{name, err}
		}
		places[i] = p
		files[p.String()] = file{p, name}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) { // all processes lock in one order
		unlock, err := files[path].place.lock()
		if err != nil {
			return &ConflictError{files[path].name, err}
		}
		defer unlock()
	}
	var changes []Change
	for i, name := range names {
		now, err := regular.Read(places[i].String())
		if errors.Is(err, fs.ErrNotExist) {
			now, err = nil, nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		after, err := edit(i, now)
		if err != nil {
			return err
		}
		if after != nil && !same(now, after) {
			changes = append(changes, Change{Name: name, Before: now, After: after})
		}
	}
	set, conflicts := t.Prepare(changes)
	if len(conflicts) > 0 {
		return Joined(conflicts)
	}
	return set.Commit()
}
