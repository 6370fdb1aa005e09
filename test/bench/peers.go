package main

import (
	"fmt"
	"slices"
	"strconv"
)

// peer is a way to find out what images have.
type peer struct {
	name     string
	width    int  // so many calls side by side
	together bool // one process asks for all images, as goldenarch does
	commands func(run runner, env []string, list []image) []func() (cost, error)
}

// runner runs a program once: call, or what measures its memory as well.
type runner func(env []string, stdin []byte, program string, args ...string) (cost, error)

// peers returns who is measured on so many images, goldenarch first, then those who
// ask for all images in one process. The loop of 200 calls takes minutes, and is left out unless it is wanted.
func peers(t tools, count int, long bool) []peer {
	out := []peer{t.goldenarch(), t.library("shared"), t.library("puller")}
	for _, tool := range []struct {
		name                    string
		manifest, configuration []string
	}{
		{"crane", []string{"manifest"}, []string{"config"}},
		{"regctl", []string{"manifest", "get", "--format", "raw-body"}, []string{"image", "config"}},
		{"skopeo", []string{"inspect", "--raw"}, []string{"inspect", "--config"}},
	} {
		program, ok := t[tool.name]
		if !ok {
			continue
		}
		prefix := ""
		if tool.name == "skopeo" {
			prefix = "docker://"
		}
		commands := func(run runner, env []string, list []image) []func() (cost, error) {
			var out []func() (cost, error)
			for _, one := range list {
				out = append(out, func() (cost, error) {
					c, err := run(env, nil, program, append(tool.manifest, prefix+one.name)...)
					if err != nil || !one.single {
						return c, err
					}
					more, err := run(env, nil, program, append(tool.configuration, prefix+one.name)...)
					c.cpu += more.cpu
					return c, err
				})
			}
			return out
		}
		out = append(out, peer{name: tool.name + " x32", width: 32, commands: commands})
		if count <= 20 || long && tool.name == "crane" {
			out = append(out, peer{name: tool.name + " loop", width: 1, commands: commands})
		}
	}
	return out
}

// goldenarch asks for all images in one process.
func (t tools) goldenarch() peer {
	return t.together("goldenarch", "goldenarch", "resolve", "-o", "json")
}

// goldenarchAtOnce does so with another number of requests at once.
func (t tools) goldenarchAtOnce(requests string) peer {
	return t.together("goldenarch "+requests, "goldenarch", "resolve", "-o", "json", "--set", "registryConcurrency="+requests)
}

// library is go-containerregistry in one process, in one of two ways: see the
// program's own comment.
func (t tools) library(way string) peer { return t.together("library "+way, "library", way) }

// libraryAtOnce is the first of these ways with as many images at once as goldenarch sends requests.
func (t tools) libraryAtOnce(images int) peer {
	return t.together(fmt.Sprintf("library %d", images), "library", "-width", strconv.Itoa(images), "shared")
}

func (t tools) together(name, program string, args ...string) peer {
	return peer{name: name, width: 1, together: true, commands: func(run runner, env []string, list []image) []func() (cost, error) {
		all := slices.Clone(args)
		for _, one := range list {
			all = append(all, one.name)
		}
		return []func() (cost, error){func() (cost, error) { return run(env, nil, t[program], all...) }}
	}}
}
