#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.sh - page faults and pages of the running kernel: what the sample did is what is shown
. "$(dirname "$0")/../lib/live.sh"
need_tracing

# touched: waits until the sample, which stays, has done what it was told
touched() {
	exec 9>&-
	until grep -q pages= did 2>/dev/null; do
		[ -e /proc/$sample_job ] || { fail "toucher ended: $(cat did)"; return; }
		sleep 0.01
	done
}
dismiss() { kill $sample_job; wait $sample_job 2>/dev/null; }

if [ -d $tracefs/events/exceptions ]; then
	begin "n pages touched are n faults, of its own code and of the kernel's; its books tell which waited for a disk"
	# somebody else's storm may lose events: another attempt then, and never more than there were
	for attempt in 1 2 3; do
		hold toucher -n 5000 -k 700 -m 100 -s
		start faults --json
		touched
		end
		dismiss
		fine
		row="of(tid=$sample_pid)"
		user=$(ask "$row[0]['user']") kernel=$(ask "$row[0]['kernel']")
		within "user, at most" 0 5200 "$user"
		within "kernel, at most" 0 720 "$kernel"
		[ "$(ask 'meta["lost"]')" != 0 ] || break
	done
	expect "rows" 1 "$(ask "len($row)")"
	# the file's are of its own code too; what it printed took a few more
	within "user" $((5000 + $(said major))) $((5100 + $(said major))) "$user"
	within "kernel" 700 710 "$kernel"
	expect "its books, as it has read them itself" "$(said major)" "$(ask "$row[0]['major']")"
	[ "$(said major)" -gt 0 ] || echo "note: the disk was not waited for here: major was 0"
	expect "its name and process" "('toucher', $sample_pid)" "$(ask "($row[0]['comm'], $row[0]['pid'])")"

	begin "a command's own books are read before it is reaped"
	run faults --json -- "$samples/toucher" -n 300 -m 40
	fine
	row="of(tid=$(said pid))"
	within "user" 300 900 "$(ask "$row[0]['user']")"
	within "major" "$(said major)" $(($(said major) + 200)) "$(ask "$row[0]['major']")"

	begin "-p narrows in the kernel: a fault is the task's own"
	hold toucher -n 400 -s
	start faults --json -p "$sample_pid"
	finds "$sample_pid" "$instances/ringside-$pid/set_event_pid"
	touched
	end
	dismiss
	fine
	expect "whose" "{$sample_pid}" "$(ask "{r['tid'] for r in rows}")"
	within "user" 400 500 "$(ask "rows[0]['user']")"

	begin "each interval has its own"
	hold toucher -n 400 -m 20 -s
	start faults --json -I 0.3
	touched
	for i in {1..200}; do [ "$(grep -c _meta out)" -ge 4 ] && break; sleep 0.05; done
	end
	dismiss
	fine
	within "user, all intervals" 400 500 "$(ask "sum(r['user'] for r in of(tid=$sample_pid))")"
	expect "major, all intervals" "$(said major)" "$(ask "sum(r['major'] for r in of(tid=$sample_pid))")"

	begin "a recording has the faults, and not the books"
	run record -q -o trace.dat -a faults -- "$samples/toucher" -n 300
	fine
	"$ringside" faults -i trace.dat --json >out 2>err || fail "of a recording: $(cat err)"
	row="of(tid=$(said pid))"
	within "user" 300 900 "$(ask "$row[0]['user']")"
	expect "major" None "$(ask "$row[0]['major']")"
else
	echo "note: this kernel has no exceptions:page_fault_user"
	run faults
	expect "exit status" 1 "$status"
	finds "exceptions:page_fault_user" err
fi

begin "n pages touched are n pages allocated, and n pages that the process grew by"
for attempt in 1 2 3; do
	hold toucher -n 5000 -s
	start memory --json
	touched
	end
	dismiss
	fine
	row="of(pid=$sample_pid)"
	bytes=$(said page_bytes)
	[ "$(ask 'meta["lost"]')" != 0 ] || break
done
expect "rows" 1 "$(ask "len($row)")"
within "allocated" 5000 5200 "$(ask "$row[0]['alloc_pages']")"
within "given back" 0 200 "$(ask "$row[0]['free_pages']")"
# before 6.2 the kernel tells only of each 128 pages that its size passes
within "grew, in pages" 4700 5200 "$(ask "$row[0]['rss_delta_bytes'] // $bytes")"
within "at most, in pages" 4700 5200 "$(ask "$row[0]['rss_rise_bytes'] // $bytes")"

begin "what a process takes it gives back with its end"
for attempt in 1 2 3; do
	hold toucher -n 5000
	start memory --json
	release
	end
	fine
	row="of(pid=$sample_pid)"
	[ "$(ask 'meta["lost"]')" != 0 ] || break
done
within "allocated" 5000 5300 "$(ask "$row[0]['alloc_pages']")"
within "given back" 5000 5600 "$(ask "$row[0]['free_pages']")"
within "at most, in pages" 4700 5300 "$(ask "$row[0]['rss_rise_bytes'] // $bytes")"
expect "at the end it is no larger than at the begin" True "$(ask "$row[0]['rss_delta_bytes'] <= 400 * $bytes")"

begin "only where it is named"
start record -q -o trace.dat
expect "kmem in a plain recording" 0 "$(cat $instances/ringside-$pid/events/kmem/enable)"
end
start record -q -o trace.dat -a memory
within "memory by name" 1 1 "$(cat $instances/ringside-$pid/events/kmem/mm_page_alloc/enable)"
end
start summary
expect "kmem in the page of everything" 0 "$(cat $instances/ringside-$pid/events/kmem/enable)"
end
grep -q "^memory: \|^meminfo: " out && fail "the page of everything shows what is by name only"

begin "the machine's levels, a row for each interval and one at the end"
hold toucher -n 20000 -s
start meminfo --json -I 0.3
touched
for i in {1..200}; do [ "$(grep -c _meta out)" -ge 3 ] && break; sleep 0.05; done
end
dismiss
fine
within "rows" 4 9999 "$(ask 'len(rows)')"
expect "a row for each quality line" "$(grep -c _meta out)" "$(ask 'len(rows)')"
expect "the parts are the whole" "{True}" "$(ask "{r['used_bytes'] + r['cached_bytes'] + r['free_bytes'] == r['total_bytes'] for r in rows}")"
expect "the total is the kernel's" "$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" "$(ask "rows[0]['total_bytes'] // 1024")"
within "faults" 20000 99999999 "$(ask "sum(r['faults'] for r in rows)")"
expect "in the order of time" True "$(ask "(lambda t: t == sorted(t))([r['time_ns'] for r in rows])")"
expect "nothing is unknown" "[]" "$(ask "[k for k, v in rows[0].items() if v is None]")"
"$ringside" meminfo -i "$root/tests/traces/debian-6.1-amd64-v6.dat" >out 2>err
expect "exit status, of a recording" 1 $?
finds "live only" err

finish
