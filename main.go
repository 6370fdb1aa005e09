// Command goldenarch makes the golden images of a KubeVirt cluster right for
// every architecture its nodes have.
package main

func main() {}
