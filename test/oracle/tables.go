package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	"sigs.k8s.io/yaml"

	"github.com/goldenarch/goldenarch/test/answers"
)

// The files of HCO that goldenarch has in another form.
const (
	predefinedFile = "assets/dataImportCronTemplates/dataImportCronTemplates.yaml"
	crdFile        = "deploy/crds/hco00.crd.yaml"
)

// storeTables writes what goldenarch knows of HCO beside its answers: the predefined
// templates of each release, which a test holds against the table of
// internal/operators/hyperconverged, and the structure of the CRDs, which goldenarch embeds.
func (o options) storeTables() error {
	structure := filepath.Join(o.work, "crds")
	if err := os.MkdirAll(structure, 0o755); err != nil {
		return fmt.Errorf("cannot make the directory of the CRDs: %w", err)
	}
	arguments := []string{"run", "./crdstructure"}
	for _, r := range releases {
		data, err := show(o.hco, r.hco, predefinedFile)
		if err != nil {
			return err
		}
		table, err := predefined(data)
		if err != nil {
			return fmt.Errorf("release %s: %s: %w", r.name, predefinedFile, err)
		}
		if err := writeJSON(filepath.Join(o.testdata, r.name, "predefined.json"), table); err != nil {
			return err
		}
		if data, err = show(o.hco, cmp.Or(r.crd, r.hco), crdFile); err != nil {
			return err
		}
		file := filepath.Join(structure, r.name+".yaml")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return fmt.Errorf("cannot write a CRD: %w", err)
		}
		arguments = append(arguments, cmp.Or(r.number, r.name)+"="+file)
	}
	command := exec.CommandContext(context.Background(), "go", arguments...)
	command.Dir, command.Stderr = filepath.Join("..", "..", "tools"), os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("tools/crdstructure: %w", err)
	}
	if err := os.WriteFile(filepath.Join("..", "..", "internal", "operators", "admission", "crd.txt"), out, 0o644); err != nil {
		return fmt.Errorf("cannot write the structure of the CRDs: %w", err)
	}
	return nil
}

// predefined reads HCO's file of predefined templates.
func predefined(data []byte) ([]answers.Predefined, error) {
	var templates []struct {
		Metadata struct {
			Name        string            `json:"name"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Spec cdiv1.DataImportCronSpec `json:"spec"`
	}
	if err := yaml.UnmarshalStrict(data, &templates); err != nil {
		return nil, fmt.Errorf("cannot read the templates: %w", err)
	}
	var out []answers.Predefined
	for _, t := range templates {
		out = append(out, answers.Predefined{Name: t.Metadata.Name, Annotations: t.Metadata.Annotations, Spec: t.Spec})
	}
	slices.SortFunc(out, func(a, b answers.Predefined) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// show returns a file of a commit.
func show(repository, ref, file string) ([]byte, error) {
	command := exec.CommandContext(context.Background(), "git", "-C", repository, "show", ref+":"+file)
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s has no %s:%s: %w: %s", repository, ref, file, err, strings.TrimSpace(said.String()))
	}
	return out, nil
}

// writeJSON writes a value in lines, so that a difference is a line.
func writeJSON(file string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("cannot encode %s: %w", file, err)
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %w", file, err)
	}
	return nil
}
