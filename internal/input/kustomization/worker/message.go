package worker

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"github.com/goldenarch/goldenarch/internal/input/kustomization"
)

// message is what a worker sends: how many bytes the build has read so far, or how it
// ended. It crosses the pipe in CBOR, which copies texts as they are; JSON would escape each
// of them, and encoding/gob compiles the types in each process.
type message struct {
	Read    int64
	Result  *kustomization.Result
	Failure *kustomization.Failure
}

// bounded fails after more bytes than a build may have in memory.
type bounded struct {
	from io.Reader
	left int64
}

var errLarge = errors.New("the result of the build is larger than its memory may be")

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.from.Read(p)
	b.left -= int64(n)
	return n, err
}

// decoding reads what the other end of a pipe writes, whatever its size: bounded limits that. A path
// may be no UTF-8.
var decoding = sync.OnceValue(func() cbor.DecMode {
	mode, err := cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(fmt.Sprintf("the options of CBOR: %v", err))
	}
	return mode
})

// receive returns the next message of a worker, which may be anything: it has read files of
// others.
func receive(from *cbor.Decoder) (out message, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("read the answer of the worker: %v", crash)
		}
	}()
	err = from.Decode(&out)
	return out, err
}
