package cdsspec

// maxReplayed is how many calls are replayed for one execution: more decides larger executions
// here, and takes longer before linsat's engines are asked.
const maxReplayed = 50_000
