# Everything a developer does, one target each. `make` lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# How long make fuzz runs each fuzz target.
FUZZTIME ?= 10s
# What a longer campaign takes for each target.
FUZZLONG ?= 5m
IMAGE    ?= localhost/goldenarch:dev
# What HCO's golden images are made for.
PLATFORMS ?= linux/amd64,linux/arm64,linux/s390x,linux/ppc64le
# What people's own machines are, too.
DIST_PLATFORMS ?= linux/amd64 linux/arm64 linux/s390x linux/ppc64le darwin/amd64 darwin/arm64 windows/amd64

# What is stamped into releases and images, which are built without the repository.
# Any other build has what Go notes by itself.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
# The commit's own date, so that building it again gives the same bytes.
DATE    ?= $(shell git log -1 --format=%cI 2>/dev/null || echo unknown)
EPOCH   ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

stamp   := github.com/goldenarch/goldenarch/internal/cli
ldflags := -s -w -X $(stamp).version=$(VERSION) -X $(stamp).commit=$(COMMIT) -X $(stamp).date=$(DATE)

# Modules of the repository that are linted and tested.
modules := . test/bench test/crd test/edits test/embed test/olm test/oracle test/e2e test/e2e/flux
root    := $(CURDIR)
bin     := $(root)/bin
# With the settings of a release, what Go compiles for one target serves all others: the linters,
# the tests, and the programs that tests run. Only the race detector and Argo CD have their own.
others := $(filter-out -trimpath,$(GOFLAGS))
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(others) -trimpath)
# golangci-lint does all that go vet does, so go test does not do it again. A test needs no
# symbols: to link one takes less than half of the time without them.
go-test    := go test -vet=off -ldflags '-s -w'
# Argo CD takes minutes to compile: a third less if it is not optimised, and once,
# since its tests, their linting and the programs that they run are told the same.
argocd     := test/e2e/argocd
as-argocd  := GOFLAGS="$(others) '-gcflags=all=-N -l -dwarf=false'"
in-argocd  := cd $(argocd) && $(as-argocd)
# The API server that what hosts build is applied to has the Kubernetes of Argo CD, too.
apiserver  := test/e2e/apiserver

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/goldenarch, static and stripped
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $(bin)/goldenarch .

.PHONY: demo
demo: ## the main job, without a registry, on a real-looking CR: see the difference it makes
	@echo "Go downloads modules the first time, and compiles for 1 to 3 minutes." >&2
	@go run ./test/demo

# What takes seconds comes first, then what fails most often. Each part says when it begins, so
# that the log shows where the time goes. The tests in Argo CD are apart: to compile it takes
# longer than to run all of them.
parts-of-test := english archtest test-unit e2e
parts-of-lint := tidy golangci vet-systems lint-argocd

.PHONY: test lint
test: ## install what it needs and run every test but those in Argo CD (make e2e-argocd)
lint: ## go mod tidy, and golangci-lint for all modules
test lint:
	@for part in $(parts-of-$@); do echo "== make $$part, $$SECONDS s after the start"; $(MAKE) --no-print-directory $$part; done

.PHONY: tidy
tidy: ## fail if the go.mod or go.sum of a module is not what go mod tidy writes
	for m in $(modules) $(argocd) $(apiserver) tools; do (cd $$m && go mod tidy -diff); done

.PHONY: golangci
golangci: $(bin)/golangci-lint ## golangci-lint, go vet and formatting included, except for the tests in Argo CD
	$(bin)/golangci-lint config verify
	for m in $(modules); do (cd $$m && $(bin)/golangci-lint run --config $(root)/.golangci.yml ./...); done

.PHONY: vet-systems
vet-systems: ## go vet for the systems that archives are made for and no test runs on
	for system in darwin windows; do GOOS=$$system go vet . ./api/... ./fn/... ./internal/...; done

.PHONY: english
english: ## fail on words and sentences that are not plain English in pages, messages and help
	$(go-test) ./internal/english

.PHONY: archtest
archtest: ## fail on packages, files and imports that are not as docs/dev/architecture.md says
	$(go-test) ./internal/archtest

.PHONY: lint-argocd
lint-argocd: $(bin)/golangci-lint ## golangci-lint for the tests in Argo CD, and the API server
	$(in-argocd) $(bin)/golangci-lint run --config $(root)/.golangci.yml ./...
	cd $(apiserver) && $(as-argocd) $(bin)/golangci-lint run --config $(root)/.golangci.yml ./...

.PHONY: fmt
fmt: $(bin)/golangci-lint ## format the source
	for m in $(modules) $(argocd) $(apiserver); do (cd $$m && $(bin)/golangci-lint fmt --config $(root)/.golangci.yml ./...); done

# The race detector makes a test several times slower. It is off for what has nothing that races:
# tests that read the source only, that run the program and look at what it does, packages that
# start nothing beside themselves, and tests of many cases, one after the other, whose package has
# others for what happens at once.
unraced := ./test/answers ./internal/report ./internal/yaml/yamledit ./internal/yaml/yamlnode
with-many-cases := ./fn ./internal/cli ./internal/images/registry ./internal/kustomize/edit ./internal/workspace/repo
many-cases := ^Test(ClaimedIsWhatCDIImports|BehavioursOfRegistries|IndexOfManyEntries|EchoedCredentials|Content|Needed|NeededOfResourceList|KyamlsReader|PatchErasesNothingOfAnyBase|FixCorpus|CustomizeCorpus|ManyWorkloads|TooManyApplications)$$
# The packages that take longest begin first: none is to run alone at the end.
longest := ./internal/cli ./internal/images/registry
# This runs a program that the go command builds for it. Go's test cache does not know its sources.
of-program := ./test/hostile
.PHONY: test-unit
test-unit: ## the tests of the module, with the race detector where something may race
	$(go-test) -run '$(many-cases)' $(with-many-cases)
	$(go-test) -timeout 30m -parallel 3 -count=1 $(of-program) $(filter-out $(of-program),$(unraced))
	CGO_ENABLED=1 $(go-test) -race -timeout 30m -skip '$(many-cases)' $(longest) $$(go list ./... | grep -vE '/(internal/(english|archtest)|test/hostile)$$' | grep -vFf <(printf '%s\n' $(patsubst ./%,/%,$(unraced))))

# The unit tests try every input that fuzzing has found, so CI says the same of the same commit. The
# search for new ones is a job of its own, each week.
.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (10s)
	./tools/fuzz.sh $(FUZZTIME)

.PHONY: soak
soak: ## 2,000 mutated CRs, kustomizations and indexes, each run under limits (CI tries 300), and many runs killed
	GOLDENARCH_SOAK=2000 go test -count=1 -timeout 30m -run '^TestSoak$$' ./test/hostile
	GOLDENARCH_KILLS=500 go test -count=1 -timeout 30m -run 'Killed$$' ./internal/cli

.PHONY: fuzz-long
fuzz-long: ## each fuzz target for FUZZLONG (5m), one process at a time; commit what it finds below testdata/fuzz
	./tools/fuzz.sh $(FUZZLONG) -test.parallel 1

# -count=1: what these tests run lies outside their module, where Go does not see
# it change.
.PHONY: e2e
e2e: hosts ## the tests with generated CRDs, and the real kustomize, kpt, containers, registry, Flux and Chromium
	cd tools && $(go-test) -count=1 ./...
	cd test/bench && $(go-test) -count=1 ./...
	cd test/crd && $(go-test) -count=1 ./...
	cd test/edits && $(go-test) -count=1 ./...
	cd test/embed && $(go-test) -count=1 ./...
	cd test/olm && $(go-test) -count=1 ./...
	cd test/oracle && $(go-test) -count=1 ./...
	cd test/e2e/flux && $(go-test) -count=1 ./...
	cd test/e2e && $(go-test) -count=1 -timeout 30m ./...

.PHONY: hosts
hosts: ## install what make e2e needs and Go does not bring: podman, buildah, runc, busybox, chromium, pdftotext
	./tools/install.sh hosts

# A part of make e2e.
.PHONY: e2e-image
e2e-image: hosts ## the image in podman, buildah, kustomize and kpt
	cd test/e2e && $(go-test) -count=1 -timeout 30m -run '^TestImage$$' ./...

.PHONY: screenshots
screenshots: hosts ## pictures of the pages for people to look at, in dist/screenshots, and those of docs
	cd test/e2e && $(go-test) -count=1 -run '^TestPictures$$' ./browser -pictures $(root)/dist/screenshots

.PHONY: e2e-argocd
e2e-argocd: hosts ## the plugin in the real Argo CD, which is built first
	$(in-argocd) $(go-test) -count=1 -timeout 30m ./...

.PHONY: bench
bench: ## goldenarch beside its peers, and in kustomize and kpt, a function that does nothing: times, requests, memory
	cd test/bench && go run . && go run . -hosts

.PHONY: bench-argocd
bench-argocd: ## a call of Argo CD for the manifests, beside a plugin that does nothing
	$(in-argocd) $(go-test) -run '^$$' -bench . -benchtime 100x .

# HCO, SSP, CDI and KUBEVIRT are Git repositories of the operators (docs/dev/upstream.md).
.PHONY: oracle
oracle: ## the answers of the operators' own code again: HCO=, SSP=, CDI= and KUBEVIRT= are Git repositories; takes long
	cd test/oracle && go run .
	git diff --stat -- test/oracle/testdata internal/operators/admission/crd.txt

# How many new cases make oracle-fuzz runs for each release, and their seed.
ORACLECASES ?= 2000
ORACLESEED  ?= 2

.PHONY: oracle-fuzz
oracle-fuzz: ## ORACLECASES (2000 a release) new cases, with the operators' own code as make oracle runs it
	cd test/oracle && go run . -fuzz $(ORACLECASES) -seed $(ORACLESEED)

.PHONY: update
update: ## write the golden files anew; read the diff before you commit
	@grep -rl --include="*_test.go" --exclude-dir=test "Bool(\"update\"" . | xargs -r -n1 dirname | sort -u | xargs -r -I{} go test {} -update

stamps := VERSION='$(VERSION)' COMMIT='$(COMMIT)' DATE='$(DATE)' SOURCE_DATE_EPOCH='$(EPOCH)'

.PHONY: image
image: ## build the container image with docker, podman or buildah
	@$(stamps) ./tools/image.sh '$(IMAGE)'

.PHONY: image-multiarch
image-multiarch: ## the image for all platforms as one manifest list; PUSH=yes pushes it
	@$(stamps) ./tools/image.sh '$(IMAGE)' '$(PLATFORMS)'

.PHONY: sbom
sbom: build ## the bill of materials of bin/goldenarch, as CycloneDX JSON
	cd tools && CGO_ENABLED=0 go build -trimpath -o $(bin)/sbom ./sbom
	$(bin)/sbom $(bin)/goldenarch '$(VERSION)' > $(bin)/goldenarch.cdx.json

.PHONY: dist
dist: ## what a release consists of, in dist/: binaries, bills of materials, checksums
	VERSION='$(VERSION)' LDFLAGS='$(ldflags)' ./tools/dist.sh $(DIST_PLATFORMS)

.PHONY: clean
clean: ## remove what was built
	rm -rf $(bin) dist

# The tools are built once for each version pinned in their go.mod.
$(bin)/golangci-lint: tools/go.mod tools/go.sum
	cd tools && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
