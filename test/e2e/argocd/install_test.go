package argocd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// installed builds the example's installation by plain kustomize, with a component,
// over Argo CD's own manifests from its module instead of over the network.
func installed(t *testing.T, component string) resmap.ResMap {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", "github.com/argoproj/argo-cd/v3")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	module, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	manifests, err := os.ReadFile(filepath.Join(module, "manifests/install.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(example())); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "install/kustomization.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	url := "https://raw.githubusercontent.com/argoproj/argo-cd/" + version + "/manifests/install.yaml"
	for _, part := range []string{url, "- ../plugin\n"} {
		if !strings.Contains(string(text), part) {
			t.Fatalf("the example's installation has no %q", part)
		}
	}
	changed := strings.NewReplacer(url, "install.yaml", "- ../plugin\n", "- ../"+component+"\n").Replace(string(text))
	for name, data := range map[string][]byte{file: []byte(changed), filepath.Join(dir, "install/install.yaml"): manifests} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(dir, "install"))
	if err != nil {
		t.Fatal(err)
	}
	return resources
}

// decode reads the object of a kind whose name begins so.
func decode(t *testing.T, resources resmap.ResMap, kind, name string, into any) {
	t.Helper()
	found := 0
	for _, r := range resources.Resources() {
		if r.GetKind() != kind || !strings.HasPrefix(r.GetName(), name) {
			continue
		}
		found++
		data, err := r.AsYAML()
		if err == nil {
			err = yaml.UnmarshalStrict(data, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if found != 1 {
		t.Fatalf("want one %s %s, got %d", kind, name, found)
	}
}

func container(t *testing.T, list []corev1.Container, name string) corev1.Container {
	t.Helper()
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no container %s", name)
	return corev1.Container{}
}

func TestInstall(t *testing.T) {
	t.Parallel()
	for _, component := range []string{"plugin", "plugin-copied"} {
		t.Run(component, func(t *testing.T) {
			t.Parallel()
			resources := installed(t, component)
			var server appsv1.Deployment
			decode(t, resources, "Deployment", "argocd-repo-server", &server)
			var config corev1.ConfigMap
			decode(t, resources, "ConfigMap", "goldenarch-plugin-", &config)
			pod := server.Spec.Template.Spec
			sidecar := container(t, pod.Containers, "goldenarch")
			main := container(t, pod.Containers, "argocd-repo-server")
			shared := map[string]string{"plugins": "/home/argocd/cmp-server/plugins", "var-files": "/var/run/argocd"}
			mounts := map[string]string{}
			for _, m := range sidecar.VolumeMounts {
				mounts[m.MountPath] = m.Name
			}
			for volume, path := range shared {
				if mounts[path] != volume {
					t.Errorf("%s is %q in the sidecar, want the volume %s", path, mounts[path], volume)
				}
			}
			for _, m := range main.VolumeMounts {
				if m.MountPath == shared["plugins"] && m.Name != "plugins" {
					t.Errorf("the repo-server looks for sockets in the volume %s", m.Name)
				}
			}
			if mounts["/tmp"] == "" || mounts["/tmp"] == "tmp" {
				t.Errorf("/tmp is the volume %q: the repo-server's own has the repositories of everybody", mounts["/tmp"])
			}
			volumes(t, pod)
			for _, v := range pod.Volumes {
				if v.Name == "goldenarch-plugin" && v.ConfigMap.Name != config.Name {
					t.Errorf("the volume names the ConfigMap %s, which is %s", v.ConfigMap.Name, config.Name)
				}
			}
			restricted(t, sidecar.SecurityContext)
			if diff := cmp.Diff([]string{"/var/run/argocd/argocd-cmp-server"}, sidecar.Command); diff != "" {
				t.Errorf("the command (-want +got):\n%s", diff)
			}
			if component == "plugin-copied" {
				copier := container(t, pod.InitContainers, "goldenarch")
				restricted(t, copier.SecurityContext)
				if diff := cmp.Diff([]string{"copy-to", "/goldenarch"}, copier.Args); diff != "" {
					t.Errorf("the arguments of the init container (-want +got):\n%s", diff)
				}
				if sidecar.Image != main.Image || !strings.HasPrefix(sidecar.Env[0].Value, "/goldenarch:") || mounts["/goldenarch"] == "" {
					t.Errorf("the sidecar is %s (the repo-server %s), PATH %v", sidecar.Image, main.Image, sidecar.Env)
				}
			}
			runs(t, config.Data["plugin.yaml"])
		})
	}
}

// volumes wants every mount of a pod to have its volume.
func volumes(t *testing.T, pod corev1.PodSpec) {
	t.Helper()
	known := map[string]bool{}
	for _, v := range pod.Volumes {
		known[v.Name] = true
	}
	for _, c := range append(pod.InitContainers, pod.Containers...) {
		for _, m := range c.VolumeMounts {
			if !known[m.Name] {
				t.Errorf("container %s mounts %s, which the pod does not have", c.Name, m.Name)
			}
		}
	}
}

// restricted wants what the Pod Security Standard of this name wants, with Argo CD's
// user and a root that cannot be written.
func restricted(t *testing.T, c *corev1.SecurityContext) {
	t.Helper()
	if c == nil || c.RunAsUser == nil || *c.RunAsUser != argoUser || !*c.RunAsNonRoot || !*c.ReadOnlyRootFilesystem || *c.AllowPrivilegeEscalation ||
		len(c.Capabilities.Drop) != 1 || c.Capabilities.Drop[0] != "ALL" || c.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the container may do more than it needs: %v", c)
	}
}

// runs wants Argo CD to read the plugin's configuration as it is meant, and the
// programs in it to be goldenarch.
func runs(t *testing.T, text string) {
	t.Helper()
	var config plugin.PluginConfig
	if err := yaml.UnmarshalStrict([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	if err := plugin.ValidatePluginConfig(config); err != nil {
		t.Error(err)
	}
	for _, command := range []plugin.Command{config.Spec.Init, config.Spec.Generate, config.Spec.Discover.Find.Command, config.Spec.Parameters.Dynamic} {
		if len(command.Command) == 0 || command.Command[0] != "goldenarch" {
			t.Errorf("a command is %v, want goldenarch", command.Command)
		}
	}
}
