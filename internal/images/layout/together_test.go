package layout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestRecordTogether records to one directory from many Recordings at once, as
// several runs do: the index names what each of them added.
func TestRecordTogether(t *testing.T) {
	t.Parallel()
	const runs = 20
	for round := range 5 {
		dir := filepath.Join(t.TempDir(), "layout")
		var group errgroup.Group
		for i := range runs {
			group.Go(func() error {
				r, err := Record(dir)
				if err != nil {
					return err
				}
				e := Entry{Name: fmt.Sprintf("quay.io/image%02d:1", i), MediaType: "application/vnd.oci.image.index.v1+json"}
				text := []byte(e.Name)
				e.Digest, e.Size = sumOf(e.Name), int64(len(text))
				r.Put(e.Digest, text)
				r.Add(e)
				return errors.Join(r.Close(), r.Close())
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		l, err := Open(dir)
		if err != nil || len(l.Entries()) != runs {
			t.Fatalf("round %d: want %d entries, got %d, %v", round, runs, len(l.Entries()), err)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 3 {
			t.Errorf("want two files and the blobs, got %v, %v", files, err)
		}
	}
}
