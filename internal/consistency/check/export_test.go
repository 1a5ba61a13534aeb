package check

// ByCauses asks of objects of any kind what is known of reads and writes, too.
var ByCauses = byCauses

// Queued asks queues of few operations, too.
var Queued = (*Case).queued
