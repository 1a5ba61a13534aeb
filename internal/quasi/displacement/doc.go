// Package displacement lists the rearrangements that a quasi factor allows.
package displacement
