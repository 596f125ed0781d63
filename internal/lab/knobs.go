package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// Programs that [Knobs] know besides the servers, which have their own names.
const (
	knobsOfA     = "a"
	knobsOfB     = "b"
	knobsOfCache = "redis"
)

// halting is the setting of the cache: true halts its process.
const halting = "stopped"

// Knobs are the settings of a lab's programs that can be changed while they run, by the names of their flags: of the
// downstreams a and b, of the servers by their names, and redis.stopped, which halts the process of an embedded cache
// (SIGSTOP): it takes connections then and answers nothing. Its methods are called from one goroutine at a time.
type Knobs struct {
	admins map[string]*admin
	cache  *child
	halted bool
}

// Knobs returns those of the lab, of the servers that are up now.
func (l *Lab) Knobs() *Knobs {
	k := &Knobs{admins: map[string]*admin{knobsOfA: l.A.admin, knobsOfB: l.B.admin}}
	for _, t := range l.Targets {
		k.admins[t.Name] = t.admin
	}
	if l.owned != nil {
		k.cache = l.owned.child(RedisServer, Miniredis)
	}
	return k
}

// KnobsAt returns those of programs that are up, by the addresses of their admin ports: host:port or http://host:port;
// an empty one is not known. Call [Knobs.Close] when done.
func KnobsAt(addresses map[string]string) (*Knobs, error) {
	k := &Knobs{admins: map[string]*admin{}}
	for program, address := range addresses {
		port, err := newAdmin(program, address)
		if err != nil {
			return nil, err
		}
		k.admins[program] = port
	}
	return k, nil
}

// Close lets go of the connections to the admin ports.
func (k *Knobs) Close() {
	for _, port := range k.admins {
		port.close()
	}
}

// child returns the first child of one of those names, nil when there is none.
func (b *bringUp) child(names ...string) *child {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.children {
		if slices.Contains(names, c.name) {
			return c
		}
	}
	return nil
}

// Setting returns the value that a program's setting has (GET /config).
func (k *Knobs) Setting(ctx context.Context, program, setting string) (string, error) {
	if program == knobsOfCache && setting == halting {
		return strconv.FormatBool(k.halted), k.ofCache()
	}
	var config map[string]any
	if err := k.admins[program].get(ctx, "/config", &config); err != nil {
		return "", err
	}
	value, ok := config[setting]
	if !ok {
		return "", fmt.Errorf("GET /config of %s: no %q in it", k.admins[program], setting)
	}
	return fmt.Sprint(value), nil
}

// Set changes a program's setting (PUT /config).
func (k *Knobs) Set(ctx context.Context, program, setting, value string) error {
	if program == knobsOfCache && setting == halting {
		return k.halt(value == strconv.FormatBool(true))
	}
	body, err := json.Marshal(map[string]string{setting: value})
	if err != nil {
		return err
	}
	return k.admins[program].put(ctx, "/config", string(body))
}

// ofCache says why the cache can't be halted, or nil.
func (k *Knobs) ofCache() error {
	if k.cache == nil {
		return errors.New("only the cache that an embedded lab starts itself can be stopped")
	}
	return nil
}

// halt halts the cache's process, or lets it go on.
func (k *Knobs) halt(on bool) error {
	if err := k.ofCache(); err != nil {
		return err
	}
	signal, what := unix.SIGCONT, "let go on"
	if on {
		signal, what = unix.SIGSTOP, "halt"
	}
	if err := k.cache.cmd.Process.Signal(signal); err != nil {
		return fmt.Errorf("%s %s: %w", what, k.cache.name, err)
	}
	k.halted = on
	return nil
}
