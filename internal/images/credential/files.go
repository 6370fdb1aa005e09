package credential

import (
	"path/filepath"
	"strconv"
)

// path is a possible place of an auth file.
type path struct {
	name string
	// required says that the user named the file, so that it must exist.
	required bool
}

// paths returns the files in podman's order (containers-auth.json(5)). A file that the user
// names is the only one; otherwise podman's come first, then docker's.
func (k *Keyring) paths() []path {
	if k.AuthFile != "" {
		return []path{{k.AuthFile, true}}
	}
	if f := k.Env("REGISTRY_AUTH_FILE"); f != "" {
		return []path{{f, true}}
	}
	var list []path
	add := func(parts ...string) {
		if parts[0] != "" {
			list = append(list, path{filepath.Join(parts...), false})
		}
	}
	home := k.Env("HOME")
	if dir := k.Env("XDG_RUNTIME_DIR"); dir != "" {
		add(dir, "containers", "auth.json")
	} else {
		add("/run/containers", strconv.Itoa(k.UID), "auth.json")
	}
	if dir := k.Env("XDG_CONFIG_HOME"); dir != "" {
		add(dir, "containers", "auth.json")
	} else {
		add(home, ".config", "containers", "auth.json")
	}
	if dir := k.Env("DOCKER_CONFIG"); dir != "" {
		add(dir, "config.json")
	} else {
		add(home, ".docker", "config.json")
	}
	return list
}
