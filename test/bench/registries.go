package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/goldenarch/goldenarch/registry/registrytest"
)

// repositories is how many there are in the registry; each has one image.
const repositories = 200

// image is one of the registry's.
type image struct {
	name   string
	single bool
}

func images(host string) []image {
	out := make([]image, repositories)
	for i := range out {
		out[i] = image{name: fmt.Sprintf("%s/team%d/app%d:1", host, i%10, i), single: i%4 == 3}
	}
	return out
}

// registries measures who finds out what images have.
func registries(t tools, dir string, roundTrip time.Duration, http2, long bool) error {
	ca, err := registrytest.CertificateAuthority()
	if err != nil {
		return err //nolint:wrapcheck // it says what failed
	}
	file := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(file, ca, 0o600); err != nil {
		return fmt.Errorf("write the CA: %w", err)
	}
	env := []string{"SSL_CERT_FILE=" + file, "SSL_CERT_DIR=" + dir, "HOME=" + dir, "DOCKER_CONFIG=" + dir}
	name := "HTTP/1.1"
	if http2 {
		name = "HTTP/2"
	}
	for _, count := range []int{1, 20, repositories} {
		fmt.Fprintf(os.Stdout, "%d images, %s\n", count, name)
		// Connection 2, challenge 1, token 1, manifest 1, and the configuration of
		// those that are for one architecture.
		limit := 5 * roundTrip
		if count > 3 {
			limit += roundTrip
		}
		var ours, best cost
		for _, peer := range peers(t, count, long) {
			server, err := registrytest.Start(registrytest.Options{
				RoundTrip: roundTrip, HTTP1: !http2, Wrappers: []registrytest.Wrapper{plainChallenge, (&registrytest.Tokens{Service: "bench"}).Require()},
			})
			if err != nil {
				return err //nolint:wrapcheck // it says what failed
			}
			list := images(server.Host())
			for _, one := range list {
				artifact := registrytest.AttestedIndex("linux/amd64", "linux/arm64", "linux/s390x")
				if one.single {
					artifact = registrytest.Image("linux/amd64")
				}
				server.Push(one.name[len(server.Host())+1:], artifact)
			}
			c, err := calls(peer.width, peer.commands(env, list[:count]))
			requests, connections := server.Counts().Total(), server.Connections()
			server.Close()
			if err != nil {
				return err
			}
			switch {
			case peer.name == "goldenarch":
				ours = c
			case best.wall == 0 || c.wall < best.wall:
				best = c
			}
			fmt.Fprintf(os.Stdout, "  %-14s %s %5d requests (%.2f an image) %4d connections  %.2fx the limit\n",
				peer.name, c, requests, float64(requests)/float64(count), connections, c.wall.Seconds()/limit.Seconds())
		}
		fmt.Fprintf(os.Stdout, "  limit %s; goldenarch %.3fx the fastest peer\n\n", limit, ours.wall.Seconds()/best.wall.Seconds())
	}
	return nil
}
