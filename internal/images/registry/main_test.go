package registry_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// parallelTests is how many tests run at once. Most of them wait for a registry that
// is slow or silent, so more run than the machine has processors.
const parallelTests = 8

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if p := flag.Lookup("test.parallel"); !chosen && p != nil {
		_ = p.Value.Set(strconv.Itoa(parallelTests))
	}
	os.Exit(m.Run())
}
