package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"github.com/goldenarch/goldenarch/internal/kustomize"
)

// message is what a worker sends: how many bytes the build has read so far, or how it
// ended. It crosses the pipe in CBOR, which copies texts as they are; JSON would escape each
// of them, and encoding/gob compiles the types in each process.
type message struct {
	Read    int64
	Result  *kustomize.Result
	Failure *kustomize.Failure
}

var errLarge = errors.New("the result of the build is larger than its memory may be")

// decoding reads what the other end of a pipe writes. A path may be no UTF-8.
var decoding = sync.OnceValue(func() cbor.DecMode {
	const longest = 1 << 20 // elements of a list: more than a build in memory has objects
	mode, err := cbor.DecOptions{MaxArrayElements: longest, MaxMapPairs: longest, UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(fmt.Sprintf("the options of CBOR: %v", err))
	}
	return mode
})

// write writes a value with its length before it: a decoder of a stream would look at all of it
// again with each part that arrives.
func write(to io.Writer, value any) error {
	data, err := cbor.Marshal(value)
	if err != nil {
		return err
	}
	if _, err := to.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data)))); err != nil {
		return err
	}
	_, err = to.Write(data)
	return err
}

// read reads the next value, of at most a number of bytes.
func read(from io.Reader, most int64, value any) error {
	var head [8]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return err
	}
	length := int64(binary.BigEndian.Uint64(head[:])) //nolint:gosec // the next line has what is too large for it
	if length < 0 || length > most {
		return errLarge
	}
	var data bytes.Buffer // grows with what arrives
	if _, err := io.CopyN(&data, from, length); err != nil {
		return err
	}
	return decoding().Unmarshal(data.Bytes(), value)
}

// receive returns the next message of a worker, which may be anything: it has read files of
// others. It is no larger than the memory of the build may be.
func receive(from io.Reader, most int64) (out message, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("read the answer of the worker: %v", crash)
		}
	}()
	err = read(from, most, &out)
	return out, err
}
