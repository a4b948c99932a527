// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/hints.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *word, *ours;
} hints[] = {
	{ "top", "tasks -I 2" }, { "htop", "tui" }, { "atop", "tui" }, { "pidstat", "tasks -I 2" },
	{ "stat", "summary" }, { "script", "event-list -i FILE -e ..." }, { "show", "report" }, { "view", "report" },
	{ "annotate", "report" }, { "timechart", "export" }, { "convert", "export" },
	{ "start", "record" }, { "stop", "trace off" }, { "restart", "trace on" },
	{ "strace", "syscalls -- COMMAND" }, { "syscount", "syscall-latency --by syscall" },
	{ "opensnoop", "syscalls --syscall 'open*'" }, { "killsnoop", "syscalls --syscall 'kill,t*kill'" },
	{ "statsnoop", "syscalls --syscall '*stat*'" }, { "execs", "execsnoop" }, { "exitsnoop", "execsnoop --type exit" },
	{ "hardirqs", "irqs --type irq" }, { "softirqs", "irqs --type softirq" }, { "mpstat", "cpus" }, { "runqlen", "cpus" },
	{ "cpudist", "timehist" }, { "latency", "sched" }, { "map", "timehist" },
	{ "offcputime", "offcpu" }, { "wakeuptime", "offcpu" }, { "klockstat", "locks" }, { "lock", "locks" },
	{ "contention", "locks" }, { "biosnoop", "iosnoop" }, { "iolatency", "biolatency" }, { "biotop", "disks" },
	{ "iostat", "disks" }, { "iotop", "disks" }, { "drsnoop", "reclaim" },
};

const char *rs_hint(const char *word)
{
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
		if (!strcmp(hints[i].word, word))
			return hints[i].ours;
	return NULL;
}
