package request

import (
	"fmt"
	"io"
	"os"
)

// MaxFile is the size in bytes, 64 MiB, up to which [ReadFile] reads.
const MaxFile = 64 << 20

// ReadFile reads a file of bodies or targets. A larger one, such as a device that has no end, is an error.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(content) > MaxFile {
		return nil, fmt.Errorf("read %s: it has more than %d MiB, the most that is read", name, MaxFile>>20)
	}
	return content, nil
}
