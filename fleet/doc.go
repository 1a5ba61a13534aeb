// Package fleet checks many histories on many machines with a queue of NATS JetStream. Submit puts
// histories into it, a Worker takes them out and answers each with the row that linsat solve
// --format json writes, and Collect gathers the answers. docs/ci.md describes the use.
//
// Everything is kept in four places of JetStream, replicated as the caller wants:
//
//   - linsat-histories, an object store: the contents, by their hash
//   - LINSAT_WORK, a work queue: what is to be checked. A message stays until it is acknowledged,
//     and there is at most one for each pair of content and question.
//   - LINSAT_RESULTS, a stream: the answer to each such pair
//   - LINSAT_POISON, a stream: pairs that cannot be answered, with the cause
//
// Invariants: a message leaves the queue only after its answer, or its cause, is in a stream; a
// worker looks for an answer before it starts. So a worker that dies loses nothing, and what it was
// at is repeated: one history for each of its slots, and only if its answer was not stored yet.
package fleet
