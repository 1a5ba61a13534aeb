// Package isolationtest is for tests of what reads histories of transactions: histories from a
// short notation, random ones, and altered certificates.
package isolationtest
