// Package confine decides which hosts and addresses goldenarch may contact, and which of
// them get the machine's logins. The administrator of the machine sets the limits, and no
// package in Git can extend them.
package confine
