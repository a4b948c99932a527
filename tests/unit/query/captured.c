// SPDX-License-Identifier: GPL-2.0-or-later
/* captured - a session that reads, as of a capture, and what is there of its past */
#include <check.h>
#include <stdio.h>

#include "captured.h"
#include "lines.h"
#include "recording/recording.h"

struct rs_session *captured_session;
struct rs_time_range_source_config captured_history;

struct rs_time_range_config captured_config(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_time_range_config config = { .session = { .from_ns = from_ns, .to_ns = to_ns } };

	for (size_t i = 0; rs_plugins_all()[i]; i++)
		config.session.analyses[config.session.nr_analyses++] = rs_plugins_all()[i];
	return config;
}

void captured_read_on(uint64_t nr_events)
{
	struct rs_error err = { 0 };

	rs_session_run(captured_session, nr_events, &err);
	ck_assert_int_eq(err.status, RS_OK);
}

void captured_begin(struct rs_source *of, size_t window_bytes)
{
	struct rs_time_range_config config = captured_config(0, 0);
	struct rs_error err = { 0 };

	captured_history = (struct rs_time_range_source_config){ .of = of };
	if (window_bytes)
		captured_history.window = of->window = rs_window_new(&of->info, window_bytes, 0, &err);
	captured_session = rs_session_new(&config.session, &err);
	ck_assert_msg(captured_session && rs_session_attach(captured_session, of, &err) == 0, "%s", err.text);
}

void captured_begin_lines(const char *const *lines, int layout)
{
	captured_begin(rs_lines_source(lines, &rs_layouts[layout]), 1 << 20);
	captured_read_on(UINT64_MAX);
}

void captured_end(void)
{
	struct rs_source *source = captured_history.of;

	rs_session_free(captured_session);
	rs_window_free(captured_history.window);
	source->ops->close(source);
}

struct rs_source *captured_file(const char *name)
{
	struct rs_error err = { 0 };
	struct rs_source *s;
	char path[64];

	snprintf(path, sizeof path, "tests/traces/%s.dat", name);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}
