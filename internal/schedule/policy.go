package schedule

// knownBuckets is into how many lists the addresses that shims know are divided: more finds them
// faster, and costs each execution as much memory.
const knownBuckets = 16
