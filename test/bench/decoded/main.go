// Command decoded reads YAML documents with the library that goldenarch and kyaml use, keeps them, and writes them:
// what the nodes alone take.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read the documents: %w", err)
	}
	var documents []*yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		document := &yaml.Node{}
		if err := decoder.Decode(document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read the documents: %w", err)
		}
		documents = append(documents, document)
	}
	encoder := yaml.NewEncoder(os.Stdout)
	for _, document := range documents {
		if err := encoder.Encode(document); err != nil {
			return fmt.Errorf("write the documents: %w", err)
		}
	}
	return encoder.Close()
}
