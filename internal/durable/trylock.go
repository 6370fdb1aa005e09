package durable

import "errors"

// TryLock is like [Lock], but does not wait: it fails with [ErrBusy].
func TryLock(name string) (unlock func(), err error) {
	f, err := tryLock(LockName(name))
	switch {
	case errors.Is(err, errMoved):
		return nil, ErrBusy
	case err != nil:
		return nil, err
	}
	return func() { release(f) }, nil
}
