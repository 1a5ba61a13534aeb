// Package verify judges certificates about reads that return old values. It trusts nothing of them,
// and imports nothing that decides such questions.
package verify
