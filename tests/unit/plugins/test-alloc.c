// SPDX-License-Identifier: GPL-2.0-or-later
/* test-alloc - allocations by the place in the code: which live, and what cannot be known */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "sample-lines.h"

/* Process 10 has the functions of /bin/prog at 400000; [prog+0x10] and [prog+0x20] call malloc. */
#define EVENTS LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "90000000000 cpu0 sched_switch a/10 S -> idle/0")
#define MAP "1100 cpu0 map 10 400000-402000 0 /bin/prog"

START_TEST(pairs)
{
	/* two blocks of 64 and 32 bytes from one place, one of them is freed; 100 from another */
	check_rows(ASK("alloc", .by = "type,stack",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2100 cpu0 call 10/10 malloc 20", "2110 cpu1 return 10/10 malloc 7100 400010",
					  "2200 cpu0 call 10/10 malloc 64", "2210 cpu0 return 10/10 malloc 7200 400100 400020",
					  "2300 cpu0 call 10/11 free 7000")),
		   EVENTS,
		   ROWS("type=malloc allocs=1 alloc_bytes=100 frees=0 live=1 live_bytes=100 growth_bytes=100",
			"type=malloc allocs=2 alloc_bytes=96 frees=1 live=1 live_bytes=32 growth_bytes=32"));
}
END_TEST

START_TEST(all_functions)
{
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 calloc 3 10", "2010 cpu0 return 10/10 calloc 7000 400010",
					  "2100 cpu0 call 10/10 new 20", "2110 cpu0 return 10/10 new 7100 400010",
					  "2200 cpu0 call 10/10 aligned_alloc 40 80", "2210 cpu0 return 10/10 aligned_alloc 7200 400010",
					  "2300 cpu0 call 10/10 posix_memalign 9000 40 10", "2310 cpu0 return 10/10 posix_memalign 0 400010",
					  "2400 cpu0 call 10/10 mmap 0 3000 3 22", "2410 cpu0 return 10/10 mmap 10000 400010",
					  /* the first page of the mapping goes */
					  "2500 cpu0 call 10/10 munmap 10000 1000")),
		   EVENTS,
		   ROWS("type=mmap allocs=1 alloc_bytes=12288 live=1 live_bytes=8192", "type=aligned_alloc alloc_bytes=128 live_bytes=128",
			"type=calloc alloc_bytes=48 live=1 live_bytes=48", "type=new alloc_bytes=32 live_bytes=32",
			/* its address is in the program's memory: whether it is freed cannot be told */
			"type=posix_memalign allocs=1 alloc_bytes=16 live=- live_bytes=- growth_bytes=-"));
}
END_TEST

/* calloc calls malloc, new calls malloc: one allocation, of the outermost. */
START_TEST(nested)
{
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 calloc 2 8", "2010 cpu0 call 10/10 malloc 10", "2020 cpu0 return 10/10 malloc 7000 400020",
					  "2030 cpu0 return 10/10 calloc 7000 400010",
					  /* of a call inside of it the return is missing */
					  "2100 cpu0 call 10/10 new 20", "2110 cpu0 call 10/10 malloc 20", "2130 cpu0 return 10/10 new 7100 400010",
					  "2140 cpu0 call 10/10 malloc 8", "2150 cpu0 return 10/10 malloc 7200 400010",
					  /* realloc frees inside of itself */
					  "2200 cpu0 call 10/10 realloc 7200 40", "2210 cpu0 call 10/10 malloc 40", "2220 cpu0 return 10/10 malloc 7300 400020",
					  "2230 cpu0 call 10/10 free 7200", "2240 cpu0 return 10/10 realloc 7300 400010",
					  /* a return whose call was before the capture */
					  "2300 cpu1 return 10/12 malloc 7400 400010")),
		   EVENTS,
		   ROWS("type=realloc allocs=1 live_bytes=64", "type=new allocs=1 live_bytes=32", "type=calloc allocs=1 alloc_bytes=16 live_bytes=16",
			"type=malloc allocs=1 frees=1 live=0 live_bytes=0"));
}
END_TEST

START_TEST(moved)
{
	/* it fails: the block stays. Of size 0: it is freed */
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2100 cpu0 call 10/10 realloc 7000 ffffffff", "2110 cpu0 return 10/10 realloc 0 400010")),
		   EVENTS, ROWS("type=malloc allocs=1 frees=0 live=1 live_bytes=64"));
	/* and is known when it is freed */
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2100 cpu0 call 10/10 realloc 7000 ffffffff", "2110 cpu0 return 10/10 realloc 0 400010",
					  "2200 cpu0 call 10/10 free 7000")),
		   EVENTS, ROWS("type=malloc allocs=1 frees=1 live=0 live_bytes=0"));
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2100 cpu0 call 10/10 realloc 7000 0", "2110 cpu0 return 10/10 realloc 0 400010")),
		   EVENTS, ROWS("type=malloc allocs=1 frees=1 live=0 live_bytes=0"));
	/* another thread gets the old address before realloc returns: that is another block */
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2100 cpu0 call 10/10 realloc 7000 80", "2110 cpu1 call 10/11 malloc 8", "2120 cpu1 return 10/11 malloc 7000 400010",
					  "2130 cpu0 return 10/10 realloc 7900 400010")),
		   EVENTS, ROWS("type=realloc live=1 live_bytes=128", "type=malloc allocs=2 frees=1 live=1 live_bytes=8"));
	/* the sizes' product overflows */
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 calloc ffffffffffffffff 2", "2010 cpu0 return 10/10 calloc 0 400010",
					  "2100 cpu0 call 10/10 mmap 0 1000 3 22", "2110 cpu0 return 10/10 mmap ffffffffffffffff 400010",
					  "2200 cpu0 call 10/10 malloc 1", "2210 cpu0 return 10/10 malloc 7000 400010")),
		   EVENTS, ROWS("type=malloc allocs=1 live_bytes=1"));
}
END_TEST

/* A mapping of three pages goes in two parts: freed it is with the last one, by what was left of it. */
START_TEST(parts_of_a_mapping)
{
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2400 cpu0 call 10/10 mmap 0 3000 3 22", "2410 cpu0 return 10/10 mmap 10000 400010",
					  "2500 cpu0 call 10/10 munmap 10000 1000", "2600 cpu0 call 10/10 munmap 11000 2000")),
		   EVENTS, ROWS("type=mmap allocs=1 alloc_bytes=12288 frees=1 live=0 live_bytes=0"));
}
END_TEST

/* free(NULL) is nothing; what was allocated before is counted apart, and nothing becomes negative. */
START_TEST(unknown_frees)
{
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 free 0", "2010 cpu0 call 10/10 free 5000", "2020 cpu0 call 10/10 realloc 6000 10",
					  "2030 cpu0 return 10/10 realloc 6000 400010", "2040 cpu0 call 10/10 munmap 90000 1000")),
		   EVENTS, ROWS("type=realloc allocs=1 live_bytes=16", "type=earlier allocs=0 frees=2 live=- live_bytes=- growth_bytes=-"));
	/* in one row with what was seen: what lives of that is known, whichever came first */
	check_rows(ASK("alloc", .by = "pid",
		       .samples = SAMPLES(MAP, "2010 cpu0 call 10/10 free 5000", "2020 cpu0 call 10/10 malloc 10", "2030 cpu0 return 10/10 malloc 6000 400010")),
		   EVENTS, ROWS("allocs=1 frees=1 live=1 live_bytes=16"));
	/* the free of a block was not seen: another one has its address */
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2020 cpu0 call 10/10 malloc 20", "2030 cpu0 return 10/10 malloc 7000 400010")),
		   EVENTS, ROWS("type=malloc allocs=2 frees=0 live=1 live_bytes=32"));
}
END_TEST

/* Any free may be among the lost: what lives is unknown; a call that had begun has no return that is its own. */
START_TEST(lost)
{
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES(MAP, "2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000 400010",
					  "2020 cpu0 call 10/10 malloc 20", "2030 cpu0 missed 7", "2040 cpu0 return 10/10 malloc 7100 400010",
					  "2050 cpu0 call 10/10 malloc 10", "2060 cpu0 return 10/10 malloc 7200 400010")),
		   EVENTS, ROWS("type=malloc allocs=2 alloc_bytes=80 live=- live_bytes=- growth_bytes=- old_bytes=- oldest_ns=-", "_quality samples_lost=7"));
}
END_TEST

START_TEST(intervals_and_ages)
{
	/* after the reset at 3 s: one of two is freed, one comes; what was allocated at 1 s is 10 s old at 11 s, that of 4 s is not */
	check_rows(ASK("alloc", .by = "type", .resets = RESETS(3000000000),
		       .samples = SAMPLES(MAP, "900000000 cpu0 call 10/10 malloc 40", "1000000000 cpu0 return 10/10 malloc 7000 400010",
					  "2000000000 cpu0 call 10/10 malloc 20", "2000000010 cpu0 return 10/10 malloc 7100 400010",
					  "4000000000 cpu0 call 10/10 malloc 10", "4000000010 cpu0 return 10/10 malloc 7200 400010",
					  "11000000000 cpu0 call 10/10 free 7100")),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "3000000000 cpu1 sched_switch idle/0 R -> b/20",
			 "11000000000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("type=malloc allocs=1 alloc_bytes=16 frees=1 live=2 live_bytes=80 growth_bytes=-16 old=1 old_bytes=64 oldest_ns=10000000000 "
			"allocs_per_s=0 bytes_per_s=2"));
	/* of ages 5 s and 1 s, the first is old where 3 s are; both where 1 s is */
	check_rows(ASK("alloc", .by = "type", .older_ns = 3000000000,
		       .samples = SAMPLES(MAP, "1000000000 cpu0 call 10/10 malloc 40", "1000000000 cpu0 return 10/10 malloc 7000 400010",
					  "5000000000 cpu0 call 10/10 malloc 20", "5000000000 cpu0 return 10/10 malloc 7100 400010")),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "6000000000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("type=malloc live=2 old=1 old_bytes=64 oldest_ns=5000000000"));
	check_rows(ASK("alloc", .by = "type", .older_ns = 1000000000,
		       .samples = SAMPLES(MAP, "1000000000 cpu0 call 10/10 malloc 40", "1000000000 cpu0 return 10/10 malloc 7000 400010",
					  "5000000000 cpu0 call 10/10 malloc 20", "5000000000 cpu0 return 10/10 malloc 7100 400010")),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "6000000000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("type=malloc live=2 old=2 old_bytes=96"));
}
END_TEST

/* Each process has its own; -p shows one. */
START_TEST(processes)
{
	check_rows(ASK("alloc", .by = "pid", .pid = 20,
		       .samples = SAMPLES("2000 cpu0 call 10/10 malloc 40", "2010 cpu0 return 10/10 malloc 7000", "2020 cpu1 call 20/20 malloc 20",
					  "2030 cpu1 return 20/20 malloc 7000", "2040 cpu0 call 10/10 free 7000")),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu1 sched_switch idle/0 R -> b/20", "9000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("pid=20 allocs=1 frees=0 live_bytes=32"));
}
END_TEST

/* Enough blocks that the table grows, and that some are not in their own place: none is lost or left behind. */
START_TEST(many)
{
	static char text[4 * 40000][64];
	static const char *lines[4 * 40000 + 2];
	size_t nr = 0;

	lines[nr++] = MAP;
	for (unsigned int i = 0; i < 40000; i++) {
		snprintf(text[nr], sizeof text[0], "%u cpu0 call 10/10 malloc 10", 2000 + 2 * i);
		lines[nr] = text[nr];
		nr++;
		snprintf(text[nr], sizeof text[0], "%u cpu0 return 10/10 malloc %x 400010", 2001 + 2 * i, 0x10000 + 16 * i);
		lines[nr] = text[nr];
		nr++;
	}
	for (unsigned int i = 0; i < 40000; i += 2) {
		snprintf(text[nr], sizeof text[0], "%u cpu0 call 10/10 free %x", 200000 + i, 0x10000 + 16 * i);
		lines[nr] = text[nr];
		nr++;
	}
	check_rows(ASK("alloc", .by = "type", .samples = lines), EVENTS,
		   ROWS("type=malloc allocs=40000 frees=20000 live=20000 live_bytes=320000"));
}
END_TEST

Suite *rs_suite_alloc(void)
{
	Suite *s = suite_create("alloc");
	TCase *t = tcase_create("alloc");

	tcase_add_test(t, pairs);
	tcase_add_test(t, all_functions);
	tcase_add_test(t, nested);
	tcase_add_test(t, moved);
	tcase_add_test(t, parts_of_a_mapping);
	tcase_add_test(t, unknown_frees);
	tcase_add_test(t, lost);
	tcase_add_test(t, intervals_and_ages);
	tcase_add_test(t, processes);
	tcase_add_test(t, many);
	suite_add_tcase(s, t);
	return s;
}
