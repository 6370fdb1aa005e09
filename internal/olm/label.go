package olm

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/yaml/yamlnode"
)

// The labels of a ClusterServiceVersion (operator-lifecycle-manager
// pkg/package-server/provider/registry.go: setDefaultOsArchLabels).
const (
	// ArchPrefix begins a label that says whether the operator runs on an architecture.
	ArchPrefix = "operatorframework.io/arch."

	osPrefix  = "operatorframework.io/os."
	supported = "supported"
)

// labels has the content of the labels of a ClusterServiceVersion.
type labels struct {
	// archs are the architectures that count; amd64 if no label names one.
	archs arch.Set
	// explicit says that a label names an architecture.
	explicit bool
	// linux says that Linux counts, which is the case if no label names a system.
	linux, hasOS bool
	// systems are the other systems that count.
	systems []string
	ignored []ignored
}

// ignored is a label that OLM ignores.
type ignored struct {
	key, value, why, do string
	// meant is the architecture that it seems to be about, "" for none.
	meant arch.Arch
}

func labelsOf(object *yaml.Node) labels {
	n := yamlnode.Get(object, "metadata", "labels")
	var out labels
	for key, field := range yamlnode.Fields(n) {
		value := field.Value
		name, isArch := strings.CutPrefix(key, ArchPrefix)
		system, isOS := strings.CutPrefix(key, osPrefix)
		switch {
		case !isArch && !isOS:
		case value != supported:
			out.ignored = append(out.ignored, ignored{key, value, "its value is not \"supported\"", "write supported, or remove the label", arch.Arch(name)})
		case isArch:
			out.addArch(key, name)
		case system == "linux":
			out.linux, out.hasOS = true, true
		default:
			out.systems, out.hasOS = append(out.systems, system), true
		}
	}
	if !out.explicit {
		out.archs = arch.NewSet(arch.AMD64)
	}
	out.linux = out.linux || !out.hasOS
	return out
}

func (l *labels) addArch(key, name string) {
	l.explicit = true
	switch meant, err := arch.Parse(name); {
	case arch.Known(arch.Arch(name)):
		l.archs = arch.NewSet(append(l.archs, arch.Arch(name))...)
	case err == nil:
		l.ignored = append(l.ignored, ignored{key, supported, "no node has the architecture " + name, "write " + ArchPrefix + string(meant), meant})
	default:
		l.ignored = append(l.ignored, ignored{key, supported, "no node has the architecture " + name, "correct the name", ""})
	}
}

// promise returns the field that makes architectures count, and says so.
func (l labels) promise(some arch.Set) (field, says string) {
	if !l.explicit {
		return "metadata.labels", "without a label for an architecture OLM takes amd64"
	}
	return "metadata.labels[" + ArchPrefix + string(some[0]) + "]", "the labels say that the operator runs on " + namesOf(some)
}
