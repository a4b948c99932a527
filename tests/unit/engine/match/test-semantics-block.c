// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-block - which insert, issue and completion belong together */
#include <check.h>

#include "ask.h"

/* "insert, issue, complete by (dev, sector)"; LAT is D2C, queue is I2D; the task is the one at the insert. */
#define WHOLE \
	"1000 cpu0 block_rq_insert t=10 8,0 R 4096 sector=100 nr=8 comm=a", \
	"1200 cpu0 block_rq_issue t=50 8,0 R 4096 sector=100 nr=8 comm=kworker", \
	"2000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8"

START_TEST(insert_issue_complete)
{
	check_rows(ASK("iosnoop"), LINES(WHOLE),
		   ROWS("start_ns=1200 end_ns=2000 comm=a tid=10 type=R dev=8,0 sector=100 bytes=4096 "
			"lat_ns=800 queue_ns=200",
			"_quality unmatched=0 in_flight=0 discarded=0"));
}
END_TEST

/* "with -Q I2C": from the insert on. */
START_TEST(from_the_insert)
{
	check_rows(ASK("iosnoop", .queue = true), LINES(WHOLE),
		   ROWS("start_ns=1000 end_ns=2000 lat_ns=1000"));
}
END_TEST

/* Issued directly, never inserted: no queue time, and the task at the issue. */
START_TEST(no_insert)
{
	check_rows(ASK("iosnoop"),
		   LINES("1200 cpu0 block_rq_issue t=10 259,0 WS 8192 sector=100 nr=16 comm=a",
			 "2000 cpu0 block_rq_complete t=0 259,0 WS sector=100 nr=16"),
		   ROWS("start_ns=1200 comm=a tid=10 type=WS dev=259,0 sector=100 bytes=8192 lat_ns=800 "
			"queue_ns=-"));
}
END_TEST

/* "comm, pid, tid: the task at block_io_start, else at insert, else at issue" */
START_TEST(task_at_io_start)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu0 block_io_start t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1000 cpu0 block_rq_insert t=40 8,0 R 4096 sector=100 nr=8 comm=b",
			 "1200 cpu0 block_rq_issue t=50 8,0 R 4096 sector=100 nr=8 comm=c",
			 "2000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "2010 cpu1 block_io_done t=0 8,0 R 4096 sector=100 nr=8"),
		   ROWS("comm=a tid=10 lat_ns=800 queue_ns=200", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* Three hands: whose bio it was, who made it a request, who issued it. A bio is used once. */
START_TEST(owner_of_the_bio_and_issuer)
{
	check_rows(ASK("iosnoop"),
		   LINES("800 cpu0 block_bio_queue t=10 8,0 W sector=100 nr=8 comm=a",
			 "900 cpu0 block_rq_insert t=40 8,0 W 4096 sector=100 nr=8 comm=b",
			 "1200 cpu0 block_rq_issue t=50 8,0 W 4096 sector=100 nr=8 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=8",
			 "2100 cpu0 block_rq_issue t=50 8,0 W 4096 sector=100 nr=8 comm=kworker",
			 "2200 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=8"),
		   ROWS("tid=40 issuer_comm=kworker issuer_tid=50 bio_comm=a bio_tid=10", "issuer_tid=50 bio_comm=- bio_tid=-"));
}
END_TEST

/* What was queued before a gap may have become another request inside of it. */
START_TEST(a_bio_of_before_a_gap)
{
	check_rows(ASK("iosnoop"),
		   LINES("800 cpu0 block_bio_queue t=10 8,0 W sector=100 nr=8 comm=a",
			 "cpu0 lost 3",
			 "1200 cpu0 block_rq_issue t=0 8,0 W 4096 sector=100 nr=8",
			 "2000 cpu0 block_rq_complete t=0 8,0 W sector=100 nr=8"),
		   ROWS("issuer_comm=- issuer_tid=- bio_comm=- bio_tid=-"));
}
END_TEST

/* "An insert inside a larger issued request was merged into it": one row, nothing left in flight. */
START_TEST(insert_merged_inside)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=100 nr=8 comm=a",
			 "1010 cpu0 block_rq_insert t=10 8,0 W 4096 sector=108 nr=8 comm=a",
			 "1200 cpu0 block_rq_issue t=50 8,0 W 8192 sector=100 nr=16 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=16"),
		   ROWS("tid=10 sector=100 bytes=8192 lat_ns=800 queue_ns=200", "_quality in_flight=0 "
			"unmatched=0"));
}
END_TEST

/* Merged in front: the insert that is issued under its own sector is the later one. */
START_TEST(insert_merged_in_front)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=108 nr=8 comm=a",
			 "1010 cpu0 block_rq_insert t=11 8,0 W 4096 sector=100 nr=8 comm=b",
			 "1200 cpu0 block_rq_issue t=50 8,0 W 8192 sector=100 nr=16 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=16"),
		   ROWS("sector=100 bytes=8192 lat_ns=800", "_quality in_flight=0 unmatched=0"));
}
END_TEST

/* "A completion of less moves the rest on to sector + nr; the row ends with the last part." */
START_TEST(partial_completion)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 8192 sector=100 nr=16 comm=a",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=108 nr=8"),
		   ROWS("start_ns=1000 end_ns=2000 sector=100 bytes=8192 lat_ns=1000", "_quality unmatched=0 "
			"in_flight=0"));
}
END_TEST

START_TEST(partial_completion_still_open)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 8192 sector=100 nr=16 comm=a",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("_quality unmatched=0 in_flight=1"));
}
END_TEST

/* "A requeue takes the issue back: D2C from the last issue, I2D from the first insert" */
START_TEST(requeue)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1200 cpu0 block_rq_requeue t=0 8,0 R sector=100 nr=8",
			 "1250 cpu0 block_rq_insert t=50 8,0 R 4096 sector=100 nr=8 comm=kworker",
			 "1300 cpu0 block_rq_issue t=50 8,0 R 4096 sector=100 nr=8 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=1300 end_ns=2000 tid=10 lat_ns=700 queue_ns=300", "_quality unmatched=0 "
			"in_flight=0"));
}
END_TEST

START_TEST(requeue_without_insert)
{
	check_rows(ASK("iosnoop"),
		   LINES("1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1200 cpu0 block_rq_requeue t=0 8,0 R sector=100 nr=8",
			 "1300 cpu0 block_rq_issue t=50 8,0 R 4096 sector=100 nr=8 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("start_ns=1300 tid=10 lat_ns=700 queue_ns=-", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* A flush "completes at sector 2^64-1"; its data-less request is found by (dev, rwbs). Another device's is another. */
START_TEST(flush)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=50 8,0 FF 0 sector=0 nr=0 comm=kworker",
			 "1100 cpu0 block_rq_issue t=51 8,16 FF 0 sector=0 nr=0 comm=kworker",
			 "1800 cpu0 block_rq_complete t=0 8,0 FF sector=-1 nr=0",
			 "1900 cpu0 block_rq_complete t=0 8,16 FF sector=-1 nr=0"),
		   ROWS("tid=50 dev=8,0 type=FF sector=0 bytes=0 lat_ns=800", "tid=51 dev=8,16 type=FF "
			"sector=0 bytes=0 lat_ns=800",
			"_quality in_flight=0 unmatched=0"));
}
END_TEST

/* "its extra 0+0 completion is an expected unmatched end": it makes no row and takes no task's place. */
START_TEST(flush_extra_completion)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=50 8,0 FF 0 sector=0 nr=0 comm=kworker",
			 "1800 cpu0 block_rq_complete t=0 8,0 FF sector=-1 nr=0",
			 "1810 cpu0 block_rq_complete t=0 8,0 FF sector=0 nr=0",
			 "2000 cpu0 block_rq_issue t=50 8,0 FF 0 sector=0 nr=0 comm=kworker",
			 "2100 cpu0 block_rq_complete t=0 8,0 FF sector=-1 nr=0"),
		   ROWS("start_ns=1000 lat_ns=800", "start_ns=2000 lat_ns=100", "_quality in_flight=0"));
}
END_TEST

/*
 * A write that must be flushed first, as 6.18 tells it: what was asked for (FWS) has a
 * start and a completion of 0 + 0 but is never issued, the flush proper (FF) is.
 */
START_TEST(flush_that_was_asked_for)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu0 block_io_start t=10 8,0 FWS 0 sector=0 nr=0 comm=dd",
			 "1000 cpu0 block_rq_issue t=50 8,0 FF 0 sector=0 nr=0 comm=kworker",
			 "1800 cpu0 block_rq_complete t=0 8,0 FF sector=-1 nr=0",
			 "1810 cpu0 block_rq_complete t=0 8,0 WS sector=0 nr=0"),
		   ROWS("start_ns=1000 lat_ns=800 tid=50", "_quality in_flight=0 unmatched=1"));
}
END_TEST

/* "First in, first out" for the same key. */
START_TEST(first_in_first_out)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=11 8,0 R 4096 sector=100 nr=8 comm=b",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "1700 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("tid=10 lat_ns=500", "tid=11 lat_ns=600"));
}
END_TEST

/* "a completion prefers equal nr_sector" */
START_TEST(completion_prefers_its_size)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=11 8,0 R 8192 sector=100 nr=16 comm=b",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=16",
			 "1600 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8"),
		   ROWS("tid=11 bytes=8192 lat_ns=400", "tid=10 bytes=4096 lat_ns=600", "_quality unmatched=0 "
			"in_flight=0"));
}
END_TEST

/* The same sector of two devices are two requests; a minor may be over 255. */
START_TEST(devices_apart)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,300 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=11 253,1 R 4096 sector=100 nr=8 comm=b",
			 "1500 cpu0 block_rq_complete t=0 253,1 R sector=100 nr=8",
			 "1600 cpu0 block_rq_complete t=0 8,300 R sector=100 nr=8"),
		   ROWS("tid=11 dev=253,1 lat_ns=400", "tid=10 dev=8,300 lat_ns=600"));
}
END_TEST

START_TEST(unmatched_and_in_flight)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=200 nr=8 comm=a"),
		   ROWS("_quality unmatched=1 in_flight=1"));
}
END_TEST

/* A device's sums. Two in flight from 1100 to 1500; reads 4096 + 4096, a write 8192; D2C 500, 900, 200. */
START_TEST(disks)
{
	check_rows(ASK("disks"),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=11 8,0 RA 4096 sector=300 nr=8 comm=b",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "2000 cpu0 block_rq_complete t=0 8,0 RA sector=300 nr=8",
			 "2100 cpu0 block_rq_issue t=10 8,0 WS 8192 sector=100 nr=16 comm=a",
			 "2200 cpu0 block_rq_requeue t=0 8,0 WS sector=100 nr=16",
			 "2800 cpu0 block_rq_issue t=10 8,0 WS 8192 sector=100 nr=16 comm=a",
			 "3000 cpu0 block_rq_complete t=0 8,0 WS sector=100 nr=16"),
		   ROWS("dev=8,0 reads=2 writes=1 read_bytes=8192 write_bytes=8192 d2c_max_ns=900 "
			"i2d_p99_ns=- depth_max=2 "
			"requeues=1"));
}
END_TEST

START_TEST(biolatency)
{
	check_rows(ASK("biolatency", .some = true),
		   LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_issue t=11 8,0 R 4096 sector=300 nr=8 comm=b",
			 "1500 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
			 "2000 cpu0 block_rq_complete t=0 8,0 R sector=300 nr=8"),
		   ROWS("from_ns=256 to_ns=512 count=1", "from_ns=512 to_ns=1024 count=1"));
}
END_TEST

/* ---- whose it is, where events were lost ---- */

/* a's insert lies before the loss: nobody knows whether the request that kworker issues is that one. "never the worker" */
START_TEST(insert_before_a_loss)
{
	check_rows(ASK("iosnoop"),
		   LINES("1000 cpu0 block_rq_insert t=10 8,0 W 4096 sector=100 nr=8 comm=a",
			 "1050 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8", "cpu1 lost 2", "1100 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1200 cpu0 block_rq_issue t=50 8,0 W 4096 sector=100 nr=8 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=8"),
		   ROWS("start_ns=1200 comm=- pid=- tid=- lat_ns=800 queue_ns=-", "_quality discarded=1 unmatched=0"));
}
END_TEST

/* Where requests have a block_io_start, one without has lost it; one that begins after the loss is whose it says. */
START_TEST(start_before_a_loss)
{
	check_rows(ASK("iosnoop"),
		   LINES("900 cpu0 block_io_start t=10 8,0 W 4096 sector=500 nr=8 comm=a",
			 "1050 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8", "cpu1 lost 2", "1300 cpu1 block_bio_queue t=0 8,0 R sector=8 nr=8",
			 "1400 cpu0 block_rq_issue t=50 8,0 W 4096 sector=100 nr=8 comm=kworker",
			 "1500 cpu0 block_io_start t=11 8,0 W 4096 sector=300 nr=8 comm=b",
			 "1600 cpu0 block_rq_issue t=50 8,0 W 4096 sector=300 nr=8 comm=kworker",
			 "2000 cpu1 block_rq_complete t=0 8,0 W sector=100 nr=8", "2100 cpu1 block_rq_complete t=0 8,0 W sector=300 nr=8"),
		   ROWS("start_ns=1400 comm=- tid=-", "start_ns=1600 comm=b tid=11"));
}
END_TEST

Suite *rs_suite_semantics_block(void)
{
	Suite *s = suite_create("semantics-block");
	TCase *t = tcase_create("rules");

	tcase_add_test(t, insert_issue_complete);
	tcase_add_test(t, from_the_insert);
	tcase_add_test(t, no_insert);
	tcase_add_test(t, task_at_io_start);
	tcase_add_test(t, owner_of_the_bio_and_issuer);
	tcase_add_test(t, a_bio_of_before_a_gap);
	tcase_add_test(t, insert_merged_inside);
	tcase_add_test(t, insert_merged_in_front);
	tcase_add_test(t, partial_completion);
	tcase_add_test(t, partial_completion_still_open);
	tcase_add_test(t, requeue);
	tcase_add_test(t, requeue_without_insert);
	tcase_add_test(t, flush);
	tcase_add_test(t, flush_extra_completion);
	tcase_add_test(t, flush_that_was_asked_for);
	tcase_add_test(t, first_in_first_out);
	tcase_add_test(t, completion_prefers_its_size);
	tcase_add_test(t, devices_apart);
	tcase_add_test(t, unmatched_and_in_flight);
	tcase_add_test(t, disks);
	tcase_add_test(t, biolatency);
	tcase_add_test(t, insert_before_a_loss);
	tcase_add_test(t, start_before_a_loss);
	suite_add_tcase(s, t);
	return s;
}
