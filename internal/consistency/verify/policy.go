package verify

// A no about causes is of mostRefuted operations at most, as sets of them are masks, and each case
// has mostPlaces at most: more judges cases that leave more open, in more time and memory.
const (
	mostRefuted = 64
	mostPlaces  = 1 << 20
)
