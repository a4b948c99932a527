// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-samples - the binary sections of ringside's own recordings: samples of the CPUs, mappings, symbols
 *
 * They lie between the last CPU's pages and the trailer's text, which names them, in the order of the file.
 */
#include "recording/tracedat.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "recording/initial-mappings.h"
#include "source/perf/sample-chunks.h"

#define SAMPLES_MUST_HAVE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define MAY_HAVE (SAMPLES_MUST_HAVE | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | \
	PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		  PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)
#define READ_MAY_HAVE (RS_SAMPLES_READ_FORMAT | 1u << 4 /* PERF_FORMAT_LOST, since 6.0 */)

enum samples_part { PART_SAMPLES, PART_MAPPINGS, PART_SYMBOLS, NR_SAMPLES_PARTS };

static const char *const part_names[NR_SAMPLES_PARTS] = { "samples", "mappings", "symbols" };

static uint64_t samples_pages_end(const struct rs_tracedat *td)
{
	uint64_t end = 0;

	for (unsigned int cpu = 0; td->cpus && cpu < td->source.info.nr_cpus; cpu++)
		if (td->cpus[cpu].end > end)
			end = td->cpus[cpu].end;
	return end;
}

/* Returns what is wrong with a section, or NULL. */
static const char *samples_check_section(const struct rs_tracedat *td,
					 const struct rs_tracedat_section *section, uint64_t from,
					 uint64_t end)
{
	if (section->offset > end || section->bytes > end - section->offset)
		return "it ends behind its place in the file";
	if (section->offset < from)
		return "it overlaps another part";
	if (!td->sections_checked && crc32_z(0, td->map + section->offset, section->bytes) != section->crc)
		return "wrong checksum";
	return NULL;
}

static int samples_find_part(const char *name)
{
	for (int part = 0; part < NR_SAMPLES_PARTS; part++)
		if (!strcmp(part_names[part], name))
			return part;
	return -1;
}

/* Finds the parts that are sound; those of unknown names are skipped: a newer version wrote them. */
static void samples_find_parts(struct rs_tracedat *td, const struct rs_tracedat_section *sections, size_t nr,
			       uint64_t end, struct rs_text parts[NR_SAMPLES_PARTS])
{
	uint64_t from = samples_pages_end(td);

	for (size_t i = 0; i < nr; i++) {
		const struct rs_tracedat_section *s = &sections[i];
		const char *wrong = samples_check_section(td, s, from, end);
		int part = samples_find_part(s->name);

		if (wrong)
			rs_tracedat_note(td, "the part '%.32s' at the file's end is bad and is skipped: %s",
					 s->name, wrong);
		else if (part < 0)
			rs_tracedat_note(
				td, "the part '%.32s' at the file's end is not known here and is skipped",
				s->name);
		else
			parts[part] = (struct rs_text){ (const char *)td->map + s->offset, s->bytes };
		if (!wrong)
			from = s->offset + s->bytes;
	}
}

static void samples_read_mappings(struct rs_tracedat *td, struct rs_text part, struct rs_sample_info *info)
{
	if (!part.data)
		return;
	if (!rs_initial_mappings_read((const uint8_t *)part.data, part.len, &td->mappings,
				      &info->nr_mappings))
		rs_tracedat_note(td, "the part 'mappings' at the file's end is malformed: functions of "
				     "programs are unknown");
	info->mappings = td->mappings;
}

void rs_tracedat_read_samples(struct rs_tracedat *td, const struct rs_tracedat_section *sections,
			      size_t nr_sections, const struct rs_tracedat_sampled *sampled, uint64_t end)
{
	struct rs_text parts[NR_SAMPLES_PARTS] = { 0 };
	struct rs_sample_info info = { .swaps = td->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
				       .event = td->sample_event };
	struct rs_sample_chunk chunk;

	samples_find_parts(td, sections, nr_sections, end, parts);
	td->source.no_samples = td->no_samples.text;
	if (!sampled || !parts[PART_SAMPLES].data) {
		rs_fail(&td->no_samples, sampled ? "the samples in this file are damaged" :
						   "this recording has no samples of the CPUs (make one "
						   "with: ringside record --samples)");
		return;
	}
	if ((sampled->sample_type & SAMPLES_MUST_HAVE) != SAMPLES_MUST_HAVE ||
	    sampled->sample_type & ~(uint64_t)MAY_HAVE || sampled->read_format & ~READ_MAY_HAVE) {
		rs_fail(&td->no_samples,
			"the samples in this file are of a kind that is not known here (0x%llx)",
			(unsigned long long)sampled->sample_type);
		return;
	}
	rs_copy(td->sample_event, sizeof td->sample_event, sampled->event);
	info.hz = sampled->hz;
	info.sample_type = sampled->sample_type;
	info.read_format = sampled->read_format;
	if (sampled->counters)
		info.nr_counters = rs_pmu_counters_read(sampled->counters, info.counters);
	info.nr_samples = sampled->samples;
	info.nr_lost = sampled->lost;
	info.by_build_id = sampled->by_build_id;
	info.jitted_from_ns = (int64_t)sampled->jitted_from_ns;
	info.jitted_to_ns = (int64_t)sampled->jitted_to_ns;
	info.jitted_owner = (uint32_t)sampled->jitted_owner;
	info.symbols = (const uint8_t *)parts[PART_SYMBOLS].data;
	info.symbols_len = parts[PART_SYMBOLS].len;
	samples_read_mappings(td, parts[PART_MAPPINGS], &info);
	chunk = (struct rs_sample_chunk){ (const uint8_t *)parts[PART_SAMPLES].data,
					  parts[PART_SAMPLES].len };
	td->source.samples = rs_sample_chunks_open(&info, &chunk, 1, NULL, NULL);
}
