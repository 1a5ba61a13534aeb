package graph

// MaxThreads is how many threads an execution has at most, the main thread among them, and
// MaxEvents how many events each of them.
const (
	MaxThreads = 16
	MaxEvents  = 250
)

// Clock says for every thread how many of its first events are in a set that is closed under sb.
type Clock [MaxThreads]uint8

// Join adds the events of d.
func (c *Clock) Join(d *Clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// Has reports whether the event is in the set.
func (c *Clock) Has(r Ref) bool { return int(c[r.Thread()]) > r.Index() }
