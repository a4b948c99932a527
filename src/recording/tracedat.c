// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat - opens a trace.dat recording and chooses a buffer in it
 */
#include "recording/tracedat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/close.h"
#include "base/log.h"
#include "recording/file-kind.h"
#include "recording/recording.h"

static void tracedat_close(struct rs_source *s)
{
	struct rs_tracedat *td = (struct rs_tracedat *)s;

	rs_tracedat_pages_done(td);
	for (size_t i = 0; i < td->nr_blocks; i++)
		rs_tracedat_put_block(td->blocks[i]);
	free(td->blocks);
	ZSTD_freeDCtx(td->zstd);
	rs_buf_done(&td->warnings);
	rs_time_map_done(&td->map_of_times);
	free(td->guests);
	free(td->vcpus);
	free(td->disks);
	free(td->stacked);
	free(td->idle_states);
	free(td->cpu_speeds);
	for (size_t i = 0; i < td->source.info.nr_fd_paths; i++)
		free(td->fd_paths[i].path);
	free(td->fd_paths);
	rs_fd_socket_list_done(&td->fd_sockets);
	if (s->samples)
		s->samples->ops->close(s->samples);
	free(td->mappings);
	rs_process_args_free(td->source.info.args);
	for (size_t i = 0; i < td->nr_cgroups; i++)
		free(td->cgroups[i]);
	free(td->cgroups);
	for (size_t i = 0; i < td->source.info.nr_cgroup_rows; i++)
		free(td->cgroup_rows[i].path);
	free(td->cgroup_rows);
	free(td->pressure);
	free(td->containers);
	free(td->snapshot);
	rs_call_params_done(&td->call_params);
	free(td->command);
	free(td->formats);
	free(td->buffers);
	if (td->map)
		munmap((void *)(uintptr_t)td->map, td->map_bytes);
	rs_close(&td->fd);
	free(td->buffer_name);
	free(td->path);
	free(td);
}

static struct rs_source *tracedat_open(int fd, const char *path, const char *buffer,
				       const struct rs_tracedat *lender, struct rs_error *err);

static struct rs_source *tracedat_again(const struct rs_source *s, struct rs_error *err)
{
	const struct rs_tracedat *td = (const struct rs_tracedat *)s;

	struct rs_source *again = tracedat_open(td->fd, td->path, td->buffer_name, td, err);

	if (again && td->lent_mult)
		rs_tracedat_lend_factor(again, td->lent_mult, td->lent_shift);
	if (again && again->samples && s->samples)
		again->samples->info.debuginfod = s->samples->info.debuginfod;
	return again;
}

static const struct rs_source_ops tracedat_ops = {
	.next = rs_tracedat_next,
	.seek = rs_tracedat_seek,
	.left = rs_tracedat_left,
	.again = tracedat_again,
	.rewind = rs_tracedat_rewind,
	.progress = rs_tracedat_progress,
	.close = tracedat_close,
};

static struct rs_tracedat *tracedat_new(const char *path, struct rs_error *err)
{
	struct rs_tracedat *td = calloc(1, sizeof *td);
	size_t len = strlen(path);

	if (!td || !(td->path = strdup(path))) {
		free(td);
		rs_fail(err, "cannot read '%s': out of memory", path);
		return NULL;
	}
	td->shown_path = td->path + (len > 200 ? len - 200 : 0);
	td->warnings = (struct rs_buf)RS_BUF_INIT;
	td->fd = -1;
	td->source.ops = &tracedat_ops;
	return td;
}

/* opened_fd: the file's descriptor; -1: open it by its path */
static int map_file(struct rs_tracedat *td, int opened_fd, struct rs_error *err)
{
	/* O_NONBLOCK: to open a FIFO would else wait for a writer. */
	int fd = opened_fd >= 0 ? fcntl(opened_fd, F_DUPFD_CLOEXEC, 3) :
				  open(td->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	void *map;
	int ret = -1;

	if (fd < 0)
		return rs_fail(err, "cannot open '%s': %s", td->shown_path, strerror(errno));
	if (fstat(fd, &st) < 0) {
		rs_fail(err, "cannot read '%s': %s", td->shown_path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		rs_fail(err, "cannot read '%s': it is %s, not a file (give a recording in trace.dat format)",
			td->shown_path, S_ISDIR(st.st_mode) ? "a directory" : "a pipe or device");
	} else if (!st.st_size) {
		rs_fail(err, "'%s' is not a trace.dat recording: it is empty", td->shown_path);
	} else {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map == MAP_FAILED) {
			rs_fail(err, "cannot read '%s': %s", td->shown_path, strerror(errno));
		} else {
			td->map = map;
			td->map_bytes = (uint64_t)st.st_size;
			ret = 0;
		}
	}
	td->fd = fd;
	return ret;
}

static int not_a_recording(const struct rs_tracedat *td, struct rs_error *err)
{
	const struct rs_file_kind *kind = rs_file_kind_find(td->path, td->map, (size_t)td->map_bytes,
							    td->map_bytes);

	if (kind)
		return rs_fail(err, "'%s' is not a trace.dat recording: it is %s (%s)", td->shown_path,
			       kind->what, kind->advice);
	return rs_fail(err, "'%s' is not a trace.dat recording: it does not begin as one"
		       " (make one with: ringside record)", td->shown_path);
}

/* The common start of both versions: magic, version, byte order, size of long, page size. */
static int read_start(struct rs_tracedat *td, struct rs_bytes *b, struct rs_error *err)
{
	const uint8_t *start = rs_bytes_take(b, RS_TRACEDAT_MAGIC_BYTES);
	const char *version;
	uint8_t big_endian, long_bytes;

	if (!start || !rs_file_kind_is_tracedat(start, RS_TRACEDAT_MAGIC_BYTES))
		return not_a_recording(td, err);
	version = rs_bytes_string(b);
	if (version && strcmp(version, "6") && strcmp(version, "7"))
		return rs_fail(err,
			       "cannot read '%s': it is a trace.dat of version %.8s, only 6 and 7 are known"
			       " (try trace-cmd convert --file-version 7)",
			       td->shown_path, version);
	big_endian = rs_bytes_u8(b);
	long_bytes = rs_bytes_u8(b);
	if (rs_tracedat_complete(td, b, "the header", err) < 0)
		return -1;
	if (big_endian > 1)
		return rs_tracedat_damaged(td, b->at - 2, "an unknown byte order", err);
	if (long_bytes != 4 && long_bytes != 8)
		return rs_tracedat_damaged(td, b->at - 1, "a long of neither 4 nor 8 bytes", err);
	td->version = (unsigned int)(*version - '0');
	td->big_endian = b->big_endian = big_endian;
	td->source.info.big_endian = big_endian;
	td->source.info.long_bytes = long_bytes;
	return 0;
}

static int read_header(struct rs_tracedat *td, struct rs_error *err)
{
	struct rs_bytes b = rs_tracedat_bytes(td, 0);
	uint64_t at, page_bytes;

	if (read_start(td, &b, err) < 0)
		return -1;
	at = b.at;
	page_bytes = rs_bytes_u32(&b);
	if (rs_tracedat_complete(td, &b, "the header", err) < 0 ||
	    rs_tracedat_set_page_bytes(td, page_bytes, at, err) < 0)
		return -1;
	return td->version < 7 ? rs_tracedat_v6_header(td, &b, err) : rs_tracedat_v7_header(td, &b, err);
}

/* The file with its header read: its buffers are known, none is chosen. */
static struct rs_tracedat *tracedat_load(int fd, const char *path, const struct rs_tracedat *lender,
					 struct rs_error *err)
{
	struct rs_tracedat *td = tracedat_new(path, err);

	if (td)
		td->lender = lender;
	if (td && (map_file(td, fd, err) < 0 || read_header(td, err) < 0)) {
		tracedat_close(&td->source);
		td = NULL;
	}
	return td;
}

static void list_buffers(const struct rs_tracedat *td, const char *between, struct rs_buf *out)
{
	for (size_t i = 0; i < td->nr_buffers; i++) {
		if (!*td->buffers[i].name)
			continue;
		if (out->len)
			rs_buf_puts(out, between);
		rs_buf_puts(out, td->buffers[i].name);
	}
}

static int no_such_buffer(const struct rs_tracedat *td, const char *name, struct rs_error *err)
{
	struct rs_buf names = RS_BUF_INIT;

	list_buffers(td, ", ", &names);
	if (!names.len)
		rs_fail(err, "'%s' has no buffer '%.64s': it has none but the top one (leave --buffer away)",
			td->shown_path, name);
	else if (*name)
		rs_fail(err, "'%s' has no buffer '%.64s': it has %.120s", td->shown_path, name, names.data);
	else
		rs_fail(err, "'%s' has no top buffer: it has %.120s (choose one with --buffer NAME)",
			td->shown_path, names.data);
	rs_buf_done(&names);
	return -1;
}

/* The recording has events in other buffers only: note it, rather than show nothing. */
static void note_other_buffers(struct rs_tracedat *td)
{
	struct rs_buf names = RS_BUF_INIT;

	list_buffers(td, ", ", &names);
	if (names.len && !td->all_bytes)
		rs_tracedat_note(td, "this buffer is empty; there are others: %.120s (--buffer NAME)",
				 names.data);
	rs_buf_done(&names);
}

static int select_buffer(struct rs_tracedat *td, const char *name, struct rs_error *err)
{
	struct rs_tracedat_buffer buffer;
	size_t i = 0;
	int ret;

	while (i < td->nr_buffers && strcmp(td->buffers[i].name, name))
		i++;
	if (i == td->nr_buffers)
		return no_such_buffer(td, name, err);
	/* A copy: options before an inner buffer may name more of them. */
	buffer = td->buffers[i];
	ret = td->version < 7 ? rs_tracedat_v6_select(td, &buffer, err)
			      : rs_tracedat_v7_select(td, &buffer, err);
	if (ret == 0)
		ret = rs_tracedat_check_cpus(td, err);
	if (ret == 0)
		note_other_buffers(td);
	return ret;
}

/* lender: another reader of the file, whose sections are unpacked and checked already; or NULL */
static struct rs_source *tracedat_open(int fd, const char *path, const char *buffer,
				       const struct rs_tracedat *lender, struct rs_error *err)
{
	struct rs_tracedat *td = tracedat_load(fd, path, lender, err);
	struct rs_trace_info *info;

	if (!td)
		return NULL;
	if (buffer && !(td->buffer_name = strdup(buffer)))
		rs_tracedat_no_memory(td, err);
	if (err->status != RS_OK || select_buffer(td, buffer ? buffer : "", err) < 0) {
		tracedat_close(&td->source);
		return NULL;
	}
	td->lender = NULL;
	td->sections_checked = lender;
	rs_tracedat_read_trailer(td);
	rs_tracedat_options_end(td);
	info = &td->source.info;
	info->formats = td->formats;
	info->nr_formats = td->nr_formats;
	info->snapshot = td->snapshot;
	info->call_params = td->call_params.row;
	info->nr_call_params = td->call_params.nr;
	info->nr_initial = td->nr_initial;
	info->disks = td->disks;
	info->stacked = td->stacked;
	info->idle_states = td->idle_states;
	info->cpu_speeds = td->cpu_speeds;
	info->fd_paths = td->fd_paths;
	info->fd_sockets = td->fd_sockets.row;
	info->nr_fd_sockets = td->fd_sockets.nr;
	RS_LOG(RS_LOG_SOURCE,
	       "'%s', buffer '%s': trace.dat version %u, compression %s, %s endian, long of %u bytes, pages "
	       "of %u bytes",
	       td->shown_path, buffer ? buffer : "", td->version, *td->codec_name ? td->codec_name : "none",
	       info->big_endian ? "big" : "little", (unsigned int)info->long_bytes,
	       (unsigned int)info->page_bytes);
	RS_LOG(RS_LOG_SOURCE,
	       "'%s': %u CPUs, %zu event formats, clock %s, kernel %s, %zu tasks in the initial snapshot, "
	       "%zu pauses",
	       td->shown_path, info->nr_cpus, info->nr_formats, info->clock ? info->clock : "unknown",
	       info->kernel ? info->kernel : "unknown", info->nr_initial, td->source.pauses.nr);
	return &td->source;
}

struct rs_source *rs_tracedat_open_fd(int fd, const char *path, const char *buffer, struct rs_error *err)
{
	return tracedat_open(fd, path, buffer, NULL, err);
}

struct rs_source *rs_tracedat_open(const char *path, const char *buffer, struct rs_error *err)
{
	return rs_tracedat_open_fd(-1, path, buffer, err);
}

char *rs_tracedat_buffers(const char *path, struct rs_error *err)
{
	struct rs_tracedat *td = tracedat_load(-1, path, NULL, err);
	struct rs_buf names = RS_BUF_INIT;
	char *list;

	if (!td)
		return NULL;
	list_buffers(td, "\n", &names);
	list = names.failed ? NULL : strdup(names.data);
	if (!list)
		rs_tracedat_no_memory(td, err);
	rs_buf_done(&names);
	tracedat_close(&td->source);
	return list;
}
