// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save-tracedat - writes the raw pages of a time range as a recording
 *
 * A trace.dat has each CPU's pages in one piece, and their place in the header. So the pages are counted first. Pages
 * that the window drops before they are written are lost: the next page reports that, and empty pages fill the gap.
 */
#include <stdlib.h>

#include "service/save.h"
#include "decode/page.h"
#include "export/tracedat-writer.h"

struct save_tracedat_pages {
	struct rs_save *save;
	struct rs_source *source;
	struct rs_page_layout layout;
	struct rs_tracedat_stream stream;
	uint64_t *nr_pages;
	uint64_t last_ns;         /* of the current CPU */
};

static int save_tracedat_write(void *arg, const void *data, size_t len_bytes, struct rs_error *err)
{
	return rs_save_write(&((struct save_tracedat_pages *)arg)->save->out, data, len_bytes, err);
}

static void count_events(struct save_tracedat_pages *p, const struct rs_page *page)
{
	struct rs_page_cursor c;

	if (!rs_page_load(&c, &p->layout, page->data, page->len_bytes))
		return;
	while (rs_page_next(&c))
		p->save->nr_events++;
	p->last_ns = c.ts_ns;
}

static int write_cpu(struct save_tracedat_pages *p, unsigned int cpu, struct rs_error *err)
{
	uint64_t nr = p->nr_pages[cpu];
	struct rs_page page;

	p->last_ns = p->save->config.session.from_ns;
	while (nr && p->source->ops->next(p->source, cpu, &page, err) == RS_NEXT_PAGE) {
		count_events(p, &page);
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
	const struct rs_trace_info *info = &p->source->info;

	p->nr_pages = calloc(info->nr_cpus + 1, sizeof *p->nr_pages);
	if (!p->nr_pages)
		return rs_fail(err, "cannot save: out of memory"), false;
	for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++)
		p->nr_pages[cpu] = p->source->ops->left(p->source, cpu);
	p->stream = (struct rs_tracedat_stream){
		.head = {
			.info = info, .header_event = info->header_event,
			.kallsyms_fd = info->kallsyms_fd > 0 ? info->kallsyms_fd : -1,
		},
		.tail = { .tasks = p->save->created, .nr_tasks = p->save->nr_created, .pauses = &p->source->pauses },
		.nr_pages = p->nr_pages, .write = save_tracedat_write, .arg = p,
	};
	return rs_page_layout_of(&p->layout, info, NULL) == 0;
}

int rs_save_tracedat(struct rs_save *save, struct rs_error *err)
{
	struct rs_time_range_config config = save->config;
	struct save_tracedat_pages pages = { .save = save };

	/* a reader of the file would show events from before from_ns as rows */
	config.before_ns = config.before_bytes = 0;
	config.exact = true;
	pages.source = rs_time_range_source(save->origin, &config, &save->why, err);
	if (!pages.source)
		return -1;
	if (save_tracedat_prepare(&pages, err)) {
		int ret = rs_tracedat_stream_begin(&pages.stream, err);

		for (unsigned int cpu = 0; ret == 0 && cpu < pages.source->info.nr_cpus; cpu++)
			ret = write_cpu(&pages, cpu, err);
		rs_tracedat_stream_end(&pages.stream, err);
	}
	free(pages.nr_pages);
	pages.source->ops->close(pages.source);
	return err->status == RS_OK ? 0 : -1;
}
