// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/as-tool-rows.h"

#include <stddef.h>

#define TOOL_FLAG RS_TOOL_FLAG
#define VALUE RS_TOOL_VALUE
#define ONLY RS_TOOL_ONLY
#define NAME RS_TOOL_NAME
#define AS_TOOL_NOTHING RS_TOOL_NOTHING
#define WORD RS_TOOL_WORD
#define NAME_WORD RS_TOOL_NAME_WORD
#define COUNT RS_TOOL_COUNT
#define REFUSED RS_TOOL_REFUSED
#define TOOL_ALWAYS RS_TOOL_ALWAYS
#define TOOL_COLUMNS RS_TOOL_COLUMNS
#define BEFORE RS_TOOL_BEFORE
#define BEHIND RS_TOOL_BEHIND
#define INSTEAD RS_TOOL_INSTEAD

#define TIMES "each interval begins with its time anyhow"
#define UNITS "units stand beside the numbers anyhow"
#define THIS_PROCESS "only this process, without its children"
#define THIS_THREAD "only this thread, without its children"
#define NAMED "only tasks with this in their name; ^ and $ are its begin and end"
#define COUNTS "so many intervals, then the end"
#define INTERVAL "print and start anew every so many seconds"
#define NO_STACKS "no stacks are recorded"
#define NO_PICTURE "no pictures of each source (nearest: --columns name,p50_ns,p99_ns,max_ns)"
#define NO_NAMESPACES "nothing is narrowed by namespace (nearest: --pid)"

const struct rs_tool_row rs_tool_rows[] = {
	{ "iosnoop", TOOL_FLAG, 'Q', "--queue", "", NULL },
	{ "iosnoop", TOOL_FLAG, 's', "--starts", "", NULL },
	{ "iosnoop", TOOL_FLAG, 't', "--ends", "", NULL },
	{ "iosnoop", VALUE, 'd', "--dev", "", NULL },
	{ "iosnoop", VALUE, 'i', "--type", "", NULL },
	{ "iosnoop", NAME, 'n', "--comm", "", NAMED },
	{ "iosnoop", ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "iosnoop", WORD, 0, "--duration", "", NULL },

	{ "runqlat", AS_TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "runqlat", AS_TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "runqlat", TOOL_FLAG, 'P', "--by=pid", "", "a picture for each process" },
	{ "runqlat", TOOL_FLAG, 'L', "--by=tid", "", "a picture for each thread" },
	{ "runqlat", ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "runqlat", REFUSED, 0, "pidnss", NULL, NO_NAMESPACES },
	{ "runqlat", WORD, 0, "--interval", "", INTERVAL },
	{ "runqlat", COUNT, 0, NULL, NULL, COUNTS },

	{ "runqslower", TOOL_COLUMNS, 0, "time_ns,comm,tid,lat_ns", NULL, NULL },
	{ "runqslower", BEHIND, 'P', "prev_comm,prev_tid", NULL, "who left the CPU, too" },
	{ "runqslower", ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "runqslower", ONLY, 't', "--tid", "", THIS_THREAD },
	{ "runqslower", WORD, 0, "--min", "us", "only what took this many microseconds" },

	{ "biolatency", AS_TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "biolatency", AS_TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "biolatency", TOOL_FLAG, 'Q', "--queue", "", NULL },
	{ "biolatency", TOOL_FLAG, 'D', "--by=dev", "", "a picture for each disk" },
	{ "biolatency", TOOL_FLAG, 'F', "--by=type", "", "a picture for each type, as R or WS" },
	{ "biolatency", TOOL_FLAG, 'j', "--json", "", NULL },
	{ "biolatency", VALUE, 'd', "--dev", "", NULL },
	{ "biolatency", REFUSED, 'e', NULL, NULL, "the summary has count, average and quantiles anyhow" },
	{ "biolatency", REFUSED, 'c', NULL, NULL, "nothing is narrowed by cgroup (nearest: --comm, --pid)" },
	{ "biolatency", WORD, 0, "--interval", "", INTERVAL },
	{ "biolatency", COUNT, 0, NULL, NULL, COUNTS },

	{ "hardirqs", AS_TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "hardirqs", AS_TOOL_NOTHING, 'N', NULL, NULL, "--json and --csv have nanoseconds" },
	{ "hardirqs", TOOL_FLAG, 'C', "--columns=name,count", "", "count them, without their times" },
	{ "hardirqs", VALUE, 'c', "--cpus", "", NULL },
	{ "hardirqs", REFUSED, 'd', NULL, NULL, NO_PICTURE },
	{ "hardirqs", WORD, 0, "--interval", "", INTERVAL },
	{ "hardirqs", COUNT, 0, NULL, NULL, COUNTS },

	{ "softirqs", AS_TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "softirqs", AS_TOOL_NOTHING, 'N', NULL, NULL, "--json and --csv have nanoseconds" },
	{ "softirqs", TOOL_FLAG, 'C', "--columns=name,count", "", "count them, without their times" },
	{ "softirqs", VALUE, 'c', "--cpus", "", NULL },
	{ "softirqs", REFUSED, 'd', NULL, NULL, NO_PICTURE },
	{ "softirqs", REFUSED, 'e', NULL, NULL, "the time from raise to begin is a column (nearest: --columns name,raise_delay_p99_ns)" },
	{ "softirqs", WORD, 0, "--interval", "", INTERVAL },
	{ "softirqs", COUNT, 0, NULL, NULL, COUNTS },

	{ "offcputime", ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "offcputime", ONLY, 't', "--tid", "", THIS_THREAD },
	{ "offcputime", VALUE, 'm', "--min", "us", "only rows whose longest took this many microseconds" },
	{ "offcputime", REFUSED, 'M', NULL, NULL, "no upper limit (nearest: --where 'max_ns < 1ms')" },
	{ "offcputime", REFUSED, 'f', NULL, NULL, "folded output is of stacks, and none are recorded (nearest: --csv)" },
	{ "offcputime", REFUSED, 'd', NULL, NULL, NO_STACKS ", so nothing is between them" },
	{ "offcputime", REFUSED, 'U', NULL, NULL, NO_STACKS },
	{ "offcputime", REFUSED, 'K', NULL, NULL, NO_STACKS },
	{ "offcputime", REFUSED, 'v', NULL, NULL, NO_STACKS ", so no addresses" },
	{ "offcputime", REFUSED, 'u', NULL, NULL, "kernel threads are shown too (nearest: --comm, --pid)" },
	{ "offcputime", REFUSED, 'k', NULL, NULL, "user threads are shown too (nearest: --comm, --pid)" },
	{ "offcputime", REFUSED, 0, "stack-storage-size", NULL, NO_STACKS },
	{ "offcputime", REFUSED, 0, "state", NULL, "by its number it cannot be asked for (nearest: --where 'state == D')" },
	{ "offcputime", WORD, 0, "--duration", "", NULL },

	{ "execsnoop", TOOL_ALWAYS, 0, "--type=exec", NULL, NULL }, /* exits are ringside's own */
	{ "execsnoop", TOOL_COLUMNS, 0, "comm,pid,ppid,ret,args", NULL, NULL },
	{ "execsnoop", AS_TOOL_NOTHING, 'x', NULL, NULL, "those that fail are shown anyhow, with what was returned" },
	{ "execsnoop", AS_TOOL_NOTHING, 'r', NULL, NULL, "a process that begins another program is shown each time anyhow" },
	{ "execsnoop", BEFORE, 't', "time_ns", NULL, "when each was begun" },
	{ "execsnoop", NAME, 'n', "--comm", "", NAMED },
	{ "execsnoop", VALUE, 'd', "--duration", "", NULL },
	{ "execsnoop", REFUSED, 'a', NULL, NULL, "words are shown as far as there is room (nearest: --json has them whole)" },
	{ "execsnoop", REFUSED, 'l', NULL, NULL, "words are not searched by this letter (nearest: --where 'args ~ WORD')" },
	{ "execsnoop", REFUSED, 'T', NULL, NULL, "the letter for the time is -t (nearest: -t --time wall)" },
	{ "execsnoop", REFUSED, 'u', NULL, NULL, "users are not recorded (nearest: --comm)" },
	{ "execsnoop", REFUSED, 'U', NULL, NULL, "users are not recorded" },
	{ "execsnoop", REFUSED, 'P', NULL, NULL, "no process by its parent (nearest: --where 'ppid == 42')" },
	{ "execsnoop", REFUSED, 'q', NULL, NULL, "words are shown as they are" },
	{ "execsnoop", REFUSED, 0, "max-args", NULL, "words are shown as far as there is room" },
	{ "execsnoop", NAME_WORD, 0, "--comm", "", NAMED },

	{ "syscount", TOOL_ALWAYS, 0, "--sort=calls", NULL, NULL },
	{ "syscount", TOOL_ALWAYS, 0, "--rows=10", NULL, NULL },
	{ "syscount", TOOL_COLUMNS, 0, "syscall,calls", NULL, NULL },
	{ "syscount", INSTEAD, 'P', "syscall", "pid,comm", "by process, not by call" },
	{ "syscount", BEHIND, 'L', "total_ns", "--sort=total_ns", "the time in the calls, too, the longest first" },
	{ "syscount", AS_TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "syscount", ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "syscount", ONLY, 't', "--tid", "", THIS_THREAD },
	{ "syscount", VALUE, 'i', "--interval", "", NULL },
	{ "syscount", VALUE, 'd', "--duration", "", NULL },
	{ "syscount", VALUE, 'T', "--rows", "", "at most so many rows; 10 if not given" },
	{ "syscount", REFUSED, 'x', NULL, NULL, "failed calls are counted beside the others (nearest: --columns syscall,errors --sort errors)" },
	{ "syscount", REFUSED, 'e', NULL, NULL, "not by one error (nearest: ringside syscalls --where 'errno == 2')" },
	{ "syscount", REFUSED, 'l', NULL, NULL, "no list of calls; a misspelt --syscall names the nearest" },
	{ "syscount", REFUSED, 'c', NULL, NULL, "no process by its parent (nearest: --pid, which follows children)" },
	{ .tool = NULL },
};
