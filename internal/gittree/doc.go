// Package gittree finds the Git work tree of a path, and copies the files of a commit out of
// its repository. [Export] starts git for that, with settings that let the repository run no
// program and fetch nothing. Only --policy-ref needs it.
package gittree
