// SPDX-License-Identifier: GPL-2.0-or-later
/* unpack - unpacks a file that gzip, xz or zstd has packed, so that it can be read at any offset */
#include "recording/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "recording/file-kind.h"

#define IN_BYTES (64u << 10)
#define OUT_BYTES (256u << 10)
#define MAX_MEMORY_BYTES (128u << 20)    /* of a decoder: xz -9 takes 65 MiB, zstd without --long 8 */
#define MAX_WINDOW_LOG 27                /* zstd: the same */
/*
 * Recordings with nearly empty pages shrink to a fiftieth. What grows by more than this, and is large, is a
 * bomb.
 */
#define MAX_RATIO 1000u
#define SMALL_BYTES (64ull << 20)
#define SPARE_BYTES (256ull << 20)       /* that is left free on the disk */

/* A decoder takes from in and gives to out, and moves both; what is left in out says how much has come. */
struct unpacking {
	const struct codec *codec;
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
	bool last;                       /* what is in `in` is the end of the file */
	union {
		z_stream zlib;
		lzma_stream xz;
		ZSTD_DCtx *zstd;
	};
	bool between;                    /* at a place where the packed data may end */

	const char *path;
	int fd, to;
	uint64_t read_bytes, all_bytes, written_bytes, max_bytes;
	bool by_disk;                    /* max_bytes is what the disk can spare */
};

struct codec {
	const char *name, *magic;
	size_t magic_bytes;
	bool (*begin)(struct unpacking *u);         /* false: no memory */
	const char *(*step)(struct unpacking *u);   /* NULL, or what is wrong */
	void (*end)(struct unpacking *u);
};

static const char damaged[] = "its data is damaged";
static const char no_memory[] = "out of memory";
static const char large_window[] = "it takes more than 128 MiB of memory to unpack";

/* ---- gzip ---- */

static bool gzip_begin(struct unpacking *u)
{
	u->zlib = (z_stream){ 0 };
	return inflateInit2(&u->zlib, 15 + 16) == Z_OK;
}

static const char *gzip_step(struct unpacking *u)
{
	int ret;

	/* Packed files may follow each other. Other bytes there are padding, which gzip ignores as well. */
	if (u->between) {
		if (*u->in != 0x1f) {
			u->in_len = 0;
			return NULL;
		}
		inflateReset(&u->zlib);
		u->between = false;
	}
	u->zlib.next_in = (uint8_t *)(uintptr_t)u->in;
	u->zlib.avail_in = (unsigned int)u->in_len;
	u->zlib.next_out = u->out;
	u->zlib.avail_out = (unsigned int)u->out_len;
	ret = inflate(&u->zlib, Z_NO_FLUSH);
	u->in = u->zlib.next_in;
	u->in_len = u->zlib.avail_in;
	u->out = u->zlib.next_out;
	u->out_len = u->zlib.avail_out;
	u->between = ret == Z_STREAM_END;
	if (ret == Z_MEM_ERROR)
		return no_memory;
	return ret == Z_OK || ret == Z_STREAM_END || ret == Z_BUF_ERROR ? NULL : damaged;
}

static void gzip_end(struct unpacking *u)
{
	inflateEnd(&u->zlib);
}

/* ---- xz ---- */

static bool xz_begin(struct unpacking *u)
{
	u->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&u->xz, MAX_MEMORY_BYTES, LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_step(struct unpacking *u)
{
	lzma_ret ret;

	u->xz.next_in = u->in;
	u->xz.avail_in = u->in_len;
	u->xz.next_out = u->out;
	u->xz.avail_out = u->out_len;
	ret = lzma_code(&u->xz, u->last ? LZMA_FINISH : LZMA_RUN);
	u->in = u->xz.next_in;
	u->in_len = u->xz.avail_in;
	u->out = u->xz.next_out;
	u->out_len = u->xz.avail_out;
	u->between = ret == LZMA_STREAM_END;
	if (ret == LZMA_MEMLIMIT_ERROR)
		return large_window;
	if (ret == LZMA_MEM_ERROR)
		return no_memory;
	return ret == LZMA_OK || ret == LZMA_STREAM_END || ret == LZMA_BUF_ERROR ? NULL : damaged;
}

static void xz_end(struct unpacking *u)
{
	lzma_end(&u->xz);
}

/* ---- zstd ---- */

static bool zstd_begin(struct unpacking *u)
{
	u->zstd = ZSTD_createDCtx();
	return u->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, MAX_WINDOW_LOG));
}

static const char *zstd_step(struct unpacking *u)
{
	ZSTD_inBuffer in = { u->in, u->in_len, 0 };
	ZSTD_outBuffer out = { u->out, u->out_len, 0 };
	size_t ret = ZSTD_decompressStream(u->zstd, &out, &in);

	u->in += in.pos;
	u->in_len -= in.pos;
	u->out += out.pos;
	u->out_len -= out.pos;
	u->between = ret == 0;
	if (!ZSTD_isError(ret))
		return NULL;
	switch (ZSTD_getErrorCode(ret)) {
	case ZSTD_error_frameParameter_windowTooLarge:
		return large_window;
	case ZSTD_error_memory_allocation:
		return no_memory;
	default:
		return damaged;
	}
}

static void zstd_end(struct unpacking *u)
{
	ZSTD_freeDCtx(u->zstd);
}

static const struct codec codecs[] = {
	{ "gzip", "\x1f\x8b", 2, gzip_begin, gzip_step, gzip_end },
	{ "xz", "\xfd" "7zXZ\0", 6, xz_begin, xz_step, xz_end },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, zstd_begin, zstd_step, zstd_end },
};

static const struct codec *find_codec(const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
		if (len >= codecs[i].magic_bytes && !memcmp(head, codecs[i].magic, codecs[i].magic_bytes))
			return &codecs[i];
	return NULL;
}

/* ---- the file ---- */

const char *rs_unpack_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	/* not /tmp: it may be memory */
	return tmp && *tmp == '/' ? tmp : "/var/tmp";
}

/* A file that no name leads to, from the begin where the file system can do that. */
int rs_unpack_nameless(void)
{
	const char *folder = rs_unpack_folder();
	char path[4096];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
		return fd;
	if ((size_t)snprintf(path, sizeof path, "%s/ringside-XXXXXX", folder) >= sizeof path)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* The size limit: what the disk has but for a reserve, and no more than a recording can have expanded to. */
static int unpack_limit(struct unpacking *u, struct rs_error *err)
{
	const char *folder = rs_unpack_folder();
	uint64_t free_bytes;
	struct statvfs disk;

	u->to = rs_unpack_nameless();
	if (u->to < 0 || fstatvfs(u->to, &disk) < 0)
		return rs_fail(
			err,
			"cannot unpack '%s': cannot make a file in %.100s: %s (set TMPDIR to another folder)",
			u->path, folder, strerror(errno));
	free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
	free_bytes = free_bytes > SPARE_BYTES ? free_bytes - SPARE_BYTES : 0;
	if (__builtin_mul_overflow(u->all_bytes, MAX_RATIO, &u->max_bytes))
		u->max_bytes = UINT64_MAX;
	if (u->max_bytes < SMALL_BYTES)
		u->max_bytes = SMALL_BYTES;
	u->by_disk = free_bytes < u->max_bytes;
	if (u->by_disk)
		u->max_bytes = free_bytes;
	return 0;
}

static int unpack_write(struct unpacking *u, const uint8_t *data, size_t len, struct rs_error *err)
{
	if (len > u->max_bytes - u->written_bytes)
		return rs_fail(err, "cannot unpack '%s': it grows beyond %" PRIu64 " MB, which is %s (%s)",
			       u->path, u->max_bytes / 1000000,
			       u->by_disk ? "what the disk can spare" : "no recording's ratio",
			       u->by_disk ? "set TMPDIR to a folder with more room" : "unpack it by hand");
	while (len) {
		ssize_t n = write(u->to, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return rs_fail(
				err,
				"cannot unpack '%s' to %.100s: %s (set TMPDIR to a folder with more room)",
				u->path, rs_unpack_folder(), strerror(errno));
		u->written_bytes += (uint64_t)n;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Checked before much has been written: a packed tar of any size is refused at once. */
static int check_head(const struct unpacking *u, const uint8_t *head, size_t len, struct rs_error *err)
{
	const struct rs_file_kind *kind = rs_file_kind_find(u->path, head, len, 0);

	if (rs_file_kind_is_tracedat(head, len) || rs_file_kind_is_perfdata(head, len))
		return 0;
	if (kind)
		return rs_fail(err, "'%s' is not a trace.dat recording: unpacked with %s it is %s (%s)",
			       u->path, u->codec->name, kind->what, kind->advice);
	return rs_fail(err, "'%s' is not a trace.dat recording: unpacked with %s it does not begin as one"
		       " (make one with: ringside record)", u->path, u->codec->name);
}

/* 1: there is more; 0: the end of the file. */
static int unpack_read(struct unpacking *u, uint8_t *buf, struct rs_error *err)
{
	ssize_t n;

	do
		n = read(u->fd, buf, IN_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return rs_fail(err, "cannot read '%s': %s", u->path, strerror(errno));
	u->in = buf;
	u->in_len = (size_t)n;
	u->read_bytes += (uint64_t)n;
	u->last = n == 0;
	return n > 0;
}

/* Decodes all that has been read, in pieces of out. */
static int unpack_some(struct unpacking *u, uint8_t *out, struct rs_error *err)
{
	bool more = true;

	while (more) {
		const char *why;
		size_t len, in_len = u->in_len;

		u->out = out;
		u->out_len = OUT_BYTES;
		why = u->in_len || u->last ? u->codec->step(u) : NULL;
		if (!why && u->in_len && u->in_len == in_len && u->out_len)
			why = damaged; /* the decoder takes no more, although there is room */
		if (why)
			return rs_fail(err,
				       "cannot unpack '%s': %s, at byte %" PRIu64
				       " (unpack it with %s by hand)",
				       u->path, why, u->read_bytes - u->in_len, u->codec->name);
		len = OUT_BYTES - u->out_len;
		/* of a file that is cut off within its first bytes the end says more */
		if (!u->written_bytes && (len >= RS_TRACEDAT_MAGIC_BYTES || (len && u->between)) &&
		    check_head(u, out, len, err) < 0)
			return -1;
		if (unpack_write(u, out, len, err) < 0)
			return -1;
		/* a full piece: more may wait in the decoder, although it has taken all */
		more = !u->out_len || u->in_len;
	}
	return 0;
}

static int unpack_all(struct unpacking *u, uint8_t *in, uint8_t *out,
		      const struct rs_unpack_progress *progress, struct rs_error *err)
{
	int more;

	while ((more = unpack_read(u, in, err)) > 0) {
		if (unpack_some(u, out, err) < 0)
			return -1;
		if (progress && progress->step)
			progress->step(progress->arg, u->read_bytes, u->all_bytes);
	}
	if (more < 0)
		return -1;
	if (!u->between && unpack_some(u, out, err) < 0)
		return -1;
	if (!u->between)
		return rs_fail(err, "cannot unpack '%s': its %s data ends too early (the file is cut off)",
			       u->path, u->codec->name);
	if (!u->written_bytes)
		return rs_fail(err, "'%s' is not a trace.dat recording: it is empty", u->path);
	return 0;
}

static int unpack_file(struct unpacking *u, const struct rs_unpack_progress *progress, struct rs_error *err)
{
	uint8_t *in = malloc(IN_BYTES + OUT_BYTES);
	int ret = -1;

	u->to = -1;
	if (!in)
		return rs_fail(err, "cannot unpack '%s': out of memory", u->path);
	if (!u->codec->begin(u))
		rs_fail(err, "cannot unpack '%s': out of memory", u->path);
	else if (unpack_limit(u, err) == 0)
		ret = unpack_all(u, in, in + IN_BYTES, progress, err);
	u->codec->end(u);
	free(in);
	if (ret < 0 && u->to >= 0)
		close(u->to);
	return ret;
}

int rs_unpack_open(const char *path, const struct rs_unpack_progress *progress, int *fd, struct rs_error *err)
{
	/* O_NONBLOCK: to open a FIFO would else wait for a writer */
	struct unpacking u = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
	size_t path_len = strlen(path);
	uint8_t head[8];
	struct stat st;
	ssize_t n = -1;
	int ret = 0;

	*fd = -1;
	u.path = path + (path_len > 200 ? path_len - 200 : 0);
	if (u.fd < 0)
		return 0;
	if (fstat(u.fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(u.fd, head, sizeof head, 0);
	u.codec = find_codec(head, n > 0 ? (size_t)n : 0);
	if (u.codec) {
		u.all_bytes = (uint64_t)st.st_size;
		ret = unpack_file(&u, progress, err);
		*fd = ret == 0 ? u.to : -1;
	}
	close(u.fd);
	return ret;
}
