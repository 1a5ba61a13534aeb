// Package eventlog says what Jepsen's events mean, for every format that has them.
package eventlog
