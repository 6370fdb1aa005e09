// Package main has the part of each program that reads requests and writes answers. It is
// built into the commands hco, ssp, cdi and kubevirt.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// serve answers each line of standard input with a line of standard output.
func serve[Request, Answer any](answer func(Request) Answer) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var in Request
		err := json.Unmarshal(lines.Bytes(), &in)
		var data []byte
		if err == nil {
			data, err = json.Marshal(answer(in))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stdout, "%s\n", data)
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// uid stands in for the API server, which gives each object that is created one of its own.
func uid(kind, namespace, name, round string) string {
	sum := sha256.Sum256([]byte(kind + "/" + namespace + "/" + name + "/" + round))
	return hex.EncodeToString(sum[:8])
}
