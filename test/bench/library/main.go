// Command library finds out which architectures images have with nothing but
// go-containerregistry, all images in one process. It is what a program gets that
// uses the library, in two ways:
//
//	library puller IMAGE...   one remote.Puller with one transport, which asks each
//	                          repository for its challenge and its token
//	library shared IMAGE...   the exported parts put together: one challenge for a
//	                          registry, one token for a repository
//
// It asks for 128 images at once, or for as many as -width says. It does no more than that: no
// mirrors, no lock, and no retries but the library's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// usualWidth is how many images are asked for at once.
const usualWidth = 128

var errUsage = errors.New("usage: library [-width NUMBER] puller|shared IMAGE")

// source gives the Puller for a repository.
type source interface {
	puller(ctx context.Context, repository name.Repository) (*remote.Puller, error)
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "library:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("library", flag.ContinueOnError)
	width := flags.Int("width", usualWidth, "how many images are asked for at once")
	if err := flags.Parse(args); err != nil || flags.NArg() == 0 || *width < 1 {
		return errUsage
	}
	args = flags.Args()
	transport, ok := remote.DefaultTransport.(*http.Transport)
	if !ok {
		return fmt.Errorf("the library's transport is a %T", remote.DefaultTransport)
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = *width
	var from source
	switch args[0] {
	case "puller":
		one, err := remote.NewPuller(remote.WithTransport(transport), remote.WithJobs(*width))
		if err != nil {
			return fmt.Errorf("make the puller: %w", err)
		}
		from = onePuller{one}
	case "shared":
		from = &shared{inner: https{transport}, width: *width}
	default:
		return errUsage
	}
	lines := make([]string, len(args)-1)
	failed := make([]error, len(lines))
	slots := make(chan struct{}, *width)
	var wait sync.WaitGroup
	for i, image := range args[1:] {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			list, err := architectures(ctx, from, image)
			lines[i], failed[i] = image+" "+strings.Join(list, ","), err
		})
	}
	wait.Wait()
	for _, line := range lines {
		fmt.Fprintln(os.Stdout, line)
	}
	return errors.Join(failed...)
}

// architectures returns what an image has: an index says it, a single image has it
// in its configuration.
func architectures(ctx context.Context, from source, image string) ([]string, error) {
	reference, err := name.ParseReference(image)
	if err != nil {
		return nil, fmt.Errorf("read the name of the image: %w", err)
	}
	puller, err := from.puller(ctx, reference.Context())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", image, err)
	}
	described, err := puller.Get(ctx, reference)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", image, err)
	}
	if !described.MediaType.IsIndex() {
		single, err := described.Image()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", image, err)
		}
		configuration, err := single.ConfigFile()
		if err != nil {
			return nil, fmt.Errorf("%s: read the configuration: %w", image, err)
		}
		return []string{configuration.Architecture}, nil
	}
	index, err := described.ImageIndex()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", image, err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("%s: read the index: %w", image, err)
	}
	var list []string
	for _, child := range manifest.Manifests {
		if child.Platform != nil && child.Platform.OS != "unknown" { // attestations
			list = append(list, child.Platform.Architecture)
		}
	}
	return list, nil
}
