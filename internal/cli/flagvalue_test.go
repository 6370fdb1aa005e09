package cli

import (
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagValues: help shows what each flag takes, such as FILE or ARCH,..., and no type
// of the program; and no flag has left its default behind.
func TestFlagValues(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[A-Z]+([#=][A-Z]+)?(,\.\.\.)?$`)
	seen := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, group := range flagGroups(cmd) {
			group.flags.VisitAll(func(flag *pflag.Flag) {
				value, _ := pflag.UnquoteUsage(flag)
				if flag.Value.Type() == "bool" {
					return
				}
				if seen++; !name.MatchString(value) {
					t.Errorf("%s --%s shows %q: give it a name in valueOf", cmd.CommandPath(), flag.Name, value)
				}
			})
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRoot(Streams{}))
	if seen < 100 {
		t.Errorf("only %d flags were looked at", seen)
	}
}
