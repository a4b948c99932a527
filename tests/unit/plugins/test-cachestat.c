// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-cachestat - pages of the cache that reads found, and those they missed
 */
#include <check.h>

#include "ask.h"
#include "engine/session.h"

#define ADD(at, index, order) #at " cpu0 mm_filemap_add_to_page_cache 8,0 70 " #index " " #order " t=10"
#define GET(at, from, last) #at " cpu0 mm_filemap_get_pages 8,0 70 " #from " " #last " t=10"

/*
 * The first read misses two pages, and eight are read ahead; the next has those in two batches, of which the
 * second is told again; the third misses the end. A fault, and pages of no call, are of the inode.
 */
START_TEST(by_the_pages_that_the_call_added)
{
	check_rows(ASK("cachestat"),
		   LINES("seed a/10 pid=10",
			 "1000 cpu0 sys_enter t=10 nr=openat ffffff9c 0 0 0 0 0", "1001 cpu0 openat t=10 /data",
			 "1010 cpu0 sys_exit t=10 nr=openat ret=3",
			 "1100 cpu0 sys_enter t=10 nr=read 3 0 2000 0 0 0", ADD(1101, 0, 1), ADD(1102, 2, 3),
			 GET(1103, 0, 1), "1110 cpu0 sys_exit t=10 nr=read ret=8192",
			 "1200 cpu0 sys_enter t=10 nr=read 3 0 3000 0 0 0", GET(1201, 2, 4), GET(1202, 3, 4),
			 "1210 cpu0 sys_exit t=10 nr=read ret=12288",
			 "1300 cpu0 sys_enter t=10 nr=read 3 0 3000 0 0 0", ADD(1301, 10, 0), GET(1302, 8, 9),
			 GET(1303, 9, 10), "1310 cpu0 sys_exit t=10 nr=read ret=12288",
			 "1400 cpu0 mm_filemap_fault 8,0 70 5 t=10"),
		   ROWS("file=/data dev=- pages=8 missed=3 added=11 faults=0",
			"file='inode 70' dev='8,0' pages=0 missed=0 added=0 faults=1"));
}
END_TEST

Suite *rs_suite_cachestat(void);
Suite *rs_suite_cachestat(void)
{
	Suite *s = suite_create("cachestat");
	TCase *t = tcase_create("cachestat");

	tcase_add_test(t, by_the_pages_that_the_call_added);
	suite_add_tcase(s, t);
	return s;
}
