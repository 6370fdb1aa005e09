package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/goldenarch/goldenarch/internal/arch"
	"github.com/goldenarch/goldenarch/internal/images/imageref"
)

// document is what a manifest can be: an index, an image's manifest, or something else.
// The body decides which, not the header: servers send no Content-Type, or a wrong one.
type document struct {
	MediaType     string
	ArtifactType  string
	SchemaVersion int
	Config        *descriptor

	// listed reports that the document has a list of manifests. entries holds it.
	listed  bool
	entries []descriptor
	// docker reports that an importer reads the list as Docker's, in which each entry
	// has a platform.
	docker bool
	// layers, fsLayers and blobs report that the document has that field.
	layers, fsLayers, blobs bool
	// foreignLayer is the type of the first layer that an importer refuses in Docker's
	// form of a manifest.
	foreignLayer *string

	// size is the number of bytes of the document.
	size int
}

// accept lists the accepted types of a manifest. It omits schema 1: a registry that has
// a newer form must not send the old one.
const accept = string(types.OCIImageIndex) + ", " + string(types.DockerManifestList) + ", " +
	string(types.OCIManifestSchema1) + ", " + string(types.DockerManifestSchema2)

// parseDocument reads a manifest, and refuses a document that does not belong to an
// image: of that it returns only the type. It stops when its context ends.
func parseDocument(ctx context.Context, body []byte, contentType string) (document, error) {
	header := mediaTypeOf(contentType)
	sent := types.MediaType(header)
	fail := func(kind error, format string, args ...any) (document, error) {
		return document{MediaType: header}, badContent(kind, format, args...)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return fail(ErrContent, "sent an empty manifest (media type %q)", header)
	}
	if err := errorPage(body); err != nil {
		return fail(ErrContent, "sent no manifest: %v (media type %q)", err, header)
	}
	d, err := decodeDocument(ctx, body)
	switch {
	case ctx.Err() != nil:
		return document{}, context.Cause(ctx)
	case errors.Is(err, errTooMany), errors.Is(err, errTooLong):
		return fail(ErrContent, "sent a manifest that goldenarch does not read: %v (media type %q)", err, header)
	case err != nil:
		return fail(ErrContent, "sent a manifest that is not the JSON expected (media type %q): %s", header, notExpected(err))
	}
	if d.MediaType != "" {
		header = cut(d.MediaType, shownWords)
	}
	switch {
	case d.listed && (d.Config != nil || d.layers):
		return fail(ErrContent, "sent a manifest that is both an index and an image (media type %q), so clients disagree about it", header)
	case d.listed, types.MediaType(d.MediaType).IsIndex():
		d.MediaType = d.indexType(header)
		d.docker = d.MediaType == string(types.DockerManifestList)
		if sent.IsIndex() {
			// CDI's importer uses the header.
			d.docker = sent == types.DockerManifestList
		}
		return d, nil
	case d.Config != nil:
		return d.asImage(header, sent)
	case d.SchemaVersion == 1, d.fsLayers:
		return fail(ErrNotImage, "sent a manifest of schema 1, which container runtimes no longer read; push the image again with a current tool")
	case d.blobs, d.ArtifactType != "":
		return fail(ErrNotImage, "sent an artifact of the type %q, not an image (media type %q)", cut(d.ArtifactType, shownWords), header)
	}
	return fail(ErrContent, "sent neither an index nor a manifest (media type %q)", header)
}

// isIndex reports whether the document lists manifests.
func (d document) isIndex() bool { return d.listed || types.MediaType(d.MediaType).IsIndex() }

// asImage checks that a manifest belongs to an image: its configuration must be that of
// an image. Helm charts and other artifacts have the same form. sent is the type in the
// header.
func (d document) asImage(header string, sent types.MediaType) (document, error) {
	fail := func(format string, args ...any) (document, error) {
		return document{MediaType: header}, badContent(ErrNotImage, format, args...)
	}
	config := types.MediaType(d.Config.MediaType)
	if config != "" && !config.IsConfig() {
		return fail("sent an object whose configuration is %q, so it is not an image (media type %q)", cut(string(config), shownWords), header)
	}
	declared := d.MediaType
	if !types.MediaType(declared).IsImage() {
		d.MediaType = string(types.OCIManifestSchema1)
		if config == types.DockerConfigJSON {
			d.MediaType = string(types.DockerManifestSchema2)
		}
	}
	if !sent.IsImage() {
		sent = types.MediaType(d.MediaType)
	}
	// CDI's importer uses the header (containers/image manifest/oci.go: Inspect,
	// manifest/docker_schema2.go: Schema2FromManifest).
	switch {
	case sent == types.OCIManifestSchema1 && config != types.OCIConfigJSON:
		return fail("sent an OCI manifest whose configuration is %q, and CDI imports only %q (media type %q)", config, types.OCIConfigJSON, header)
	case sent == types.DockerManifestSchema2 && !inDocker(declared):
		return fail("sent a Docker manifest with the media type %q, and CDI imports only %q", cut(declared, shownWords), types.DockerManifestSchema2)
	case sent == types.DockerManifestSchema2 && d.foreignLayer != nil:
		return fail("sent a Docker manifest with a layer of the media type %q, which CDI does not import in it", cut(*d.foreignLayer, shownWords))
	}
	return d, nil
}

// inDocker reports whether Docker's form of a manifest may contain a media type
// (containers/image manifest/manifest.go: SupportedSchema2MediaType).
func inDocker(mediaType string) bool {
	return slices.Contains([]types.MediaType{
		types.DockerManifestList, types.DockerManifestSchema1, types.DockerManifestSchema1Signed, types.DockerManifestSchema2,
		types.DockerConfigJSON, types.DockerLayer, types.DockerUncompressedLayer, types.DockerForeignLayer,
		"application/vnd.docker.image.rootfs.foreign.diff.tar", "application/vnd.docker.image.rootfs.diff.tar.zstd",
	}, types.MediaType(mediaType))
}

// indexType returns the media type of an index, which may itself name a wrong one.
func (d document) indexType(header string) string {
	if types.MediaType(header).IsIndex() {
		return header
	}
	for _, child := range d.entries {
		if child.MediaType == string(types.DockerManifestSchema2) {
			return string(types.DockerManifestList)
		}
	}
	return string(types.OCIImageIndex)
}

// mediaTypeOf returns a Content-Type without its parameters.
func mediaTypeOf(contentType string) string {
	name, _, _ := strings.Cut(contentType, ";")
	name = strings.TrimSpace(name)
	if known := types.MediaType(strings.ToLower(name)); known.IsIndex() || known.IsImage() {
		return string(known)
	}
	return cut(name, shownWords)
}

const (
	// attestation is the annotation of a manifest that describes another manifest
	// (docker buildx attestation storage).
	attestation = "vnd.docker.reference.type"
	// zstd is the annotation of an image whose layers are compressed with zstd.
	// Importers prefer it among equals (containers/image internal/manifest:
	// isPreferredOver).
	zstd = "io.github.containers.compression.zstd"
)

// descriptor points at content. It is not go-containerregistry's descriptor: that one
// refuses an index with one invalid digest, and keeps texts that goldenarch does not
// need.
type descriptor struct {
	MediaType    string      `json:"mediaType"`
	ArtifactType string      `json:"artifactType"`
	Digest       string      `json:"digest"`
	Size         int64       `json:"size"`
	URLs         []skipped   `json:"urls"`
	Data         []byte      `json:"data"`
	Annotations  annotations `json:"annotations"`
	Platform     *platform   `json:"platform"`
}

// platform is the platform in a descriptor or an image's configuration.
type platform struct {
	OS           string    `json:"os"`
	Architecture string    `json:"architecture"`
	Variant      string    `json:"variant"`
	OSVersion    skipped   `json:"os.version"`
	OSFeatures   []skipped `json:"os.features"`
}

// isAttestation reports whether an entry is an attestation, by its annotation. If a
// tool lost the annotation, the platform decides.
func (e descriptor) isAttestation() bool {
	return e.Annotations.attested || e.Platform != nil && e.Platform.OS == "unknown" && e.Platform.Architecture == "unknown"
}

// isOther reports whether an entry declares that it is neither an image nor an index.
// An artifact is neither, whatever its platform. An artifact that is an image has the
// type of its configuration (OCI distribution-spec, referrers).
func (e descriptor) isOther() bool {
	kind := types.MediaType(e.MediaType)
	return e.ArtifactType != "" && !types.MediaType(e.ArtifactType).IsConfig() ||
		kind != "" && !kind.IsIndex() && !kind.IsImage()
}

// isImage reports whether the entry declares itself an image.
func (e descriptor) isImage() bool {
	return !e.isAttestation() && !e.isOther() && !types.MediaType(e.MediaType).IsIndex()
}

// proves returns the platform that an entry of an index proves for an architecture.
func (e descriptor) proves(a arch.Arch) arch.Platform {
	return arch.Platform{OS: "linux", Architecture: a, Variant: e.Platform.Variant, Digest: e.Digest}
}

// check refuses a descriptor that goldenarch cannot follow.
func (e descriptor) check(limit int64) error {
	if !imageref.IsDigest(e.Digest) {
		return badContent(ErrContent, "sent a manifest with %q, which is not a digest", cut(e.Digest, 80))
	}
	if e.Size < 0 {
		return badContent(ErrContent, "sent a manifest that refers to %d bytes", e.Size)
	}
	if e.Size > limit {
		return badContent(ErrContent, "sent a manifest that refers to %d bytes, more than the limit of %d", e.Size, limit)
	}
	return nil
}

// isLinux reports whether the operating system is Linux, in any spelling.
func (p platform) isLinux() bool { return strings.EqualFold(strings.TrimSpace(p.OS), "linux") }

// String names the platform, or says that it is unknown.
func (p platform) String() string {
	name := func(s string) string {
		if s == "" {
			return "unknown"
		}
		return cut(s, 20)
	}
	return name(p.OS) + "/" + name(p.Architecture)
}

const (
	// maxEntries is how many entries of an index the decoder reads. The largest index
	// in use has some dozens.
	maxEntries = 10_000
	// maxAnnotations is the largest size of the annotations of an entry. Those in use
	// have less than a thousandth of it, and become ten times as large in memory.
	maxAnnotations = 256 << 10
)

// Why the decoder refuses a JSON document.
var (
	errTooMany = fmt.Errorf("it is an index of more than %d entries", maxEntries)
	errTooLong = fmt.Errorf("an entry of it has annotations of more than %d KiB", maxAnnotations>>10)
)

// manifestJSON has the fields of a manifest that matter. Each field may occur once.
// Names match regardless of case, as in encoding/json and so in CDI's importer.
type manifestJSON struct {
	MediaType     single[string]      `json:"mediaType"`
	ArtifactType  single[string]      `json:"artifactType"`
	SchemaVersion single[int]         `json:"schemaVersion"`
	Config        single[*descriptor] `json:"config"`
	Manifests     each[descriptor]    `json:"manifests"`
	Layers        each[layer]         `json:"layers"`
	FSLayers      single[present]     `json:"fsLayers"`
	Blobs         single[present]     `json:"blobs"`
}

type layer struct {
	MediaType string `json:"mediaType"`
}

// decodeDocument reads the JSON of a manifest. Of an index it keeps only what an entry
// needs: otherwise an index of 4 MiB would become some hundred.
func decodeDocument(ctx context.Context, body []byte) (document, error) {
	d := document{size: len(body)}
	var m manifestJSON
	m.Manifests.add = func(one *descriptor) error {
		if len(d.entries) == maxEntries {
			return errTooMany
		}
		one.Data = nil
		d.entries = append(d.entries, *one)
		return context.Cause(ctx)
	}
	m.Layers.add = func(one *layer) error {
		if d.foreignLayer == nil && !inDocker(one.MediaType) {
			d.foreignLayer = &one.MediaType
		}
		return context.Cause(ctx)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return d, err
	}
	d.MediaType, d.ArtifactType, d.SchemaVersion, d.Config = m.MediaType.value, m.ArtifactType.value, m.SchemaVersion.value, m.Config.value
	d.listed, d.layers, d.fsLayers, d.blobs = m.Manifests.found, m.Layers.found, bool(m.FSLayers.value), bool(m.Blobs.value)
	return d, nil
}

// secondValue is the text of an error of encoding/json, which then names the field.
const secondValue = "second value"

func errTwice() error { return &json.UnmarshalTypeError{Value: secondValue} }

// single is a field that must not occur more than once: readers differ in which value
// they use.
type single[T any] struct {
	value T
	seen  bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *single[T]) UnmarshalJSON(data []byte) error {
	if s.seen {
		return errTwice()
	}
	s.seen = true
	return json.Unmarshal(data, &s.value)
}

// shortList is the size of a list up to which all of its elements are in memory at once: that is
// faster, and the lists in use are shorter.
const shortList = 16 << 10

// each is a list that passes on its elements one by one.
type each[T any] struct {
	add         func(*T) error
	seen, found bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *each[T]) UnmarshalJSON(data []byte) error {
	if e.seen {
		return errTwice()
	}
	e.seen, e.found = true, data[0] == '['
	if !e.found || len(data) <= shortList { // not found is null, or an error
		var all []T
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		for i := range all {
			if err := e.add(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token()
	for dec.More() {
		one := new(T)
		if err := dec.Decode(one); err != nil {
			return err
		}
		if err := e.add(one); err != nil {
			return err
		}
	}
	return nil
}

// present is a field that only records whether it holds anything.
type present bool

// UnmarshalJSON implements json.Unmarshaler.
func (p *present) UnmarshalJSON(data []byte) error {
	*p = string(data) != "null"
	return nil
}

// skipped is a text that goldenarch does not need. It must still be a text: an importer
// refuses an index that has another type there.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*skipped) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return nil
	}
	return json.Unmarshal(data, new(string)) // null, or an error
}

// annotations has the annotations of an entry that matter.
type annotations struct{ attested, zstd bool }

// UnmarshalJSON implements json.Unmarshaler.
func (a *annotations) UnmarshalJSON(data []byte) error {
	if len(data) > maxAnnotations {
		return errTooLong
	}
	var all map[string]string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	a.attested, a.zstd = all[attestation] != "", all[zstd] == "true"
	return nil
}

// choice is the entry of an index that CDI's importer takes for architectures.
type choice struct {
	entry    int
	forArchs []arch.Arch
}

// choose returns the entries of an index that CDI's importer takes for the wanted
// architectures, in the order of the index. It compares exactly what the registry sent
// (containers/image internal/manifest: ChooseInstance). If no entry of an OCI index
// names an architecture, it takes the first entry without a platform.
func (d document) choose(wanted []arch.Arch) []choice {
	best := map[arch.Arch]int{}
	bare := -1
	for i, e := range d.entries {
		if e.Platform == nil {
			if !d.docker && (bare < 0 || e.Annotations.zstd && !d.entries[bare].Annotations.zstd) {
				bare = i
			}
			continue
		}
		a := arch.Arch(e.Platform.Architecture)
		if e.Platform.OS != "linux" || arch.VariantRank(a, e.Platform.Variant) < 0 {
			continue
		}
		if before, ok := best[a]; !ok || d.prefers(e, d.entries[before]) {
			best[a] = i
		}
	}
	forEntry := map[int][]arch.Arch{}
	for _, a := range wanted {
		i, ok := best[a]
		if !ok {
			i = bare
		}
		if i >= 0 {
			forEntry[i] = append(forEntry[i], a)
		}
	}
	var out []choice
	for i := range d.entries {
		if list := forEntry[i]; list != nil {
			out = append(out, choice{i, list})
		}
	}
	return out
}

// prefers reports whether the importer prefers an entry to an earlier one for the same
// architecture.
func (d document) prefers(e, before descriptor) bool {
	rank := func(e descriptor) int {
		return arch.VariantRank(arch.Arch(e.Platform.Architecture), e.Platform.Variant)
	}
	if rank(e) != rank(before) {
		return rank(e) < rank(before)
	}
	return !d.docker && e.Annotations.zstd && !before.Annotations.zstd
}

// imagesFor returns all images that an index names for an architecture, such as those
// of other variants.
func (d document) imagesFor(a arch.Arch) arch.Platforms {
	var out arch.Platforms
	for _, e := range d.entries {
		if e.Platform != nil && e.isImage() && e.Platform.OS == "linux" && e.Platform.Architecture == string(a) &&
			(e.Platform.Variant == "" || variantName().MatchString(e.Platform.Variant)) && imageref.IsDigest(e.Digest) {
			out = append(out, e.proves(a))
		}
	}
	return out
}
