package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldenarch/goldenarch/internal/images/layout"
)

// recordFlags are the flags to keep the answers of registries in a directory, or to
// read them from one.
type recordFlags struct {
	command        *cobra.Command
	record, replay string
	offline        bool

	// If a flag was given, begin sets one of these.
	recording *layout.Recording
	recorded  *layout.Layout
}

// addRecord adds the flags of verbs that query registries.
func (f *recordFlags) addRecord(cmd *cobra.Command) {
	f.command = cmd
	cmd.Flags().StringVar(&f.record, "record", "", "write the manifests and configurations that goldenarch fetches to `DIR`, an OCI image layout")
	cmd.Flags().StringVar(&f.replay, "replay", "", "read manifests and configurations from `DIR`, an OCI image layout, and query no registry")
}

// addOffline adds the flag --offline to a verb that only queries registries.
func (f *recordFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "query no registry: read the answers of --replay")
}

// check reports whether the flags are compatible.
func (f *recordFlags) check() error {
	switch {
	case f.offline && f.replay == "":
		return fmt.Errorf("%q queries registries, and --offline forbids it: pass recorded answers with --replay DIR", f.command.CommandPath())
	case f.record != "" && f.replay != "":
		return errors.New("--record and --replay contradict each other: a replay reads what is recorded already")
	}
	return nil
}

// given returns the flag that was given, "" if none was.
func (f *recordFlags) given() string {
	switch {
	case f.record != "":
		return "record"
	case f.replay != "":
		return "replay"
	}
	return ""
}

// begin opens the directory, before the first query.
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

// end writes what was recorded. An error fails the run: a user who requests a recording
// must get one.
func (f *recordFlags) end() error {
	if f.recording == nil {
		return nil
	}
	if err := f.recording.Close(); err != nil {
		return fmt.Errorf("flag --record: %w", err)
	}
	return nil
}
