// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of a store: found again by key, bounded, reassigned, forgotten. What views make of them: test-semantics-*. */
#include <check.h>
#include <errno.h>

#include "engine/internal.h"
#include "engine/store/store-table.h"

struct sums {
	struct rs_hist lat;
	uint64_t nr, most;
};

static const struct rs_measure measures[] = {
	{ RS_MEASURE_LATENCY, offsetof(struct sums, lat) },
	{ RS_MEASURE_SUM, offsetof(struct sums, nr) },
	{ RS_MEASURE_MAX, offsetof(struct sums, most) },
	{ 0 },
};

#define MOST_ROWS 4

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct sums), .measures = measures, .of_tasks = true, .max_rows = MOST_ROWS, .kept_keys = 1 },
	{ 0 },
};
static const struct rs_analysis analysis = { .abi = RS_ABI, .name = "sums", .stores = stores };

static struct rs_session session;
static struct rs_analysis_instance slot;
static struct {
	struct rs_task task;
	struct rs_store_owner rows;
} task[3];

static void set_up(void)
{
	memset(&session, 0, sizeof session);
	memset(&slot, 0, sizeof slot);
	memset(task, 0, sizeof task);
	for (int i = 0; i < 3; i++)
		task[i].task.selected = true;
	slot.ctx.session = &session;
	ck_assert_int_eq(rs_store_begin(&slot.ctx, &analysis, sizeof(struct rs_task)), 0);
}

static void tear_down(void)
{
	rs_store_done(&slot.ctx);
}

static void add(struct rs_task *t, uint64_t key0, uint64_t key1, uint64_t value)
{
	struct sums *s = rs_store_row(&slot.ctx, 0, t, key0, key1);

	rs_hist_add(&s->lat, value);
	s->nr++;
	s->most = value > s->most ? value : s->most;
}

/* The row of that owner and these keys; NULL: there is none. */
static const struct sums *find(const struct rs_store_owner *owner, uint64_t key0, uint64_t key1)
{
	for (const struct rs_store_row *row = owner->first; row; row = row->after)
		if (row->keys[0] == key0 && row->keys[1] == key1)
			return (const struct sums *)row->measures;
	return NULL;
}

START_TEST(a_key_has_one_row)
{
	add(&task[0].task, 1, 2, 10);
	add(&task[0].task, 1, 3, 20);
	add(&task[1].task, 1, 2, 30);
	add(NULL, 1, 2, 40);
	add(&task[0].task, 1, 2, 5);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 4);
	ck_assert_uint_eq(find(&task[0].rows, 1, 2)->nr, 2);
	ck_assert_uint_eq(find(&task[0].rows, 1, 2)->lat.sum, 15);
	ck_assert_uint_eq(find(&task[0].rows, 1, 2)->most, 10);
	ck_assert_uint_eq(find(&slot.ctx.stores->no_task, 1, 2)->most, 40);
}
END_TEST

/* The fifth row: of the oldest two, (1, 0) was used again. (2, 0) goes, and of its keys the first is kept. */
START_TEST(the_least_used_goes_into_the_evicted_total)
{
	add(&task[0].task, 1, 0, 10);
	add(&task[0].task, 2, 7, 20);
	add(&task[0].task, 3, 0, 30);
	add(&task[0].task, 4, 0, 40);
	add(&task[0].task, 1, 0, 11);
	add(&task[0].task, 5, 0, 50);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, MOST_ROWS);
	ck_assert_uint_eq(session.quality.counted[RS_COUNT_EVICTED], 1);
	ck_assert_ptr_nonnull(find(&task[0].rows, 1, 0));
	ck_assert_ptr_null(find(&task[0].rows, 2, 7));
	ck_assert_uint_eq(find(&slot.ctx.stores->evicted, 2, RS_KEY_FORGOTTEN)->lat.sum, 20);
}
END_TEST

/* Nothing is lost of a thousand keys: what rows and the evicted total have is what was added. */
START_TEST(the_sum_stays)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 1000; i++)
		add(&task[i % 3].task, i % 10, i, i);
	for (int i = 0; i < 3; i++)
		for (const struct rs_store_row *row = task[i].rows.first; row; row = row->after)
			sum += ((const struct sums *)row->measures)->lat.sum;
	for (const struct rs_store_row *row = slot.ctx.stores->evicted.first; row; row = row->after)
		sum += ((const struct sums *)row->measures)->lat.sum;
	ck_assert_uint_eq(sum, 1000 * 999 / 2);
	ck_assert_uint_eq(session.quality.counted[RS_COUNT_EVICTED], 1000 - MOST_ROWS);
}
END_TEST

/* An exec by a thread: its rows become the leader's, and merge with those that it has. */
START_TEST(rows_are_reassigned)
{
	add(&task[0].task, 1, 0, 10);
	add(&task[0].task, 2, 0, 20);
	add(&task[1].task, 1, 0, 5);
	rs_store_task_reassign(&slot.ctx, &task[0].task, &task[1].task);
	ck_assert_ptr_null(task[0].rows.first);
	ck_assert_uint_eq(find(&task[1].rows, 1, 0)->lat.sum, 15);
	ck_assert_uint_eq(find(&task[1].rows, 2, 0)->lat.sum, 20);
	add(&task[1].task, 2, 0, 1);
	ck_assert_uint_eq(find(&task[1].rows, 2, 0)->nr, 2);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 2);
}
END_TEST

/* What an evicted task did is no task's; of one that is not shown (-p) nothing stays. */
START_TEST(rows_of_evicted_tasks_stay)
{
	task[1].task.selected = false;
	add(&task[0].task, 1, 0, 10);
	add(&task[1].task, 1, 0, 20);
	for (int i = 0; i < 2; i++) {
		rs_store_task_evict(&slot.ctx, &task[i].task);
		rs_store_task_end(&slot.ctx, &task[i].task);
	}
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 1);
	ck_assert_uint_eq(find(&slot.ctx.stores->no_task, 1, 0)->lat.sum, 10);
}
END_TEST

START_TEST(an_interval_begins_without_rows)
{
	add(&task[0].task, 1, 0, 10);
	rs_store_reset(&slot.ctx);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 0);
	ck_assert_ptr_null(task[0].rows.first);
	add(&task[0].task, 1, 0, 3);
	ck_assert_uint_eq(find(&task[0].rows, 1, 0)->lat.sum, 3);
}
END_TEST

/* ---- rows in tasks ---- */

static const struct rs_store in_task[] = {
	{ .row_bytes = sizeof(struct sums), .measures = measures, .in_task = true },
	{ 0 },
};
static const struct rs_analysis of_tasks = { .abi = RS_ABI, .name = "of-tasks", .stores = in_task };

static struct {
	struct rs_task_instance inst;
	struct sums sums;
} thread[2];

static void set_up_in_task(void)
{
	memset(&session, 0, sizeof session);
	memset(&slot, 0, sizeof slot);
	memset(thread, 0, sizeof thread);
	slot.ctx.session = &session;
	slot.ctx.task_offset = offsetof(__typeof__(thread[0]), sums);
	ck_assert_uint_eq(rs_store_task_data_bytes(&of_tasks), sizeof(struct sums));
	ck_assert_int_eq(rs_store_begin(&slot.ctx, &of_tasks, 0), 0);
	for (int i = 0; i < 2; i++) {
		thread[i].inst.task.selected = true;
		rs_store_task_begin(&slot.ctx, &thread[i].inst.task);
		rs_hist_add(&thread[i].sums.lat, 10 * (i + 1));
		thread[i].sums.nr = 1;
	}
	session.tasks.oldest = &thread[0].inst;
	thread[0].inst.next = &thread[1].inst;
}

static void tear_down_in_task(void)
{
	for (int i = 0; i < 2; i++)
		rs_store_task_end(&slot.ctx, &thread[i].inst.task);
	rs_store_done(&slot.ctx);
}

/* An exec by thread 0 of leader 1. */
START_TEST(a_row_in_a_task_is_reassigned)
{
	rs_store_task_reassign(&slot.ctx, &thread[0].inst.task, &thread[1].inst.task);
	ck_assert_uint_eq(thread[0].sums.nr, 0);
	ck_assert_uint_eq(thread[0].sums.lat.nr, 0);
	ck_assert_uint_eq(thread[1].sums.nr, 2);
	ck_assert_uint_eq(thread[1].sums.lat.sum, 30);
}
END_TEST

START_TEST(rows_in_evicted_tasks_stay)
{
	rs_store_task_evict(&slot.ctx, &thread[0].inst.task);
	rs_store_task_evict(&slot.ctx, &thread[1].inst.task);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 1);
	ck_assert_uint_eq(find(&slot.ctx.stores->no_task, 0, 0)->lat.sum, 30);
}
END_TEST

START_TEST(rows_in_tasks_begin_anew)
{
	rs_store_task_evict(&slot.ctx, &thread[0].inst.task);
	rs_store_reset(&slot.ctx);
	ck_assert_uint_eq(slot.ctx.stores->nr_rows, 0);
	ck_assert_uint_eq(thread[1].sums.nr, 0);
	ck_assert_uint_eq(thread[1].sums.lat.min, UINT64_MAX);
}
END_TEST

/* ---- a snapshot ---- */

static void count_row(struct rs_sink *sink, const struct rs_value *values)
{
	sink->nr_less++;
}

/* No machine has memory for one row of it. */
START_TEST(a_snapshot_without_memory_is_an_error)
{
	static const struct rs_measure nothing[] = { { 0 } };
	static const struct rs_store huge[] = { { .row_bytes = SIZE_MAX / 2, .measures = nothing }, { 0 } };
	static const struct rs_analysis of_huge = { .abi = RS_ABI, .name = "huge", .stores = huge };
	static const struct rs_column columns[] = { { "nr", "NR", RS_TYPE_COUNT, 0, 0, 2, "how many", .aspect = RS_VALUE }, { 0 } };
	static const struct rs_view view = { .name = "huge", .kind = RS_VIEW_TABLE, .columns = columns, .store = huge };
	struct rs_query q = { .nr_by = 0 };
	struct rs_sink sink = { .row = count_row };

	slot.ctx.session = &session;
	ck_assert_int_eq(rs_store_begin(&slot.ctx, &of_huge, 0), 0);
	ck_assert_int_eq(rs_store_view_rows(&slot.ctx, &view, &q, &sink), -ENOMEM);
	ck_assert_uint_eq(sink.nr_less, 0);
	rs_store_done(&slot.ctx);
}
END_TEST

Suite *rs_suite_store(void)
{
	Suite *s = suite_create("store");
	TCase *c = tcase_create("rows");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, a_key_has_one_row);
	tcase_add_test(c, the_least_used_goes_into_the_evicted_total);
	tcase_add_test(c, the_sum_stays);
	tcase_add_test(c, rows_are_reassigned);
	tcase_add_test(c, rows_of_evicted_tasks_stay);
	tcase_add_test(c, an_interval_begins_without_rows);
	suite_add_tcase(s, c);
	c = tcase_create("rows in tasks");
	tcase_add_checked_fixture(c, set_up_in_task, tear_down_in_task);
	tcase_add_test(c, a_row_in_a_task_is_reassigned);
	tcase_add_test(c, rows_in_evicted_tasks_stay);
	tcase_add_test(c, rows_in_tasks_begin_anew);
	suite_add_tcase(s, c);
	c = tcase_create("snapshot");
	tcase_add_test(c, a_snapshot_without_memory_is_an_error);
	suite_add_tcase(s, c);
	return s;
}
