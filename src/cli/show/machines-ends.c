// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machines-ends - the first pass over the recordings of several machines: who has the ends of their
 * connections
 */
#include "cli/show/machines.h"

#include <string.h>

#include "cli/show/show.h"
#include "why/far-turns.h"

#define MACHINES_EVENTS_PER_BATCH 10000

static bool machines_has_sockets(const struct rs_source *source)
{
	for (size_t i = 0; i < source->info.nr_formats; i++)
		if (!strcmp(source->info.formats[i].system, "sock"))
			return true;
	return false;
}

/* Reads all of it: a connection may have begun before the time that is asked about. */
static bool machines_run(struct rs_session *session, struct rs_source *source)
{
	struct rs_error err = { 0 };

	if (rs_session_attach(session, source, &err) < 0)
		return false;
	while (rs_session_run(session, MACHINES_EVENTS_PER_BATCH, &err) == RS_RUN_MORE)
		;
	return err.status == RS_OK;
}

static struct rs_session *machines_begin_session(void)
{
	struct rs_session_config config = { .analyses = { &rs_far_turns_analysis }, .nr_analyses = 1 };
	struct rs_error ignored = { 0 };
	struct rs_view_ref ref;

	/* who has the ends is known without what the turns need */
	if (rs_requirements_find_view("connections", &ref, &ignored))
		config.analyses[config.nr_analyses++] = ref.analysis;
	return rs_session_new(&config, &ignored);
}

static int machines_collect(struct rs_machines *m, const struct rs_machine *of, struct rs_source *source)
{
	struct rs_session *session = machines_has_sockets(source) ? machines_begin_session() : NULL;
	int ret = 0;

	if (session && machines_run(session, source))
		ret = rs_machine_ends_collect(&m->ends, session, of->name);
	if (session && ret == 0 && of->is_on_clock)
		ret = rs_far_turns_collect(&m->ends, session);
	rs_session_free(session);
	return ret;
}

/* What cannot be read is reported by the pass that shows it. */
int rs_machines_collect_ends(struct rs_machines *m, struct rs_error *err)
{
	for (size_t i = 0; m->nr > 1 && i < m->nr; i++) {
		struct rs_error ignored = { 0 };
		struct rs_moment_clock clock;
		struct rs_source *source = rs_show_file_open(&m->at[i].opt, &clock, &ignored);
		int ret = source ? machines_collect(m, &m->at[i], source) : 0;

		if (source)
			source->ops->close(source);
		if (ret < 0)
			return rs_fail(err, "cannot read a recording: out of memory");
	}
	rs_machine_ends_sort(&m->ends);
	m->untimed = m->ends;
	m->untimed.nr_far_turns = 0;
	for (size_t i = 0; m->ends.nr && i < m->nr; i++)
		m->at[i].opt.machine_ends = m->at[i].is_on_clock ? &m->ends : &m->untimed;
	return 0;
}
