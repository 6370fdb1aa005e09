// Command fence becomes another program that the kernel kills when it opens a socket. It ends
// with status 97 where the system does not permit that.
//
//	fence PROGRAM [ARGUMENT]...
package main

import (
	"fmt"
	"os"
)

// notPermitted is the exit status where the system permits no such fence.
const notPermitted = 97

func main() {
	err := forbidSockets()
	if err == nil {
		err = become(os.Args[1:])
	}
	fmt.Fprintln(os.Stderr, "fence:", err)
	os.Exit(notPermitted)
}
