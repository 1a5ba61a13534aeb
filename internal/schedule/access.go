package schedule

// Kind is the kind of an access.
type Kind uint8

// The kinds of accesses. Local is the dummy access of an operation that touches no shared memory.
// An Update that did not write (a failed compare-and-swap or try-lock) counts as Read once it has
// happened.
const (
	Local Kind = iota
	Read
	Write
	Update
	Await
	Lock
	Unlock
	ReadLock
	ReadUnlock
	Wait
	Signal
	Acquire
	Release
)

var kindNames = [...]string{"local", "read", "write", "update", "await", "lock", "unlock", "rlock", "runlock", "wait",
	"signal", "acquire", "release"}

func (k Kind) String() string { return kindNames[k] }

// Writes reports whether an access of that kind may change its location.
func (k Kind) Writes() bool { return k > Read && k != Await }

// NoLocation stands where an access has no location, or no second one.
const NoLocation int32 = -1

// Access is one event of an execution. Locations are numbered from 0 in the order in which the
// execution creates them, so equal prefixes of schedules number them equally.
type Access struct {
	Loc, Loc2 int32 // what it touches; Loc2 is NoLocation but for CompareAndSwap2 and Cond.Wait
	// position in the execution's operations, -1 outside of any, or while it is not called
	Op     int32
	Thread int32
	Kind   Kind
	// whether it is the first, the last access of its operation; Last is known once the operation
	// returned
	First, Last bool
	Yields      bool // whether the thread yielded after it
	Plain       bool // of a variable that is not for synchronisation, a mem.Var
	Failed      bool // an update that wrote nothing; its kind is Read
	// whether it was blocked until a location was written that the thread had read again and again
	Waits bool
	// Since is how many accesses had been made when time passed that it waited for; before, it
	// could not happen.
	Since   int32
	Enabled uint64 // threads that could have run in its place
}

// Recorded is an Access that users get, but do not look into.
type Recorded struct{ access Access }

// Record closes an access.
func Record(a Access) Recorded { return Recorded{a} }

// Inside is the access that was recorded.
func Inside(r *Recorded) *Access { return &r.access }

// Conflicts reports whether a and b touch a common location and one of them writes.
func (a *Access) Conflicts(b *Access) bool {
	if !a.Kind.Writes() && !b.Kind.Writes() {
		return false
	}
	return a.Loc >= 0 && (a.Loc == b.Loc || a.Loc == b.Loc2) || a.Loc2 >= 0 && (a.Loc2 == b.Loc || a.Loc2 == b.Loc2)
}

// NewMemory makes the memory of an execution, a *mem.Memory. Package mem, which users import, sets
// it.
var NewMemory func(s Scheduler, tracing bool) any

// Scheduler is what the shared memory of package mem asks while an execution runs; package explore
// implements it.
type Scheduler interface {
	// Point stops the calling thread before an access to memory, a *mem.Memory, until the access
	// may happen. It returns false if the access must not happen: the execution is being torn down
	// and the access is an unlock, which then does nothing.
	Point(memory any, a Access, gate Gate) bool
	// Failed is called if the update that has just happened wrote nothing.
	Failed()
	// Choose makes a data choice from 0 to n-1.
	Choose(n int) int
	// Yield holds the calling thread back until the others have run.
	Yield()
	// Spin says that the calling thread waits in a loop that does nothing but read, or lock, read
	// and unlock.
	Spin()
	// Rounds says that such a loop begins, or one that also does something else in some rounds.
	Rounds()
	// Nap says that such a loop sleeps next, at its only place for that. It returns what reports
	// whether the loop then does the same again, nil if it may do something else.
	Nap() (idle func() bool)
	// Thread returns the number of the calling thread, Main in serial code.
	Thread() int
	// Crowded says that there is no thread for what the calling one starts: its next access cuts
	// the execution off.
	Crowded()
	// Clock is the modelled time of the execution.
	Clock() *Clock
	// Traced receives the values of the access that has just happened, if tracing is on.
	Traced(before, after string)
}

// Gate reports whether a blocked access may happen. It is called while all threads are stopped.
type Gate interface{ Open() bool }

// Timed is a Gate that opens when a time has come.
type Timed interface {
	Gate
	// Since returns how many accesses had been made when time passed that it waits for.
	Since() int
}
