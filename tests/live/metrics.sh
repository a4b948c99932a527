#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# metrics.sh - a daemon's metrics by HTTP: what was done is counted, as others read it, and Prometheus reads two daemons
# shellcheck source=tests/lib/live.sh
. "$(dirname "$0")/../lib/live.sh"
need_tracing
need_commands curl
# shellcheck source=tests/lib/daemon.sh
. "$root/tests/lib/daemon.sh"
port=$((20000 + $$ % 20000)) second=$((port + 1))

get() { # get FILE ARGUMENTS...: the answer's status is printed
	curl -s -m 10 -o "$1" -w '%{http_code}' "${@:2}" "http://127.0.0.1:$port/metrics"
}
sum() { "$python" "$root/tests/lib/openmetrics.py" text metrics "$@"; }

mkdir -p run3
begin_daemon "metrics" --metrics $port
sample sleeper -n 200 -t 1000 >did
# others sleep too: their call may be there before it is sleeper's
nr_counted() { local n; n=$(sum "ringside_$1_latency_seconds_count" kind=syscall "$1=$2"); echo $((${n/none/0})); }
counted() { get metrics >code && [ "$(nr_counted operation clock_nanosleep)" -ge 200 ] && [ "$(nr_counted command sleeper)" -ge 200 ]; }
until_soon 10 quietly counted || fail "200 sleeps: $(grep nanosleep metrics)"
expect "status" 200 "$(cat code)"
for by in command operation; do # series that ended are missing: never more than all
	[ "$(sum ringside_${by}_latency_seconds_count kind=syscall)" -le "$(sum ringside_latency_seconds_count kind=syscall)" ] || fail "by $by: more than all"
done
expect "waits by cause" "$(sum ringside_latency_seconds_count kind=wait)" "$(sum ringside_operation_latency_seconds_count kind=wait)"
[ "$(grep -o 'kind="syscall",command="[^"]*"' metrics | sort -u | wc -l)" -le 11 ] || fail "more than ten commands and the rest"
if command -v promtool >/dev/null; then
	promtool check metrics <metrics >out 2>&1 || fail "promtool: $(head -5 out)"
fi

test="the formats, and what is no request for metrics"
get open -H 'Accept: application/openmetrics-text; version=1.0.0' -D head >code
finds "application/openmetrics-text" head
"$python" "$root/tests/lib/openmetrics.py" openmetrics open >out 2>&1 || fail "OpenMetrics: $(tail -1 out)"
expect "POST" 405 "$(get out -X POST -d x=1)"
expect "HEAD" 200 "$(curl -s -m 10 -I -o head -w '%{http_code}' "http://127.0.0.1:$port/metrics")"
expect "another path" 404 "$(curl -s -m 10 -o out -w '%{http_code}' "http://127.0.0.1:$port/../etc/passwd")"
printf 'GET /metrics HTTP/1.1\r\nX: %065536d\r\n\r\n' 0 | curl -s -m 5 "telnet://127.0.0.1:$port" >out 2>/dev/null
expect "after a header of 64 KiB" 200 "$(get out)"
RINGSIDE_SOCKET=$tmp/run3/socket "$ringside" daemon --metrics $port --config "$tmp/none" >out 2>err
expect "a port that is taken" 1 $?
finds "Address already in use" err
RINGSIDE_SOCKET=$tmp/run3/socket "$ringside" daemon --metrics nowhere.example:80 >out 2>err
expect "a name" 2 $?
finds "no address" err

test="connections that do nothing keep nobody out"
cat >crowd.py <<-'END'
	import select, socket, sys
	port = int(sys.argv[1])
	def conn(source, text=b""):
	    s = socket.create_connection(("127.0.0.1", port), 10, (source, 0))
	    s.sendall(text)
	    return s
	def scrape(s):
	    s.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	    return s.recv(4096)[:15].decode(errors="replace")
	def ends(s): # the server has closed it
	    try:
	        while s.recv(65536):
	            pass
	        return True
	    except ConnectionError:
	        return True
	    except OSError:
	        return False
	other = conn("127.0.0.2")
	print("before:", scrape(other))
	texts = [b"", b"GET /met", b"GET / HTTP/1.1\r\nHost: x\r\nX: y", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
	         b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"] # the last never reads its answer
	crowd = [conn("127.0.0.1", texts[i % len(texts)]) for i in range(200)]
	print("meanwhile, the same address:", scrape(conn("127.0.0.1")))
	print("meanwhile, another address:", scrape(other))
	for s in crowd:
	    s.settimeout(0.01)
	print("ended:", sum(map(ends, crowd)) >= 200 - 32)
	print("crowd", flush=True)
	sys.stdin.read() # until the test has scraped
END
mkfifo crowd_go
timeout 60 "$python" crowd.py $port <crowd_go >crowd 2>&1 &
crowd_job=$!
exec 9>crowd_go
crowd_ended() { [ ! -e /proc/$crowd_job ] || grep -q ^crowd crowd; }
until_soon 10 crowd_ended
expect "a scrape beside 200 connections" 200 "$(get out)"
exec 9>&-
wait $crowd_job
expect "what they saw" "before: HTTP/1.1 200 OK meanwhile, the same address: HTTP/1.1 200 OK meanwhile, another address: HTTP/1.1 200 OK ended: True crowd" "$(paste -sd' ' crowd)"

if command -v prometheus >/dev/null; then
	test="Prometheus and two daemons"
	first_pid=$daemon_pid
	mkdir -p run2
	RINGSIDE_SOCKET=$tmp/run2/socket start_daemon --metrics $second -a syscalls,sched
	cat >prometheus.yml <<-END
		global: { scrape_interval: 1s, scrape_timeout: 1s }
		scrape_configs:
		  - job_name: ringside
		    static_configs: [ { targets: [ '127.0.0.1:$port', '127.0.0.1:$second' ] } ]
	END
	prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:$((port + 2)) >prometheus.out 2>&1 &
	prometheus_pid=$!
	query() { curl -s -m 5 -G "http://127.0.0.1:$((port + 2))/api/v1/query" --data-urlencode "query=$1" |
		"$python" -c 'import json, sys; r = json.load(sys.stdin)["data"]["result"]; print(r[0]["value"][1] if r else "none")'; }
	both_up() { [ "$(query 'sum(up{job="ringside"})' 2>/dev/null)" = 2 ]; }
	soon both_up
	rates() { [ "$(query 'count(rate(ringside_events_total[10s]) > 0)' 2>/dev/null)" = 2 ]; }
	soon rates
	[ "$(query 'histogram_quantile(0.5, sum by (le) (rate(ringside_latency_seconds_bucket{kind="syscall"}[10s]))) > 0')" != none ] ||
		fail "no median of the system calls"
	test="the dashboard's and the alerts' expressions"
	dd if=/dev/zero of=written bs=64K count=16 oflag=sync 2>/dev/null # requests, where the disk is one
	ask_all() { "$python" - "$root/samples/fleet" "http://127.0.0.1:$((port + 2))" >out <<-'END'
		import json, re, sys, urllib.error, urllib.parse, urllib.request
		folder, server = sys.argv[1:]
		board = json.load(open(folder + "/grafana-ringside.json"))
		texts = [t["expr"] for p in board["panels"] for t in p["targets"]] + re.findall(r"^ *expr: (.*)$", open(folder + "/alerts.yml").read(), re.M)
		for text in texts:
		    text = text.replace("$__rate_interval", "10s").replace("$instance", ".+")
		    try:
		        answer = json.load(urllib.request.urlopen(server + "/api/v1/query?" + urllib.parse.urlencode({"query": text}), timeout=10))
		        print(len(answer["data"]["result"]) if answer["status"] == "success" else "error", text)
		    except urllib.error.HTTPError as e:
		        print("error", e.read().decode()[:200], text)
		variables = [v["query"]["query"] for v in board["templating"]["list"] if v["type"] == "query"]
		for metric, label in re.findall(r"label_values\((\w+), (\w+)\)", " ".join(variables)):
		    answer = json.load(urllib.request.urlopen("%s/api/v1/label/%s/values?match[]=%s" % (server, label, metric), timeout=10))
		    print(len(answer["data"]), "values of", label)
	END
	}
	# what any machine has; an alert that is calm has no rows, and not everybody has a disk or control groups
	with_rows() { ask_all && ! grep -v 'request\|cgroup' out | grep '^0 ' | grep -vF -f <(sed -n 's/^ *expr: //p' "$root/samples/fleet/alerts.yml") >missing; }
	soon with_rows || fail "without rows: $(cat missing)"
	! grep '^error' out || fail "errors: $(grep '^error' out)"
	within "expressions" 15 99 "$(grep -c . out)"
	grep -q '^2 values of instance' out || fail "instances: $(tail -1 out)"
	kill $prometheus_pid
	wait $prometheus_pid 2>/dev/null
	end_daemon
	daemon_pid=$first_pid
else
	echo "prometheus is not installed: no real scrape"
fi
end_daemon
expect "exit status" 0 "$status"
finish
