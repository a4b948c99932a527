// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-scene - a format of a few lines sees in the scene what the Chrome JSON of the same recording has: so any two formats say
 * the same
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "chrome-check.h"
#include "export/scene/scene.h"
#include "recording/recording.h"

/* ---- the format: it counts ---- */

struct toy {
	struct rs_scene scene;
	unsigned int nr_slices, nr_asyncs, nr_instants, nr_counters, nr_states, nr_open, nr_wakes, nr_links, nr_losses;
	uint64_t slices_ns, states_ns;
};

static void toy_slice(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c, const struct rs_span_kind *kind,
		      const struct rs_span *span, uint64_t start_ns)
{
	((struct toy *)s)->nr_slices++;
	((struct toy *)s)->slices_ns += span->end_ns - start_ns;
}

static void toy_async(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c, const struct rs_span_kind *kind,
		      const struct rs_span *span)
{
	((struct toy *)s)->nr_asyncs++;
}

static void toy_instant(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c, const struct rs_span_kind *kind,
			const struct rs_span *span)
{
	((struct toy *)s)->nr_instants++;
}

static void toy_count(struct rs_scene *s, const struct rs_scene_track *at, struct rs_task_count *count)
{
	((struct toy *)s)->nr_counters++;
}

static void toy_counter(struct rs_scene *s, const struct rs_scene_track *at, const struct rs_span_kind *kind, uint64_t ts_ns,
			int64_t value)
{
	((struct toy *)s)->nr_counters++;
}

static void toy_state(struct rs_scene *s, const struct rs_scene_track *at, const struct rs_scene_state *state)
{
	((struct toy *)s)->nr_states++;
	((struct toy *)s)->nr_open += state->interval->in_flight;
	((struct toy *)s)->states_ns += state->interval->to_ns - state->interval->from_ns;
}

static uint64_t toy_wake_track(struct rs_scene *s, struct rs_task *t, bool is_woken)
{
	return (uint64_t)t->tid;
}

static void toy_wake(struct rs_scene *s, const struct rs_wake_end *from, const struct rs_wake_end *to)
{
	((struct toy *)s)->nr_wakes++;
}

static void toy_path(struct rs_scene *s, const struct rs_path_slice *slice)
{
	((struct toy *)s)->nr_links++;
}

static void toy_loss(struct rs_scene *s, const struct rs_gap *gap)
{
	((struct toy *)s)->nr_losses++;
}

static const struct rs_scene_ops toy_ops = {
	.name = "toy", .summary = "counts what there is", .open_states = true,
	.slice = toy_slice, .async = toy_async, .instant = toy_instant, .count = toy_count, .counter = toy_counter,
	.state = toy_state, .wake_track = toy_wake_track, .wake = toy_wake, .path = toy_path, .loss = toy_loss,
};

/* ---- what Chrome's JSON has ---- */

static bool scene_is_category(const cJSON *event, const char *category)
{
	const cJSON *cat = cJSON_GetObjectItem(event, "cat");

	return cat && !strcmp(cat->valuestring, category);
}

/* Slices of spans: not the ends of flows, and no links of paths. */
static unsigned int scene_count_slices(const struct chrome *t, double *sum_us)
{
	const cJSON *event;
	unsigned int nr = 0;

	cJSON_ArrayForEach(event, t->events)
		if (!strcmp(cJSON_GetObjectItem(event, "ph")->valuestring, "X") && !scene_is_category(event, "wake") &&
		    !scene_is_category(event, "path-flow") && !scene_is_category(event, "critical-path")) {
			nr++;
			*sum_us += rs_chrome_number(event, "dur");
		}
	return nr;
}

static unsigned int scene_count(const struct chrome *t, const char *phase, const char *category)
{
	const cJSON *event;
	unsigned int nr = 0;

	cJSON_ArrayForEach(event, t->events)
		nr += !strcmp(cJSON_GetObjectItem(event, "ph")->valuestring, phase) && scene_is_category(event, category);
	return nr;
}

static const char *const recordings[] = {
	"debian-5.10-amd64-v6", "debian-6.1-amd64-lost", "debian-6.1-amd64-mixed", "debian-6.1-amd64-v6", "debian-6.1-i386-v6",
	"debian-6.1-s390x-v6", "host-6.18-amd64-v6",
};

static struct rs_source *scene_open(int i)
{
	struct rs_error err = { 0 };
	struct rs_source *source;
	char path[128];

	snprintf(path, sizeof path, "tests/traces/%s.dat", recordings[i]);
	source = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(source, "%s", err.text);
	return source;
}

START_TEST(a_toy_sees_what_chrome_writes)
{
	struct rs_source *source = scene_open(_i);
	struct chrome *t = rs_chrome_export(scene_open(_i), false, 0, 0);
	struct toy toy = { .nr_slices = 0 };
	double slices_us = 0;

	rs_scene_init(&toy.scene, &toy_ops);
	rs_chrome_run_pass(&toy.scene.export, 0, source, 0, 0);
	ck_assert_uint_gt(toy.nr_slices, 10);
	ck_assert_uint_gt(toy.nr_states, 10);
	ck_assert_uint_gt(toy.nr_open, 0);
	ck_assert_uint_eq(toy.nr_slices, scene_count_slices(t, &slices_us));
	ck_assert_uint_eq(toy.slices_ns, (uint64_t)(slices_us * 1e3 + .5));
	ck_assert_uint_eq(toy.nr_states, rs_chrome_count(t, "T", NULL));
	ck_assert_uint_eq(toy.nr_asyncs, rs_chrome_count(t, "b", NULL));
	ck_assert_uint_eq(toy.nr_losses, scene_count(t, "i", "loss"));
	ck_assert_uint_eq(toy.nr_instants, rs_chrome_count(t, "i", NULL) - toy.nr_losses);
	ck_assert_uint_eq(toy.nr_counters, rs_chrome_count(t, "C", NULL));
	ck_assert_uint_eq(toy.nr_wakes, scene_count(t, "s", "wake"));
	ck_assert_uint_eq(toy.nr_links, scene_count(t, "X", "critical-path"));
	rs_scene_done(&toy.scene);
	rs_chrome_free(t);
	source->ops->close(source);
}
END_TEST

/* A part that no function asks for is not requested of the session. */
START_TEST(what_is_not_drawn_costs_nothing)
{
	static const struct rs_scene_ops ops = { .name = "none", .summary = "draws losses", .loss = toy_loss };
	struct toy toy = { .nr_slices = 0 };
	const struct rs_analysis *a = &toy.scene.subscriber;

	rs_scene_init(&toy.scene, &ops);
	ck_assert_int_eq(a->callbacks[0].on, RS_ON_GAP);
	ck_assert_int_eq(a->callbacks[1].on, 0);
	ck_assert_uint_eq(a->state_size + a->task_size, 0);
	ck_assert(!a->requires_states && !a->requires_history && !a->uses_stacks);
	rs_scene_done(&toy.scene);
}
END_TEST

Suite *rs_suite_scene(void);
Suite *rs_suite_scene(void)
{
	Suite *s = suite_create("scene");
	TCase *t = tcase_create("scene");

	tcase_add_loop_test(t, a_toy_sees_what_chrome_writes, 0, (int)(sizeof recordings / sizeof *recordings));
	tcase_add_test(t, what_is_not_drawn_costs_nothing);
	suite_add_tcase(s, t);
	return s;
}
