package archtest

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// public are the packages that other modules may import.
var public = []string{"api/v1alpha1", "fn", "fn/kptfn", "transformers", "generators"}

// TestPublicSignatures: what other modules may import names no type that they may
// not import. Such a type could be neither declared nor made by them.
func TestPublicSignatures(t *testing.T) {
	t.Parallel()
	load := exported(t)
	for _, path := range public {
		p, err := load.Import(module + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		names := p.Scope().Names()
		if len(names) == 0 {
			t.Errorf("%s: no names read", path)
		}
		for _, name := range names {
			if o := p.Scope().Lookup(name); o.Exported() {
				for _, fault := range internalIn(o) {
					t.Errorf("%s.%s: %s", path, name, fault)
				}
			}
		}
	}
}

// exported returns an importer of the compiler's export data.
func exported(t *testing.T) types.Importer {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, path := range public {
		args = append(args, module+"/"+path)
	}
	list := exec.CommandContext(t.Context(), "go", args...)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("cannot list the export data: %v", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// internalIn returns where the declaration of an exported name has a type of an
// internal package.
func internalIn(o types.Object) []string {
	s := &signatures{seen: map[types.Type]bool{}}
	name, isType := o.(*types.TypeName)
	if !isType {
		s.look("its type", o.Type())
		return s.faults
	}
	if name.IsAlias() {
		s.look("its type", types.Unalias(o.Type()))
		return s.faults
	}
	s.look("its type", o.Type().Underlying())
	methods := types.NewMethodSet(types.NewPointer(o.Type()))
	for method := range methods.Methods() {
		if m := method.Obj(); m.Exported() {
			s.look("method "+m.Name(), m.Type())
		}
	}
	return s.faults
}

type signatures struct {
	seen   map[types.Type]bool
	faults []string
}

// look looks through a type, but not into other named types: those are judged
// where they are declared.
func (s *signatures) look(at string, t types.Type) {
	if s.seen[t] {
		return
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		s.named(at, t.Obj())
	case *types.Named:
		s.named(at, t.Obj())
		for arg := range t.TypeArgs().Types() {
			s.look(at, arg)
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				s.look("field "+field.Name(), field.Type())
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			s.look(at, v.Type())
		}
		for v := range t.Results().Variables() {
			s.look(at, v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.look(at+", "+m.Name(), m.Type())
		}
	case *types.Map:
		s.look(at, t.Key())
		s.look(at, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		s.look(at, t.Elem())
	}
}

func (s *signatures) named(at string, name *types.TypeName) {
	if name.Pkg() != nil && strings.HasPrefix(name.Pkg().Path(), module+"/internal/") {
		s.faults = append(s.faults, fmt.Sprintf("%s names %s, which other modules may not import", at, name.Pkg().Path()+"."+name.Name()))
	}
}
