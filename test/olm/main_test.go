package olm

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// registryVariable names the registry that the fake container tool answers from.
const registryVariable = "OLM_TEST_REGISTRY"

// TestMain makes this program the container tool that the validator of
// operator-framework/api calls: a script named docker runs it with two commands, "pull
// IMAGE" and "manifest inspect IMAGE".
func TestMain(m *testing.M) {
	if registry := os.Getenv(registryVariable); registry != "" && len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		if err := containerTool(registry, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// containerTool asks the registry for a manifest, as docker does, and prints it.
func containerTool(registry string, args []string) error {
	image := args[len(args)-1]
	name, tag, _ := strings.Cut(strings.TrimPrefix(image, registry+"/"), ":")
	request, err := http.NewRequest(http.MethodGet, "http://"+registry+"/v2/"+name+"/manifests/"+tag, nil)
	if err != nil {
		return err
	}
	for _, kind := range []string{"image.index.v1", "image.manifest.v1"} {
		request.Header.Add("Accept", "application/vnd.oci."+kind+"+json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s %w", image, response.Status, err)
	}
	if args[0] == "manifest" {
		_, err = os.Stdout.Write(body)
	}
	return err
}
