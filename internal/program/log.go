package program

import (
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"poolvsloop/internal/config"
)

// Logger returns the logger of a program, which writes to stderr: JSON lines, or text for people when p.LogFormat is
// console, or auto and stderr is a terminal. Every line has a time and the field "program". An unknown level is an
// error.
func Logger(p config.Process, name string, stderr io.Writer) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(p.LogLevel)
	if err != nil {
		return zerolog.Nop(), fmt.Errorf("--log-level %q: %w", p.LogLevel, err)
	}
	out := stderr
	if p.LogFormat == "console" || p.LogFormat == "auto" && IsTerminal(stderr) {
		out = zerolog.ConsoleWriter{Out: stderr, TimeFormat: time.TimeOnly, NoColor: !IsTerminal(stderr)}
	}
	return zerolog.New(out).Level(level).With().Timestamp().Str("program", name).Logger(), nil
}

// IsTerminal says whether w is a terminal, where people read.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// Listening is the message of the line that [Announce] writes.
const Listening = "listening"

// Announce writes the one line that says where a program listens. Who starts a program with port 0 reads it from the
// JSON log: message "listening", string fields "addr" and "admin" (empty without an admin port). It is written at any
// log level.
func Announce(log zerolog.Logger, addr, admin net.Addr) {
	log.Log().Str(zerolog.LevelFieldName, zerolog.LevelInfoValue).
		Str("addr", text(addr)).Str("admin", text(admin)).Msg(Listening)
}

func text(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}
