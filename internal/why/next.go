package why

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
)

// Next names, for a closed loop, the command that shows what this run did not, as the user called this one and with the same flags but for
// those that change. argv is what was called; all are the explanations of both servers.
func Next(argv []string, c results.Config, all []results.Explanation) string {
	n := next{argv: argv, config: c}
	limits := map[string]string{}
	for _, e := range all {
		limits[e.Server] = e.Bottleneck
		if e.Bottleneck == LoadRunner || e.Bottleneck == Late {
			return n.say("measures the servers rather than the lab", setting{"concurrency", "c", max(1, c.Concurrency/2)})
		}
	}
	switch {
	case c.Mistake == "block" || c.Mistake == "unbounded":
		return n.say("shows the event loop as it should be", setting{"mistake", "", "none"})
	case c.MaxInflight > 0 && c.MaxInflight < c.Concurrency:
		return n.say("lets the event loop take in all that comes", setting{"max-inflight", "", 0})
	case c.Workers < c.Concurrency:
		return n.say("gives the pool a worker for every client", setting{"workers", "", c.Concurrency})
	}
	workers, clients := max(1, c.Concurrency*2/5), max(2, c.Concurrency*4)
	settings := []setting{{"workers", "", workers}, {"concurrency", "c", clients}}
	if c.Queue >= 0 && c.Queue < clients {
		settings = append(settings, setting{"queue", "", clients})
	}
	return n.say("shows a difference: workers are scarce there", settings...)
}

// setting is a flag and its new value; short is its letter, "" for none.
type setting struct {
	name, short string
	value       any
}

// ofServer says that a flag is a server's: of an attached lab, the load runner cannot change it.
func (s setting) ofServer() bool { return s.name != "concurrency" && s.name != "rate" }

type next struct {
	argv   []string
	config results.Config
}

// say makes the sentence. The settings of an attached lab's servers are to be changed where these were started.
func (n next) say(shows string, settings ...setting) string {
	var own []setting
	var theirs []string
	for _, s := range settings {
		if n.config.Lab == "attach" && s.ofServer() {
			variable := strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
			theirs = append(theirs, fmt.Sprintf("--%s=%v (in compose's .env: %s=%v)", s.name, s.value, variable, s.value))
			continue
		}
		own = append(own, s)
	}
	call := "`" + command(n.argv, own) + "`"
	if len(theirs) > 0 {
		return "Next: start the servers with " + strings.Join(theirs, ", ") + "; then " + call + " " + shows + "."
	}
	return "Next: " + call + " " + shows + "."
}

// command is argv with those settings in place of its own.
func command(argv []string, settings []setting) string {
	words := strip(argv, settings)
	if len(words) == 1 || isGoRun(words) && len(words) == len(goRun)+1 {
		words = append(words, "compare")
	}
	for _, s := range settings {
		if s.short != "" {
			words = append(words, "-"+s.short, fmt.Sprint(s.value))
			continue
		}
		words = append(words, "--"+s.name, fmt.Sprint(s.value))
	}
	for i, w := range words {
		words[i] = Quoted(w)
	}
	return strings.Join(words, " ")
}

var goRun = []string{"go", "run"}

func isGoRun(words []string) bool {
	return len(words) > 2 && words[0] == goRun[0] && words[1] == goRun[1]
}

// strip takes the settings out of argv. One in a cluster of letters (-kc 50) stays: the later one wins.
func strip(argv []string, settings []setting) []string {
	var kept []string
	for i := 0; i < len(argv); i++ {
		word, drop := argv[i], false
		for _, s := range settings {
			long, short := "--"+s.name, "-"+s.short
			switch {
			case word == long || s.short != "" && word == short:
				drop, i = true, i+1
			case strings.HasPrefix(word, long+"="), s.short != "" && strings.HasPrefix(word, short):
				drop = true
			}
		}
		if !drop {
			kept = append(kept, word)
		}
	}
	return kept
}

// Quoted is a word of a command as a shell takes it: in quotes, when it would not leave it alone.
func Quoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,@%+") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
