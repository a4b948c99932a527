// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tasks - the table of tasks: bounded, and right after any number of evictions */
#include <check.h>

#include "engine/task-table.h"

#define MAX_INSTANCES 100
#define NR_TIDS 1000000

static unsigned int nr_evicted, nr_ended;

static void on_evict(void *arg, struct rs_task_instance *inst)
{
	nr_evicted++;
}

static void on_end(void *arg, struct rs_task_instance *inst)
{
	nr_ended++;
}

static void begin(struct rs_tasks *t)
{
	nr_evicted = nr_ended = 0;
	ck_assert_int_eq(rs_tasks_init(t, 0, MAX_INSTANCES), 0);
	t->on_evict = on_evict;
	t->on_end = on_end;
}

/* A million tasks of which none is seen to end. */
START_TEST(a_million_task_instances)
{
	struct rs_tasks t;

	begin(&t);
	for (int32_t tid = 1; tid <= NR_TIDS; tid++) {
		ck_assert_int_eq(rs_tasks_get(&t, tid, (uint64_t)tid)->task.tid, tid);
		rs_tasks_trim(&t);
	}
	ck_assert_uint_eq(t.nr_instances, MAX_INSTANCES);
	ck_assert_uint_eq(t.nr_evicted, NR_TIDS - MAX_INSTANCES);
	ck_assert_uint_eq(t.by_tid.nr, MAX_INSTANCES); /* the map did not grow with what came and went */
	for (int32_t tid = NR_TIDS - MAX_INSTANCES - 5; tid <= NR_TIDS; tid++)
		ck_assert(!rs_tasks_find(&t, tid) == (tid <= NR_TIDS - MAX_INSTANCES));
	rs_tasks_done(&t);
	ck_assert_uint_eq(nr_evicted, NR_TIDS - MAX_INSTANCES);
	ck_assert_uint_eq(nr_ended, NR_TIDS);
}
END_TEST

static struct rs_task_instance *exit_at(struct rs_tasks *t, int32_t tid, uint64_t ts_ns)
{
	struct rs_task_instance *inst = rs_tasks_get(t, tid, 1);

	inst->task.exited = true;
	inst->task.last_ns = ts_ns;
	rs_tasks_ended(t, inst);
	return inst;
}

/* Those that ended before the time go, and are not missed; not one on a CPU, nor one that lives, however old. */
START_TEST(the_expired)
{
	struct rs_task_instance *running;
	struct rs_tasks t;

	begin(&t);
	rs_tasks_get(&t, 1, 1);
	exit_at(&t, 2, 10);
	running = exit_at(&t, 3, 20);
	running->on_cpu = 1;
	exit_at(&t, 4, 29);
	exit_at(&t, 5, 30);
	rs_tasks_expire(&t, 30);
	ck_assert(rs_tasks_find(&t, 1) && !rs_tasks_find(&t, 2) && rs_tasks_find(&t, 3) && !rs_tasks_find(&t, 4) &&
		  rs_tasks_find(&t, 5));
	ck_assert_uint_eq(t.nr_instances, 3);
	ck_assert_uint_eq(t.nr_evicted, 0); /* nothing is lost with them */
	ck_assert_uint_eq(nr_evicted, 2);
	running->on_cpu = 0;
	rs_tasks_ended(&t, running); /* it leaves its CPU */
	rs_tasks_expire(&t, 31);
	ck_assert(!rs_tasks_find(&t, 3) && !rs_tasks_find(&t, 5));
	rs_tasks_done(&t);
	ck_assert_uint_eq(nr_ended, 5);
}
END_TEST

/* Those that have ended go first, however young; who is on a CPU stays, also where it has exited. */
START_TEST(the_first_to_leave)
{
	struct rs_task_instance *hog, *exiting, *dead;
	struct rs_tasks t;

	begin(&t);
	hog = rs_tasks_get(&t, 1, 1);
	hog->on_cpu = 1;
	exiting = rs_tasks_get(&t, 2, 2);
	exiting->on_cpu = 2;
	exiting->task.exited = true;
	rs_tasks_ended(&t, exiting);
	for (int32_t tid = 3; tid <= MAX_INSTANCES; tid++)
		rs_tasks_get(&t, tid, 3);
	dead = rs_tasks_get(&t, 1000, 4);
	dead->task.state = RS_DEAD;
	rs_tasks_ended(&t, dead);
	rs_tasks_trim(&t);
	ck_assert_ptr_null(rs_tasks_find(&t, 1000));
	rs_tasks_get(&t, 1001, 5);
	rs_tasks_trim(&t);
	ck_assert_ptr_null(rs_tasks_find(&t, 3));
	ck_assert_ptr_eq(rs_tasks_find(&t, 1), hog);
	ck_assert_ptr_eq(rs_tasks_find(&t, 2), exiting);
	exiting->on_cpu = 0; /* it left: now it has ended */
	rs_tasks_ended(&t, exiting);
	rs_tasks_get(&t, 1002, 6);
	rs_tasks_trim(&t);
	ck_assert_ptr_null(rs_tasks_find(&t, 2));
	ck_assert_ptr_nonnull(rs_tasks_find(&t, 4));
	rs_tasks_done(&t);
}
END_TEST

/* A tid that is used again and again: one life now, the others as long as there is room. */
START_TEST(instances_of_one_tid)
{
	struct rs_tasks t;

	begin(&t);
	for (uint32_t inst = 0; inst < 10000; inst++) {
		ck_assert_uint_eq(rs_tasks_renew(&t, 7, inst)->task.inst, inst);
		rs_tasks_trim(&t);
	}
	ck_assert_uint_eq(t.nr_instances, MAX_INSTANCES);
	ck_assert_uint_eq(rs_tasks_find(&t, 7)->task.inst, 9999);
	ck_assert_uint_eq(t.oldest->task.inst, 10000 - MAX_INSTANCES);
	rs_tasks_done(&t);
}
END_TEST

Suite *rs_suite_tasks(void);
Suite *rs_suite_tasks(void)
{
	Suite *s = suite_create("tasks");
	TCase *t = tcase_create("table");

	tcase_set_timeout(t, 60); /* a busy machine */
	tcase_add_test(t, a_million_task_instances);
	tcase_add_test(t, the_expired);
	tcase_add_test(t, the_first_to_leave);
	tcase_add_test(t, instances_of_one_tid);
	suite_add_tcase(s, t);
	return s;
}
