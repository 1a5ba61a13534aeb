package base

import "errors"

// ErrTooLarge is the error of a search that would take too long.
var ErrTooLarge = errors.New("too many cases to try again")
