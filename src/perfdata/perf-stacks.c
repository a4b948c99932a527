// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-stacks - the callchain of a tracepoint as the kernel's own events kernel_stack and user_stack */
#include "perfdata/perf-stacks.h"

#include <string.h>

#include "decode/stack-record.h"

#define STACKS_FIRST_AT 8u
#define STACKS_CALLERS_AT 16u

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

bool rs_perf_stacks_init(struct rs_perf_stacks *s, const struct rs_page_layout *layout,
			 struct rs_perf_formats *formats)
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

int rs_perf_stacks_record(struct rs_perf_stacks *s, struct rs_perf_pages *to, uint32_t cpu,
			  const struct rs_sample_event *ev, struct rs_error *err)
{
	struct rs_stack_chain chain;

	if (!s->makes || ev->raw_bytes < RS_STACK_RECORD_HEAD_BYTES || ev->pid <= 0)
		return 0;
	rs_stack_record_split(ev, &chain);
	for (int part = 0; part < STACKS_NR_PARTS; part++) {
		const struct rs_stack_place place = { parts[part].id, STACKS_FIRST_AT, STACKS_CALLERS_AT };

		if (!(part == STACKS_KERNEL ? chain.nr_kernel : chain.nr_user))
			continue;
		if (part == STACKS_KERNEL)
			rs_stack_record_put_kernel(&s->record, s->layout, &place, ev->raw, &chain);
		else
			rs_stack_record_put_user(&s->record, s->layout, &place, ev->raw, &chain, ev->pid);
		if (s->record.failed)
			return rs_fail(err, "cannot read the perf.data: out of memory");
		if (rs_perf_pages_record(to, cpu, (const uint8_t *)s->record.data, (uint32_t)s->record.len,
					 ev->ts_ns, err) < 0)
			return -1;
	}
	return 0;
}
