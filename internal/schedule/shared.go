package schedule

import (
	"strconv"
	"unsafe"
)

// Shared is what the packages below explore/shim use of the shared memory of an execution, a
// *mem.Memory.
type Shared interface {
	// Location makes a location.
	Location(name string) int32
	// Point stops the calling thread before an access, as Scheduler.Point does.
	Point(k Kind, loc, loc2 int32, gate Gate) bool
	// Failed says that the update that has just happened wrote nothing.
	Failed()
	// Traced receives the values of the access that has just happened; they are written only if
	// the execution is traced, which Tracing reports.
	Traced(before, after any)
	Tracing() bool
	// Choose, Yield and Spin are those of mem.Memory, and the others those of Scheduler.
	Choose(n int) int
	Yield()
	Spin()
	Rounds()
	Nap() (idle func() bool)
	Crowded()
	// Thread returns the number of the calling thread, Main in serial code.
	Thread() int
	// Clock is the modelled time of the execution.
	Clock() *Clock
}

// NewShared returns a memory as Shared. Package mem sets it.
var NewShared func(memory any) Shared

// Running is an execution of code that was rewritten to use the packages below explore/shim.
type Running struct {
	Shared
	Memory any // the *mem.Memory
	// Number differs between executions, and is never 0.
	Number uint64
	// Spawn starts a goroutine of the code. While *idle is set, it only waits for a time.
	Spawn func(body func()) (idle *bool)
	// Refused is called where the code comes to what cannot be modelled.
	Refused func(what string)
	// Exited is called where the code ends the program.
	Exited func(what string)
	// Outside is called before code of packages that are not rewritten, which keep state.
	Outside func(packages []string)
	Sleeps  int32 // the location of those who sleep
	known   [knownBuckets]*known
	arrays  *arrays
	// Selects is the location that all channel operations share once a select with more than two
	// cases was seen, else NoLocation; Wide asks for it.
	Selects int32
	Wide    func()
}

// Current is the execution whose code runs in this process, nil if none does. Only its threads read
// it, of which one runs at a time.
var Current *Running

// known is what is known of an address.
type known struct {
	address unsafe.Pointer
	place   int32
	array   int32 // the number of the array that begins there, among those of its name; 0: none
	name    string
	object  any
	next    *known
}

// at returns what is known of an address. It is no map of Go, since the race detector would watch
// that whoever uses it.
func (x *Running) at(address unsafe.Pointer) *known {
	bucket := &x.known[uintptr(address)/16%knownBuckets]
	for k := *bucket; k != nil; k = k.next {
		if k.address == address {
			return k
		}
	}
	*bucket = &known{address: address, next: *bucket}
	return *bucket
}

// Place returns where the location of a variable is kept that is known by its address alone, 1 more
// than that.
func (x *Running) Place(address unsafe.Pointer) *int32 { return &x.at(address).place }

// Object returns where is kept what else is known of an address.
func (x *Running) Object(address unsafe.Pointer) *any { return &x.at(address).object }

// arrays counts the arrays of one name. Like known, it is no map of Go.
type arrays struct {
	name string
	n    int32
	next *arrays
}

// Name gives the variable at an address the name that the code calls it by, unless it has one.
func (x *Running) Name(address unsafe.Pointer, name string) {
	if k := x.at(address); k.name == "" {
		k.name = name
	}
}

// NameElement names the variable at an address as an element of the array that begins at another
// one: "d[0]", and "d#2[0]" in the second array that is called d.
func (x *Running) NameElement(address, array unsafe.Pointer, name string, index int64) {
	k := x.at(address)
	if k.name != "" {
		return
	}
	of := x.at(array)
	if of.array == 0 {
		a := x.arrays
		for a != nil && a.name != name {
			a = a.next
		}
		if a == nil {
			a = &arrays{name: name, next: x.arrays}
			x.arrays = a
		}
		a.n++
		of.array = a.n
	}
	if of.array > 1 {
		name += "#" + strconv.Itoa(int(of.array))
	}
	k.name = name + "[" + strconv.FormatInt(index, 10) + "]"
}

// NameOf returns the name of the variable at an address, or otherwise if it has none.
func (x *Running) NameOf(address unsafe.Pointer, otherwise string) string {
	if address != nil {
		if name := x.at(address).name; name != "" {
			return name
		}
	}
	return otherwise
}
