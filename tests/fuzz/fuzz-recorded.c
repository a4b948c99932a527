// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-recorded.c - the parts that a recording has of samples: mappings, symbols and records, any bytes
 *
 * Input: u16 length of the mappings, u16 length of the symbols, mappings, symbols, records.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decode/sample-merge.h"
#include "recording/initial-mappings.h"
#include "source/perf/sample-chunks.h"
#include "stacks/stack-builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* So that no read is left out as useless. */
static volatile size_t sink;

static void read_stack(struct rs_stack_builder *b, const struct rs_sample_event *ev)
{
	struct rs_frame frame;
	bool in_kernel;
	uint32_t stack = rs_stack_builder_add_sample(b, ev, &in_kernel);

	for (; stack > RS_STACK_OTHERS; stack = rs_stack_table_node(rs_stack_builder_table(b), stack)->caller) {
		rs_stack_builder_frame(b, stack, &frame);
		sink += (frame.function ? strlen(frame.function) : 0) + strlen(frame.module);
	}
}

static void read_all(struct rs_sample_source *source)
{
	const struct rs_trace_info info = { .nr_cpus = 1 };
	struct rs_stack_builder *b = rs_stack_builder_new(source, &info, 0);
	struct rs_sample_merge *merge = rs_sample_merge_new(source);
	struct rs_sample_event ev;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev)) {
		if (ev.kind == RS_SAMPLE_OF_CPU)
			read_stack(b, &ev);
		else
			rs_stack_builder_follow(b, &ev);
	}
	rs_sample_merge_free(merge);
	rs_stack_builder_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct rs_sample_info info = { .sample_type = 422 };
	struct rs_initial_mapping *mappings = NULL;
	struct rs_sample_source *source;
	struct rs_sample_chunk chunk;
	uint16_t lens[2];

	if (len < sizeof lens)
		return 0;
	memcpy(lens, data, sizeof lens);
	data += sizeof lens;
	len -= sizeof lens;
	lens[0] = lens[0] < len ? lens[0] : (uint16_t)len;
	lens[1] = lens[1] < len - lens[0] ? lens[1] : (uint16_t)(len - lens[0]);
	rs_initial_mappings_read(data, lens[0], &mappings, &info.nr_mappings);
	info.mappings = mappings;
	info.symbols = data + lens[0];
	info.symbols_len = lens[1];
	chunk = (struct rs_sample_chunk){ data + lens[0] + lens[1], len - lens[0] - lens[1] };
	source = rs_sample_chunks_open(&info, &chunk, 1, NULL, NULL);
	read_all(source);
	source->ops->close(source);
	free(mappings);
	return 0;
}
