// Command sbom writes the bill of materials of a Go binary, as CycloneDX JSON:
// the modules that the linker has put into it, each with its version, its
// checksum in go.sum and its package URL.
//
//	sbom BINARY VERSION >BINARY.cdx.json
//
// The same binary gives the same bytes: there is no time and no serial number
// in it.
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "sbom: %s\n", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: sbom BINARY VERSION")

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errUsage
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("read the modules of %s: %w", args[0], err)
	}
	encoder := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true)
	return encoder.Encode(bill(info, args[1]))
}

// bill returns the bill of materials of a binary. Its own version is reported, for
// Go knows it only of what it has installed from a tag.
func bill(info *debug.BuildInfo, version string) *cdx.BOM {
	bom := cdx.NewBOM()
	main := component(cdx.ComponentTypeApplication, debug.Module{Path: info.Main.Path, Version: version})
	main.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	bom.Metadata = &cdx.Metadata{Component: &main, Properties: properties(info)}
	refs := []string{}
	components := []cdx.Component{standardLibrary(info)}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		components = append(components, component(cdx.ComponentTypeLibrary, *module))
	}
	for _, one := range components {
		refs = append(refs, one.BOMRef)
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return bom
}

func component(kind cdx.ComponentType, module debug.Module) cdx.Component {
	// As github.com/package-url/purl-spec has it for Go.
	url := "pkg:golang/" + strings.ToLower(module.Path) + "@" + strings.ReplaceAll(module.Version, "+", "%2B")
	out := cdx.Component{BOMRef: url, Type: kind, Name: module.Path, Version: module.Version, PackageURL: url}
	if module.Sum != "" {
		out.Properties = &[]cdx.Property{{Name: "golang:h1", Value: module.Sum}}
	}
	return out
}

// standardLibrary is a module to those who look for vulnerabilities.
func standardLibrary(info *debug.BuildInfo) cdx.Component {
	return component(cdx.ComponentTypeLibrary, debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})
}

// properties are the settings that the binary was built with.
func properties(info *debug.BuildInfo) *[]cdx.Property {
	var out []cdx.Property
	for _, setting := range info.Settings {
		switch setting.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED", "-trimpath", "vcs.revision":
			out = append(out, cdx.Property{Name: "golang:build:" + setting.Key, Value: setting.Value})
		}
	}
	return &out
}
