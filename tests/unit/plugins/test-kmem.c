// SPDX-License-Identifier: GPL-2.0-or-later
/* test-kmem - what the kernel allocates for a process, and what is freed by anybody */
#include <check.h>

#include "ask.h"
#include "sample-lines.h"

#define EVENTS LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "90000000000 cpu0 sched_switch a/10 S -> idle/0")

/* Two objects of a cache, one of kmalloc that takes more than was asked for, two pages: by type and cache. */
START_TEST(types)
{
	check_rows(ASK("kmem", .by = "pid,type,cache",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 slab 9000 e8 100 cache=filp", "2010 cpu0 kalloc 10/11 slab 9100 e8 100 cache=filp",
					  "2020 cpu0 kalloc 10/10 slab 9200 40 40 cache=eventpoll_epi", "2030 cpu0 kalloc 10/10 kmalloc 9300 21 40",
					  "2040 cpu0 kalloc 10/10 pages 10000 2000 2000", "2050 cpu0 kfree 10/10 slab 9000")),
		   EVENTS,
		   ROWS("pid=10 type=pages cache=- allocs=1 alloc_bytes=8192 asked_bytes=8192 frees=0 live=1 live_bytes=8192 growth_bytes=8192",
			"pid=10 type=slab cache=filp allocs=2 alloc_bytes=512 asked_bytes=464 frees=1 live=1 live_bytes=256 growth_bytes=256",
			"pid=10 type=slab cache=eventpoll_epi allocs=1 alloc_bytes=64 asked_bytes=64 live=1 live_bytes=64",
			"pid=10 type=kmalloc cache=- allocs=1 alloc_bytes=64 asked_bytes=33 live=1 live_bytes=64"));
}
END_TEST

/* A kernel thread, another process and an interrupt of an idle CPU free what the process allocated; their own does not count. */
START_TEST(freed_by_others)
{
	check_rows(ASK("kmem", .by = "pid,type", .pid = 10,
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 slab 9000 40 40", "2010 cpu0 kalloc 10/10 slab 9100 40 40", "2020 cpu0 kalloc 10/10 kmalloc 9200 40 40",
					  "2030 cpu0 kalloc 10/10 pages 10000 1000 1000", "2040 cpu1 kfree 99/99 slab 9000", "2050 cpu1 kfree 20/20 kmalloc 9200",
					  "2060 cpu1 kfree 0/0 pages 10000 1000", "2070 cpu1 kfree 20/20 slab 7777", "2080 cpu1 kalloc 20/20 slab 6000 40 40")),
		   EVENTS,
		   ROWS("pid=10 type=slab allocs=2 frees=1 live=1 live_bytes=64", "pid=10 type=kmalloc allocs=1 frees=1 live=0 live_bytes=0",
			"pid=10 type=pages allocs=1 frees=1 live=0 live_bytes=0"));
}
END_TEST

/* An address is used again: after its free by another stack; and where the free had no event (kfree_rcu in bulk). */
START_TEST(addresses_again)
{
	check_rows(ASK("kmem", .by = "cache",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 slab 9000 40 40 cache=a", "2010 cpu1 kfree 0/0 slab 9000",
					  "2020 cpu0 kalloc 10/10 slab 9000 80 80 cache=b", "2030 cpu0 kalloc 10/10 slab 9000 20 20 cache=c")),
		   EVENTS,
		   ROWS("cache=a allocs=1 frees=1 live=0 live_bytes=0", "cache=b allocs=1 frees=0 live=0 live_bytes=0", "cache=c allocs=1 live=1 live_bytes=32"));
	/* a page and an object at one address are two blocks */
	check_rows(ASK("kmem", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 kmalloc 10000 4000 4000", "2010 cpu0 kalloc 10/10 pages 10000 1000 1000",
					  "2020 cpu0 kfree 0/0 pages 10000 1000")),
		   EVENTS, ROWS("type=kmalloc live=1 live_bytes=16384", "type=pages frees=1 live=0"));
}
END_TEST

/* What was allocated before the capture is freed in it: no row, and nothing becomes negative. kfree(NULL) is nothing. */
START_TEST(allocated_before)
{
	check_rows(ASK("kmem", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kfree 10/10 slab 9000", "2010 cpu0 kfree 10/10 pages 10000 1000", "2020 cpu0 kfree 10/10 kmalloc 0",
					  "2030 cpu0 kalloc 10/10 slab 9000 40 40")),
		   EVENTS, ROWS("type=slab allocs=1 frees=0 live=1 live_bytes=64 growth_bytes=64"));
}
END_TEST

/*
 * Four pages were allocated together; the third is freed alone, then the rest, two at once: freed with the last. A page that was
 * allocated alone meanwhile, where the third was, is its own.
 */
START_TEST(pages_in_parts)
{
	check_rows(ASK("kmem", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 pages 10000 4000 4000", "2010 cpu0 kfree 10/10 pages 12000 1000")),
		   EVENTS, ROWS("type=pages allocs=1 frees=0 live=1 live_bytes=12288 growth_bytes=12288"));
	check_rows(ASK("kmem", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 pages 10000 4000 4000", "2010 cpu0 kfree 10/10 pages 12000 1000",
					  "2020 cpu0 kalloc 10/10 pages 12000 1000 1000", "2030 cpu0 kfree 10/10 pages 12000 1000",
					  "2040 cpu0 kfree 10/10 pages 10000 2000", "2050 cpu0 kfree 10/10 pages 13000 1000")),
		   EVENTS, ROWS("type=pages allocs=2 frees=2 live=0 live_bytes=0 growth_bytes=0"));
}
END_TEST

/* Any free may be among the lost. */
START_TEST(lost)
{
	check_rows(ASK("kmem", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 slab 9000 40 40", "2010 cpu0 missed 3", "2020 cpu0 kalloc 10/10 slab 9100 40 40")),
		   EVENTS, ROWS("type=slab allocs=2 alloc_bytes=128 live=- live_bytes=- growth_bytes=- old_bytes=-", "_quality samples_lost=3"));
}
END_TEST

/* Memory that lives for 5 s is old where --older says 4 s; of a recording of both each view has its own. */
START_TEST(ages_and_kinds)
{
	check_rows(ASK("kmem", .by = "type", .older_ns = 4000000000,
		       .samples = SAMPLES("1000000000 cpu0 kalloc 10/10 slab 9000 40 40", "5000000000 cpu0 kalloc 10/10 slab 9100 20 20",
					  "5000000010 cpu0 call 10/10 malloc 40", "5000000020 cpu0 return 10/10 malloc 7000 400010")),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "6000000000 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("type=slab live=2 live_bytes=96 old=1 old_bytes=64 oldest_ns=5000000000"));
	check_rows(ASK("alloc", .by = "type",
		       .samples = SAMPLES("2000 cpu0 kalloc 10/10 slab 9000 40 40", "2010 cpu0 call 10/10 malloc 40", "2020 cpu0 return 10/10 malloc 9000",
					  "2030 cpu0 kfree 0/0 slab 9000")),
		   EVENTS, ROWS("type=malloc allocs=1 live=1 live_bytes=64"));
}
END_TEST

/* The program's part of the stack is there, too: two callers in the program, one function of the kernel. */
START_TEST(stacks)
{
	check_rows(ASK("kmem", .by = "stack",
		       .samples = SAMPLES("1100 cpu0 map 10 400000-402000 0 /bin/prog", "2000 cpu0 kalloc 10/10 slab 9000 40 40 400010 kernel ffffffff81000010",
					  "2010 cpu0 kalloc 10/10 slab 9100 40 40 400020 kernel ffffffff81000010", "2020 cpu0 kalloc 10/10 slab 9200 40 40 400020 kernel ffffffff81000010")),
		   EVENTS, ROWS("allocs=1 live=1", "allocs=2 live=2"));
}
END_TEST

Suite *rs_suite_kmem(void)
{
	Suite *s = suite_create("kmem");
	TCase *t = tcase_create("kmem");

	tcase_add_test(t, types);
	tcase_add_test(t, freed_by_others);
	tcase_add_test(t, addresses_again);
	tcase_add_test(t, allocated_before);
	tcase_add_test(t, pages_in_parts);
	tcase_add_test(t, lost);
	tcase_add_test(t, ages_and_kinds);
	tcase_add_test(t, stacks);
	suite_add_tcase(s, t);
	return s;
}
