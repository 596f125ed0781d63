package ab

import "strings"

// letters are ab's options; a colon marks those with an argument.
const letters = "n:c:t:s:b:T:p:u:v:lrkVhwiIx:y:z:C:H:P:A:g:X:de:SqB:m:Z:f:E:"

// scanner reads options as APR's getopt does: one letter each, several in a word, an argument glued to its letter or in
// the next word whatever that begins with. It ends at the first word that is no option, at "--" and at "-".
type scanner struct {
	words []string
	at    int    // the word being read
	rest  string // what is left of it
}

// misuse is a word that is no option: what is wrong with it, and which letter.
type misuse struct {
	what   string
	letter byte
}

// next returns the next option, or 0 at the end. After a misuse nothing more can be read.
func (s *scanner) next() (letter byte, argument string, wrong *misuse) {
	if s.rest == "" {
		if s.at >= len(s.words) || len(s.words[s.at]) < 2 || s.words[s.at][0] != '-' {
			return 0, "", nil
		}
		if s.words[s.at] == "--" {
			s.at++
			return 0, "", nil
		}
		s.rest = s.words[s.at][1:]
	}
	letter, s.rest = s.rest[0], s.rest[1:]
	i := strings.IndexByte(letters, letter)
	switch {
	case i < 0 || letter == ':':
		if s.rest == "" {
			s.at++
		}
		return 0, "", &misuse{"illegal option", letter}
	case i+1 == len(letters) || letters[i+1] != ':':
		if s.rest == "" {
			s.at++
		}
		return letter, "", nil
	}
	s.at++
	if s.rest == "" {
		if s.at >= len(s.words) {
			return 0, "", &misuse{"option requires an argument", letter}
		}
		s.rest = s.words[s.at]
		s.at++
	}
	argument, s.rest = s.rest, ""
	return letter, argument, nil
}

// operands are the words behind the options.
func (s *scanner) operands() []string { return s.words[s.at:] }

// atoi reads a number as C does: blanks, a sign, digits, and whatever follows them is left out; without digits it is 0.
// What exceeds 32 bits is held at their ends.
func atoi(s string) int {
	const limit = 1<<31 - 1
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), limit)
	}
	if negative {
		return -n
	}
	return n
}
