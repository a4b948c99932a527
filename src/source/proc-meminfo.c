// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/proc-meminfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/trace-clock.h"
#include "tracefs/tracefs.h"

/* Both files count KiB; pgpgin and pgpgout too, since the kernel converts sectors for them. */
static const struct {
	const char *file, *key;
	unsigned int unit;
} keys[RS_NR_GAUGES] = {
	[RS_GAUGE_TOTAL] = { "meminfo", "MemTotal:", 1024 },
	[RS_GAUGE_FREE] = { "meminfo", "MemFree:", 1024 },
	[RS_GAUGE_AVAILABLE] = { "meminfo", "MemAvailable:", 1024 },
	[RS_GAUGE_BUFFERS] = { "meminfo", "Buffers:", 1024 },
	[RS_GAUGE_CACHED] = { "meminfo", "Cached:", 1024 },
	[RS_GAUGE_RECLAIMABLE] = { "meminfo", "SReclaimable:", 1024 },
	[RS_GAUGE_COMMITTED] = { "meminfo", "Committed_AS:", 1024 },
	[RS_GAUGE_MAPPED] = { "meminfo", "Mapped:", 1024 },
	[RS_GAUGE_SHARED] = { "meminfo", "Shmem:", 1024 },
	[RS_GAUGE_DIRTY] = { "meminfo", "Dirty:", 1024 },
	[RS_GAUGE_SWAP_TOTAL] = { "meminfo", "SwapTotal:", 1024 },
	[RS_GAUGE_SWAP_FREE] = { "meminfo", "SwapFree:", 1024 },
	[RS_GAUGE_FAULTS] = { "vmstat", "pgfault", 1 },
	[RS_GAUGE_MAJOR_FAULTS] = { "vmstat", "pgmajfault", 1 },
	[RS_GAUGE_PAGE_IN_BYTES] = { "vmstat", "pgpgin", 1024 },
	[RS_GAUGE_PAGE_OUT_BYTES] = { "vmstat", "pgpgout", 1024 },
};

/* The number behind a line's first word, which is the whole of key. */
static bool proc_meminfo_number_of(const char *text, const char *key, uint64_t *nr)
{
	size_t len = strlen(key);
	char *end;

	for (const char *at = text; at && *at; at = strchr(at, '\n'), at += at != NULL) {
		if (strncmp(at, key, len) || !strchr(" \t", at[len]) || !at[len])
			continue;
		errno = 0;
		*nr = strtoull(at + len, &end, 10);
		return !errno && end != at + len;
	}
	return false;
}

static void proc_meminfo_read_file(struct rs_gauges *g, const char *dir, const char *file)
{
	char *text = rs_tracefs_read(dir, file, NULL);
	uint64_t nr;

	for (int i = 0; i < RS_NR_GAUGES; i++)
		if (!strcmp(keys[i].file, file))
			g->value[i] = proc_meminfo_number_of(text, keys[i].key, &nr) ? rs_u(nr * keys[i].unit)
				: rs_null();
	free(text);
}

void rs_proc_gauges(struct rs_gauges *g, const char *dir, const clockid_t *clock)
{
	g->time_ns = clock ? rs_u(rs_trace_clock_ns(*clock)) : rs_null();
	proc_meminfo_read_file(g, dir, "meminfo");
	proc_meminfo_read_file(g, dir, "vmstat");
}
