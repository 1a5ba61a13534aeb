// Package radix sorts by time.
package radix
