package sanitize

import "strings"

// Command returns a command line of words for a message, so that a user can copy it into a
// shell: a word with a character that a shell reads is quoted. The names of files in a pull
// request are chosen by whoever sent it, and "lock x;reboot" would be two commands.
func Command(words ...string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = quotedForShell(word)
	}
	return strings.Join(out, " ")
}

func quotedForShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
