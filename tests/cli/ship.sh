#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ship.sh - batches to a server that breaks connections, redirects, or has a certificate that must be refused
#
# The batches are made of a recording, so that this needs neither a daemon nor root. live/ship has a real database.
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_commands openssl
# shellcheck source=tests/lib/certificates.sh
. "$root/tests/lib/certificates.sh"

begin "certificates"
make_authority ca
make_authority other
make_certificate good localhost 2
make_certificate misnamed db.example 2
make_certificate expired localhost -1
"$python" "$root/tests/lib/database.py" log ports plain= good=good.pem misnamed=misnamed.pem expired=expired.pem lossy= away= &
server_pid=$!
until_soon 10 test -s ports || fail "no server"
port_of() { sed -n "s/^$1 //p" ports; }
"$ringside" export "$root/tests/traces/debian-6.1-amd64-v6.dat" -q -f clickhouse -o rows || fail "no rows"
(umask 077; echo shipper:sEcReT >password)

test="a request's operation is its type, as in the daemon's metrics: its size is no part of it"
"$ringside" iosnoop -i "$root/tests/traces/debian-6.1-amd64-v6.dat" --json >requests 2>/dev/null || fail "iosnoop"
types='" ".join(sorted({r["type"] for r in rows if "type" in r}))'
operations='" ".join(sorted({r["operation"] for r in rows if r["kind"] == "request"}))'
expect "operations" "$(ask "$types" requests)" "$(ask "$operations" rows/ringside_latency.json)"
expect "operations of spans" "$(ask "$types" requests)" "$(ask "$operations" rows/ringside_span.json)"

# make_spool NAME BATCHES: a spool with so many batches that wait
make_spool() {
	local n
	rm -rf "$1" && mkdir "$1"
	for ((n = 0; n < $2; n++)); do
		cp -r rows "$1/$(printf %012d $n)"
		sed -i -E "s/\"batch\":[0-9]+/\"batch\":$n/; s/\"sequence\":([0-9]+)/\"sequence\":$((n + 1))\1/" "$1/$(printf %012d $n)"/*.json
	done
	echo "boot=none next=$2 done_ns=0 dropped=0" >"$1/state"
}
waiting() { find "$1" -mindepth 1 -maxdepth 1 -name '0*' | wc -l; }
delivered() { [ "$(waiting spool)" = 0 ]; }
# ship URL ARGUMENTS...: the spool has one batch
ship() {
	local url=$1
	shift
	make_spool spool 1
	: >log
	"$ringside" ship --to "$url" --spool spool -d 0.1 "$@" 2>err
	status=$?
}
# refused WHAT: nothing was sent to anybody, and the batch stays
refused() {
	expect "$test: requests" 0 "$(grep -c . log)"
	expect "$test: batches that wait" 1 "$(waiting spool)"
	finds "$1" err
}
discreet() { ! grep -qi 'secret\|c2hpcHBlcjpzRWNSZVQ' err || fail "the password is in a message: $(cat err)"; }

test="the right certificate"
ship "https://localhost:$(port_of good)/" --cacert ca.pem --credentials password
expect "batches that wait" 0 "$(waiting spool)"
expect "rows of the batch" 1 "$(ask 'len([r for r in rows if r["table"] == "ringside_batch"])' log)"
expect "user" "Basic $(printf 'shipper:sEcReT' | base64)" "$(ask '" ".join({r["authorization"] for r in rows})' log)"
discreet

test="an authority that is not trusted"
ship "https://localhost:$(port_of good)/" --cacert other.pem --credentials password
refused "is not trusted, and nothing was sent: .*(who signed its certificate is not trusted: --cacert names a file"
discreet
ship "https://localhost:$(port_of good)/" --credentials password
refused "is not trusted, and nothing was sent: .*--cacert"
test="another name"
ship "https://localhost:$(port_of misnamed)/" --cacert ca.pem --credentials password
refused "its certificate is for another name"
test="expired"
ship "https://localhost:$(port_of expired)/" --cacert ca.pem --credentials password
refused "certificate has expired.*(its certificate is valid at another time"
test="TLS to a port without"
ship "https://localhost:$(port_of plain)/" --cacert ca.pem --credentials password
refused "cannot reach https://localhost:[0-9]*/: "
discreet

test="a redirect"
ship "http://localhost:$(port_of away)/" --credentials password
expect "who was asked" away "$(ask '" ".join({r["to"] for r in rows})' log)"
expect "batches that wait" 1 "$(waiting spool)"
finds "answers 302, a redirect to http://localhost:$(port_of plain)/, which is not followed" err
discreet

test="plain text"
ship "http://db.invalid:8123/" --credentials password
finds "the password goes to the server in plain text" err
ship "http://127.evil.invalid/" --credentials password
finds "in plain text" err
ship "http://db.invalid:8123/"
! grep -q "plain text" err || fail "a warning without a password: $(cat err)"
http_proxy=http://127.0.0.1:$(port_of away)/ ship "http://localhost:$(port_of plain)/" --credentials password
! grep -q "plain text" err || fail "a warning though it stays on the machine: $(cat err)"
expect "a proxy for the same machine" plain "$(ask '" ".join({r["to"] for r in rows})' log)"

test="credentials"
ship "http://shipper:sEcReT@localhost:$(port_of plain)/"
expect "in the URL" 2 $status
refused "write USER:PASSWORD to a file, and name it by --credentials"
discreet
chmod 640 password
ship "http://localhost:$(port_of plain)/" --credentials password
expect "a group may read them" 1 $status
refused "chmod 600"
(umask 077; echo sEcReT >malformed; head -c 300 /dev/zero | tr '\0' s >endless)
ship "http://localhost:$(port_of plain)/" --credentials malformed
expect "no user" 1 $status
refused "has no line USER:PASSWORD"
discreet
ship "http://localhost:$(port_of plain)/" --credentials endless
refused "too long"
ship "https://localhost:$(port_of good)/" --cacert nowhere.pem
expect "no authority" 1 $status
refused "cannot read 'nowhere.pem': No such file"

test="attempts"
make_spool spool 1
: >log
"$ringside" ship --to "http://localhost:$(port_of away)/" --spool spool -d 2 2>err
within "in two seconds: at once, after a half, perhaps after one more" 2 3 "$(ask 'len(rows)' log)" # one for each: the first statement is refused

test="an acknowledgment that got lost"
make_spool spool 2
: >log
# without -d: on a busy machine the second attempt may come much later than after half a second
"$ringside" ship --to "http://localhost:$(port_of lossy)/" --spool spool 2>err &
ship_pid=$!
until_soon 60 delivered || fail "not delivered: $(cat err)"
kill $ship_pid
wait $ship_pid
expect "exit status" 0 $?
finds "cannot reach" err
tables="ringside_span ringside_latency ringside_finding ringside_batch"
inserts='[r for r in rows if r["table"]]'
# the oldest first, each from its begin, and the row that says that it is whole at its end
expect "order" "0: ringside_span ringside_latency ringside_finding ringside_finding 0: $tables 1: $tables" \
	"$(ask '" ".join((str(r["rows"][0]["batch"]) + ": " if r["table"] == "ringside_span" else "") + r["table"] for r in '"$inserts"' if r["rows"])' log)"
expect "the same rows again" True "$(ask '[(r["table"], r["rows"]) for r in '"$inserts"'[:3]] == [(r["table"], r["rows"]) for r in '"$inserts"'[4:7]]' log)"
expect "tables are made once" 4 "$(ask 'len([r for r in rows if r["query"].startswith("CREATE TABLE IF NOT EXISTS")])' log)"
kill $server_pid
wait $server_pid 2>/dev/null
finish
