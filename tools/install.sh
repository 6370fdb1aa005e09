#!/usr/bin/env bash
# Installs what tests run and Go does not bring, from Debian, where it is missing.
# On another system, or without the rights, it says what to install.
#
# usage: tools/install.sh base    what every test needs: make, git, a C compiler for the race detector
#        tools/install.sh hosts   the containers of make e2e: podman, buildah, runc, a static busybox; the browser, and what reads PDF
set -euo pipefail

updated=
packages() { # packages PACKAGE...
	if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
		echo "install: missing, and only installed on Debian by root: please install $*" >&2
		exit 1
	fi
	echo "== apt-get install $*"
	if [ -z "$updated" ]; then
		apt-get update -qq
		updated=yes
	fi
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

need() { # need COMMAND PACKAGE...: unless the command is there
	local command=$1
	shift
	command -v "$command" >/dev/null || packages "$@"
}

# A busybox with libraries does not run in an image of its own.
static_busybox() { command -v busybox >/dev/null && ! ldd "$(command -v busybox)" >/dev/null 2>&1; }

case ${1-} in
base)
	need make make
	need git git
	need gcc gcc libc6-dev
	;;
hosts)
	need podman podman runc crun netavark
	need buildah buildah
	need runc runc
	static_busybox || packages busybox-static
	need chromium chromium fonts-dejavu-core
	need pdftotext poppler-utils
	[ -e /etc/ssl/certs/ca-certificates.crt ] || packages ca-certificates
	;;
*)
	echo "usage: tools/install.sh base|hosts" >&2
	exit 2
	;;
esac
