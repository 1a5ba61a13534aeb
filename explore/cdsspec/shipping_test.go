//go:build !linsat_native

package cdsspec_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestShippingCode runs the tests of shipping code, which a build tag selects.
func TestShippingCode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	out, err := exec.Command("go", "test", "-tags", "linsat_native", "../c11", ".").CombinedOutput()
	assert.NoError(t, err, string(out))
}
