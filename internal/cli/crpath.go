package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/crpath"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/sanitize"
)

// crPaths is the flag for CRs that are a part of a file.
type crPaths []crpath.Place

// addCRPath adds the flag to a command.
func (r *render) addCRPath(cmd *cobra.Command) {
	cmd.Flags().Var(&r.crPaths, "cr-path", "place inside a file that has a CR, such as values.yaml#hyperconverged.cr, "+
		"or the spec of one, such as values.yaml#hyperconverged.spec@v1beta1 (may be repeated; without a PATH, only these files are read)")
}

// Set implements pflag.Value.
func (c *crPaths) Set(text string) error {
	place, err := crpath.Parse(text)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(*c, func(p crpath.Place) bool { return p.File == place.File && slices.Equal(p.Steps, place.Steps) }) {
		*c = append(*c, place)
	}
	return nil
}

// String implements pflag.Value.
func (c *crPaths) String() string {
	var out []string
	for _, place := range *c {
		out = append(out, place.Text)
	}
	return strings.Join(out, ",")
}

// Type implements pflag.Value.
func (*crPaths) Type() string { return "place" }

// files returns paths and the files of the places.
func (c *crPaths) files(paths []string) []string {
	out := slices.Clone(paths)
	for _, place := range *c {
		if !slices.Contains(out, place.File) {
			out = append(out, place.File)
		}
	}
	return out
}

// pathsOr returns the paths. Without any they are the current directory, or with --cr-path
// none.
func (c *crPaths) pathsOr(paths []string) []string {
	if len(paths) == 0 && len(*c) == 0 {
		return []string{"."}
	}
	return paths
}

// readHeld reads the CRs of --cr-path. The lock beside the file of one counts.
func (r *render) readHeld() ([]*yaml.RNode, finding.List) {
	var items []*yaml.RNode
	var found finding.List
	for _, place := range r.crPaths {
		item, err := r.reader.Held(place)
		if err != nil {
			found = append(found, finding.Finding{
				ID: finding.PlaceInvalid, Severity: finding.Error, Text: err.Error(), Do: "correct the file, or --cr-path " + sanitize.Escape(place.Text),
			})
			continue
		}
		items = append(items, item)
	}
	r.files = r.crPaths.files(r.files)
	return items, found
}
