package deep

// maxPointers bounds how many pointers are followed in one value: more tells larger values apart by
// their hash, less is faster. The branches of a value share them evenly, so that what is cut off
// depends on its contents alone, and circles end.
const maxPointers = 1 << 16
