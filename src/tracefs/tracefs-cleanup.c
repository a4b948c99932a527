// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracefs-cleanup - instances that a session left when all its processes were killed at once
 *
 * rmdir is the test: the kernel says EBUSY while any process holds a file of the
 * instance. No pid is compared, they are reused and belong to namespaces.
 */
#include <errno.h>
#include <string.h>
#include <tracefs.h>

#include "tracefs/tracefs.h"

/* 1: removed; 0: busy, or another was quicker. */
static int tracefs_cleanup_remove_instance(const char *name, unsigned int *nr_busy)
{
	struct tracefs_instance *in = tracefs_instance_alloc(NULL, name);
	int ret = in ? tracefs_instance_destroy(in) : -1, why = errno;

	tracefs_instance_free(in);
	if (in && ret < 0 && why == EBUSY)
		(*nr_busy)++;
	return in && !ret;
}

int rs_tracefs_cleanup(unsigned int *nr_busy)
{
	char **names = tracefs_instances(NULL); /* of a pattern 1.6.4 frees nothing */
	int nr_closed = 0;

	*nr_busy = 0;
	for (char **name = names; name && *name; name++)
		if (!strncmp(*name, "ringside-", 9))
			nr_closed += tracefs_cleanup_remove_instance(*name, nr_busy);
	tracefs_list_free(names);
	return nr_closed;
}
