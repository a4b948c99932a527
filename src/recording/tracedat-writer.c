// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat-writer - writes raw pages to a trace.dat of version 6 */
#include "recording/tracedat-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/close.h"
#include "base/output-place.h"
#include "base/vector.h"
#include "recording/tracedat-parts.h"
#include "source/perf/samples.h"

#define TRACEDAT_WRITER_BATCH_BYTES (256u << 10)
#define BATCHES_BYTES_MAX (32u << 20)    /* of all CPUs' batches in memory */
#define MARGIN_BYTES (4u << 20)          /* reserve for the file system's own needs while blocks move */
#define PER_CPU_BYTES 1024               /* for its stats and its row in the table */
#define TRACEDAT_WRITER_NONE UINT32_MAX

/* Pages of one CPU: full batches in the companion file, oldest first, then what is in memory. */
struct cpu_pages {
	uint8_t *batch;
	size_t len_bytes;
	uint32_t first, last;            /* batches in the companion file, NONE */
};

struct rs_tracedat_writer {
	char *path;
	int fd, companion_fd;
	bool made, begun, full;
	struct rs_output_place place;    /* of path */
	bool is_nameless;                /* nobody has it if it cannot be finished: nothing is reserved */
	unsigned int nr_cpus;
	size_t page_bytes, batch_bytes;
	/* and behind them the records of samples, as those of one CPU more */
	struct cpu_pages *cpus;
	uint32_t *next;                  /* of each batch in the companion; at its number * batch_bytes */
	uint32_t nr_batches;
	size_t next_room;
	_Atomic uint64_t data_bytes;
	const struct rs_tracedat_head *head;
	uint64_t head_bytes;             /* size of what rs_tracedat_writer_begin wrote */
	uint64_t file_bytes;
};

/* Writes all of it to fd, or reads all of it where `to` is the memory; -1 with errno set. */
static int transfer_at(int fd, const void *data, void *to, size_t len_bytes, uint64_t at)
{
	for (size_t done = 0; done < len_bytes;) {
		ssize_t n = to ? pread(fd, (char *)to + done, len_bytes - done, (off_t)(at + done))
			: pwrite(fd, (const char *)data + done, len_bytes - done, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : to ? EIO : ENOSPC;
			return -1;
		}
		done += (size_t)n;
	}
	return 0;
}

static int write_all_at(int fd, const void *data, size_t len_bytes, uint64_t at)
{
	return transfer_at(fd, data, NULL, len_bytes, at);
}

static uint64_t align_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

/* ---- opening ---- */

static int tracedat_writer_open_output(struct rs_tracedat_writer *w, uid_t uid, gid_t gid,
				       struct rs_error *err)
{
	/* a FIFO must not block before it is refused */
	const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK;
	int ret = rs_output_place_find(&w->place, w->path);
	struct stat st;

	if (ret == -ELOOP && geteuid() == 0)
		return rs_fail(err,
			       "cannot write '%s': there is a link in it that is not root's, in a folder "
			       "that others can write "
			       "(name the file itself with -o)",
			       w->path);
	errno = -ret;
	/* for nobody else, as perf.data: it tells what all users run */
	if (!ret)
		w->fd = openat(w->place.folder_fd, w->place.name, flags | O_CREAT | O_EXCL | O_NOFOLLOW,
			       0600);
	w->made = w->fd >= 0;
	if (!ret && w->fd < 0 && errno == EEXIST)
		w->fd = openat(w->place.folder_fd, w->place.name, flags | w->place.nofollow);
	if (w->fd < 0)
		return rs_fail(err, "cannot write '%s': %s (name another file with -o)", w->path,
			       strerror(errno));
	if (fstat(w->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return rs_fail(err, "cannot record to '%s': it is no regular file, and a trace.dat is not "
			       "written in one go (name a file with -o)", w->path);
	/* an existing file keeps its owner: a hard link to another user's file must not change owner */
	if (w->made && (uid != (uid_t)-1 || gid != (gid_t)-1) && fchown(w->fd, uid, gid) < 0)
		return rs_fail(err, "cannot give '%s' to user %u: %s", w->path, (unsigned int)uid,
			       strerror(errno));
	return 0;
}

/*
 * A file that no name leads to, from the begin where the file system can do that: removed however the process
 * ends.
 */
static int open_nameless(const char *folder, struct rs_error *err)
{
	char name[PATH_MAX];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

	if (fd < 0 && (size_t)snprintf(name, sizeof name, "%s/.ringside-XXXXXX", folder) < sizeof name) {
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	}
	if (fd < 0)
		rs_fail(err, "cannot write in '%s': %s", folder, strerror(errno));
	return fd;
}

/* Beside the output, on the same file system. */
static int open_companion(struct rs_tracedat_writer *w, struct rs_error *err)
{
	char *real = realpath(w->path, NULL);
	const char *folder = real ? dirname(real) : ".";

	w->companion_fd = open_nameless(folder, err);
	if (w->companion_fd < 0)
		rs_fail(err, "cannot write in '%s': %s (record to another folder with -o)", folder,
			strerror(errno));
	free(real);
	return w->companion_fd < 0 ? -1 : 0;
}

static int make_cpus(struct rs_tracedat_writer *w, struct rs_error *err)
{
	size_t batch = BATCHES_BYTES_MAX / w->nr_cpus;

	if (batch > TRACEDAT_WRITER_BATCH_BYTES)
		batch = TRACEDAT_WRITER_BATCH_BYTES;
	batch = batch / w->page_bytes * w->page_bytes;
	w->batch_bytes = batch ? batch : w->page_bytes;
	w->cpus = calloc(w->nr_cpus + 1, sizeof *w->cpus);
	if (!w->cpus)
		return rs_fail(err, "cannot record: out of memory");
	for (unsigned int cpu = 0; cpu <= w->nr_cpus; cpu++)
		w->cpus[cpu].first = w->cpus[cpu].last = TRACEDAT_WRITER_NONE;
	return 0;
}

static struct rs_tracedat_writer *tracedat_writer_new(const char *path, unsigned int nr_cpus,
						      size_t page_bytes, struct rs_error *err)
{
	struct rs_tracedat_writer *w = calloc(1, sizeof *w);

	if (w)
		w->path = strdup(path);
	if (!w || !w->path) {
		free(w);
		rs_fail(err, "cannot record: out of memory");
		return NULL;
	}
	w->fd = w->companion_fd = w->place.folder_fd = -1;
	w->nr_cpus = nr_cpus;
	w->page_bytes = page_bytes;
	return w;
}

struct rs_tracedat_writer *rs_tracedat_writer_open(const char *path, unsigned int nr_cpus, size_t page_bytes,
						   uid_t uid, gid_t gid, struct rs_error *err)
{
	struct rs_tracedat_writer *w = tracedat_writer_new(path, nr_cpus, page_bytes, err);

	if (!w)
		return NULL;
	if (!nr_cpus || !page_bytes)
		rs_fail(err, "cannot record: no CPU has a ring buffer");
	else if (tracedat_writer_open_output(w, uid, gid, err) == 0 && open_companion(w, err) == 0 &&
		 make_cpus(w, err) == 0)
		return w;
	rs_tracedat_writer_free(w);
	return NULL;
}

struct rs_tracedat_writer *rs_tracedat_writer_open_nameless(const char *folder, unsigned int nr_cpus,
							    size_t page_bytes, struct rs_error *err)
{
	struct rs_tracedat_writer *w = tracedat_writer_new(folder, nr_cpus, page_bytes, err);

	if (!w)
		return NULL;
	w->is_nameless = true;
	w->fd = open_nameless(folder, err);
	w->companion_fd = w->fd < 0 ? -1 : open_nameless(folder, err);
	if (w->companion_fd >= 0 && make_cpus(w, err) == 0)
		return w;
	rs_tracedat_writer_free(w);
	return NULL;
}

int rs_tracedat_writer_dup(const struct rs_tracedat_writer *w)
{
	return fcntl(w->fd, F_DUPFD_CLOEXEC, 3);
}

void rs_tracedat_writer_free(struct rs_tracedat_writer *w)
{
	if (!w)
		return;
	if (w->made && !w->begun)
		unlinkat(w->place.folder_fd, w->place.name, 0);
	rs_close(&w->place.folder_fd);
	if (w->fd >= 0)
		close(w->fd);
	if (w->companion_fd >= 0)
		close(w->companion_fd);
	for (unsigned int cpu = 0; w->cpus && cpu <= w->nr_cpus; cpu++)
		free(w->cpus[cpu].batch);
	free(w->cpus);
	free(w->next);
	free(w->path);
	free(w);
}

void rs_tracedat_writer_discard(struct rs_tracedat_writer *w)
{
	w->begun = false;
	(void)!ftruncate(w->fd, 0);
}

uint64_t rs_tracedat_writer_data_bytes(const struct rs_tracedat_writer *w)
{
	return atomic_load_explicit(&w->data_bytes, memory_order_relaxed);
}

uint64_t rs_tracedat_writer_file_bytes(const struct rs_tracedat_writer *w)
{
	return w->file_bytes;
}

/* ---- the begin ---- */

static int append_head(struct rs_tracedat_writer *w, const struct rs_buf *out, struct rs_error *err)
{
	if (out->failed)
		return rs_fail(err, "cannot record: out of memory");
	if (write_all_at(w->fd, out->data, out->len, w->head_bytes) < 0)
		return rs_fail(err, "cannot write '%s': %s", w->path, strerror(errno));
	w->head_bytes += out->len;
	return 0;
}

/*
 * Reserves what finishing writes beyond what the companion frees, while there is
 * room: a full disk can then end a recording, but not corrupt it.
 */
static int tracedat_writer_reserve(struct rs_tracedat_writer *w, struct rs_error *err)
{
	const struct rs_trace_info *info = w->head->info;
	uint64_t more = TRACEDAT_NAMES_BYTES_MAX + MARGIN_BYTES +
			((uint64_t)w->nr_cpus + 1) * (PER_CPU_BYTES + w->batch_bytes) +
			info->nr_initial * 128 + info->nr_disks * 128;

	if (fallocate(w->fd, 0, 0, (off_t)(w->head_bytes + more)) == 0)
		return 0;
	if (errno == EOPNOTSUPP || errno == ENOSYS)
		return 0; /* no reservation then: what cannot be written at the end is cut off */
	return rs_fail(err,
		       "cannot record to '%s': no room for %llu MiB to begin with: %s (free some, or name "
		       "a file elsewhere with -o)",
		       w->path, (unsigned long long)((w->head_bytes + more) >> 20) + 1, strerror(errno));
}

int rs_tracedat_writer_begin(struct rs_tracedat_writer *w, const struct rs_tracedat_head *head,
			     struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret = -1;

	w->head = head;
	rs_tracedat_put_head(&out, head);
	if (ftruncate(w->fd, 0) < 0)
		rs_fail(err, "cannot write '%s': %s", w->path, strerror(errno));
	else if (append_head(w, &out, err) == 0)
		ret = w->is_nameless ? 0 : tracedat_writer_reserve(w, err);
	w->begun = ret == 0;
	if (!w->begun && ftruncate(w->fd, 0) < 0)
		rs_fail(err, "cannot write '%s': %s", w->path, strerror(errno));
	rs_buf_done(&out);
	return ret;
}

/* ---- pages ---- */

static int note_batch(struct rs_tracedat_writer *w, struct cpu_pages *pages)
{
	uint32_t at = w->nr_batches;

	if (at == TRACEDAT_WRITER_NONE || !RS_VECTOR_RESERVE(&w->next, &w->next_room, (size_t)at + 1)) {
		errno = ENOMEM;
		return -1;
	}
	w->next[at] = TRACEDAT_WRITER_NONE;
	if (pages->last == TRACEDAT_WRITER_NONE)
		pages->first = at;
	else
		w->next[pages->last] = at;
	pages->last = at;
	w->nr_batches++;
	return 0;
}

static int tracedat_writer_flush(struct rs_tracedat_writer *w, struct cpu_pages *pages, struct rs_error *err)
{
	uint64_t at = (uint64_t)w->nr_batches * w->batch_bytes;

	if (write_all_at(w->companion_fd, pages->batch, pages->len_bytes, at) == 0 &&
	    note_batch(w, pages) == 0) {
		pages->len_bytes = 0;
		return 0;
	}
	rs_fail(err, "cannot write more to '%s': %s (the recording ends here; what came before is kept)",
		w->path, strerror(errno));
	/* a partly written batch takes room that finishing needs; the batch is still in memory */
	(void)!ftruncate(w->companion_fd, (off_t)at);
	return -1;
}

/* Makes sure that a batch has room for more. */
static int tracedat_writer_make_room(struct rs_tracedat_writer *w, struct cpu_pages *pages,
				     struct rs_error *err)
{
	if (!pages->batch && !(pages->batch = malloc(w->batch_bytes))) {
		w->full = true;
		return rs_fail(err, "cannot record: out of memory");
	}
	if (pages->len_bytes == w->batch_bytes && tracedat_writer_flush(w, pages, err) < 0) {
		w->full = true;
		return -1;
	}
	return 0;
}

int rs_tracedat_writer_samples(struct rs_tracedat_writer *w, const void *records, size_t len_bytes,
			       struct rs_error *err)
{
	struct cpu_pages *pages = &w->cpus[w->nr_cpus];

	if (w->full)
		return -1;
	for (size_t done = 0, piece; done < len_bytes; done += piece) {
		if (tracedat_writer_make_room(w, pages, err) < 0)
			return -1;
		piece = w->batch_bytes - pages->len_bytes;
		piece = piece < len_bytes - done ? piece : len_bytes - done;
		memcpy(pages->batch + pages->len_bytes, (const uint8_t *)records + done, piece);
		pages->len_bytes += piece;
	}
	return 0;
}

int rs_tracedat_writer_page(struct rs_tracedat_writer *w, unsigned int cpu, const void *page,
			    size_t len_bytes, struct rs_error *err)
{
	struct cpu_pages *pages;

	if (w->full)
		return -1;
	if (cpu >= w->nr_cpus || len_bytes > w->page_bytes)
		return rs_fail(err, "cannot record: a page of %zu bytes of CPU %u does not fit", len_bytes,
			       cpu);
	pages = &w->cpus[cpu];
	if (tracedat_writer_make_room(w, pages, err) < 0)
		return -1;
	memcpy(pages->batch + pages->len_bytes, page, len_bytes);
	memset(pages->batch + pages->len_bytes + len_bytes, 0, w->page_bytes - len_bytes);
	pages->len_bytes += w->page_bytes;
	atomic_fetch_add_explicit(&w->data_bytes, w->page_bytes, memory_order_relaxed);
	return 0;
}

/* ---- the end ---- */

struct move {
	struct rs_tracedat_writer *w;
	const struct rs_tracedat_tail *tail;
	struct rs_tracedat_names names;
	uint8_t *piece;                  /* a batch from the companion */
	uint64_t at, done_bytes;
	bool cut;                        /* it could not be moved completely */
	bool of_samples;                 /* these are no pages */
	uint32_t crc;                    /* of the samples */
	struct rs_tracedat_places places;
};

static bool move_batch(struct move *m, const uint8_t *batch, size_t len_bytes, struct rs_error *err)
{
	struct rs_tracedat_writer *w = m->w;

	if (write_all_at(w->fd, batch, len_bytes, m->at) < 0) {
		rs_fail(err, "cannot write '%s': %s (cut off after %llu MiB; what is there can be read)",
			w->path, strerror(errno), (unsigned long long)(m->at >> 20));
		return false;
	}
	if (m->of_samples)
		m->crc = (uint32_t)crc32_z(m->crc, batch, len_bytes);
	for (size_t at = 0; !m->of_samples && at + w->page_bytes <= len_bytes; at += w->page_bytes)
		rs_tracedat_names_page(&m->names, batch + at, w->page_bytes);
	m->at += len_bytes;
	m->done_bytes += len_bytes;
	return true;
}

static bool move_from_companion(struct move *m, uint32_t batch, struct rs_error *err)
{
	struct rs_tracedat_writer *w = m->w;
	uint64_t at = (uint64_t)batch * w->batch_bytes;

	if (m->tail->go_on &&
	    !m->tail->go_on(m->tail->arg, m->done_bytes, rs_tracedat_writer_data_bytes(w))) {
		rs_fail(err, "'%s' was cut off after %llu MiB: interrupted (what is there can be read)",
			w->path, (unsigned long long)(m->at >> 20));
		return false;
	}
	if (transfer_at(w->companion_fd, NULL, m->piece, w->batch_bytes, at) < 0) {
		rs_fail(err, "cannot read back what was recorded for '%s': %s", w->path, strerror(errno));
		return false;
	}
	if (!move_batch(m, m->piece, w->batch_bytes, err))
		return false;
	/* Without hole punching the room is freed at the end only: a full disk cuts the file */
	(void)fallocate(w->companion_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at,
			(off_t)w->batch_bytes);
	return true;
}

static void move_batches(struct move *m, const struct cpu_pages *pages, struct rs_error *err)
{
	for (uint32_t b = pages->first; b != TRACEDAT_WRITER_NONE && !m->cut; b = m->w->next[b])
		m->cut = !move_from_companion(m, b, err);
	if (!m->cut && pages->len_bytes)
		m->cut = !move_batch(m, pages->batch, pages->len_bytes, err);
}

/* Moves one CPU's pages to m->at and writes its row of the table. */
static void move_cpu(struct move *m, unsigned int cpu, struct rs_buf *table, struct rs_error *err)
{
	uint64_t begin = m->at;

	move_batches(m, &m->w->cpus[cpu], err);
	rs_tracedat_put_u64(table, m->w->head->info, begin);
	rs_tracedat_put_u64(table, m->w->head->info, m->at - begin);
}

/* A recorded name takes more bytes than its line, so a small recording needs little room. */
static size_t names_room(const struct rs_tracedat_writer *w, const struct rs_tracedat_tail *tail)
{
	size_t nr_known = w->head->info->nr_initial + tail->nr_tasks + 2;
	uint64_t room = rs_tracedat_writer_data_bytes(w) + nr_known * 32;

	return room < TRACEDAT_NAMES_BYTES_MAX ? (size_t)room : TRACEDAT_NAMES_BYTES_MAX;
}

static int put_tail(struct move *m, const struct rs_buf *table, const struct rs_buf *options, size_t room,
		    struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret;

	rs_tracedat_names_add_initial(&m->names, m->tail->tasks, m->tail->nr_tasks, UINT64_MAX);
	rs_tracedat_names_put(&m->names, m->w->head->info, &out, room);
	rs_buf_add(&out, options->data, options->len);
	rs_buf_add(&out, table->data, table->len);
	out.failed |= options->failed | table->failed;
	ret = append_head(m->w, &out, err);
	rs_buf_done(&out);
	return ret;
}

/*
 * Moves the samples, and writes the other parts. What cannot be written is left out, as the trailer that
 * names it.
 */
static void move_parts(struct move *m, struct rs_error *err)
{
	struct rs_tracedat_writer *w = m->w;
	uint64_t begin = m->at;

	m->of_samples = true;
	if (m->tail->samples)
		move_batches(m, &w->cpus[w->nr_cpus], err);
	if (m->tail->samples && !m->cut)
		m->places.row[m->places.nr++] = (struct rs_tracedat_section){ "samples", begin, m->at - begin,
									      m->crc };
	for (size_t i = 0; i < m->tail->nr_parts && !m->cut; i++) {
		const struct rs_tracedat_part *part = &m->tail->parts[i];

		if (write_all_at(w->fd, part->data, part->len_bytes, m->at) < 0)
			return;
		rs_tracedat_places_add(&m->places, part, m->at);
		m->at += part->len_bytes;
	}
}

/* The trailer is optional: if it cannot be written, the recording is valid without it. */
static int end_file(struct move *m, struct rs_error *err)
{
	struct rs_tracedat_writer *w = m->w;
	struct rs_buf out = RS_BUF_INIT;

	rs_tracedat_put_trailer(&out, w->head->info, m->tail, &m->places);
	w->file_bytes = m->at;
	if (!out.failed && write_all_at(w->fd, out.data, out.len, m->at) == 0)
		w->file_bytes += out.len;
	rs_buf_done(&out);
	if (ftruncate(w->fd, (off_t)w->file_bytes) < 0)
		return rs_fail(err, "cannot end '%s': %s", w->path, strerror(errno));
	return 0;
}

int rs_tracedat_writer_finish(struct rs_tracedat_writer *w, const struct rs_tracedat_tail *tail,
			      struct rs_error *err)
{
	struct rs_buf table = RS_BUF_INIT, options = RS_BUF_INIT;
	struct move m = { .w = w, .tail = tail };
	size_t align = (size_t)sysconf(_SC_PAGESIZE), room;
	int ret = -1;

	rs_tracedat_names_init(&m.names, w->head->info);
	rs_tracedat_names_add_initial(&m.names, w->head->info->snapshot, w->head->info->nr_initial, 0);
	rs_tracedat_put_options(&options, w->head, tail);
	room = names_room(w, tail);
	align = align > w->page_bytes ? align : w->page_bytes;
	m.at = align_up(w->head_bytes + 8 + room + options.len + (uint64_t)w->nr_cpus * 16, align);
	m.piece = malloc(w->batch_bytes);
	if (!m.piece) {
		rs_fail(err, "cannot end the recording: out of memory");
		goto out;
	}
	for (unsigned int cpu = 0; cpu < w->nr_cpus; cpu++)
		move_cpu(&m, cpu, &table, err);
	move_parts(&m, err);
	if (put_tail(&m, &table, &options, room, err) < 0 || end_file(&m, err) < 0)
		goto out;
	ret = m.cut ? -1 : 0;
out:
	free(m.piece);
	rs_tracedat_names_done(&m.names);
	rs_buf_done(&table);
	rs_buf_done(&options);
	return ret;
}
