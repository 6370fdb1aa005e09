package report

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/engine/check"
	"github.com/goldenarch/goldenarch/internal/finding"
	"github.com/goldenarch/goldenarch/internal/machine"
)

// twoMachines is a check of a machine that starts and of one that fails.
func twoMachines() Check {
	starts := finding.Object{APIVersion: "kubevirt.io/v1", Kind: "VirtualMachine", Namespace: "vms", Name: "web", File: "web.yaml"}
	fails := starts
	fails.Name, fails.File = "db", "db.yaml"
	wrong := finding.Finding{
		ID: finding.MachineDiskOther, Severity: finding.Error, Object: fails, Field: "spec.template.spec.volumes[0]", Line: 7,
		Text: "the machine gets amd64, and its disk <root> | has arm64", Do: "set spec.template.spec.architecture: arm64", Proposed: "arm64",
	}
	return Check{
		Summary: check.Summary{
			Rendered:      true,
			MachinesKnown: true,
			Findings:      finding.List{wrong},
			Machines: []machine.Result{
				{
					Object: starts, Architecture: "amd64", DecidedBy: "default", Verdict: machine.Starts,
					Disks: []machine.Disk{{Name: "root", Source: "DataSource os/fedora", Architectures: arch.Named("amd64"), Digest: "sha256:0123456789abcdef"}},
					Nodes: []machine.Node{{Architecture: "amd64", Count: 2, Names: []string{"a", "b"}}},
				},
				{
					Object: fails, Architecture: "amd64", DecidedBy: "machine", Verdict: machine.Fails, Findings: finding.List{wrong},
					Disks: []machine.Disk{{Name: "root", Source: "image <x>|y", Architectures: arch.Named("arm64")}},
				},
			},
		},
		Width: 160,
	}
}

// TestMachinesAreInEveryFormat: each machine has a line with all that is known about it, and the
// machine that fails has its finding where the format shows findings.
func TestMachinesAreInEveryFormat(t *testing.T) {
	t.Parallel()
	for format, parts := range map[string][]string{
		"text": {
			"VirtualMachine/vms/db   amd64         machine     image <x>|y arm64                        ?              Fails GA903\n",
			"VirtualMachine/vms/web  amd64         default     DataSource os/fedora amd64 0123456789ab  2 amd64 nodes  Starts\n",
			"failed: NotRight, 2 machines: 1 starts, 1 fails, 1 error, 0 warnings, 0 infos",
		},
		"markdown": {
			"### Virtual machines\n", "| MACHINE | ARCHITECTURE | DECIDED BY | DISKS | NODES | VERDICT |\n",
			"| VirtualMachine/vms/web | amd64 | default | DataSource os/fedora amd64 0123456789ab | 2 amd64 nodes | Starts |\n",
			`| VirtualMachine/vms/db | amd64 | machine | image &lt;x&gt;\|y arm64 | ? | Fails GA903 |` + "\n",
		},
		"html": {
			">Virtual machines</h2>\n", "<th scope=\"row\">VirtualMachine/vms/web</th>", "<td>2 amd64 nodes</td>", "<td class=\"good\">Starts</td>",
			"<th scope=\"row\">VirtualMachine/vms/db</th>", "<td>image &lt;x&gt;|y arm64</td>", "<td class=\"bad\">Fails GA903</td>",
		},
		"github": {
			"::error file=db.yaml,line=7,title=GA903",
			"VirtualMachine/vms/web: architecture: amd64, decided by: default, disks: DataSource os/fedora amd64 0123456789ab, nodes: 2 amd64 nodes, verdict: Starts\n",
			"VirtualMachine/vms/db: architecture: amd64, decided by: machine, disks: image <x>|y arm64, nodes: ?, verdict: Fails GA903\n",
		},
	} {
		got := written(t, format, twoMachines())
		for _, part := range parts {
			if strings.Count(got, part) != 1 {
				t.Errorf("%s: want once %q in\n%s", format, part, got)
			}
		}
	}
}

// TestMachinesFitTheScreen: a machine is one row, without what is too wide.
func TestMachinesFitTheScreen(t *testing.T) {
	t.Parallel()
	c := twoMachines()
	c.Findings, c.Width = nil, 90
	got := written(t, "text", c)
	for line := range strings.Lines(got) {
		if len(line) > c.Width+1 {
			t.Errorf("the line is too wide: %s", line)
		}
	}
	if want := "VirtualMachine/vms/db   amd64         image <x>|y arm64                        Fails GA903\n"; !strings.Contains(got, want) {
		t.Errorf("want %q in\n%s", want, got)
	}
}

// TestMachinesInJUnit: each machine is a test case, and that which fails has a failure.
func TestMachinesInJUnit(t *testing.T) {
	t.Parallel()
	var got junitSuites
	if err := xml.Unmarshal([]byte(written(t, "junit", twoMachines())), &got); err != nil {
		t.Fatal(err)
	}
	suite := got.Suites[len(got.Suites)-1]
	if suite.Name != "machines" || suite.Tests != 2 || suite.Failures != 1 || got.Failures != 1 || len(suite.Cases) != 2 {
		t.Fatalf("want 1 of 2 to fail, got %+v", suite)
	}
	starts, fails := suite.Cases[0], suite.Cases[1]
	if starts.Name != "VirtualMachine/vms/web" || starts.File != "web.yaml" || starts.Failure != nil || !strings.Contains(starts.Output.Text, "verdict: Starts") {
		t.Errorf("the machine that starts: %+v", starts)
	}
	if fails.Name != "VirtualMachine/vms/db" || fails.File != "db.yaml" || fails.Failure == nil || !strings.Contains(fails.Output.Text, "verdict: Fails") {
		t.Errorf("the machine that fails: %+v", fails)
	}
}

// TestFindingsAboutMachinesInJUnit: what another part of goldenarch says of the object of a
// machine is in the case of the machine.
func TestFindingsAboutMachinesInJUnit(t *testing.T) {
	t.Parallel()
	c := twoMachines()
	c.Findings = append(c.Findings, finding.Finding{
		ID: finding.DuplicateKey, Severity: finding.Error, Object: c.Machines[0].Object, Text: "the key spec is there twice",
	})
	var got junitSuites
	if err := xml.Unmarshal([]byte(written(t, "junit", c)), &got); err != nil {
		t.Fatal(err)
	}
	one := got.Suites[len(got.Suites)-1].Cases[0]
	if got.Failures != 2 || one.Failure == nil || one.Failure.Type != string(finding.DuplicateKey) {
		t.Errorf("want the case to fail, got %d failures and %+v", got.Failures, one)
	}
}

// TestMachinesInSARIF: the machine that fails has a result at its place, and the properties of
// the run have both machines as JSON has them.
func TestMachinesInSARIF(t *testing.T) {
	t.Parallel()
	type properties struct {
		Machines []machineJSON `json:"machines"`
	}
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
			Properties properties
		}
	}
	var plain properties
	for format, into := range map[string]any{"sarif": &log, "json": &plain} {
		if err := json.Unmarshal([]byte(written(t, format, twoMachines())), into); err != nil {
			t.Fatal(format, err)
		}
	}
	if len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 || len(log.Runs[0].Results[0].Locations) != 1 {
		t.Fatalf("want one result, got %+v", log)
	}
	result := log.Runs[0].Results[0]
	at := result.Locations[0].PhysicalLocation
	if result.RuleID != string(finding.MachineDiskOther) || result.Level != "error" || at.ArtifactLocation.URI != "db.yaml" || at.Region.StartLine != 7 {
		t.Errorf("the result: %+v", result)
	}
	for format, list := range map[string][]machineJSON{"sarif": log.Runs[0].Properties.Machines, "json": plain.Machines} {
		if len(list) != 2 || list[0].Verdict != machine.Starts || list[0].Nodes[0].Count != 2 || list[0].Disks[0].Digest != "sha256:0123456789abcdef" {
			t.Errorf("%s: the machine that starts: %+v", format, list)
			continue
		}
		if list[1].Verdict != machine.Fails || len(list[1].Findings) != 1 || list[1].Findings[0] != finding.MachineDiskOther {
			t.Errorf("%s: the machine that fails: %+v", format, list[1])
		}
	}
}
