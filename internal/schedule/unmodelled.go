package schedule

import "fmt"

// Unmodelled is the error of a program in which something that is shared is not modelled: an
// operation whose goroutine had touched nothing that is returned one thing in one execution, and
// another in another.
type Unmodelled struct {
	Op      string // with its argument
	Results [2]string
}

func (u *Unmodelled) Error() string {
	return fmt.Sprintf(
		"%s returned %s in one execution and %s in another, and touches nothing that is modelled: so what it uses is not", u.Op, u.Results[0], u.Results[1])
}
