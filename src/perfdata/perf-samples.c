// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf-samples - writes samples and mappings of a perf.data as records of RS_SAMPLE_RECORD_TYPE, in its byte
 * order
 */
#include "perfdata/perf-samples.h"

#include <linux/perf_event.h>

#define PERF_SAMPLES_MAX_BYTES 65528u      /* its size has 16 bits, and is a multiple of 8 */
#define PERF_SAMPLES_FIXED_BYTES 48u             /* without frames */
#define PERF_SAMPLES_CPUMODE 7u              /* PERF_RECORD_MISC_CPUMODE_MASK */

void rs_perf_samples_init(struct rs_perf_samples *s, const struct rs_page_layout *layout)
{
	*s = (struct rs_perf_samples){ .layout = layout, .out = RS_BUF_INIT };
}

void rs_perf_samples_done(struct rs_perf_samples *s)
{
	rs_buf_done(&s->out);
}

static void samples_put(struct rs_perf_samples *s, uint64_t v, unsigned int bytes)
{
	rs_page_add_number(s->layout, &s->out, v, bytes);
}

static void samples_put_header(struct rs_perf_samples *s, uint32_t type, uint16_t misc, size_t bytes)
{
	samples_put(s, type, 4);
	samples_put(s, misc, 2);
	samples_put(s, bytes, 2);
}

/* What every record that is no sample ends in: pid, tid, time, CPU. */
static void samples_put_id(struct rs_perf_samples *s, const struct rs_sample_event *ev)
{
	samples_put(s, 0, 8);
	samples_put(s, ev->ts_ns, 8);
	samples_put(s, ev->cpu, 4);
	samples_put(s, 0, 4);
}

/* ---- samples ---- */

/* A sample without a stack is where the CPU was. */
static void samples_put_place(struct rs_perf_samples *s, const struct rs_sample_event *ev, uint16_t misc)
{
	bool in_kernel = (misc & PERF_SAMPLES_CPUMODE) == PERF_RECORD_MISC_KERNEL,
	     in_guest = (misc & PERF_SAMPLES_CPUMODE) > PERF_RECORD_MISC_USER;

	samples_put(s, 2, 8);
	samples_put(s,
		    in_kernel ? PERF_CONTEXT_KERNEL :
		    in_guest  ? PERF_CONTEXT_GUEST :
				PERF_CONTEXT_USER,
		    8);
	samples_put(s, ev->ip, 8);
}

/* As RS_SAMPLES_READ_FORMAT says. */
static void samples_put_counts(struct rs_perf_samples *s, const struct rs_sample_counts *counts)
{
	samples_put(s, counts->nr, 8);
	samples_put(s, counts->enabled_ns, 8);
	samples_put(s, counts->running_ns, 8);
	for (unsigned int i = 0; i < counts->nr; i++) {
		samples_put(s, counts->row[i].value, 8);
		samples_put(s, counts->row[i].id, 8);
	}
}

void rs_perf_samples_sample(struct rs_perf_samples *s, const struct rs_sample_event *ev,
			    const struct rs_sample_counts *counts, uint16_t misc)
{
	size_t fixed_bytes = PERF_SAMPLES_FIXED_BYTES + (counts ? 24 + 16 * (size_t)counts->nr : 0);
	uint64_t most = (PERF_SAMPLES_MAX_BYTES - fixed_bytes) / 8, nr = ev->nr_frames ? ev->nr_frames : 2;

	nr = nr < most ? nr : most;
	samples_put_header(s, PERF_RECORD_SAMPLE, misc, fixed_bytes + 8 * (size_t)nr);
	samples_put(s, (uint32_t)ev->pid, 4);
	samples_put(s, (uint32_t)ev->tid, 4);
	samples_put(s, ev->ts_ns, 8);
	samples_put(s, ev->cpu, 4);
	samples_put(s, 0, 4);
	samples_put(s, ev->period, 8);
	if (counts)
		samples_put_counts(s, counts);
	if (ev->nr_frames) {
		samples_put(s, nr, 8);
		rs_buf_add(&s->out, ev->frames, (size_t)nr * 8);
	} else {
		samples_put_place(s, ev, misc);
	}
	s->nr_samples++;
}

/* ---- others ---- */

void rs_perf_samples_mmap(struct rs_perf_samples *s, const struct rs_sample_event *ev,
			  const struct rs_perf_build_id *id)
{
	size_t len = strlen(ev->path), filled = (len + 8) & ~(size_t)7, bytes = 8 + 32 + 32 + filled + 24;
	const uint8_t *build_id = ev->build_id ? ev->build_id : id ? id->id : NULL;
	size_t id_len = ev->build_id ? ev->build_id_len : id ? id->len_bytes : 0;

	if (bytes > PERF_SAMPLES_MAX_BYTES)
		return;
	samples_put_header(s, PERF_RECORD_MMAP2, build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0, bytes);
	samples_put(s, (uint32_t)ev->pid, 4);
	samples_put(s, (uint32_t)ev->tid, 4);
	samples_put(s, ev->start, 8);
	samples_put(s, ev->len_bytes, 8);
	samples_put(s, ev->offset, 8);
	samples_put(s, id_len, build_id ? 1 : 8);
	if (build_id) {
		rs_buf_pad(&s->out, '\0', 3);
		rs_buf_add(&s->out, build_id, id_len);
		rs_buf_pad(&s->out, '\0', RS_PERF_BUILD_ID_BYTES - id_len);
	} else {
		samples_put(s, ev->inode, 8);
		samples_put(s, 0, 8);
	}
	samples_put(s, 0, 8); /* protection and flags */
	rs_buf_add(&s->out, ev->path, len);
	rs_buf_pad(&s->out, '\0', filled - len);
	samples_put_id(s, ev);
}

void rs_perf_samples_task(struct rs_perf_samples *s, const struct rs_sample_event *ev)
{
	bool is_fork = ev->kind == RS_SAMPLE_FORK;

	samples_put_header(s, is_fork ? PERF_RECORD_FORK : PERF_RECORD_COMM,
			   is_fork ? 0 : PERF_RECORD_MISC_COMM_EXEC, is_fork ? 56 : 48);
	samples_put(s, (uint32_t)ev->pid, 4);
	samples_put(s, (uint32_t)(is_fork ? ev->parent : ev->tid), 4);
	samples_put(s, is_fork ? (uint32_t)ev->tid : 0, is_fork ? 4 : 8);
	if (is_fork) {
		samples_put(s, (uint32_t)ev->parent_tid, 4);
		samples_put(s, ev->ts_ns, 8);
	}
	samples_put_id(s, ev);
}

void rs_perf_samples_lost(struct rs_perf_samples *s, const struct rs_sample_event *ev)
{
	s->nr_lost += ev->nr_lost;
	samples_put_header(s, PERF_RECORD_LOST, 0, 48);
	samples_put(s, 0, 8);
	samples_put(s, ev->nr_lost, 8);
	samples_put_id(s, ev);
}
