// The tests with the real hosts, apart from the module of the product: what
// they require must not lift a version of ours.
module github.com/goldenarch/goldenarch/test/e2e

go 1.26.0

require github.com/google/go-cmp v0.7.0

replace github.com/goldenarch/goldenarch => ../..
