// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui-stage.h"

#include "tui/app/key-tables.h"

#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc/frame.h"
#include <cjson/cJSON.h>
#include "tui/toolkit/canvas-parts.h"

struct stage {
	struct rs_client *client;
	struct rs_app *app;
	struct rs_canvas *canvas;
	struct rs_tui_options options;
	uint64_t now_ns;
	struct rs_buf text, asked, asked_before;

	pthread_t engine;
	pthread_mutex_t lock;    /* replies, asked */
	const struct reply *replies;
	struct rs_frames frames;
	bool is_file, has_panels, has_trees;
};

/* ---- the views that there are ---- */

static const struct rs_column work_columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 8, "the process" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 5, "its number" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 5, "the thread" },
	{ "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 8, "time on a CPU" },
	{ "calls", "CALLS", RS_TYPE_COUNT, 0, 0, 6, "calls made" },
	{ "what", "WHAT", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "what it did" },
	{ 0 },
};

static const struct rs_column log_columns[] = {
	{ "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 10, "when" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 8, "who" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 5, "its number" },
	{ "what", "WHAT", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 4, "another thing than in work" },
	{ 0 },
};

static const struct rs_column why_columns[] = {
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the process" },
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the thread" },
	{ "part", "PART", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 9, "of its time" },
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 9, "of what" },
	{ "total_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long" },
	{ 0 },
};

static const struct rs_column dist_columns[] = {
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the process" },
	{ "from_ns", "FROM", RS_TYPE_DURATION, 0, 0, 0, "from" },
	{ "to_ns", "TO", RS_TYPE_DURATION, 0, 0, 0, "to" },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, 0, 0, "how many" },
	{ 0 },
};

static const struct rs_column link_columns[] = {
	{ "comm", "TASK", RS_TYPE_TEXT, 0, 0, 8, "the thread" }, { "pid", "PID", RS_TYPE_ID, 0, 0, 4, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 4, "the thread" }, { "instance", "INST", RS_TYPE_ID, 0, 0, 4, "which of that tid" },
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 8, "its call" }, { "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 8, "begin" },
	{ "to_ns", "TO(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 8, "end" }, { "took_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long" },
	{ "part", "PART", RS_TYPE_TEXT, 0, 0, 8, "in what" }, { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 8, "on what" },
	{ "culprit", "CULPRIT", RS_TYPE_TEXT, 0, 0, 8, "whose" }, { "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "a sentence" },
	{ "part_ns", "OF IT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long that was" },
	{ 0 },
};

static const struct rs_column stacks_columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "the process" },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "its number" },
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "the functions" },
	{ "self", "SELF", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5, "samples" },
	{ 0 },
};

static const struct rs_column waits_columns[] = {
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5, "the process" },
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "the functions" },
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 9, "of wait" },
	{ "total_ns", "TIME", RS_TYPE_DURATION, 0, RS_COLUMN_SUM, 5, "time waited" },
	{ "self", "WEIGHT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5, "likewise" },
	{ 0 },
};

static const struct rs_latencies work_latencies[] = { { "run_ns", .kind = "job", .label_column = "what" }, { 0 } };
static const struct rs_latencies else_latencies[] = {
	{ "run_ns", .kind = "job", .labels = "label number 00 of many,label number 01 of many,label number 02 of many,label number 03 of many,label numbe"
		"r 04 of many,label number 05 of many,label number 06 of many,label number 07 of many,label number 08 of many" }, { 0 },
};
static const struct rs_span_kind kinds[] = { { .name = "other" }, { .name = "job", .track = RS_TRACK_TASK } };

static const struct rs_view views[] = {
	{ .name = "work", .topic = RS_TOPIC_CPU, .summary = "who did what", .kind = RS_VIEW_TABLE, .columns = work_columns, .sort = "-run_ns",
	  .text_columns = "comm,pid,run_ns,calls,what", .options = "by", .latencies = work_latencies },
	{ .name = "log", .topic = RS_TOPIC_CALLS, .summary = "each thing", .kind = RS_VIEW_STREAM, .columns = log_columns,
	  .text_columns = "time_ns,comm,pid" },
	{ .name = "dist", .topic = RS_TOPIC_CPU, .summary = "how long", .kind = RS_VIEW_HIST, .columns = dist_columns, .options = "by" },
	{ .name = "why", .role = RS_ROLE_TIME, .summary = "each part", .kind = RS_VIEW_TABLE, .columns = why_columns, .sort = "-total_ns", .options = "by",
	  .text_columns = "part,total_ns" },
	{ .name = "critical-path", .role = RS_ROLE_PATH, .summary = "each link", .kind = RS_VIEW_TABLE, .columns = link_columns, .keeps_order = true },
	{ .name = "profile-stacks", .role = RS_ROLE_CPU_STACKS, .summary = "stacks that run", .kind = RS_VIEW_TABLE, .columns = stacks_columns, .sort = "-self" },
	{ .name = "wait-stacks", .role = RS_ROLE_WAIT_STACKS, .summary = "stacks that wait", .kind = RS_VIEW_TABLE, .columns = waits_columns, .sort = "-total_ns" },
	{ .name = "off", .summary = "not here", .kind = RS_VIEW_TABLE, .columns = log_columns },
};

/* ---- and those of the overview ---- */

static const struct rs_column cores_columns[] = {
	{ "cpu", "CPU", RS_TYPE_ID, 0, RS_COLUMN_KEY, 3, "the CPU" },
	{ "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "it ran" },
	{ "idle_ns", "IDLE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "it did not" },
	{ "disk_ns", "DISK(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "it waited" },
	{ "cgroup", "CGROUP", RS_TYPE_TEXT, 0, 0, 0, "whose it is" },
	{ "cmdline", "COMMAND", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0, "its command line" },
	{ 0 },
};

static const struct rs_panel panels[] = {
	{ .kind = RS_PANEL_SPLIT, .title = "Cores", .columns = "cpu", .sort = "cpu", .place = 1, .every = true,
	  .parts = (const struct rs_part[]){ { "run_ns", RS_CAUSE_RUN }, { "disk_ns", RS_CAUSE_DISK }, { "idle_ns", RS_CAUSE_IDLE },
					     { 0 } } },
	{ .kind = RS_PANEL_TABLE, .title = "Work", .columns = "comm,pid,calls", .place = 2 },
	{ .kind = RS_PANEL_TABLE, .title = "Procs", .columns = "comm,pid,run_ns", .place = 3, .fold_by = "comm" },
	{ .kind = RS_PANEL_TABLE, .title = "Else", .columns = "comm,pid", .place = 9, .opens = "log", .otherwise = true },
};

static const struct rs_column procs_columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the process" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its number" },
	{ "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 8, "it ran" },
	{ "unit", "UNIT", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_ON_REQUEST, 16, "its group" },
	{ "cmdline", "COMMAND", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0, "its command line" },
	{ 0 },
};

static const struct rs_view overviews[] = {
	{ .name = "procs", .summary = "short-lived ones", .kind = RS_VIEW_TABLE, .columns = procs_columns, .panel = &panels[2],
	  .latencies = work_latencies },
	{ .name = "works", .summary = "who did what", .kind = RS_VIEW_TABLE, .columns = work_columns, .sort = "-run_ns",
	  .panel = &panels[1] },
	{ .name = "cores", .summary = "what they do", .kind = RS_VIEW_TABLE, .columns = cores_columns, .sort = "cpu",
	  .panel = &panels[0] },
	{ .name = "else", .summary = "what else", .kind = RS_VIEW_TABLE, .columns = work_columns, .panel = &panels[3],
	  .latencies = else_latencies },
};

static const struct rs_column tree_columns[] = {
	{ "depth", "DEPTH", RS_TYPE_COUNT, 0, 0, 5, "nodes around it" }, { "kind", "KIND", RS_TYPE_TEXT, 0, 0, 8, "what it is" },
	{ "comm", "TASK", RS_TYPE_TEXT, 0, 0, 8, "the thread" }, { "pid", "PID", RS_TYPE_ID, 0, 0, 4, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 4, "the thread" }, { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 8, "its call" },
	{ "part", "PART", RS_TYPE_TEXT, 0, 0, 8, "in what" }, { "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 8, "begin" },
	{ "to_ns", "TO(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 8, "end" }, { "took_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long" },
	{ "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "a sentence" }, { "role", "ROLE", RS_TYPE_TEXT, 0, 0, 8, "what it is in the wait" },
	{ 0 },
};

static const struct rs_column what_if_columns[] = {
	{ "culprit", "WITHOUT", RS_TYPE_TEXT, 0, 0, 8, "who" }, { "change", "CHANGE", RS_TYPE_TEXT, 0, 0, 8, "gone, or faster" },
	{ "p99_after_ns", "THEN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long" },
	{ "saved_ns", "SAVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how much less" },
	{ 0 },
};

static const struct rs_column alike_columns[] = {
	{ "shape", "SHAPE", RS_TYPE_TEXT, 0, 0, 0, "its critical path" }, { 0 },
};

static const struct rs_view trees[] = {
	{ .name = "wait-tree", .role = RS_ROLE_WAIT_TREE, .summary = "each node", .kind = RS_VIEW_TABLE, .columns = tree_columns,
	  .keeps_order = true },
	{ .name = "what-if", .role = RS_ROLE_WHAT_IF, .summary = "each change", .kind = RS_VIEW_TABLE, .columns = what_if_columns,
	  .sort = "-saved_ns" },
	{ .name = "alike", .role = RS_ROLE_ALIKE, .summary = "each shape", .kind = RS_VIEW_TABLE, .columns = alike_columns },
};

#define NR(list) (sizeof (list) / sizeof (list)[0])

static void put_hello(struct stage *s, struct rs_json *j)
{
	struct rs_catalogue_view all[NR(views) + NR(overviews) + NR(trees)];
	static const struct rs_catalogue_format formats[] = {
		{ "chrome", ".json", "for viewers" }, { "trace.dat", ".dat", "as the kernel wrote them" },
		{ "perfetto", ".pftrace.perfetto-trace", "for Perfetto" },
	};
	struct rs_catalogue_kind of[NR(kinds)];
	size_t nr = 0;

	for (size_t i = 0; i < NR(views); i++)
		all[nr++] = (struct rs_catalogue_view){ views[i], "stage", strcmp(views[i].name, "off") ? NULL : "this kernel has no off:on",
							    !strcmp(views[i].name, "why") || !strcmp(views[i].name, "critical-path") || strstr(views[i].name, "stacks") };
	for (size_t i = 0; s->has_panels && i < NR(overviews); i++)
		all[nr++] = (struct rs_catalogue_view){ overviews[i], "stage", NULL, false };
	for (size_t i = 0; s->has_trees && i < NR(trees); i++)
		all[nr++] = (struct rs_catalogue_view){ trees[i], "stage", NULL, true };
	for (unsigned int i = 0; i < NR(kinds); i++)
		of[i] = (struct rs_catalogue_kind){ kinds[i].name, i, kinds[i].track, kinds[i].shape, s->has_trees ? "jobs" : NULL,
						   s->has_trees ? "job" : NULL, NULL };
	rs_message_put_members(j, &rs_hello_reply_message, &(struct rs_hello_reply){
		.protocol = RS_PROTOCOL, .host = "box", .kernel = "6.1.0", .source = s->is_file ? "file" : "live",
		.path = s->is_file ? "/tmp/a/trace.dat" : NULL, .clock = "boot", .unit = "ns",
		.realtime_offset_ns = rs_i(1700000000000000000), .begin_ns = 100000000000, .interval_ns = rs_u(1000000000),
		.catalogue = { all, nr, of, NR(kinds), formats, NR(formats) },
	});
}

/* ---- the engine: a thread that answers from the table ---- */

static const struct reply usual[] = {
	REPLY("state", NULL,
	      "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"from_ns\":100000000000,\"to_ns\":110000000000,"
	      "\"events\":123456,\"events_per_s\":5000,\"lost\":0,\"lost_by_cpu\":[0,0],\"unmatched\":2,\"discarded\":0,"
	      "\"inferred\":0,\"in_flight\":3,\"interval\":1,\"loading\":null,\"ended\":false,\"own_cpu_milli\":12,"
	      "\"own_rss_bytes\":2097152,\"window_bytes\":1048576"),
	REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
	{ 0 },
};

static const struct reply *find(const struct reply *rows, const char *op, const char *question)
{
	for (; rows && rows->op; rows++)
		if (!strcmp(rows->op, op) && (!rows->has || strstr(question, rows->has)))
			return rows;
	return NULL;
}

static void put_answer(struct stage *s, struct rs_buf *out, const char *op, const char *question)
{
	const struct reply *r = find(s->replies, op, question);

	if (!r)
		r = find(usual, op, question);
	if (r && r->members)
		rs_buf_printf(out, ",\"ok\":true%s%s}", *r->members ? "," : "", r->members);
	else
		rs_buf_printf(out, ",\"ok\":false,\"code\":\"usage\",\"error\":\"%s\"}", r ? r->error : "not played here");
}

static void answer(struct stage *s, const char *question)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_json j;
	cJSON *q = cJSON_Parse(question);
	const char *op = cJSON_GetStringValue(cJSON_GetObjectItem(q, "op"));
	uint64_t id = (uint64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(q, "id"));

	pthread_mutex_lock(&s->lock);
	rs_json_init(&j, &out);
	rs_json_open(&j, '{');
	rs_json_put_u64(&j, "id", id);
	if (strcmp(op, "hello")) {
		put_answer(s, &out, op, question);
	} else {
		rs_json_put_bool(&j, "ok", true);
		put_hello(s, &j);
		rs_json_close(&j, '}');
	}
	if (strcmp(op, "hello") && strcmp(op, "state"))
		rs_buf_printf(&s->asked, "%s\n", question);
	pthread_mutex_unlock(&s->lock);
	rs_frames_put(&s->frames, out.data, out.len, -1);
	rs_buf_done(&out);
	cJSON_Delete(q);
}

static void *engine(void *arg)
{
	struct stage *s = arg;
	struct rs_error err = { 0 };
	const char *question;
	size_t len;

	for (;;) {
		struct pollfd p = { s->frames.fd, POLLIN | (rs_frames_waiting(&s->frames) ? POLLOUT : 0), 0 };

		poll(&p, 1, -1);
		if (rs_frames_read(&s->frames, &err) < 0)
			return NULL;
		while ((question = rs_frames_next(&s->frames, &len, &err)))
			answer(s, question);
		if (s->frames.passed_fd >= 0) {
			close(s->frames.passed_fd);
			s->frames.passed_fd = -1;
		}
		rs_frames_write(&s->frames, &err);
	}
}

/* ---- the stage ---- */

/* A frame is as high as its area allows for: the header of most takes one of the lines that are counted for it. */
static int stage_height(int height)
{
	return height > STAGE_AREA ? height - STAGE_AREA + 1 : 1;
}

/* Lines of the last frame above the area; of a frame that is too small for a screen there is no area. */
static int stage_header_lines(const struct stage *s)
{
	return rs_canvas_area(s->canvas).height < RS_TUI_MIN_HEIGHT ? STAGE_AREA : s->app->area.y;
}

/* The line of the frame that checks count as `line`. */
static int stage_line(const struct stage *s, int line)
{
	return line < STAGE_AREA ? line : line - STAGE_AREA + stage_header_lines(s);
}

/* Begins with `kind`, which says what engine it is of. */
static struct stage *stage_new(struct stage kind, int height, int width, const char *screen, const struct reply *replies)
{
	struct stage *s = malloc(sizeof *s);
	struct rs_error err = { 0 };
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
	*s = kind;
	s->replies = replies;
	s->text = s->asked = s->asked_before = (struct rs_buf)RS_BUF_INIT;
	pthread_mutex_init(&s->lock, NULL);
	rs_frames_init(&s->frames, ends[1], RS_REQUEST_BYTES);
	ck_assert_int_eq(pthread_create(&s->engine, NULL, engine, s), 0);
	s->client = rs_client_new(ends[0], &err);
	ck_assert_msg(rs_client_hello(s->client, "test", &err) == 0, "%s", err.text);
	s->options = (struct rs_tui_options){ .screen = screen, .ascii = true, .no_settings = true };
	s->app = rs_app_new(&(struct rs_tui_engine){ .clients = { s->client }, .nr = 1 }, &s->options, &err);
	ck_assert_msg(s->app != NULL, "%s", err.text);
	s->canvas = rs_canvas_new(stage_height(height), width, true);
	s->now_ns = 1000000000;
	rs_stage_settle(s);
	return s;
}

struct stage *rs_stage_new(int height, int width, const char *screen, const struct reply *replies)
{
	return stage_new((struct stage){ 0 }, height, width, screen, replies);
}

struct stage *rs_stage_new_file(int height, int width, const char *screen, const struct reply *replies)
{
	return stage_new((struct stage){ .is_file = true }, height, width, screen, replies);
}

struct stage *rs_stage_new_overview(bool is_file, int height, int width, const struct reply *replies)
{
	return stage_new((struct stage){ .is_file = is_file, .has_panels = true }, height, width, NULL, replies);
}

struct stage *rs_stage_new_trees(int height, int width, const char *screen, const struct reply *replies)
{
	return stage_new((struct stage){ .is_file = true, .has_trees = true }, height, width, screen, replies);
}

void rs_stage_free(struct stage *s)
{
	rs_app_free(s->app);
	rs_client_free(s->client);
	pthread_join(s->engine, NULL);
	rs_frames_done(&s->frames);
	rs_canvas_free(s->canvas);
	rs_buf_done(&s->text);
	rs_buf_done(&s->asked);
	rs_buf_done(&s->asked_before);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct rs_app *rs_stage_app(struct stage *s)
{
	return s->app;
}

void rs_stage_replies(struct stage *s, const struct reply *replies)
{
	pthread_mutex_lock(&s->lock);
	s->replies = replies;
	pthread_mutex_unlock(&s->lock);
}

void rs_stage_resize(struct stage *s, int height, int width)
{
	ck_assert(rs_canvas_resize(s->canvas, stage_height(height), width));
	rs_app_key(s->app, &(struct rs_key_event){ .key = RS_KEY_RESIZE });
	rs_stage_settle(s);
}

static void stage_answer(struct stage *s)
{
	struct rs_error err = { 0 };

	do {
		rs_app_tick(s->app, s->now_ns);
		while (rs_client_nr_open(s->client)) {
			struct pollfd p = { rs_client_fd(s->client), rs_client_events(s->client), 0 };

			ck_assert_int_gt(poll(&p, 1, 10000), 0);
			ck_assert_msg(rs_client_read(s->client, &err) == 0, "%s", err.text);
		}
	} while (s->app->ask_due);
}

void rs_stage_settle(struct stage *s)
{
	stage_answer(s);
	rs_app_draw(s->app, s->canvas);
}

void rs_stage_later_unseen(struct stage *s, uint64_t ns)
{
	s->now_ns += ns;
	stage_answer(s);
	stage_answer(s);
}

void rs_stage_later(struct stage *s, uint64_t ns)
{
	s->now_ns += ns;
	rs_stage_settle(s); /* the state, */
	rs_stage_settle(s); /* and what is asked for its sake */
}

/* A screen whose table is not among all tables would escape the test of what letters mean. */
static void stage_check_keys_are_listed(const struct rs_screen *top)
{
	const struct rs_key_table *t = rs_key_tables;

	while (t->keys && t->keys != top->ops->keys)
		t++;
	ck_assert_msg(t->keys, "the keys of the screen '%s' are not in rs_key_tables", top->ops->name);
}

void rs_stage_keys(struct stage *s, const uint32_t *keys)
{
	for (; *keys; keys++) {
		rs_app_key(s->app, &(struct rs_key_event){ .key = *keys });
		rs_stage_settle(s);
		stage_check_keys_are_listed(rs_app_top(s->app));
	}
}

void rs_stage_keys_unseen(struct stage *s, const uint32_t *keys)
{
	for (; *keys; keys++)
		rs_app_key(s->app, &(struct rs_key_event){ .key = *keys });
}

void rs_stage_key_unanswered(struct stage *s, uint32_t key)
{
	rs_app_key(s->app, &(struct rs_key_event){ .key = key });
	rs_app_tick(s->app, s->now_ns);
	rs_app_draw(s->app, s->canvas);
}

void rs_stage_type(struct stage *s, const char *text)
{
	for (; *text; text++)
		rs_stage_keys(s, KEYS((unsigned char)*text));
}

void rs_stage_mouse(struct stage *s, uint32_t key, int y, int x)
{
	rs_app_key(s->app, &(struct rs_key_event){ .key = key, .y = stage_line(s, y), .x = x });
	rs_stage_settle(s);
}

const char *rs_stage_text(struct stage *s)
{
	struct rs_buf frame = RS_BUF_INIT;
	const char *rest;

	rs_buf_clear(&s->text);
	rs_canvas_text(s->canvas, &frame);
	rest = frame.data;
	for (int line = 0; line < STAGE_AREA && stage_header_lines(s) < STAGE_AREA; line++) {
		size_t len = line < stage_header_lines(s) ? strcspn(rest, "\n") : 0;

		rs_buf_add(&s->text, rest, len);
		rs_buf_putc(&s->text, '\n');
		rest += line < stage_header_lines(s) ? len + 1 : 0;
	}
	rs_buf_puts(&s->text, rest);
	rs_buf_done(&frame);
	return s->text.data;
}

void rs_stage_storm(struct stage *s, unsigned int seed, unsigned int nr_keys)
{
	static const uint32_t special[] = { RS_KEY_UP, RS_KEY_DOWN, RS_KEY_LEFT, RS_KEY_RIGHT, RS_KEY_PAGE_UP, RS_KEY_PAGE_DOWN, RS_KEY_HOME, RS_KEY_END,
					    RS_KEY_ENTER, RS_KEY_TAB, RS_KEY_BACK_TAB, RS_KEY_BACKSPACE, RS_KEY_ESCAPE, ' ' };
	uint32_t key;

	srand48(seed);
	for (unsigned int i = 0; i < nr_keys; i++) {
		key = lrand48() % 2 ? special[(size_t)lrand48() % NR(special)] : (uint32_t)(' ' + lrand48() % 95);
		if (lrand48() % 30 == 0)
			rs_stage_resize(s, 1 + (int)(lrand48() % 40), 1 + (int)(lrand48() % 150));
		if (key != 'e' && key != 'P')
			rs_stage_keys(s, (uint32_t[]){ key, 0 });
		s->app->quit = false;
		rs_stage_text(s);
	}
}

enum rs_style_id rs_stage_style(const struct stage *s, int y, int x)
{
	return rs_canvas_row(s->canvas, stage_line(s, y))[x].style_id;
}

const char *rs_stage_asked(struct stage *s)
{
	rs_buf_clear(&s->asked_before);
	pthread_mutex_lock(&s->lock);
	rs_buf_puts(&s->asked_before, s->asked.data);
	rs_buf_clear(&s->asked);
	pthread_mutex_unlock(&s->lock);
	return s->asked_before.data;
}

/* ---- checks ---- */

static const char *line_at(const char *text, int nr)
{
	while (nr-- && (text = strchr(text, '\n')))
		text++;
	return text ? text : "";
}

void rs_check_screen(struct stage *s, int from, const char *const *lines, const char *file, int line)
{
	const char *text = rs_stage_text(s);

	for (int i = 0; lines[i]; i++) {
		const char *got = line_at(text, from + i);
		size_t len = strcspn(got, "\n");

		if (len != strlen(lines[i]) || memcmp(got, lines[i], len))
			ck_abort_msg("%s:%d: line %d is\n%.*s\nnot\n%s\nof\n%s", file, line, from + i, (int)len, got, lines[i], text);
	}
}

void rs_check_way(struct stage *s, const char *crumbs, const char *time, const char *file, int line)
{
	const char *text = rs_stage_text(s), *end = text + strcspn(text, "\n"), *at = strstr(text, crumbs),
		   *after = at ? at + strlen(crumbs) : NULL;

	if (!at || at == text || at > end || !strchr(" ~", at[-1]) || strncmp(after, "  ", 2) || end - after < (long)strlen(time) ||
	    strncmp(end - strlen(time), time, strlen(time)))
		ck_abort_msg("%s:%d: the header has not %s and, at its end, %s:\n%s", file, line, crumbs, time, text);
}

void rs_check_asked(struct stage *s, const char *text, bool asked, const char *file, int line)
{
	const char *all = rs_stage_asked(s);

	if (!strstr(all, text) == asked)
		ck_abort_msg("%s:%d: %s %s:\n%s", file, line, text, asked ? "was not asked" : "was asked", all);
}
