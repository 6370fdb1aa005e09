package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// hostsOf builds the hosts: kustomize and kpt at the versions that the tests pin,
// kpt's installed one where there is one.
func hostsOf(t tools, dir string, containers containers) ([]host, error) {
	if err := t.build(dir, "kustomize", "../../tools", "sigs.k8s.io/kustomize/kustomize/v5"); err != nil {
		return nil, err
	}
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		if err := t.build(dir, "kpt", "../e2e/kptfn", "."); err != nil {
			return nil, err
		}
		kpt = t["kpt"]
	}
	kustomization := "resources: [cr.yaml, lock.yaml]\ntransformers: [golden-images.yaml]\n"
	return []host{
		{
			name: "kustomize build, exec", times: 31, program: t["kustomize"], env: []string{"HOME=" + dir},
			prepare: func(at, function string) error {
				return write(at, map[string]string{
					"kustomization.yaml": kustomization,
					"golden-images.yaml": configuration(fmt.Sprintf("exec: {path: %q}", t[function])),
				})
			},
			args: func(at string) []string { return []string{"build", "--enable-alpha-plugins", "--enable-exec", at} },
		},
		{
			name: "kustomize build, container", times: 15, program: t["kustomize"], env: containers.env, apart: true,
			prepare: func(at, function string) error {
				return write(at, map[string]string{
					"kustomization.yaml": kustomization,
					"golden-images.yaml": configuration("container: {image: localhost/" + function + "}"),
				})
			},
			args: func(at string) []string { return []string{"build", "--enable-alpha-plugins", at} },
		},
		{
			name: "kpt fn render, exec", times: 31, program: kpt, env: []string{"HOME=" + dir, "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")},
			prepare: func(at, function string) error {
				return write(at, map[string]string{
					"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: bench}\npipeline:\n  mutators:\n  - exec: " +
						filepath.Base(t[function]) + "\n    configPath: golden-images.yaml\n",
					"golden-images.yaml": configuration(""),
				})
			},
			args: func(at string) []string { return []string{"fn", "render", at, "--allow-exec"} },
		},
	}, nil
}
