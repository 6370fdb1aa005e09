package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
)

// addUntrusted adds the flags for an input that a stranger may have written.
func (o *inputOptions) addUntrusted(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.untrusted.on, "untrusted", false,
		"do not trust the input, such as a pull request: use no logins of this machine, contact only listed hosts, and believe no exceptions of the input")
	cmd.Flags().StringVar(&o.untrusted.ref, "base", "",
		"Git commit, branch or tag that the input is a change of, such as origin/main: check says what the change makes worse or better. "+
			"With --untrusted, the Fleet, configurations, node facts, exceptions, lock and .krmignore of that commit count")
}

// errNoBase is the error of a run that does not trust its input and knows nothing else.
var errNoBase = errors.New("--untrusted needs --base REF, the commit whose Fleet, configurations, exceptions and lock count: " +
	"fetch the branch that the change is for (git fetch --depth=1 origin main), and add --base origin/main")

// distrust applies --untrusted and --base to the other flags, before anything is read.
// The caller calls end when the run is over.
func (o *inputOptions) distrust(ctx context.Context, paths []string) (end func(), err error) {
	u := &o.untrusted
	if u.on && u.ref == "" {
		return nil, misuse{err: errNoBase}
	}
	if u.ref == "" {
		return func() {}, nil
	}
	if err := u.findTrees(o.crPaths.pathsOr(paths)); err != nil {
		return nil, err
	}
	if end, err = u.export(ctx); err != nil || !u.on {
		return end, err
	}
	o.streams.shown = u.shown
	if err := o.trustNothing(); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// trustNothing applies --untrusted to the other flags.
func (o *inputOptions) trustNothing() error {
	if o.flags.registry.authFile != "" || o.flags.registry.insecureCredentials {
		return misuse{err: errors.New("--untrusted uses no logins of this machine: leave out --authfile and --allow-insecure-credentials")}
	}
	if err := o.trustOnly(); err != nil {
		return err
	}
	if conf := o.flags.registry.registriesConf; conf != "" && o.untrusted.holds(conf) {
		return misuse{err: fmt.Errorf("--registries-conf: %q is part of the untrusted input: name a file outside of its tree", conf)}
	}
	o.strict, o.flags.registry.noLogins = true, true
	return o.limitHosts()
}

// limitHosts sees to it that goldenarch contacts only hosts that the operator lists.
func (o *inputOptions) limitHosts() error {
	f, mode := &o.flags.registry, o.flags.settings.given()["lock"]
	hosts, err := f.options().Confinement()
	switch {
	case err != nil:
		return misuse{err: err}
	case hosts.ListsHosts():
		o.untrusted.asks = func(host string) bool { return hosts.Host(host) == nil }
	case mode != "" && mode != string(v1alpha1.LockRequire):
		return misuse{err: fmt.Errorf("--untrusted contacts no registry, so --set lock=%s needs --registry-allow HOST", mode)}
	default:
		o.flags.offline = !o.flags.queriesAll
	}
	return nil
}
