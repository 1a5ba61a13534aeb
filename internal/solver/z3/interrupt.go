//go:build z3

package z3

// #include <z3.h>
import "C"

import (
	"unsafe"

	binding "github.com/mitchellh/go-z3"
)

// interrupt stops the solve that runs in the context, from any goroutine. A C type of another
// package has another name in Go, so the pointer is read through its address.
func interrupt(c *binding.Context) {
	raw := c.Z3Value()
	C.Z3_interrupt(*(*C.Z3_context)(unsafe.Pointer(&raw)))
}
