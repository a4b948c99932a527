// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-sample.c - perf's records of any bytes: never outside of them
 *
 * Input: 8 bytes of sample type, a byte whose lowest bit says that the byte order is the other one and whose others are the read format,
 * then the record.
 */
#include <stdlib.h>

#include "decode/sample-record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct rs_sample_info info = { .nr_rings = 1, .nr_counters = RS_NR_COUNTERS };
	struct rs_sample_counts counts;
	struct rs_sample_event ev;
	static volatile uint64_t sum; /* what was read is used */

	if (len < 9)
		return 0;
	memcpy(&info.sample_type, data, 8);
	info.swaps = data[8] & 1;
	info.read_format = data[8] >> 1;
	if (!rs_sample_record_read(&info, &(struct rs_sample_record){ data + 9, len - 9 }, &ev))
		return 0;
	for (uint64_t i = 0; ev.kind == RS_SAMPLE_OF_CPU && i < ev.nr_frames; i++)
		sum += rs_sample_record_frame(&ev, i);
	if (ev.kind == RS_SAMPLE_OF_CPU && rs_sample_record_counts(&info, &ev, &counts))
		sum += counts.row[counts.nr - 1].value;
	if (ev.kind == RS_SAMPLE_MMAP)
		sum += strlen(ev.path) + (ev.build_id ? ev.build_id[0] : 0);
	return 0;
}
