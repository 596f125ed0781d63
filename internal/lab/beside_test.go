package lab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBesideIsNotKnownOfAnAttachedLab(t *testing.T) {
	_, err := newLab().Beside()
	require.ErrorIs(t, err, ErrNotKnown)
}
