// Command crdstructure writes what goldenarch knows of the HyperConverged CRD:
// the structure of each version that each release serves, in lines of a name and
// JSON, in which equal parts are shared.
//
//	crdstructure RELEASE=CRD... >admission/crd.txt
//
// A RELEASE is one of HCO ("1.19"), a CRD the file deploy/crds/hco00.crd.yaml of
// its branch. The same files give the same bytes, whatever their order.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "crdstructure: %s\n", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: crdstructure RELEASE=CRD")

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	all := releases{}
	for _, arg := range args {
		release, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q: %w", arg, errUsage)
		}
		minor, err := minorOf(release)
		if err != nil {
			return err
		}
		if all[minor] != nil {
			return fmt.Errorf("release 1.%d is given more than once", minor)
		}
		data, err := os.ReadFile(file) //nolint:gosec // a developer names it
		if err != nil {
			return err
		}
		if all[minor], err = served(data); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	document, err := share(all)
	if err != nil {
		return err
	}
	_, err = out.Write(document)
	return err
}

// minorOf returns the minor of a release of HCO: 19 of "1.19".
func minorOf(release string) (int, error) {
	if text, ok := strings.CutPrefix(release, "1."); ok {
		if minor, err := strconv.Atoi(text); err == nil && minor > 0 {
			return minor, nil
		}
	}
	return 0, fmt.Errorf("%q is not a release of HCO such as 1.19", release)
}

// crd is the part of a CustomResourceDefinition that matters.
type crd struct {
	Kind string `json:"kind"`
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Kind string `json:"kind"`
		} `json:"names"`
		Versions []struct {
			Name   string `json:"name"`
			Served bool   `json:"served"`
			Schema struct {
				Root map[string]any `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

// served returns the schema of each version that a CRD serves.
func served(data []byte) (map[string]any, error) {
	var c crd
	if err := yaml.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	if c.Kind != "CustomResourceDefinition" || c.Spec.Group != "hco.kubevirt.io" || c.Spec.Names.Kind != "HyperConverged" {
		return nil, errors.New("it is not the CRD of hco.kubevirt.io HyperConverged")
	}
	out := map[string]any{}
	for _, version := range c.Spec.Versions {
		if !version.Served {
			continue
		}
		root, err := reduced("", version.Schema.Root)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", version.Name, err)
		}
		// The operator owns the status.
		properties, _ := root["properties"].(map[string]any)
		properties["status"] = map[string]any{"type": "object"}
		out[version.Name] = root
	}
	if len(out) == 0 {
		return nil, errors.New("it serves no version")
	}
	return out, nil
}
