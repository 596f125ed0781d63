// Package preset holds named experiments: each is one small file that says what is asked, which steps answer it, what
// theory expects of them, and what is learnt. It reads such files, runs their steps with the machinery of
// loadrunner compare and loadrunner run, and holds what was measured against what was expected.
//
// Files, formulas, judgement and texts are pure; [Run] alone touches processes, sockets and files.
package preset
