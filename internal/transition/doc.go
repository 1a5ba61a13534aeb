// Package transition caches the steps of a specification's machine for searches, which ask for the
// same ones again and again. Operations of equal kind act alike, so an answer is found by state and
// kind.
package transition
