//go:build !linux

package main

import "errors"

// forbidSockets fails: the fence is Linux's.
func forbidSockets() error { return errors.ErrUnsupported }

// become fails: no process is ever fenced in.
func become([]string) error { return errors.ErrUnsupported }
