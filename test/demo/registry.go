package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	ggcr "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/goldenarch/goldenarch/internal/images/imageref"
	"github.com/goldenarch/goldenarch/internal/images/registry"
)

// startRegistry starts a registry on the loopback interface and fills it.
func startRegistry() (host string, stop func(), err error) {
	server := httptest.NewServer(ggcr.New(ggcr.Logger(log.New(io.Discard, "", 0))))
	host = strings.TrimPrefix(server.URL, "http://")
	if err := fill(host); err != nil {
		server.Close()
		return "", nil, err
	}
	return host, server.Close, nil
}

// fill pushes the images of the CR: a multi-arch index with attestations, as
// builders make them today, and images of one architecture.
func fill(host string) error {
	index, err := multiArch("amd64", "arm64", "s390x")
	if err != nil {
		return err
	}
	two, err := multiArch("amd64", "arm64")
	if err != nil {
		return err
	}
	amd64, err := single("amd64")
	if err != nil {
		return err
	}
	s390x, err := single("s390x")
	if err != nil {
		return err
	}
	for repository, image := range map[string]remote.Taggable{
		"quay.io/containerdisks/ubuntu:24.04":               index,
		"mirror.example.com/containerdisks/fedora:latest":   two,
		"mirror.example.com/containerdisks/centos-stream:9": index,
		"registry.example.com/vm/windows-2022:1":            amd64,
		"registry.example.com/vm/zlinux:3":                  s390x,
	} {
		ref, err := name.ParseReference(host+"/"+repository, name.Insecure)
		if err != nil {
			return fmt.Errorf("name %q: %w", repository, err)
		}
		if err := remote.Push(ref, image); err != nil {
			return fmt.Errorf("push %q: %w", repository, err)
		}
	}
	return nil
}

// single returns an image whose configuration names an architecture.
func single(arch string) (v1.Image, error) {
	image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{OS: "linux", Architecture: arch})
	if err != nil {
		return nil, fmt.Errorf("make an image for %s: %w", arch, err)
	}
	return image, nil
}

// multiArch returns an index of images, each with an attestation.
func multiArch(arches ...string) (v1.ImageIndex, error) {
	index := v1.ImageIndex(empty.Index)
	for _, arch := range arches {
		image, err := single(arch)
		if err != nil {
			return nil, err
		}
		digest, err := image.Digest()
		if err != nil {
			return nil, fmt.Errorf("digest of the image for %s: %w", arch, err)
		}
		attestation, err := single("unknown")
		if err != nil {
			return nil, err
		}
		index = mutate.AppendManifests(index,
			mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}},
			mutate.IndexAddendum{Add: attestation, Descriptor: v1.Descriptor{
				Platform:    &v1.Platform{OS: "unknown", Architecture: "unknown"},
				Annotations: map[string]string{"vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": digest.String()},
			}})
	}
	return index, nil
}

// local resolves images of any host at the registry of this process.
type local struct {
	host string
	next registry.Resolver
}

func (l local) Resolve(ctx context.Context, ref imageref.Reference) (registry.Image, error) {
	here, err := imageref.Parse(l.host + "/" + ref.String())
	if err != nil {
		return registry.Image{}, fmt.Errorf("find %s here: %w", ref, err)
	}
	image, err := l.next.Resolve(ctx, here)
	image.Reference = ref.String()
	return image, err
}
