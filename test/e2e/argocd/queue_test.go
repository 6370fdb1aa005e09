package argocd

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// manifest is one of many that goldenarch does not look into.
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-%[1]d
  labels: {app.kubernetes.io/name: app-%[1]d, app.kubernetes.io/part-of: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app.kubernetes.io/name: app-%[1]d}}
  template:
    metadata: {labels: {app.kubernetes.io/name: app-%[1]d}}
    spec:
      containers:
      - name: main
        image: registry.example.com/shop/app-%[1]d:1.2.3
        ports: [{name: http, containerPort: 8080}]
        env:
        - {name: LOG_LEVEL, value: info}
        - {name: PASSWORD, valueFrom: {secretKeyRef: {name: app-%[1]d, key: password}}}
        resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
        livenessProbe: {httpGet: {path: /healthz, port: http}}
        readinessProbe: {httpGet: {path: /readyz, port: http}}
`

// TestManyCalls: 20 calls at once for an Application of 500 manifests stay together
// below the memory of the example's sidecar, and all of them answer. Four run at
// once there: (512Mi - 64Mi) / 96Mi. Where the tests can make a control group, goldenarch
// finds that number itself, and the kernel kills no call.
func TestManyCalls(t *testing.T) {
	const (
		calls, manifests = 20, 500
		memory           = 512 << 20
	)
	dir := t.TempDir()
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) { // for the user of the server
		_ = os.Chmod(at, 0o755)
		if at == os.TempDir() {
			break
		}
	}
	environment := []string{"GOLDENARCH_MAX_WAIT=10m", "ARGOCD_EXEC_TIMEOUT=15m"} // the machine may be busy
	group, limited := newMemoryGroup(t, memory)
	if !limited {
		environment = append(environment, "GOLDENARCH_MAX_CALLS=4")
	}
	sockets, stop, err := serve(filepath.Join(dir, "goldenarch"), example("plugin"), "goldenarch", environment...)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if limited {
		group.add(t, serverOf(t, sockets))
	}
	t.Setenv(socketsVariable, sockets)
	list := ""
	files := map[string]string{}
	for i := range manifests {
		name := fmt.Sprintf("d%d.yaml", i)
		files[name], list = fmt.Sprintf(manifest, i), list+"- "+name+"\n"
	}
	files["kustomization.yaml"] = "transformers: [golden-images.yaml]\nresources:\n- hyperconverged.yaml\n- nodes.yaml\n- golden-images.lock.yaml\n" + list
	r := newRepo(t, files)
	done, measured := make(chan struct{}), make(chan int64)
	go func() { measured <- mostMemory(filepath.Join(programs, "goldenarch"), done) }()
	var all sync.WaitGroup
	began := time.Now()
	for range calls {
		all.Go(func() {
			objects, err := r.generate(t.Context(), named())
			if err != nil || len(objects) <= manifests {
				t.Errorf("want more than %d objects, got %d and %v", manifests, len(objects), err)
			}
		})
	}
	all.Wait()
	close(done)
	most := <-measured
	t.Logf("%d calls took %s and at most %d MB together, in a control group: %v", calls, time.Since(began), most>>20, limited)
	if limited {
		if n := group.killed(t); n != "0" {
			t.Errorf("the kernel killed %s calls", n)
		}
	}
	if most == 0 || most > memory {
		t.Errorf("the calls take %d MB together, more than %d", most>>20, memory>>20)
	}
}

// mostMemory returns the most memory that the processes of a program have together,
// until it is done. What they share, the program itself, is counted once.
func mostMemory(program string, done <-chan struct{}) int64 {
	most := int64(0)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return most
		case <-tick.C:
		}
		together, shared := int64(0), int64(0)
		processes, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, exe := range processes {
			if target, err := os.Readlink(exe); err != nil || target != program {
				continue
			}
			var size, resident, ofFiles int64
			data, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "statm"))
			if _, err := fmt.Sscan(string(data), &size, &resident, &ofFiles); err == nil {
				together, shared = together+resident-ofFiles, max(shared, ofFiles)
			}
		}
		most = max(most, (together+shared)*int64(os.Getpagesize()))
	}
}
