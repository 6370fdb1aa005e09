package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// containers are podman and buildah with a store of their own, and a docker that
// is podman: kustomize calls a program of this name.
type containers struct{ env []string }

// newContainers makes an image of each function; it fails where podman cannot run
// them.
func newContainers(t tools, dir string) (containers, error) {
	c := containers{env: append(os.Environ(),
		"HOME="+dir, "TMPDIR="+dir, "PATH="+filepath.Join(dir, "docker")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CONTAINERS_STORAGE_CONF="+filepath.Join(dir, "storage.conf"), "CONTAINERS_CONF="+filepath.Join(dir, "containers.conf"))}
	if err := os.Mkdir(filepath.Join(dir, "docker"), 0o755); err != nil {
		return c, fmt.Errorf("make a directory: %w", err)
	}
	for _, file := range []struct{ name, content string }{
		{"docker/docker", "#!/bin/sh\nexec podman \"$@\"\n"},
		{"passwd", "nobody:x:65534:65534:nobody:/:/sbin/nologin\n"},
		{"group", "nobody:x:65534:\n"},
		{"storage.conf", fmt.Sprintf("[storage]\ndriver = \"overlay\"\ngraphroot = %q\nrunroot = %q\n", filepath.Join(dir, "store"), filepath.Join(dir, "run"))},
	} {
		if err := os.WriteFile(filepath.Join(dir, file.name), []byte(file.content), 0o755); err != nil {
			return c, fmt.Errorf("write a file: %w", err)
		}
	}
	var failed error
	for _, engine := range []string{
		"",
		// Inside of a container limits cannot be raised, and crun does not know the
		// cgroups of a machine that has both versions.
		"runtime = \"runc\"\ncgroup_manager = \"cgroupfs\"\n",
	} {
		limits := ""
		if engine != "" {
			limits = "default_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\nnetns = \"host\"\n"
		}
		conf := fmt.Sprintf("[containers]\n%s[engine]\n%sevents_logger = \"none\"\nlock_type = \"file\"\ntmp_dir = %q\n",
			limits, engine, filepath.Join(dir, "libpod"))
		if err := os.WriteFile(filepath.Join(dir, "containers.conf"), []byte(conf), 0o600); err != nil {
			return c, fmt.Errorf("write a file: %w", err)
		}
		if failed = c.images(t, dir); failed == nil {
			return c, nil
		}
	}
	return c, fmt.Errorf("podman runs no container here: %w", failed)
}

// images makes the images, and runs each.
func (c containers) images(t tools, dir string) error {
	for _, function := range []string{"noop", "goldenarch"} {
		from, err := c.run("", "buildah", "from", "scratch")
		if err != nil {
			return err
		}
		name, image := strings.TrimSpace(from), "localhost/"+function
		for _, args := range [][]string{
			{"copy", name, t[function], "/function"},
			{"copy", name, filepath.Join(dir, "passwd"), filepath.Join(dir, "group"), "/etc/"},
			{"config", "--entrypoint", `["/function"]`, "--user", "65534:65534", name},
			{"commit", "-q", "--rm", name, image},
		} {
			if _, err := c.run("", "buildah", args...); err != nil {
				return err
			}
		}
		if _, err := c.run(resourceList("", crWith(0)), "podman", "run", "--rm", "-i", "--network=none", "--user=nobody", image); err != nil {
			return err
		}
	}
	return nil
}

// close lets go of the store, so that it can be removed.
func (c containers) close(dir string) {
	_ = exec.Command("umount", "--recursive", filepath.Join(dir, "store/overlay")).Run() // short; it need not be mounted
}

func (c containers) run(stdin, program string, args ...string) (string, error) {
	command := exec.CommandContext(context.Background(), program, args...)
	command.Env, command.Stdin = c.env, strings.NewReader(stdin)
	var errs strings.Builder
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, errs.String())
	}
	return string(out), nil
}
