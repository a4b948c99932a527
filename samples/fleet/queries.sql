-- Questions to the rows of a fleet (docs/fleet.md): which host differs, in what. One statement each.

-- name: latency
-- Latencies of a host that are four times and more those of the others: the p99 of each operation of a command, as the upper
-- end of its bucket, against the median over all hosts that do the same. In the last hour, of 100 operations and more.
SELECT tupleElement(it, 1) AS host, kind, operation, command, tupleElement(it, 2) / 1e6 AS p99_ms, usual_ns / 1e6 AS usual_ms,
	tupleElement(it, 2) / usual_ns AS times, tupleElement(it, 3) AS operations
FROM (SELECT kind, operation, command, groupArray((host, p99_ns, operations)) AS hosts, quantileExact(0.5)(p99_ns) AS usual_ns
	FROM (SELECT host, kind, operation, command, sum(count) AS operations,
			pow(2, arrayFirstIndex(seen -> seen >= 0.99 * operations, arrayCumSum(sumForEach(buckets)))) AS p99_ns
		FROM ringside_latency FINAL WHERE time > now() - 3600
		GROUP BY host, kind, operation, command HAVING operations >= 100)
	GROUP BY kind, operation, command HAVING count() >= 3)
ARRAY JOIN hosts AS it
WHERE times >= 4 ORDER BY times DESC, operations DESC LIMIT 50;

-- name: time
-- What takes a host's time, and not the others': seconds in an hour for each kind, operation and command, against the median
-- over all hosts, those included that have none of it. More than a minute, and four times as much.
SELECT tupleElement(it, 1) AS host, kind, operation, command, tupleElement(it, 2) AS seconds, usual_seconds
FROM (SELECT kind, operation, command, groupArray((host, seconds)) AS hosts,
		if(count() * 2 > any(nr_hosts), quantileExact(0.5)(seconds), 0) AS usual_seconds
	FROM (SELECT host, kind, operation, command, sum(sum_ns) / 1e9 AS seconds,
			(SELECT uniqExact(host) FROM ringside_batch WHERE time > now() - 3600) AS nr_hosts
		FROM ringside_latency FINAL WHERE time > now() - 3600 AND kind IN ('wait', 'run-queue', 'on-cpu')
		GROUP BY host, kind, operation, command)
	GROUP BY kind, operation, command)
ARRAY JOIN hosts AS it
WHERE seconds > 60 AND seconds >= 4 * usual_seconds ORDER BY seconds - usual_seconds DESC LIMIT 50;

-- name: finding
-- Findings that few hosts have: a rule, its victim and culprit, on at most one host in ten, or on one alone.
SELECT rule, victim, culprit, groupUniqArray(host) AS hosts, count() AS times, sum(cost_ns) / 1e9 AS cost_seconds,
	argMax(text, time_ns) AS last
FROM ringside_finding FINAL WHERE time > now() - 3600
GROUP BY rule, victim, culprit
HAVING length(hosts) <= greatest(1, (SELECT uniqExact(host) FROM ringside_batch WHERE time > now() - 3600) / 10)
ORDER BY cost_seconds DESC LIMIT 50;

-- name: since
-- What became slower on a host, and on no more than half of the others: the p99 of the last hour against that of the hour
-- before it. Four times and more, of 100 operations and more in each.
SELECT tupleElement(it, 1) AS host, kind, operation, command, tupleElement(it, 2) AS times, tupleElement(it, 3) / 1e6 AS p99_ms
FROM (SELECT kind, operation, command, groupArray((host, times, now_ns)) AS hosts, quantileExact(0.5)(times) AS usual
	FROM (SELECT host, kind, operation, command, max(if(is_now, p99_ns, 0)) AS now_ns,
			max(if(is_now, 0, p99_ns)) AS before_ns, now_ns / before_ns AS times
		FROM (SELECT host, kind, operation, command, time > now() - 3600 AS is_now, sum(count) AS operations,
				pow(2, arrayFirstIndex(seen -> seen >= 0.99 * operations, arrayCumSum(sumForEach(buckets)))) AS p99_ns
			FROM ringside_latency FINAL WHERE time > now() - 7200
			GROUP BY host, kind, operation, command, is_now HAVING operations >= 100)
		GROUP BY host, kind, operation, command HAVING count() = 2)
	GROUP BY kind, operation, command)
ARRAY JOIN hosts AS it
WHERE times >= 4 AND times > usual ORDER BY times DESC LIMIT 50;

-- name: loss
-- Hosts whose figures are not whole: events that the kernel lost, batches that never came.
SELECT host, sum(lost) AS lost_events, sum(gaps) AS gaps, sum(dropped_batches) AS dropped, count() AS batches
FROM ringside_batch FINAL WHERE time > now() - 3600
GROUP BY host HAVING lost_events + gaps + dropped > 0 ORDER BY dropped DESC, lost_events DESC LIMIT 50;
