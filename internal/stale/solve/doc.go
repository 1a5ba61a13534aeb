// Package solve decides questions about reads that return old values, object by object: by the
// writes alone where each value that is read has one writer (clusters.go, order.go, epoch.go), and
// by search otherwise (search.go). Of a no it finds operations that suffice for it (core.go).
package solve
