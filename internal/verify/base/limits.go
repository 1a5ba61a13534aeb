package base

import "errors"

// MaxNodes is how many pairs of a set of operations and a state the judge visits at most.
const MaxNodes = 200_000

// ErrTooLarge is the error of a search that would take too long.
var ErrTooLarge = errors.New("too many cases to try again")
