// Package gittree finds the Git work tree of a path, copies the files of a commit out of its
// repository ([Export]), and says what Git's index has of files ([Objects]). The last two start
// git, with settings that let the repository run no program and fetch nothing.
package gittree
