package preset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/results"
)

// compare runs a step that compares: as loadrunner compare does, into the folder of the preset.
func (s *stepRun) compare(ctx context.Context) error {
	c, err := s.comparison(s.quick)
	if err != nil {
		return err
	}
	c.Results = s.folder
	var document bytes.Buffer
	err = compare.Run(ctx, c, strings.Fields(s.Command(s.quick)), &document, s.progressOf(c))
	if err != nil && !errors.Is(err, compare.ErrInvalid) {
		return err
	}
	var run results.Run
	if err := json.Unmarshal(document.Bytes(), &run); err != nil {
		return fmt.Errorf("read what the comparison wrote: %w", err)
	}
	s.valid, s.reasons, s.figures = run.Valid, run.InvalidReasons, compared(&run)
	s.folders = []string{filepath.Base(run.ID)}
	s.otherLoad, s.busy = compare.OtherLoad(run.Checks)
	return nil
}
