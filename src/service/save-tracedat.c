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
#include "recording/tracedat-writer.h"
#include "service/save-samples.h"

struct save_tracedat_pages {
	struct rs_save_tracedat *save;
	struct rs_page_layout layout;
	struct rs_tracedat_stream stream;
	struct rs_save_samples samples;
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
		rs_save_samples_page(&p->samples, &page);
		if (rs_tracedat_stream_page(&p->stream, page.data, page.len_bytes, err) < 0)
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
		.head = {
			.info = info, .header_event = info->header_event,
			.kallsyms_fd = info->kallsyms_fd > 0 ? info->kallsyms_fd : -1,
		},
		.tail = { .tasks = save->named, .nr_tasks = save->nr_named, .pauses = &save->source->pauses },
		.nr_pages = save->nr_pages ? save->nr_pages : p->left, .write = save->write, .arg = save->arg,
	};
	return rs_page_layout_of(&p->layout, info, err) == 0;
}

int rs_save_tracedat(struct rs_save_tracedat *save, struct rs_error *err)
{
	struct save_tracedat_pages p = { .save = save };

	save->nr_events = save->nr_samples = 0;
	if (save_tracedat_prepare(&p, err)) {
		int ret;

		rs_save_samples_make(&p.samples, save->source, save->cpus, save->from_ns, save->to_ns);
		ret = rs_tracedat_stream_begin(&p.stream, err);
		for (unsigned int cpu = 0; ret == 0 && cpu < save->source->info.nr_cpus; cpu++)
			ret = save_write_cpu(&p, cpu, err);
		rs_save_samples_put(&p.samples, &p.stream.tail);
		save->nr_samples = p.samples.info.nr_samples;
		rs_tracedat_stream_end(&p.stream, err);
		rs_save_samples_done(&p.samples);
	}
	free(p.left);
	return err->status == RS_OK ? 0 : -1;
}
