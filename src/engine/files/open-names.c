// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open-names.c - the names that files are opened by, from the eprobes of who captured (tracefs/eprobes.c)
 *
 * The event has the name alone. It comes with the begin of the call, before or after sys_enter.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/files/fd-paths.h"
#include "engine/files/open-names.h"
#include "engine/internal.h"

void rs_open_names_set(struct rs_open_names *names, int32_t tid, const char *text)
{
	uint32_t at = (uint32_t)tid % RS_OPEN_NAMES_NR;

	rs_open_names_drop(names, names->at[at].tid);
	names->at[at].tid = tid;
	names->at[at].text = strdup(text);
	names->nr += names->at[at].text != NULL;
}

const char *rs_open_names_get(const struct rs_open_names *names, int32_t tid)
{
	uint32_t at = (uint32_t)tid % RS_OPEN_NAMES_NR;

	return names->nr && names->at[at].tid == tid ? names->at[at].text : NULL;
}

void rs_open_names_drop(struct rs_open_names *names, int32_t tid)
{
	uint32_t at = (uint32_t)tid % RS_OPEN_NAMES_NR;

	if (!names->nr || names->at[at].tid != tid)
		return;
	names->nr -= names->at[at].text != NULL;
	free(names->at[at].text);
	names->at[at].text = NULL;
}

void rs_open_names_done(struct rs_open_names *names)
{
	for (uint32_t at = 0; at < RS_OPEN_NAMES_NR; at++)
		free(names->at[at].text);
}

/* ---- the events ---- */

static void open_names_on_name(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	char name[PATH_MAX + 1];
	size_t len;

	if (!p || !ev->task)
		return;
	len = rs_str(ev, f, name, sizeof name); /* 0: the kernel could not read it */
	if (len && len < PATH_MAX)
		rs_fd_names_set(p, ev->task, name);
}

bool rs_open_names_is_group(const char *system)
{
	static const char prefix[] = "ringside_";

	return !strncmp(system, prefix, strlen(prefix));
}

void rs_open_names_bind(struct rs_session *s)
{
	static const char *const fields[] = { "filename", NULL };
	struct rs_open_name_events *events = &s->open_names;
	const char *system, *name;
	unsigned int id;

	for (size_t i = 0;
	     rs_formats_nth(s->formats, i, &system, &name, &id) && events->nr < RS_MAX_OPEN_NAMES; i++)
		if (rs_open_names_is_group(system) &&
		    rs_formats_bind(s->formats, system, name, fields, &events->at[events->nr], NULL) ==
			    RS_BIND_OK)
			events->nr++;
}

int rs_open_names_route(struct rs_session *s)
{
	for (unsigned int i = 0; i < s->open_names.nr; i++)
		if (rs_bind_target(s, s->open_names.at[i].id, &s->open_names.at[i], open_names_on_name,
				   &s->parts[RS_ENGINE_CALLS].ctx) < 0)
			return -1;
	return 0;
}
