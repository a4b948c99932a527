// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kmem-probes - the tracepoints by which the kernel tells what memory it allocates and frees, and where their
 * records have what
 */
#include <errno.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "decode/formats.h"

/* Until 6.0 what is allocated near a node has events of its own. */
static const struct {
	const char *name;
	enum rs_probe_function function;
	bool required;
} events[] = {
	{ "kmalloc", RS_PROBE_KMALLOC, true }, { "kmalloc_node", RS_PROBE_KMALLOC, false },
	{ "kmem_cache_alloc", RS_PROBE_SLAB_ALLOC, true },
	{ "kmem_cache_alloc_node", RS_PROBE_SLAB_ALLOC, false },
	{ "mm_page_alloc", RS_PROBE_PAGE_ALLOC, true },
	{ "kfree", RS_PROBE_KFREE, true }, { "kmem_cache_free", RS_PROBE_SLAB_FREE, true },
	{ "mm_page_free", RS_PROBE_PAGE_FREE, true },
};

_Static_assert(sizeof events / sizeof *events <= RS_MAX_KERNEL_PROBES, "no room for all events");

static struct rs_probe_field kmem_field(struct tep_event *event, const char *name)
{
	const struct tep_format_field *f = tep_find_any_field(event, name);

	return f && f->offset >= 0 && f->offset < UINT16_MAX && f->size > 0 && f->size <= 8 ?
		       (struct rs_probe_field){ (uint16_t)f->offset, (uint16_t)f->size } :
		       (struct rs_probe_field){ 0 };
}

static bool kmem_bind(struct tep_event *event, struct rs_kernel_probe *k)
{
	bool is_page = k->function == RS_PROBE_PAGE_ALLOC || k->function == RS_PROBE_PAGE_FREE;

	k->event_id = (uint32_t)event->id;
	k->flags = kmem_field(event, "common_flags");
	k->addr = kmem_field(event, is_page ? "pfn" : "ptr");
	k->asked = kmem_field(event, "bytes_req");
	k->bytes = kmem_field(event, "bytes_alloc");
	k->order = kmem_field(event, "order");
	k->name = kmem_field(event, "name");
	if (!k->addr.size_bytes || !k->flags.size_bytes)
		return false;
	return is_page ? k->order.size_bytes :
			 !rs_kernel_probe_allocates(k) || (k->asked.size_bytes && k->bytes.size_bytes);
}

static bool kmem_add(struct rs_probe_target *target, const char *tracefs, struct tep_handle *tep, size_t i)
{
	struct rs_kernel_probe *k = &target->kernel[target->nr_kernel];
	struct rs_format_text format = { .system = "kmem" };
	struct tep_event *event;
	char file[64], *text;

	snprintf(file, sizeof file, "events/kmem/%s/format", events[i].name);
	text = rs_tracefs_read(tracefs, file, &format.text.len);
	format.text.data = text;
	event = text ? rs_format_parse(tep, &format, false) : NULL;
	*k = (struct rs_kernel_probe){ .function = events[i].function };
	if (event && kmem_bind(event, k))
		target->nr_kernel++;
	else
		event = NULL;
	free(text);
	return event;
}

int rs_kmem_probes_plan(struct rs_capture_plan *p, const char *tracefs, struct rs_error *err)
{
	struct tep_handle *tep = tep_alloc();
	int ret = tep ? 0 : rs_fail(err, "kmem: out of memory");

	for (size_t i = 0; !ret && i < sizeof events / sizeof *events; i++)
		if (!kmem_add(&p->probes, tracefs, tep, i) && events[i].required)
			ret = rs_fail(err, "kmem: this kernel has no event kmem:%s, or one of another form",
				      events[i].name);
	if (tep)
		tep_free(tep);
	return ret;
}
