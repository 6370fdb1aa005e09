package main

// peer is a way to find out what images have.
type peer struct {
	name     string
	width    int // so many calls side by side
	commands func(run runner, env []string, list []image) []func() (cost, error)
}

// runner runs a program once: call, or what measures its memory as well.
type runner func(env []string, stdin []byte, program string, args ...string) (cost, error)

// peers returns who is measured on so many images, goldenarch first. The loop
// of 200 calls takes minutes, and is left out unless it is wanted.
func peers(t tools, count int, long bool) []peer {
	out := []peer{{name: "goldenarch", width: 1, commands: func(run runner, env []string, list []image) []func() (cost, error) {
		args := []string{"resolve", "-o", "json"}
		for _, one := range list {
			args = append(args, one.name)
		}
		return []func() (cost, error){func() (cost, error) { return run(env, nil, t["goldenarch"], args...) }}
	}}}
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
		out = append(out, peer{tool.name + " x32", 32, commands})
		if count <= 20 || long && tool.name == "crane" {
			out = append(out, peer{tool.name + " loop", 1, commands})
		}
	}
	return out
}
