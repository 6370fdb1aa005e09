// Package worker builds kustomizations in processes of their own. kustomize's library
// shares state within a process and cannot be stopped, so the program starts itself as a
// worker: requests go in on standard input, and results come out on standard output.
//
// A worker has no environment and no PATH, and it opens no connection. Where the kernel
// has Landlock, the kernel holds it to that, and to reading files below the root of one
// Git repository. It serves one build after the other, and ends when its standard input
// is closed. The process that started it ends it when a build takes too long or too much
// memory; the next build gets another worker.
package worker
