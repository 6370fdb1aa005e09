package credential

import "strings"

// dockerHub is the normalized key for all names of Docker Hub. docker writes the URL of its
// first API, podman "docker.io".
const dockerHub = "docker.io"

// normalKey reduces a key of an auth file to host or host/path. docker allows
// a whole URL: "https://index.docker.io/v1/".
func normalKey(key string) string {
	if _, rest, found := strings.Cut(key, "://"); found {
		key = rest
	}
	key = strings.TrimRight(key, "/")
	for _, version := range []string{"/v1", "/v2"} {
		key = strings.TrimSuffix(key, version)
	}
	host, path, found := strings.Cut(key, "/")
	host = strings.ToLower(host)
	switch host {
	case "index.docker.io", "registry-1.docker.io":
		host = dockerHub
	}
	if !found {
		return host
	}
	return host + "/" + strings.TrimRight(path, "/")
}

// keysOf returns the keys that may hold the credentials of a repository, the most specific
// one first: quay.io/a/b, quay.io/a, quay.io.
func keysOf(host, repository string) []string {
	host = normalKey(host)
	list := []string{}
	for path := repository; path != ""; {
		list = append(list, host+"/"+path)
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	return append(list, host)
}

// serverOf returns the name of a registry for credential helpers.
func serverOf(key string) string {
	if key == dockerHub {
		return "https://index.docker.io/v1/"
	}
	return key
}
