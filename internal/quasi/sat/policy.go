package sat

// windowBytes is the memory accounted for the windows of one operation (package window). A larger
// number gives up sooner under a memory limit, a smaller one may exceed it.
const windowBytes = 160
