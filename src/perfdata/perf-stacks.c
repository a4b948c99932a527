// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/perf-stacks.h"

#include <linux/perf_event.h>
#include <string.h>

#define STACKS_COMMON_BYTES 8u
#define STACKS_CALLERS_AT 16u
#define STACKS_MAX_ADDRESSES 512u /* perf records at most 127, unless kernel.perf_event_max_stack is raised */

/* As the kernel lays them out, with IDs that no kernel gives. */
#define STACKS_FORMAT(name, id, first, size) \
	"name: " name "\nID: " id "\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:" first ";\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:" size ";\tsigned:0;\n\n" \
	"print fmt: \"%lx\", REC->caller[0]\n"

enum stacks_part { STACKS_KERNEL, STACKS_USER, STACKS_NR_PARTS };

static const struct {
	const char *name, *text, *text_of_32_bit;
	uint16_t id;
} parts[STACKS_NR_PARTS] = {
	[STACKS_KERNEL] = { "kernel_stack", STACKS_FORMAT("kernel_stack", "65531", "unsigned int size", "64"),
			    STACKS_FORMAT("kernel_stack", "65531", "unsigned int size", "32"), 65531 },
	[STACKS_USER] = { "user_stack", STACKS_FORMAT("user_stack", "65532", "unsigned int tgid", "64"),
			  STACKS_FORMAT("user_stack", "65532", "unsigned int tgid", "32"), 65532 },
};

bool rs_perf_stacks_init(struct rs_perf_stacks *s, const struct rs_page_layout *layout, struct rs_perf_formats *formats)
{
	*s = (struct rs_perf_stacks){ .layout = layout, .makes = true, .record = RS_BUF_INIT };
	for (int i = 0; i < STACKS_NR_PARTS; i++) {
		const char *text = formats->long_bytes == 4 ? parts[i].text_of_32_bit : parts[i].text;

		/* perf saves the kernel's own formats only if they were recorded, which they cannot be */
		if (rs_perf_formats_have(formats, "ftrace", parts[i].name))
			s->makes = false;
		else if (!rs_perf_formats_add(formats, "ftrace", (struct rs_text){ text, strlen(text) }))
			return false;
	}
	return true;
}

void rs_perf_stacks_done(struct rs_perf_stacks *s)
{
	rs_buf_done(&s->record);
}

static void stacks_put(struct rs_perf_stacks *s, uint64_t v, unsigned int bytes)
{
	rs_page_add_number(s->layout, &s->record, v, bytes);
}

/* The flags and the task are the event's: so a reader knows whose stack it is. first: its field */
static int stacks_make(struct rs_perf_stacks *s, enum stacks_part part, uint64_t first, const uint64_t *addresses, size_t nr,
		       const struct rs_sample_event *ev, struct rs_error *err)
{
	rs_buf_clear(&s->record);
	rs_buf_add(&s->record, ev->raw, STACKS_COMMON_BYTES);
	stacks_put(s, first, 4);
	stacks_put(s, 0, STACKS_CALLERS_AT - STACKS_COMMON_BYTES - 4);
	for (size_t i = 0; i < nr; i++)
		stacks_put(s, addresses[i], s->layout->long_bytes);
	stacks_put(s, 0, s->layout->long_bytes); /* no more callers */
	if (s->record.failed)
		return rs_fail(err, "cannot read the perf.data: out of memory");
	rs_page_put_number(s->layout, (uint8_t *)s->record.data, parts[part].id, 2);
	return 0;
}

int rs_perf_stacks_record(struct rs_perf_stacks *s, struct rs_perf_pages *to, uint32_t cpu, const struct rs_sample_event *ev, struct rs_error *err)
{
	uint64_t addresses[STACKS_NR_PARTS][STACKS_MAX_ADDRESSES];
	size_t nr[STACKS_NR_PARTS] = { 0 };
	int part = STACKS_NR_PARTS; /* another's: a guest's */

	if (!s->makes || ev->raw_bytes < STACKS_COMMON_BYTES || ev->pid <= 0)
		return 0;
	for (uint64_t i = 0; i < ev->nr_frames; i++) {
		uint64_t address = rs_sample_record_frame(ev, i);

		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			part = address == (uint64_t)PERF_CONTEXT_KERNEL ? STACKS_KERNEL : address == (uint64_t)PERF_CONTEXT_USER ? STACKS_USER : STACKS_NR_PARTS;
		else if (part < STACKS_NR_PARTS && nr[part] < STACKS_MAX_ADDRESSES)
			addresses[part][nr[part]++] = address;
	}
	for (part = 0; part < STACKS_NR_PARTS; part++)
		if (nr[part] && (stacks_make(s, (enum stacks_part)part, part == STACKS_USER ? (uint32_t)ev->pid : nr[part], addresses[part], nr[part], ev, err) < 0 ||
				 rs_perf_pages_record(to, cpu, (const uint8_t *)s->record.data, (uint32_t)s->record.len, ev->ts_ns, err) < 0))
			return -1;
	return 0;
}
