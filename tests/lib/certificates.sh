# SPDX-License-Identifier: GPL-2.0-or-later
# certificates.sh - an authority of our own, and what it signs; to be sourced after live.sh and need_commands openssl
# shellcheck shell=bash

# make_authority NAME: NAME.pem and NAME.key
make_authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -subj "/CN=ringside test $1" \
		-days 2 2>/dev/null || fail "no authority"
}
# make_certificate NAME HOST DAYS: NAME.pem, with its key, signed by the authority "ca"; less than 0 days: it has expired
make_certificate() {
	echo "subjectAltName=DNS:$2" >extensions
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -subj "/CN=$2" 2>/dev/null |
		openssl x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" -extfile extensions -out "$1.crt" 2>/dev/null
	cat "$1.key" "$1.crt" >"$1.pem" || fail "no certificate"
}
