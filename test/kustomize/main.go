// Command kustomize builds a directory as "kustomize build --enable-alpha-plugins
// --enable-exec" does, or without these flags, by the library that goldenarch itself uses.
//
//	kustomize [--plain] DIR
package main

import (
	"fmt"
	"os"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	if err := build(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func build(args []string) error {
	options := krusty.MakeDefaultOptions()
	if args[0] == "--plain" {
		args = args[1:]
	} else {
		options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
		options.PluginConfig.FnpLoadingOptions.EnableExec = true
	}
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), args[0])
	if err != nil {
		return err
	}
	text, err := resources.AsYaml()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
