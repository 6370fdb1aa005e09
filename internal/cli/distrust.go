package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/workspace"
)

// addUntrusted adds the flags for an input that a stranger may have written.
func (o *inputOptions) addUntrusted(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.Base.Untrusted, "untrusted", false,
		"do not trust the input, such as a pull request: use no logins of this machine, contact only listed hosts, and believe no exceptions of the input")
	cmd.Flags().StringVar(&o.Base.Ref, "base", "",
		"Git commit, branch or tag that the input is a change of, such as origin/main: check says what the change makes worse or better. "+
			"With --untrusted, the Fleet, configurations, node facts, exceptions, lock and .krmignore of that commit count")
}

// errNoBase is the error of a run that does not trust its input and knows nothing else.
var errNoBase = errors.New("--untrusted needs --base REF, the commit whose Fleet, configurations, exceptions and lock count: " +
	"fetch the branch that the change is for (git fetch --depth=1 origin main), and add --base origin/main")

// distrust applies --untrusted and --base to the other flags, before anything is read.
// The caller calls end when the run is over.
func (o *inputOptions) distrust(ctx context.Context, paths []string) (end func(), err error) {
	u := &o.Base
	if u.Untrusted && u.Ref == "" {
		return nil, workspace.Misuse{Err: errNoBase}
	}
	if u.Ref == "" {
		return func() {}, nil
	}
	if err := u.FindTrees(o.CRPaths.PathsOr(paths)); err != nil {
		return nil, err
	}
	if end, err = u.Export(ctx); err != nil || !u.Untrusted {
		return end, err
	}
	o.streams.shown = u.Shown
	if err := o.useNoLogins(); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// useNoLogins applies --untrusted to the other flags.
func (o *inputOptions) useNoLogins() error {
	if o.flags.registry.authFile != "" || o.flags.registry.insecureCredentials {
		return workspace.Misuse{Err: errors.New("--untrusted uses no logins of this machine: leave out --authfile and --allow-insecure-credentials")}
	}
	if err := o.UseBaseAlone(); err != nil {
		return err
	}
	if conf := o.flags.registry.registriesConf; conf != "" && o.Base.Holds(conf) {
		return workspace.Misuse{Err: fmt.Errorf("--registries-conf: %q is part of the untrusted input: name a file outside of its tree", conf)}
	}
	o.Strict, o.flags.registry.noLogins = true, true
	return o.limitHosts()
}

// limitHosts sees to it that goldenarch contacts only hosts that the operator lists.
func (o *inputOptions) limitHosts() error {
	f, mode := &o.flags.registry, o.flags.settings.given()["lock"]
	hosts, err := f.options().Confinement()
	switch {
	case err != nil:
		return workspace.Misuse{Err: err}
	case hosts.ListsHosts():
		o.Base.Asks = func(host string) bool { return hosts.Host(host) == nil }
	case mode != "" && mode != string(v1alpha1.LockRequire):
		return workspace.Misuse{Err: fmt.Errorf("--untrusted contacts no registry, so --set lock=%s needs --registry-allow HOST", mode)}
	default:
		o.flags.offline = !o.flags.queriesAll
	}
	return nil
}
