// SPDX-License-Identifier: GPL-2.0-or-later
/* container-names - what the runtime of a container calls it, and its pod */
#include "engine/cgroups/container-names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vector.h"
#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"
#include "engine/session-select.h"

#define CONTAINERS_MAX 4096u
#define CONTAINERS_TEXT 512u

#define CONTAINERS_ASKED 32u /* at a time */
#define CONTAINERS_WALK_NS 500000000u /* between two walks over all tasks */

static struct rs_container_name *containers_find(const struct rs_container_names *names, const char *id)
{
	for (struct rs_container_name *n = names->at; n < names->at + names->nr; n++)
		if (!memcmp(n->id, id, RS_CONTAINER_WHOLE_ID))
			return n;
	return NULL;
}

static struct rs_container_name *containers_add(struct rs_container_names *names, const char *id)
{
	struct rs_container_name *n =
		names->nr < CONTAINERS_MAX ? RS_VECTOR_ADD(&names->at, &names->nr, &names->room) : NULL;

	if (n) {
		*n = (struct rs_container_name){ .id = "" };
		memcpy(n->id, id, RS_CONTAINER_WHOLE_ID);
	}
	return n;
}

/* Up to the separator; false: there is none, it does not fit, or it would show as something else. */
static bool containers_take(const char **at, const char *separators, char *to, size_t size_bytes)
{
	size_t len = strcspn(*at, separators);

	if (!(*at)[len] || len >= size_bytes)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)(*at)[i]))
			return false;
	memcpy(to, *at, len);
	to[len] = '\0';
	*at += len + 1;
	return true;
}

bool rs_container_names_add(struct rs_container_names *names, const char *text, size_t len)
{
	static const char begin[] = "CONTAINER:[";
	struct rs_container_name n = { .id = "" }, *place;
	char line[CONTAINERS_TEXT];
	const char *at = line + sizeof begin - 1;

	if (len >= sizeof line)
		return false;
	memcpy(line, text, len);
	line[len] = '\0';
	if (strncmp(line, begin, sizeof begin - 1) != 0 || !containers_take(&at, ",", n.id, sizeof n.id) ||
	    strlen(n.id) != RS_CONTAINER_WHOLE_ID || !containers_take(&at, ",", n.name, sizeof n.name) ||
	    !containers_take(&at, "]", n.pod, sizeof n.pod) || *at)
		return false;
	place = containers_find(names, n.id);
	if (!place)
		place = containers_add(names, n.id);
	if (place)
		*place = n;
	return place;
}

void rs_container_names_begin(struct rs_session *s)
{
	const char *at = s->source->info.containers;

	for (size_t len; at && *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		rs_container_names_add(&rs_cgroups_of(s)->containers, at, len);
	}
}

/* ---- live ---- */

/* --cgroup may be a name that was not known when the task was seen. */
static void containers_select_again(struct rs_session *s)
{
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		rs_session_select(s, inst);
}

static void containers_take_replies(struct rs_session *s)
{
	const struct rs_fd_requester *requester = &s->config.container_requester;
	struct rs_container_names *names = &rs_cgroups_of(s)->containers;
	struct rs_fd_reply reply;
	bool is_any = false;

	while (names->nr_asked && requester->answer(requester->arg, &reply)) {
		names->nr_asked--;
		is_any |= reply.len > 0 && rs_container_names_add(names, reply.path, (size_t)reply.len);
	}
	if (is_any && s->config.selection.cgroup_glob)
		containers_select_again(s);
}

/* The id of the container that the group is of; NULL: of none, or it was asked for. */
static const char *containers_id_to_ask(const struct rs_session *s, const char *path)
{
	struct rs_cgroup_names names;

	if (!path || strlen(path) < RS_CONTAINER_WHOLE_ID)
		return NULL;
	rs_cgroup_names(NULL, path, &names);
	return names.id && !containers_find(&rs_cgroups_of(s)->containers, names.id) ? names.id : NULL;
}

static void containers_ask(struct rs_session *s)
{
	const struct rs_fd_requester *requester = &s->config.container_requester;
	struct rs_container_names *names = &rs_cgroups_of(s)->containers;
	const char *last = NULL;

	for (struct rs_task_instance *inst = s->tasks.oldest; inst && names->nr_asked < CONTAINERS_ASKED;
	     inst = inst->next) {
		const char *path = inst->task.cgroup;
		const char *id = path == last || inst->task.exited ? NULL : containers_id_to_ask(s, path);

		last = path;
		if (!id || inst->task.pid <= 0)
			continue;
		if (!requester->ask(requester->arg, inst->task.pid, RS_FD_CONTAINER) ||
		    !containers_add(names, id))
			return;
		names->nr_asked++;
	}
}

void rs_container_names_batch(struct rs_session *s)
{
	struct rs_container_names *names = &rs_cgroups_of(s)->containers;

	if (!s->config.container_requester.ask)
		return;
	if (names->nr_asked)
		containers_take_replies(s);
	if (names->walked_ns && s->now_ns - names->walked_ns < CONTAINERS_WALK_NS)
		return;
	names->walked_ns = s->now_ns;
	containers_ask(s);
}

/* ---- what is shown ---- */

void rs_container_names_add_to(const struct rs_session *s, struct rs_cgroup_names *names)
{
	const struct rs_cgroups *groups = rs_cgroups_of(s);
	const struct rs_container_name *n =
		groups && names->id ? containers_find(&groups->containers, names->id) : NULL;

	if (!n)
		return;
	rs_copy(names->container_name, sizeof names->container_name, n->name);
	rs_copy(names->pod_name, sizeof names->pod_name, n->pod);
}

void rs_container_names_done(struct rs_container_names *names)
{
	free(names->at);
}
