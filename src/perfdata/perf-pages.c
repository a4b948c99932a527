// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-pages - collects records of tracepoints in pages of their CPU, as the kernel's ring buffer has them */
#include "perfdata/perf-pages.h"

#include <stdlib.h>

struct perf_pages_cpu {
	uint8_t *page;               /* NULL: not begun */
	struct rs_page_writer writer;
	struct rs_page_cursor loss;  /* before the page */
	uint64_t last_ns;
};

bool rs_perf_pages_init(struct rs_perf_pages *p, const struct rs_page_layout *layout,
			struct rs_producer *to, unsigned int nr_cpus)
{
	*p = (struct rs_perf_pages){ .layout = layout, .to = to, .nr_cpus = nr_cpus };
	p->cpus = calloc(nr_cpus, sizeof *p->cpus);
	return p->cpus;
}

void rs_perf_pages_done(struct rs_perf_pages *p)
{
	for (unsigned int i = 0; p->cpus && i < p->nr_cpus; i++)
		free(p->cpus[i].page);
	free(p->cpus);
}

static bool pages_has_begun(const struct perf_pages_cpu *c)
{
	return c->writer.page;
}

static int pages_flush(struct rs_perf_pages *p, struct perf_pages_cpu *c, struct rs_error *err)
{
	size_t len;

	if (!pages_has_begun(c))
		return 0;
	len = rs_page_put_header(p->layout, c->page, RS_PERF_PAGE_BYTES, c->writer.begin_ns,
				 rs_page_writer_len(&c->writer), &c->loss);
	c->loss = (struct rs_page_cursor){ 0 };
	c->writer.page = NULL;
	return rs_producer_page(p->to, (unsigned int)(c - p->cpus), c->page, len, err);
}

static int pages_begin(struct rs_perf_pages *p, struct perf_pages_cpu *c, uint64_t ts_ns,
		       struct rs_error *err)
{
	if (!c->page && !(c->page = malloc(RS_PERF_PAGE_BYTES)))
		return rs_fail(err, "cannot read the perf.data: out of memory");
	rs_page_writer_begin(&c->writer, p->layout, c->page, ts_ns);
	return 0;
}

/* NULL: there is no such CPU. */
static struct perf_pages_cpu *pages_cpu(struct rs_perf_pages *p, uint32_t cpu)
{
	if (cpu < p->nr_cpus)
		return &p->cpus[cpu];
	p->nr_left_out++;
	return NULL;
}

int rs_perf_pages_record(struct rs_perf_pages *p, uint32_t cpu, const uint8_t *record, uint32_t len_bytes,
			 uint64_t ts_ns, struct rs_error *err)
{
	/* the number of lost records may follow */
	size_t room = RS_PAGE_RECORD_ROOM(len_bytes) + p->layout->long_bytes;
	struct perf_pages_cpu *c = pages_cpu(p, cpu);

	if (!c)
		return 0;
	if (!len_bytes || room > RS_PERF_PAGE_BYTES - p->layout->data_offset) {
		p->nr_left_out++;
		return 0;
	}
	if (pages_has_begun(c) && c->writer.at + room > RS_PERF_PAGE_BYTES && pages_flush(p, c, err) < 0)
		return -1;
	c->last_ns = ts_ns > c->last_ns ? ts_ns : c->last_ns;
	if (!pages_has_begun(c) && pages_begin(p, c, c->last_ns, err) < 0)
		return -1;
	rs_page_writer_record(&c->writer, record, len_bytes, c->last_ns);
	return 0;
}

int rs_perf_pages_lost(struct rs_perf_pages *p, uint32_t cpu, uint64_t nr, struct rs_error *err)
{
	struct perf_pages_cpu *c = pages_cpu(p, cpu);

	if (!c)
		return 0;
	if (pages_flush(p, c, err) < 0)
		return -1;
	c->loss.lost = true;
	c->loss.lost_counted = !__builtin_add_overflow(c->loss.nr_lost, nr, &c->loss.nr_lost) &&
			       c->loss.nr_lost;
	return 0;
}

int rs_perf_pages_end(struct rs_perf_pages *p, struct rs_error *err)
{
	for (struct perf_pages_cpu *c = p->cpus; c < p->cpus + p->nr_cpus; c++) {
		if (c->loss.lost && !pages_has_begun(c) && pages_begin(p, c, c->last_ns, err) < 0)
			return -1;
		if (pages_flush(p, c, err) < 0)
			return -1;
	}
	return 0;
}
