// Package schedule decides which thread of an execution makes the next access to shared memory:
// what a strategy sees (State, Access, Finished), and the strategies. It runs nothing: package
// explore does, packages mem and explore speak of accesses in its words, and the reproductions of
// papers have strategies of their own.
package schedule
