// Package confine says which hosts and addresses may be contacted, and which get
// the logins of the machine: what the administrator of the machine sets, and no
// package of Git can widen.
package confine
