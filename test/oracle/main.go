package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/test/answers"
)

// options are the flags.
type options struct {
	hco, ssp, cdi, kubevirt, work, testdata, releases string
	cases, fuzz                                       int
	seed                                              uint64
}

func main() {
	var o options
	flag.StringVar(&o.hco, "hco", os.Getenv("HCO"), "Git repository of hyperconverged-cluster-operator")
	flag.StringVar(&o.ssp, "ssp", os.Getenv("SSP"), "Git repository of ssp-operator")
	flag.StringVar(&o.cdi, "cdi", os.Getenv("CDI"), "Git repository of containerized-data-importer")
	flag.StringVar(&o.kubevirt, "kubevirt", os.Getenv("KUBEVIRT"), "Git repository of kubevirt, for virtual machines")
	flag.StringVar(&o.work, "work", filepath.Join(os.TempDir(), "goldenarch-oracle"), "directory for work trees and programs; several GB")
	flag.StringVar(&o.testdata, "testdata", "testdata", "directory of the answers")
	flag.StringVar(&o.releases, "releases", "", "releases of HCO, \"upgrade\", or tags of KubeVirt, separated by commas; all by default")
	flag.IntVar(&o.cases, "cases", 200, "how many cases to store for each release")
	flag.IntVar(&o.fuzz, "fuzz", 0, "compare this many new cases for each release, and store nothing")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the generator")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	if o.hco == "" && o.kubevirt == "" || (o.ssp == "") != (o.cdi == "") {
		return errors.New("pass Git repositories of the operators: HCO=, and SSP= with CDI=; KUBEVIRT= for machines")
	}
	var failed error
	if o.kubevirt != "" {
		failed = o.machines()
	}
	if o.hco == "" {
		return failed
	}
	for _, r := range releases {
		if o.releases != "" && !slices.Contains(strings.Split(o.releases, ","), r.name) {
			continue
		}
		if err := o.release(r); err != nil {
			failed = errors.Join(failed, fmt.Errorf("release %s: %w", r.name, err))
		}
	}
	if o.fuzz == 0 && o.releases == "" {
		failed = errors.Join(failed, o.storeTables())
	}
	if o.fuzz == 0 && (o.releases == "" || slices.Contains(strings.Split(o.releases, ","), upgrade)) {
		if err := o.storeUpgrades(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("upgrades: %w", err))
		}
	}
	return failed
}

func (o options) release(r release) error {
	running, header, err := o.start(r)
	if err != nil {
		return err
	}
	if o.fuzz > 0 {
		err = o.compare(running, header, r)
		if running.ssp != nil {
			err = errors.Join(err, o.compareSequences(running, header, r))
		}
	} else {
		err = o.store(running, header, r)
	}
	return errors.Join(err, running.hco.stop(), running.ssp.stop(), running.cdi.stop())
}

// start builds and starts the programs of a release.
func (o options) start(r release) (operators, answers.Header, error) {
	header := answers.Header{Release: r.name, Commits: map[string]answers.Commit{}, Simulated: simulated, Seed: o.seed, Coverage: map[string]int{}}
	programs, err := filepath.Abs(filepath.Join("testdata", "programs"))
	if err != nil {
		return operators{}, header, fmt.Errorf("cannot find the programs: %w", err)
	}
	b := builder{directory: o.work, programs: programs}
	var running operators
	hcoFiles := map[string]string{"cmd/goldenarch-oracle/main.go": "hco/main.go", "cmd/goldenarch-oracle/serve.go": "common/serve.go"}
	for _, file := range r.hcoFiles {
		hcoFiles["cmd/goldenarch-oracle/"+file] = "hco/" + file
	}
	for _, one := range []struct {
		operator, repository, ref, tree, pkg string
		files                                map[string]string
		directory                            string
		program                              **program
	}{
		{"hco", o.hco, r.hco, r.name, "cmd/goldenarch-oracle", hcoFiles, "assets", &running.hco},
		{"ssp", o.ssp, r.ssp, treeName(r.ssp), "internal/goldenarch-oracle", map[string]string{
			"internal/goldenarch-oracle/main.go": "ssp/main.go", "internal/goldenarch-oracle/serve.go": "common/serve.go",
			"webhooks/goldenarch_oracle.go": "ssp/webhooks.go",
		}, "data/common-templates-bundle", &running.ssp},
		{"cdi", o.cdi, r.cdi, treeName(r.cdi), "cmd/goldenarch-oracle", map[string]string{
			"cmd/goldenarch-oracle/main.go": "cdi/main.go", "cmd/goldenarch-oracle/serve.go": "common/serve.go",
			"pkg/controller/goldenarch_oracle.go": "cdi/controllers.go",
		}, ".", &running.cdi},
	} {
		if one.repository == "" {
			continue
		}
		tree, commit, err := b.checkout(one.operator+"-"+one.tree, one.repository, one.ref)
		if err != nil {
			return running, header, err
		}
		header.Commits[one.operator] = answers.Commit{Ref: one.ref, Commit: commit, Note: r.notes[one.operator]}
		binary, err := b.build(tree, one.pkg, one.files, one.operator != "hco")
		if err != nil {
			return running, header, err
		}
		if *one.program, err = start(one.operator, binary, filepath.Join(tree, one.directory)); err != nil {
			return running, header, err
		}
		if one.operator == "hco" {
			if running.api, err = newAPIServer(tree); err != nil {
				return running, header, err
			}
		}
	}
	if running.ssp == nil {
		return running, header, nil
	}
	header.Simulated = append(slices.Clone(header.Simulated), simulatedInSSPAndCDI...)
	var bundle struct {
		Bundle map[string][]string `json:"bundle"`
	}
	if err := running.ssp.ask(map[string]any{"op": "bundle"}, &bundle); err != nil {
		return running, header, err
	}
	header.Bundle = bundle.Bundle
	return running, header, nil
}

// treeName names the work tree of a tag, or of a commit of branch main.
func treeName(ref string) string {
	if version, ok := strings.CutPrefix(ref, "v"); ok {
		return version
	}
	return "main"
}

// store writes the answers of a release.
func (o options) store(running operators, header answers.Header, r release) error {
	var cases []answers.Case
	for n := range o.cases {
		c, err := generate(r, o.seed, n)
		if err != nil {
			return err
		}
		if err := running.answer(&c); err != nil {
			return err
		}
		for _, tag := range append(slices.Clone(c.Tags), answers.Outcome(c)) {
			header.Coverage[tag]++
		}
		cases = append(cases, c)
	}
	if err := write(filepath.Join(o.testdata, r.name, "cases.jsonl"), header, cases); err != nil {
		return err
	}
	fmt.Println(r.name + ": " + agreement(header, cases))
	if running.ssp == nil {
		return nil
	}
	return o.storeSequences(running, header, r)
}

// generatedSequences is how many random sequences are stored for each release.
const generatedSequences = 20

func (o options) storeSequences(running operators, header answers.Header, r release) error {
	all := scenarios()
	maps.Copy(all, generated(o.seed, generatedSequences))
	return o.runSequences(func(string) (operators, error) { return running, nil }, header, r.name, all)
}

func (o options) runSequences(of func(string) (operators, error), header answers.Header, name string, all map[string][]setup) error {
	header.Simulated = append(slices.Clone(header.Simulated), simulatedInSequences...)
	header.Coverage = map[string]int{}
	var cases []answers.Case
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := newSequence(name, all[name])
		if err := sequence(of, &c); err != nil {
			return err
		}
		for _, a := range c.Steps {
			for _, e := range a.Listing {
				header.Coverage[e.Kind+":"+e.State]++
			}
		}
		cases = append(cases, c)
	}
	return write(filepath.Join(o.testdata, name, "sequences.jsonl"), header, cases)
}

// upgrade is the name of the directory with the sequences over several releases.
const upgrade = "upgrade"

// storeUpgrades runs the sequences over several releases. The header's commits are those of
// the header of each release.
func (o options) storeUpgrades() error {
	if o.ssp == "" {
		return nil
	}
	header := answers.Header{
		Release: upgrade, Commits: map[string]answers.Commit{}, Simulated: append(slices.Clone(simulated), simulatedInSSPAndCDI...), Seed: o.seed,
	}
	started := map[string]operators{}
	of := func(name string) (operators, error) {
		if running, ok := started[name]; ok {
			return running, nil
		}
		i := slices.IndexFunc(releases, func(r release) bool { return r.name == name })
		if i < 0 {
			return operators{}, fmt.Errorf("%w %q", errNoRelease, name)
		}
		running, one, err := o.start(releases[i])
		for operator, commit := range one.Commits {
			header.Commits[operator+" of "+name] = commit
		}
		started[name] = running
		return running, err
	}
	err := o.runSequences(of, header, upgrade, upgrades())
	for _, running := range started {
		err = errors.Join(err, running.hco.stop(), running.ssp.stop(), running.cdi.stop())
	}
	return err
}

var errNoRelease = errors.New("no release is called")

// write stores the answers with their header.
func write[C answers.Case | answers.MachineCase](file string, header answers.Header, cases []C) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("cannot make the directory of the answers: %w", err)
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("cannot write the answers: %w", err)
	}
	return errors.Join(answers.Write(f, header, cases), f.Close())
}

// agreement is a row of the table: cases compared by each operator, and how many differ.
func agreement(header answers.Header, cases []answers.Case) string {
	differ := map[string]int{}
	for _, c := range cases {
		differences, err := answers.Compare(header, c)
		if err != nil {
			differ["error"]++
		}
		seen := map[string]bool{}
		for _, d := range differences {
			if !seen[d.Operator] {
				differ[d.Operator]++
			}
			seen[d.Operator] = true
		}
	}
	return fmt.Sprintf("%d cases, differing: %v", len(cases), maps.Clone(differ))
}
