#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ship.sh - two hosts ship to a cluster of two shards; a server and a shipper are killed meanwhile: nothing is lost, nothing is there twice
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands curl clickhouse-server unshare
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
# shellcheck source=tests/lib/clickhouse.sh
. "$root/tests/lib/clickhouse.sh"
SLEEPS=300

# ship HOST ARGUMENTS...: a shipper that has this host name; its pid in $shipper_pid
ship() {
	local host=$1
	shift
	unshare -u bash -c 'hostname "$0"; exec "$@"' "$host" "$ringside" ship --to "http://127.0.0.1:$(http_port 0)/fleet" --credentials password \
		--spool "spool-$host" -I 1 "$@" 2>>"err-$host" &
	shipper_pid=$!
}
https_port() { if [ "$1" = good ]; then echo $((clickhouse_port + 6)); else echo $((clickhouse_port + 7)); fi; }
distributed() { # the tables of both shards as one, in a database of their own
	local table
	clickhouse_ask 0 "CREATE DATABASE fleet"
	for table in span latency finding batch; do
		clickhouse_ask 0 "CREATE TABLE fleet.ringside_$table AS default.ringside_$table
			ENGINE = Distributed(two, default, ringside_$table, cityHash64(host))"
	done
}
sleeps() { # sleeps HOST: rows that are different ones
	clickhouse_ask 0 "SELECT uniqExact(boot, sequence) FROM fleet.ringside_span
		WHERE host = '$1' AND operation = 'clock_nanosleep' AND command = 'sleeper'"
}
have_all() { [ "$(sleeps one)" = $SLEEPS ] && [ "$(sleeps two)" = $SLEEPS ]; }

begin "two hosts, two shards"
mkdir -p run
touch none
for n in 0 1; do clickhouse_config $n; start_clickhouse $n; done
"$ringside" export "$root/tests/traces/debian-6.1-amd64-v6.dat" -q -f clickhouse -o rows
for n in 0 1; do
	while IFS= read -r statement; do clickhouse_ask $n "${statement%;}"; done <rows/schema.sql
done
distributed
(umask 077; echo shipper:secret >password)
start_daemon -a syscalls,sched
ship one
one_pid=$shipper_pid
ship two
two_pid=$shipper_pid
sample sleeper -n $SLEEPS -t 20000 >did &
sleeper_pid=$!
until_soon 10 eval '[ -s spool-one/state ] && [ -s spool-two/state ]' || fail "no state: $(cat err-one)"

kill -9 "${clickhouse_pid[1]}" # in the middle of all, a shard, and then a shipper
wait "${clickhouse_pid[1]}" 2>/dev/null
kill -9 "$one_pid"
wait "$one_pid" 2>/dev/null
until_soon 20 eval '[ "$(ls -d spool-*/0* 2>/dev/null | wc -l)" -gt 0 ]' || fail "nothing waits in a spool while a shard is gone"
ship one
one_pid=$shipper_pid
start_clickhouse 1
wait $sleeper_pid
until_soon 90 have_all || fail "sleeps: one $(sleeps one), two $(sleeps two): $(tail -2 err-one err-two)"
for host in one two; do
	expect "$host: final" $SLEEPS "$(clickhouse_ask 0 "SELECT count() FROM fleet.ringside_span FINAL
		WHERE host = '$host' AND operation = 'clock_nanosleep' AND command = 'sleeper'")"
	expect "$host: summed" $SLEEPS "$(clickhouse_ask 0 "SELECT sum(count) FROM fleet.ringside_latency FINAL
		WHERE host = '$host' AND operation = 'clock_nanosleep' AND command = 'sleeper'")"
	expect "$host: batches without a hole" 0 "$(clickhouse_ask 0 "SELECT max(batch) + 1 - uniqExact(batch) FROM fleet.ringside_batch WHERE host = '$host'")"
done
expect "over all hosts" $((2 * SLEEPS)) "$(clickhouse_ask 0 "SELECT sum(n) FROM (SELECT host, uniqExact(boot, sequence) AS n
	FROM fleet.ringside_span WHERE operation = 'clock_nanosleep' AND command = 'sleeper' GROUP BY host)")"
for host in one two; do
	in_shards=$(for n in 0 1; do clickhouse_ask $n "SELECT count() > 0 FROM default.ringside_batch WHERE host = '$host'"; done | grep -c 1)
	expect "shards that have $host" 1 "$in_shards"
done

test="what is wrong"
kill -TERM "$one_pid" "$two_pid"
wait "$one_pid"
expect "end by a signal" 0 $?
wait "$two_pid"
chmod 644 password
"$ringside" ship --to "http://127.0.0.1:$(http_port 0)/" --credentials password --spool other -d 1 2>err
expect "a password that all may read" 1 $?
finds "chmod 600" err
"$ringside" ship --to "ftp://host/" --spool other 2>err
expect "no http" 2 $?
(umask 077; echo shipper:wrong >wrong)
"$ringside" ship --to "http://127.0.0.1:$(http_port 0)/" --credentials wrong --spool other -d 1 2>err
finds "Wrong password" err
expect "a batch stays" 1 "$(ls -d other/0* | head -1 | wc -l)"
"$ringside" ship --to "http://127.0.0.1:$((clickhouse_port + 900))/" --spool far -d 1 2>err
finds "cannot reach" err
"$ringside" ship --to "http://127.0.0.1:$((clickhouse_port + 900))/" --max-size 4K --spool small -I 0.2 -d 1 2>err
grep -q 'dropped=[1-9]' small/state || fail "nothing was dropped: $(cat small/state)"
dropped=$(sed 's/.*dropped=//' small/state)
"$ringside" ship --to "http://127.0.0.1:$((clickhouse_port + 900))/" --spool small -d 0.1 2>err
expect "the next batch says how many" "$dropped" "$(cat small/0*/ringside_batch.json | sed -n '1s/.*"dropped_batches":\([0-9]*\).*/\1/p')"

if command -v stunnel >/dev/null && command -v openssl >/dev/null; then
	test="https, by stunnel"
	# shellcheck source=tests/lib/certificates.sh
	. "$root/tests/lib/certificates.sh"
	chmod 600 password
	make_authority ca
	make_authority other
	make_certificate good localhost 2
	make_certificate misnamed db.example 2
	{
		printf 'foreground = yes\npid =\n'
		for name in good misnamed; do
			printf '[%s]\naccept = 127.0.0.1:%d\ncert = %s.pem\nconnect = 127.0.0.1:%d\n' $name "$(https_port $name)" $name "$(http_port 0)"
		done
	} >stunnel.conf
	stunnel stunnel.conf 2>stunnel.err &
	stunnel_pid=$!
	by_https() { "$ringside" ship --to "https://localhost:$(https_port "$1")/" --cacert "$2" --credentials password --spool "by-https-$1" -d 1 2>err; }
	nr_by_https() { clickhouse_ask 0 "SELECT count() FROM default.ringside_batch WHERE host = '$(hostname)'"; }
	until_soon 10 curl -s -o out --cacert ca.pem "https://localhost:$(https_port good)/ping" || fail "no stunnel: $(tail -3 stunnel.err)"
	by_https good other.pem
	by_https misnamed ca.pem
	expect "batches by a certificate that is not trusted" 0 "$(nr_by_https)"
	by_https good ca.pem
	[ "$(nr_by_https)" -ge 2 ] || fail "batches: $(nr_by_https): $(cat err)"
	kill $stunnel_pid
	wait $stunnel_pid 2>/dev/null
else
	echo "stunnel or openssl is not installed: no https"
fi
kill "${clickhouse_pid[@]}"
wait "${clickhouse_pid[@]}" 2>/dev/null
end_daemon
expect "exit status" 0 "$status"
finish
