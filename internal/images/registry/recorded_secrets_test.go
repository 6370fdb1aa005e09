package registry_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/registry"
	"github.com/goldenarch/goldenarch/internal/images/registrytest"
)

// TestNoSecretIsRecorded: a registry that repeats what it was sent makes the
// recording fail; nothing of it is kept.
func TestNoSecretIsRecorded(t *testing.T) {
	t.Parallel()
	echo := func(what func(r *http.Request) string) registrytest.Wrapper {
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
				_, _ = rw.Write([]byte(strings.Replace(string(registrytest.Index("linux/amd64").Body), "{", `{"annotations":{"you":"`+what(r)+`"},`, 1)))
			})
		}
	}
	authorization := func(r *http.Request) string { return r.Header.Get("Authorization") }
	password := func(r *http.Request) string { _, p, _ := r.BasicAuth(); return p }
	planted := func(*http.Request) string { return plantedPassword }
	tokens := &registrytest.Tokens{Service: "r", Users: registrytest.Users{plantedUser: plantedPassword}}
	basic := registrytest.Basic(registrytest.Users{plantedUser: plantedPassword})
	for name, tc := range map[string]struct {
		reason   string
		wrappers []registrytest.Wrapper
		fails    bool
	}{
		"Basic":        {reason: "a login leaves no trace", wrappers: []registrytest.Wrapper{basic}},
		"Token":        {reason: "nor does a token", wrappers: []registrytest.Wrapper{tokens.Require()}},
		"EchoBasic":    {reason: "the header comes back", wrappers: []registrytest.Wrapper{basic, echo(authorization)}, fails: true},
		"EchoPassword": {reason: "the password comes back", wrappers: []registrytest.Wrapper{basic, echo(password)}, fails: true},
		"EchoToken": {
			reason:   "the token comes back",
			wrappers: []registrytest.Wrapper{tokens.Require(), registrytest.On(registrytest.Manifest, echo(authorization))},
			fails:    true,
		},
		"EchoLogin": {
			reason:   "what the token service was sent comes back",
			wrappers: []registrytest.Wrapper{tokens.Require(), registrytest.On(registrytest.Manifest, echo(planted))},
			fails:    true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := with(t, tc.wrappers...)
			s.Push("org/app:1", registrytest.Image("linux/amd64"))
			o := trusting(t)
			o.AuthFile = login(t, map[string]string{s.Host(): plantedUser + ":" + plantedPassword})
			dir := t.TempDir()
			rec, err := layout.Record(dir)
			if err != nil {
				t.Fatal(err)
			}
			ref := reference(t, s, "org/app:1")
			if _, err := resolve(t, registry.Recorded(client(t, o), rec), ref); err != nil {
				t.Fatal(err)
			}
			err = rec.Close()
			if (err != nil) != tc.fails || err != nil && !strings.Contains(err.Error(), ref.String()) {
				t.Errorf("%s: want failure: %v, got %v", tc.reason, tc.fails, err)
			}
			if err != nil {
				noSecret(t, tc.reason, err)
			}
			isLayout(t, dir)
			files := 0
			err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				files++
				content, err := os.ReadFile(name)
				noSecret(t, tc.reason, errors.New(string(content)))
				if bytes.Contains(content, []byte("Authorization")) || bytes.Contains(content, []byte(base64.StdEncoding.EncodeToString([]byte(plantedPassword)))) {
					t.Errorf("%s: %s has %s", tc.reason, name, content)
				}
				return err
			})
			if want := map[bool]int{false: 4, true: 2}[tc.fails]; err != nil || files != want {
				t.Errorf("%s: want %d files, got %d, %v", tc.reason, want, files, err)
			}
		})
	}
}
