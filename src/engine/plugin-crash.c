// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/plugin-crash.h"

#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>

#include "base/crash.h"
#include "engine/session.h"

#define MAX_FRAMES 64

struct object {
	uintptr_t begin, end;
	const struct rs_analysis *analysis;
};

static struct object objects[RS_MAX_ANALYSES];
static unsigned int nr_objects;

/* The object that contains the descriptor: from its first loaded byte to its last. */
static int plugin_crash_note_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object *o = arg;
	uintptr_t descriptor = (uintptr_t)o->analysis, begin = UINTPTR_MAX, end = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		begin = at < begin ? at : begin;
		end = at + p->p_memsz > end ? at + p->p_memsz : end;
	}
	if (descriptor < begin || descriptor >= end)
		return 0;
	o->begin = begin;
	o->end = end;
	return 1;
}

/* Runs in the signal handler of the crashed thread: finds the innermost frame of a plugin. */
static bool plugin_crash_blame_plugin(const char *signal_name, char *text, size_t size)
{
	void *frames[MAX_FRAMES];
	int nr = backtrace(frames, MAX_FRAMES);

	for (int i = 0; i < nr; i++)
		for (unsigned int k = 0; k < nr_objects; k++)
			if ((uintptr_t)frames[i] >= objects[k].begin && (uintptr_t)frames[i] < objects[k].end) {
				snprintf(text, size, "the plugin '%s' crashed (%s): take it out of the plugins' folder, "
					 "or report this to its author", objects[k].analysis->name, signal_name);
				return true;
			}
	return false;
}

void rs_plugin_crash_add(const struct rs_analysis *a)
{
	struct object o = { .analysis = a };
	void *first;

	if (nr_objects == RS_MAX_ANALYSES || !dl_iterate_phdr(plugin_crash_note_object, &o))
		return;
	if (!nr_objects) {
		backtrace(&first, 1); /* loads the unwinder now, which a signal handler could not */
		rs_crash_blame(plugin_crash_blame_plugin);
	}
	objects[nr_objects++] = o;
}
