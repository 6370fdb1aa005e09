package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/api/v1alpha1"
	"github.com/goldenarch/goldenarch/internal/images/layout"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// recordFlags say that what registries answer is kept in a directory, or taken
// from one.
type recordFlags struct {
	command        *cobra.Command
	record, replay string

	// One of these is there after begin, if a flag was given.
	recording *layout.Recording
	recorded  *layout.Layout
}

// addRecord adds the flags of verbs that ask registries.
func (f *recordFlags) addRecord(cmd *cobra.Command) {
	f.command = cmd
	cmd.Flags().StringVar(&f.record, "record", "", "keep the manifests and configurations that are fetched in `DIR`, an OCI image layout")
	cmd.Flags().StringVar(&f.replay, "replay", "", "take manifests and configurations from `DIR`, an OCI image layout, and ask no registry")
}

// check says whether the flags go together, with each other and with how the lock
// is used: Require asks nobody, so there would be nothing to record or to replay.
func (f *recordFlags) check(mode v1alpha1.LockMode) error {
	if f.command == nil {
		return nil
	}
	var given string
	for _, name := range []string{"record", "replay"} {
		flag := f.command.Flags().Lookup(name)
		switch {
		case !flag.Changed:
		case flag.Value.String() == "":
			return fmt.Errorf("flag --%s: name a directory", name)
		case given != "":
			return errors.New("--record and --replay contradict each other: what a replay answers from is recorded already")
		default:
			given = name
		}
	}
	if given != "" && mode == v1alpha1.LockRequire {
		return fmt.Errorf("--%s and the lock mode Require (--offline) contradict each other: only the lock is asked then; use --lock Prefer or Ignore", given)
	}
	return nil
}

// begin opens the directory, before anything is asked.
func (f *recordFlags) begin() (err error) {
	switch {
	case f.record != "":
		if f.recording, err = layout.Record(f.record); err != nil {
			return fmt.Errorf("flag --record: %w", err)
		}
	case f.replay != "":
		if f.recorded, err = layout.Open(f.replay); err != nil {
			return fmt.Errorf("flag --replay: %w", err)
		}
	}
	return nil
}

// end writes what was recorded. After an error the run has failed: who asks for a
// recording must not be without one.
func (f *recordFlags) end() error {
	if f.recording == nil {
		return nil
	}
	if err := f.recording.Close(); err != nil {
		return fmt.Errorf("flag --record: %w", err)
	}
	return nil
}

// before puts the recording before who answers for images.
func (f *recordFlags) before(next registry.Resolver) registry.Resolver {
	if f.recording == nil {
		return next
	}
	return registry.Recorded(next, f.recording)
}
