package results

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckName(t *testing.T) {
	for _, good := range []string{"run", "a.b-c_D9", "_", strings.Repeat("x", 64)} {
		require.NoError(t, CheckName(good))
	}
	for _, bad := range []string{"", ".", "..", "../up", "a/b", "-x", ".hidden", "a b", "ä", strings.Repeat("x", 65)} {
		require.ErrorContains(t, CheckName(bad), "--name", bad)
	}
}
