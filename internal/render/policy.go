package render

// mostNames is up to how many partitions a finding names. More names more, in a longer line.
const mostNames = 8
