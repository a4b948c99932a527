// SPDX-License-Identifier: GPL-2.0-or-later
/* test-gauges - the machine's memory: read from /proc, levels as they are, counters since the row before */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ask.h"
#include "engine/session.h"
#include "source/live/proc.h"

/* used 1000 - 300 - (10 + 400 + 40) */
START_TEST(levels_and_counters)
{
	check_rows(ASK("meminfo"),
		   LINES("live",
			 "gauges at=500 total=1 faults=100 major_faults=7 page_in=4096 page_out=0",
			 "gauges at=9000 total=1000 free=300 available=800 buffers=10 cached=400 reclaimable=40 committed=5000"
			 " mapped=60 shared=70 dirty=8 swap_total=500 swap_free=450 faults=130 major_faults=7 page_in=12288"
			 " page_out=512",
			 "1000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("time_ns=9000 total_bytes=1000 used_bytes=250 cached_bytes=450 free_bytes=300 available_bytes=800"
			" committed_bytes=5000 mapped_bytes=60 shared_bytes=70 dirty_bytes=8 swapped_bytes=50"
			" faults=30 major=0 page_in_bytes=8192 page_out_bytes=512"));
}
END_TEST

/* An old kernel, a counter that began anew, a clock that cannot be read. */
START_TEST(what_is_not_told_is_unknown)
{
	check_rows(ASK("meminfo"),
		   LINES("live", "gauges at=500 faults=100 page_in=50", "gauges total=1000 free=300 buffers=10 faults=20",
			 "1000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("time_ns=- total_bytes=1000 free_bytes=300 cached_bytes=- used_bytes=- available_bytes=- swapped_bytes=-"
			" faults=- major=- page_in_bytes=- page_out_bytes=-"));
}
END_TEST

/* Read while memory moves, the parts may be more than the whole. */
START_TEST(used_is_never_below_nothing)
{
	check_rows(ASK("meminfo"),
		   LINES("live", "gauges at=1", "gauges at=2 total=100 free=60 buffers=1 cached=50 reclaimable=0",
			 "1000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("used_bytes=0 free_bytes=60 cached_bytes=51"));
}
END_TEST

START_TEST(a_recording_has_none)
{
	struct rs_source *source = rs_lines_source(LINES("1000 cpu0 sched_switch idle/0 R -> a/10"), &rs_layouts[0]);
	struct rs_error err = { 0 };
	struct rs_session_config config = { .nr_analyses = 1 };
	struct rs_session *s;
	struct rs_view_ref ref;

	ck_assert(rs_requirements_find_view("meminfo", &ref, &err));
	config.analyses[0] = ref.analysis;
	s = rs_session_new(&config, &err);
	ck_assert_int_eq(rs_session_attach(s, source, &err), 0);
	ck_assert_str_eq(rs_session_disabled(s, ref.analysis), "live only: a recording has nothing of it (without -i)");
	rs_session_free(s);
	source->ops->close(source);
}
END_TEST

static void put(const char *dir, const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	if (!text) {
		unlink(path);
		return;
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* KiB in meminfo, and in pgpgin and pgpgout; a key is a whole word at a line's begin. */
START_TEST(from_proc)
{
	char dir[] = "/tmp/ringside-gauges-XXXXXX";
	struct rs_gauges g;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	put(dir, "meminfo", "MemTotal:       24684084 kB\nMemFree:        24245912 kB\nSwapCached:            5 kB\n"
	    "Cached:           255344 kB\nCommitted_AS:\nMapped: x kB\nShmem: 99999999999999999999999 kB\nDirty: 7");
	put(dir, "vmstat", "nr_pgfault 1\npgpgin 3\npgfault_x 4\npgfault 5\npgmajfault 6");
	rs_proc_gauges(&g, dir, NULL);
	ck_assert(!g.time_ns.known);
	ck_assert_uint_eq(g.value[RS_GAUGE_TOTAL].u, 24684084ull * 1024);
	ck_assert_uint_eq(g.value[RS_GAUGE_CACHED].u, 255344 * 1024);
	ck_assert_uint_eq(g.value[RS_GAUGE_DIRTY].u, 7 * 1024);
	ck_assert(!g.value[RS_GAUGE_AVAILABLE].known && !g.value[RS_GAUGE_COMMITTED].known);
	ck_assert(!g.value[RS_GAUGE_MAPPED].known && !g.value[RS_GAUGE_SHARED].known);
	ck_assert_uint_eq(g.value[RS_GAUGE_PAGE_IN_BYTES].u, 3 * 1024);
	ck_assert(!g.value[RS_GAUGE_PAGE_OUT_BYTES].known);
	ck_assert_uint_eq(g.value[RS_GAUGE_FAULTS].u, 5);
	ck_assert_uint_eq(g.value[RS_GAUGE_MAJOR_FAULTS].u, 6);
	put(dir, "meminfo", NULL);
	put(dir, "vmstat", NULL);
	rs_proc_gauges(&g, dir, NULL);
	for (int i = 0; i < RS_NR_GAUGES; i++)
		ck_assert(!g.value[i].known);
	rmdir(dir);
}
END_TEST

Suite *rs_suite_gauges(void)
{
	Suite *s = suite_create("gauges");
	TCase *t = tcase_create("gauges");

	tcase_add_test(t, levels_and_counters);
	tcase_add_test(t, what_is_not_told_is_unknown);
	tcase_add_test(t, used_is_never_below_nothing);
	tcase_add_test(t, a_recording_has_none);
	tcase_add_test(t, from_proc);
	suite_add_tcase(s, t);
	return s;
}
