// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-perfdata.c - the reader of perf.data on any bytes: an error, or a recording that is read to its end
 *
 * Input: the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decode/merge.h"
#include "decode/sample-merge.h"
#include "perfdata/perf-convert.h"
#include "recording/recording.h"
#include "source/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* So that no read is left out as useless. */
static volatile uint64_t sink;

static void ignore_gap(void *arg, const struct rs_gap *gap)
{
}

static void read_events(struct rs_source *source)
{
	struct rs_error err = { 0 };
	struct rs_merge *merge = rs_merge_new(source, ignore_gap, NULL, &err);
	struct rs_batch batch;

	must(merge);
	while (rs_merge_next_batch(merge, &batch, &err))
		do
			sink += batch.cursor->record[0];
		while (rs_merge_next_record(merge, &batch));
	must(err.status == RS_OK);
	rs_merge_free(merge);
}

/* What perfdata/ wrote is in the order of time, but for what no order can be found of, and none of it is malformed. */
static void read_samples(struct rs_sample_source *samples)
{
	struct rs_sample_merge *merge = samples ? rs_sample_merge_new(samples) : NULL;
	struct rs_sample_event ev;

	while (merge && rs_sample_merge_next(merge, UINT64_MAX, &ev))
		must(ev.kind != RS_SAMPLE_OTHER);
	must(!merge || !rs_sample_merge_nr_bad(merge));
	rs_sample_merge_free(merge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC), image_fd;
	struct rs_error err = { 0 };
	struct rs_source *source;

	must(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	must((rs_perf_convert(fd, "fuzz", NULL, &image_fd, &err) < 0) == (err.status != RS_OK));
	if (image_fd >= 0) {
		source = rs_tracedat_open_fd(image_fd, "image", NULL, &err);
		must(source);
		read_events(source);
		read_samples(source->samples);
		source->ops->close(source);
		close(image_fd);
	}
	close(fd);
	return 0;
}
