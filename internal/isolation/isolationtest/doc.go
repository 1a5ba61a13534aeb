// Package isolationtest is for tests of what reads histories of transactions and certificates about
// them: histories from a short notation, and certificates that are altered.
package isolationtest
