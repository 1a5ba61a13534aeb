package completion

// maxPairs bounds the pairs of an item and a removal that are looked at. More completes longer
// histories, at about a nanosecond each.
const maxPairs = 1 << 26
