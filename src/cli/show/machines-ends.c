// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machines-ends - the first pass over the recordings of several machines: who has the ends of their
 * connections
 */
#include "cli/show/machines.h"

#include <string.h>

#include "cli/show/show.h"

#define MACHINES_EVENTS_PER_BATCH 10000

static bool machines_has_sockets(const struct rs_source *source)
{
	for (size_t i = 0; i < source->info.nr_formats; i++)
		if (!strcmp(source->info.formats[i].system, "sock"))
			return true;
	return false;
}

/* Reads all of it: a connection may have begun before the time that is asked about. */
static int machines_run(struct rs_session *session, struct rs_source *source, struct rs_error *err)
{
	if (rs_session_attach(session, source, err) < 0)
		return -1;
	while (rs_session_run(session, MACHINES_EVENTS_PER_BATCH, err) == RS_RUN_MORE)
		;
	return err->status == RS_OK ? 0 : -1;
}

static int machines_collect(struct rs_machines *m, const struct rs_machine *of, struct rs_error *err)
{
	struct rs_session_config config = { .nr_analyses = 1 };
	struct rs_moment_clock clock;
	struct rs_source *source = rs_show_file_open(&of->opt, &clock, err);
	struct rs_session *session = NULL;
	struct rs_view_ref ref;
	int ret = -1;

	if (!source)
		return -1;
	if (!machines_has_sockets(source)) {
		ret = 0;
	} else if (rs_requirements_find_view("connections", &ref, err)) {
		config.analyses[0] = ref.analysis;
		session = rs_session_new(&config, err);
	}
	if (session && machines_run(session, source, err) == 0)
		ret = rs_machine_ends_collect(&m->ends, session, of->name);
	rs_session_free(session);
	source->ops->close(source);
	return ret;
}

int rs_machines_collect_ends(struct rs_machines *m, struct rs_error *err)
{
	for (size_t i = 0; m->nr > 1 && i < m->nr; i++)
		if (machines_collect(m, &m->at[i], err) < 0)
			return err->status != RS_OK ?
				       -1 :
				       rs_fail(err, "cannot read a recording: out of memory");
	rs_machine_ends_sort(&m->ends);
	for (size_t i = 0; i < m->nr; i++)
		m->at[i].opt.machine_ends = m->ends.nr ? &m->ends : NULL;
	return 0;
}
