package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldenarch/goldenarch/internal/console"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
)

// machineJSON is a virtual machine in "check -o json"; docs/machines.md describes it.
type machineJSON struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	File      string `json:"file"`
	Cluster   string `json:"cluster,omitempty"`
	// Machine names the machine in a template.
	Machine string `json:"machine,omitempty"`
	// Architecture is "" if it is unknown. Possible are those of which the machine gets one.
	Architecture string          `json:"architecture"`
	Possible     []string        `json:"possible,omitempty"`
	DecidedBy    string          `json:"decidedBy"`
	Disks        []diskJSON      `json:"disks"`
	Nodes        []machine.Node  `json:"nodes"`
	Verdict      machine.Verdict `json:"verdict"`
	// Unknown says what goldenarch does not know about the machine.
	Unknown  []string     `json:"unknown,omitempty"`
	Findings []finding.ID `json:"findings"`
}

type diskJSON struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	// Architecture is "" if it is unknown, and "amd64,arm64" if it is one of several.
	Architecture string `json:"architecture"`
	Digest       string `json:"digest"`
}

// shownNodes is how many nodes of an architecture a report names.
const shownNodes = 5

func toMachineJSON(r machine.Result) machineJSON {
	out := machineJSON{
		Kind: r.Object.Kind, Namespace: r.Object.Namespace, Name: r.Object.Name, File: r.Object.File, Cluster: r.Object.Cluster, Machine: r.Inner,
		Architecture: r.Architecture, DecidedBy: r.DecidedBy, Verdict: r.Verdict, Findings: idsOf(r),
		Unknown: mapped(r.Unknown(), func(one machine.Reason) string { return one.Why }),
		Disks: mapped(r.Disks, func(d machine.Disk) diskJSON {
			return diskJSON{Name: d.Name, Source: d.Source, Architecture: d.Architectures.String(), Digest: d.Digest}
		}),
		Nodes: mapped(r.Nodes, func(n machine.Node) machine.Node {
			n.Names = n.Names[:min(len(n.Names), shownNodes)]
			return n
		}),
	}
	if r.Architecture == "" {
		out.Possible = r.Possible.Strings()
	}
	return out
}

// idsOf returns the ids of the findings about a machine.
func idsOf(r machine.Result) []finding.ID {
	return distinct(mapped(r.Findings, func(f finding.Finding) finding.ID { return f.ID.Public() }))
}

// machineGrid is the table of machines, a row for each.
func (c Check) machineGrid(list []machine.Result) grid {
	g := grid{
		what:     "machine",
		header:   []string{"MACHINE", "ARCHITECTURE", "DECIDED BY", "DISKS", "NODES", "VERDICT"},
		optional: []string{"DECIDED BY", "NODES", "DISKS"},
	}
	g.rows = mapped(list, func(r machine.Result) []string { return cleaned(c.machineRow(r)) })
	return g
}

// fullName names a machine with its namespace.
func fullName(r machine.Result) string {
	if r.Object.Namespace == "" {
		return r.Name()
	}
	return strings.Replace(r.Name(), "/", "/"+r.Object.Namespace+"/", 1)
}

func (c Check) machineRow(r machine.Result) []string {
	name := fullName(r)
	if r.Object.Cluster != "" && (c.ofMany() || len(c.Forecast) == 0) {
		name += " in " + r.Object.Cluster
	}
	architecture := cmp.Or(r.Architecture, strings.Join(r.Possible.Strings(), " or "), unknownCell)
	if r.DecidedBy == "" {
		architecture = emptyCell
	}
	nodes := mapped(r.Nodes, func(n machine.Node) string {
		if n.Count <= 0 {
			return n.Architecture
		}
		return finding.Count(n.Count, n.Architecture+" node")
	})
	verdict, gap := string(r.Verdict), " "
	for _, id := range idsOf(r) {
		verdict, gap = verdict+gap+string(id), ","
	}
	return []string{
		name, architecture, cmp.Or(r.DecidedBy, emptyCell), cmp.Or(strings.Join(mapped(r.Disks, diskText), "; "), emptyCell),
		cmp.Or(strings.Join(nodes, ", "), unknownCell), verdict,
	}
}

// diskText returns a disk in a few words, with the beginning of its digest.
func diskText(d machine.Disk) string {
	out := d.Source
	if text := d.Architectures.String(); text != "" {
		out += " " + text
	} else if d.Unknown != "" {
		out += " " + unknownCell
	}
	if _, hex, ok := strings.Cut(d.Digest, ":"); ok {
		const shown = 12
		out += " " + hex[:min(len(hex), shown)]
	}
	return out
}

// fewMachines is how many machines a text shows all. Of more, it shows those of which something is wrong.
const fewMachines = 12

// shownMachines returns the machines that a short report shows, those that do not start first. Of many, [Check.unknownLines] has
// those that are unknown.
func (c Check) shownMachines() []machine.Result {
	shown := c.sortedMachines()
	if len(shown) > fewMachines {
		shown = slices.DeleteFunc(shown, func(r machine.Result) bool {
			return r.Verdict == machine.Starts || r.Verdict == machine.Exists || r.Verdict == machine.Unknown && len(r.Unknown()) > 0
		})
	}
	return shown
}

// unknownLines returns a line for each reason why goldenarch does not know something about machines, with what to do.
func (c Check) unknownLines() []string {
	var reasons []machine.Reason
	of := map[machine.Reason][]string{}
	for _, r := range c.Machines {
		for _, why := range r.Unknown() {
			reasons = append(reasons, why)
			of[why] = append(of[why], fullName(r))
		}
	}
	reasons = distinct(reasons)
	slices.SortStableFunc(reasons, func(a, b machine.Reason) int { return len(of[b]) - len(of[a]) })
	var out []string
	for _, why := range reasons {
		names := slices.Compact(slices.Sorted(slices.Values(of[why])))
		line := fmt.Sprintf("unknown: %s, because %s: %s", finding.Count(len(of[why]), "machine"), why.Why, finding.FirstOf(names))
		if why.Do != "" {
			line += ". " + upperFirst(why.Do)
		}
		out = append(out, console.SafeLine(line))
	}
	return out
}

// sortedMachines returns the machines, those that do not start first.
func (c Check) sortedMachines() []machine.Result {
	shown := slices.Clone(c.Machines)
	order := []machine.Verdict{machine.Fails, machine.Depends, machine.Unknown, machine.Starts}
	slices.SortStableFunc(shown, func(a, b machine.Result) int {
		return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
	})
	return shown
}

// machineLines returns a line for each machine.
func (c Check) machineLines() []string {
	g := c.machineGrid(c.Machines)
	return mapped(g.rows, func(row []string) string { return console.SafeLine(row[0] + ": " + g.line(row)) })
}

// disks returns how many of what was checked are DataVolumes that stand alone, and no machines.
func (c Check) disks() int {
	return count(c.Machines, func(r machine.Result) bool { return r.IsDisk })
}

// machinesText counts the machines by their verdicts: "14 machines: 6 start, 8 unknown". It
// returns "" if there are none.
func (c Check) machinesText() string {
	counts := map[machine.Verdict]int{}
	for _, r := range c.Machines {
		if !r.IsDisk {
			counts[r.Verdict]++
		}
	}
	var parts []string
	for _, verdict := range []machine.Verdict{machine.Starts, machine.Fails, machine.Depends, machine.Unknown} {
		if n, word := counts[verdict], strings.ToLower(string(verdict)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, verb(n, word, strings.TrimSuffix(word, "s"))))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return finding.Count(len(c.Machines)-c.disks(), "machine") + ": " + strings.Join(parts, ", ")
}
