// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save-tracedat - a trace.dat has each CPU's pages in one piece, and their place in the header: so the pages
 * are counted first
 *
 * Pages that a window drops before they are written are lost: the next page reports that, and empty pages
 * fill the gap.
 */
#include "service/save-tracedat.h"

#include <stdlib.h>

#include "decode/page.h"
#include "recording/producer/producer.h"

struct save_tracedat_pages {
	struct rs_save_tracedat *save;
	struct rs_page_layout layout;
	struct rs_tracedat_stream stream;
	struct rs_producer producer;
	uint64_t *left;           /* of each CPU, where the caller did not count */
	uint64_t last_ns;         /* of the current CPU */
};

static void save_count_events(struct save_tracedat_pages *p, const struct rs_page *page)
{
	struct rs_page_cursor c;

	if (!rs_page_load(&c, &p->layout, page->data, page->len_bytes))
		return;
	while (rs_page_next(&c))
		p->save->nr_events++;
	p->last_ns = c.ts_ns;
}

static int save_write_cpu(struct save_tracedat_pages *p, unsigned int cpu, struct rs_error *err)
{
	struct rs_source *source = p->save->source;
	uint64_t nr = p->stream.nr_pages[cpu];
	struct rs_page page;

	p->last_ns = p->save->from_ns;
	while (nr && source->ops->next(source, cpu, &page, err) == RS_NEXT_PAGE) {
		save_count_events(p, &page);
		if (rs_producer_page(&p->producer, cpu, page.data, page.len_bytes, err) < 0)
			return -1;
		nr--;
	}
	for (; nr && err->status == RS_OK; nr--)
		rs_tracedat_stream_blank(&p->stream, p->last_ns, err);
	return err->status == RS_OK ? 0 : -1;
}

static bool save_tracedat_prepare(struct save_tracedat_pages *p, struct rs_error *err)
{
	const struct rs_save_tracedat *save = p->save;
	const struct rs_trace_info *info = &save->source->info;

	p->left = calloc(info->nr_cpus + 1, sizeof *p->left);
	if (!p->left)
		return rs_fail(err, "cannot save: out of memory"), false;
	for (unsigned int cpu = 0; !save->nr_pages && cpu < info->nr_cpus; cpu++)
		p->left[cpu] = save->source->ops->left(save->source, cpu);
	p->stream = (struct rs_tracedat_stream){
		.nr_pages = save->nr_pages ? save->nr_pages : p->left, .write = save->write, .arg = save->arg,
	};
	p->producer = (struct rs_producer){
		.stream = &p->stream,
		.head = {
			.info = info, .header_event = info->header_event,
			.kallsyms_fd = info->kallsyms_fd > 0 ? info->kallsyms_fd : -1,
		},
		.tail = { .tasks = save->named, .nr_tasks = save->nr_named, .pauses = &save->source->pauses },
		.from_ns = save->from_ns, .cpus = save->cpus,
	};
	return rs_page_layout_of(&p->layout, info, err) == 0;
}

static int save_tracedat_write(struct save_tracedat_pages *p, struct rs_error *err)
{
	struct rs_save_tracedat *save = p->save;

	if (rs_producer_begin(&p->producer, save->source, err) < 0 ||
	    rs_producer_take_samples(&p->producer, save->to_ns ? save->to_ns : UINT64_MAX, err) < 0)
		return -1;
	for (unsigned int cpu = 0; cpu < save->source->info.nr_cpus; cpu++)
		if (save_write_cpu(p, cpu, err) < 0)
			return -1;
	if (rs_producer_finish(&p->producer, err) < 0)
		return -1;
	save->nr_samples = p->producer.tail.samples ? p->producer.tail.samples->nr_samples : 0;
	return 0;
}

int rs_save_tracedat(struct rs_save_tracedat *save, struct rs_error *err)
{
	struct save_tracedat_pages p = { .save = save };

	save->nr_events = save->nr_samples = 0;
	if (save_tracedat_prepare(&p, err))
		save_tracedat_write(&p, err);
	rs_tracedat_stream_done(&p.stream);
	rs_producer_done(&p.producer);
	free(p.left);
	return err->status == RS_OK ? 0 : -1;
}
