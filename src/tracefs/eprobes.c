// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * eprobes - events of a session's own, which read the names of files that calls are given
 *
 * sys_enter tells where a file's name lies in the memory of the process. An eprobe (kernels 5.15 and later,
 * if built with probes) is attached to that event, and reads the name in the kernel, at once. From Linux 6.0
 * on, and in 6.1 still, it took one byte of the pointer for the whole: there, and where there are no eprobes,
 * kprobes at the functions behind these calls read it; of attributes, only from 6.0 to 6.11.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tracefs/tracefs-file.h"

/*
 * The calls that open a file by its name, then those that ask for its attributes, and which field of
 * syscalls:sys_enter_CALL points to it.
 */
static const struct { const char *call, *field; bool opens; } eprobes_calls[] = {
	{ "openat", "filename", true }, { "open", "filename", true }, { "openat2", "filename", true },
	{ "creat", "pathname", true },
	{ "newfstatat", "filename" }, { "statx", "filename" }, { "newstat", "filename" },
	{ "newlstat", "filename" },
};

static bool eprobes_kernel_is(unsigned int from, unsigned int before)
{
	struct utsname u;
	unsigned int major, minor;

	return uname(&u) == 0 && sscanf(u.release, "%u.%u", &major, &minor) == 2 &&
	       major * 100 + minor >= from && major * 100 + minor < before;
}

static void eprobes_add_calls(const char *tracefs, bool all, struct rs_dynamic_events *d)
{
	char name[64], text[128];

	for (size_t i = 0; i < sizeof eprobes_calls / sizeof *eprobes_calls; i++) {
		snprintf(name, sizeof name, "sys_enter_%s", eprobes_calls[i].call);
		snprintf(text, sizeof text, "syscalls/%s filename=+0($%s):ustring", name,
			 eprobes_calls[i].field);
		if ((all || eprobes_calls[i].opens) && rs_tracefs_has_event(tracefs, "syscalls", name))
			rs_dynamic_events_add(tracefs, d, 'e', eprobes_calls[i].call, text);
	}
}

/* README lists the syntax of what the kernel can. */
void rs_eprobes_make(const char *tracefs, bool all, struct rs_dynamic_events *d)
{
	char *readme = rs_tracefs_read(tracefs, "README", NULL);
	bool reads_text = readme && strstr(readme, "ustring"), cuts_pointers = eprobes_kernel_is(600, 612);

	if (reads_text && strstr(readme, "<attached-group>.<attached-event>") && !cuts_pointers)
		eprobes_add_calls(tracefs, all, d);
	if (reads_text && !d->nr && strstr(readme, "$arg<N>"))
		rs_dynamic_events_add(tracefs, d, 'p', eprobes_calls->call,
				      "do_sys_openat2 filename=+0($arg2):ustring");
	/* behind all that ask for attributes; in these kernels its argument is a struct filename */
	if (reads_text && all && cuts_pointers && strstr(readme, "$arg<N>"))
		rs_dynamic_events_add(tracefs, d, 'p', "newfstatat",
				      "vfs_statx filename=+0(+0($arg2)):string");
	free(readme);
}
