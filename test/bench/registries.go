package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/goldenarch/goldenarch/test/registrytest"
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

// network is what is between the peers and the registry.
type network struct {
	roundTrip time.Duration
	http2     bool
	// long also runs the peers that take long.
	long bool
}

// registries measures who finds out what images have.
func registries(t tools, dir string, n network) error {
	env, err := trusting(dir)
	if err != nil {
		return err
	}
	name := "HTTP/1.1"
	if n.http2 {
		name = "HTTP/2"
	}
	for _, count := range []int{1, 20, repositories} {
		fmt.Fprintf(os.Stdout, "%d images, %s, round trip %s\n", count, name, n.roundTrip)
		var ours, best, loop cost
		for _, peer := range peers(t, count, n.long) {
			m, err := ask(t, peer, env, count, distance{roundTrip: n.roundTrip, http2: n.http2, bearer: true})
			if err != nil {
				return err
			}
			switch {
			case peer.name == "goldenarch":
				ours = m.cost
			case peer.name == "crane loop":
				loop = m.cost
			}
			if !peer.together && (best.wall == 0 || m.wall < best.wall) {
				best = m.cost
			}
			fmt.Fprintf(os.Stdout, "  %-14s %s%s\n", peer.name, m.of(count), ofLimit(m.wall, limit(count, n.roundTrip)))
		}
		fmt.Fprintf(os.Stdout,
			"  goldenarch takes %.3fx the time of the fastest peer with a process for each image, and %.3fx its CPU time",
			ours.wall.Seconds()/best.wall.Seconds(), ours.cpu.Seconds()/best.cpu.Seconds())
		if loop.wall > 0 {
			fmt.Fprintf(os.Stdout, "; %.3fx the time of crane in a loop", ours.wall.Seconds()/loop.wall.Seconds())
		}
		fmt.Fprint(os.Stdout, "\n\n")
	}
	return nil
}

// trusting returns an environment in which programs trust the registry, and have no
// other certificates and no credentials.
func trusting(dir string) ([]string, error) {
	ca := registrytest.CertificateAuthority()
	file := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(file, ca, 0o600); err != nil {
		return nil, fmt.Errorf("write the CA: %w", err)
	}
	// A directory of its own: Go looks for certificates in every file there.
	home, err := os.MkdirTemp(dir, "home-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	return []string{"SSL_CERT_FILE=" + file, "SSL_CERT_DIR=" + home, "HOME=" + home, "DOCKER_CONFIG=" + home}, nil
}

// limit is the shortest time there can be: connection 2 round trips, challenge 1,
// token 1, manifest 1, and the configuration of those that are for one
// architecture.
func limit(count int, roundTrip time.Duration) time.Duration {
	if count > 3 {
		return 6 * roundTrip
	}
	return 5 * roundTrip
}

func ofLimit(wall, limit time.Duration) string {
	if limit == 0 {
		return ""
	}
	return fmt.Sprintf("  %.2fx the limit of %s", wall.Seconds()/limit.Seconds(), limit)
}

// measurement is what it took to ask a registry.
type measurement struct {
	cost

	requests, connections int

	fastest time.Duration // of the same in several rounds, 0 if it ran once
}

func (m measurement) of(images int) string {
	return fmt.Sprintf("%s %5d requests (%.2f an image) %4d connections", m.cost, m.requests, float64(m.requests)/float64(images), m.connections)
}

// distance is how a registry is reached.
type distance struct {
	roundTrip     time.Duration
	http2, bearer bool
	streams       int // requests that a connection of HTTP/2 carries at once; 0 is Go's default
}

// ask has a peer ask a registry of its own. Its memory, that of one call, is
// found out afterwards: a program between would cost the peers time, which make
// many calls.
func ask(t tools, p peer, env []string, count int, d distance) (measurement, error) {
	server, list, err := registryOf(repositories, d)
	if err != nil {
		return measurement{}, err
	}
	defer server.Close()
	var m measurement
	m.cost, err = calls(p.width, p.commands(call, env, list[:count]))
	m.requests, m.connections = server.Counts().Total(), server.Connections()
	if err != nil {
		return m, err
	}
	again, err := p.commands(t.measured, env, list[:count])[0]()
	m.memory = again.memory
	return m, err
}

// registryOf starts a registry with so many repositories, each with one image.
func registryOf(count int, d distance) (*registrytest.Server, []image, error) {
	options := registrytest.Options{Listen: far(d.roundTrip), HTTP1: !d.http2, Streams: d.streams}
	if d.bearer {
		options.Wrappers = []registrytest.Wrapper{plainChallenge, (&registrytest.Tokens{Service: "bench"}).Require()}
	}
	server, err := registrytest.Start(options)
	if err != nil {
		return nil, nil, err
	}
	list := images(server.Host())[:count]
	for _, one := range list {
		artifact := registrytest.AttestedIndex("linux/amd64", "linux/arm64", "linux/s390x")
		if one.single {
			artifact = registrytest.Image("linux/amd64")
		}
		server.Push(one.name[len(server.Host())+1:], artifact)
	}
	return server, list, nil
}
