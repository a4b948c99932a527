/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container-names.h - what the runtime of a container calls it, and its pod: of a session
 *
 * A text of one is "CONTAINER:[id,name,namespace/pod]", as the guardian makes it (tracefs/container-files.h)
 * and recordings have it. It is of another program: what is no such text is left out.
 */
#ifndef RS_ENGINE_CGROUPS_CONTAINER_NAMES_H
#define RS_ENGINE_CGROUPS_CONTAINER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/task.h"

struct rs_session;

/* Also one that was asked for, and has no reply. */
struct rs_container_name {
	char id[RS_CONTAINER_WHOLE_ID + 1];
	char name[64], pod[RS_POD_NAME]; /* "": not known */
};

struct rs_container_names {
	struct rs_container_name *at;
	size_t nr, room;
	size_t nr_asked;                 /* without a reply */
	uint64_t walked_ns;              /* when all tasks were last walked over */
};

/* Takes a text of len bytes; false: it is none, or there is no room. */
bool rs_container_names_add(struct rs_container_names *names, const char *text, size_t len);
/* Takes those of a recording. */
void rs_container_names_begin(struct rs_session *s);
/*
 * Live: takes the replies that have come; now and then asks for those that have no name yet, by a process of
 * each
 */
void rs_container_names_batch(struct rs_session *s);
/* Fills in .container_name and .pod_name. */
void rs_container_names_add_to(const struct rs_session *s, struct rs_cgroup_names *names);
void rs_container_names_done(struct rs_container_names *names);

#endif
