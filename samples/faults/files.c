// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * files.c - the verbs about files and directories; "direct:PATH" is opened with O_DIRECT, "sync:PATH" with
 * O_DSYNC
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "stage.h"

enum { WHOLE_BYTES = 64 << 20, BUFFER_BYTES = 4 << 20 };

static char *files_buffer(void)
{
	static __thread char *buffer;

	if (!buffer && posix_memalign((void **)&buffer, 4096, BUFFER_BYTES))
		die("out of memory");
	return buffer;
}

struct file *files_open(struct player *player, const char *path)
{
	struct file *f = player->files;
	const char *colon = strchr(path, ':');
	struct stat st;
	int flags = O_RDWR | O_CREAT;

	for (; f->path; f++) {
		if (!strcmp(f->path, path))
			return f;
		if (f == player->files + STAGE_FILES - 2)
			die("too many files");
	}
	if (colon)
		flags |= !strncmp(path, "direct:", 7) ? O_DIRECT : !strncmp(path, "sync:", 5) ? O_DSYNC : 0;
	f->fd = open(colon ? colon + 1 : path, flags, 0600);
	if (f->fd < 0 || fstat(f->fd, &st))
		die("%s: %s", path, strerror(errno));
	f->path = path;
	f->size = S_ISREG(st.st_mode) ? (long)st.st_size : lseek(f->fd, 0, SEEK_END);
	if (!f->size)
		f->size = WHOLE_BYTES; /* what is written here, before it begins anew */
	return f;
}

/* Where the next transfer of that many bytes is: one after the other, and from the begin again. */
static long files_next(struct file *f, long bytes)
{
	long at = f->position;

	if (at + bytes > f->size)
		at = 0;
	f->position = at + bytes;
	return at;
}

static long files_bytes(struct player *player, const struct step *step)
{
	long bytes = step_number(player, step, 0);

	if (bytes > BUFFER_BYTES)
		die("%s: more than %d bytes", step->verb->name, BUFFER_BYTES);
	return bytes;
}

static void files_write(struct player *player, struct step *step)
{
	struct file *f = files_open(player, step->words[0]);
	long bytes = files_bytes(player, step);

	if (pwrite(f->fd, files_buffer(), (size_t)bytes, files_next(f, bytes)) != bytes)
		die("write %s: %s", f->path, strerror(errno));
}

static void files_read(struct player *player, struct step *step)
{
	struct file *f = files_open(player, step->words[0]);
	long bytes = files_bytes(player, step);

	if (pread(f->fd, files_buffer(), (size_t)bytes, files_next(f, bytes)) < 0)
		die("read %s: %s", f->path, strerror(errno));
}

static void files_pick(struct player *player, struct step *step)
{
	struct file *f = files_open(player, step->words[0]);
	long bytes = files_bytes(player, step), places = f->size / bytes;

	if (pread(f->fd, files_buffer(), (size_t)bytes,
		  rand_r(&player->seed) % (places ? places : 1) * bytes) < 0)
		die("read %s: %s", f->path, strerror(errno));
}

static void files_sync(struct player *player, struct step *step)
{
	if (fsync(files_open(player, step->words[0])->fd))
		die("fsync %s: %s", step->words[0], strerror(errno));
}

static void files_datasync(struct player *player, struct step *step)
{
	if (fdatasync(files_open(player, step->words[0])->fd))
		die("fdatasync %s: %s", step->words[0], strerror(errno));
}

static void files_forget(struct player *player, struct step *step)
{
	posix_fadvise(files_open(player, step->words[0])->fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Reads the next bytes through a map of the file: a fault for each page that is not there. */
static void files_map(struct player *player, struct step *step)
{
	struct file *f = files_open(player, step->words[0]);
	long bytes = step->numbers[0], at;
	char sum = 0;

	if (!f->map) {
		f->map = mmap(NULL, (size_t)f->size, PROT_READ, MAP_SHARED, f->fd, 0);
		if (f->map == MAP_FAILED)
			die("mmap %s: %s", f->path, strerror(errno));
		madvise(f->map, (size_t)f->size, MADV_RANDOM);
	}
	at = files_next(f, bytes);
	if (!at) { /* a new round: the pages go, from this process and from the cache */
		madvise(f->map, (size_t)f->size, MADV_DONTNEED);
		posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
	}
	for (long page = at; page < at + bytes; page += 4096)
		sum = (char)(sum + f->map[page]);
	__asm__ volatile("" : : "r"(sum)); /* the reads are the point */
}

static const char *files_name(struct player *player, const struct step *step, char *path, size_t size,
			      const char *what)
{
	snprintf(path, size, "%s/%s.%s.%d", step->words[0], what, player->actor->name, player->index);
	return path;
}

static void files_churn(struct player *player, struct step *step)
{
	char old[256], new[256];
	int fd;

	files_name(player, step, old, sizeof old, "old");
	files_name(player, step, new, sizeof new, "new");
	fd = open(old, O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || rename(old, new) || unlink(new))
		die("%s: %s", step->words[0], strerror(errno));
	close(fd);
}

static void files_create(struct player *player, struct step *step)
{
	char path[256];
	int fd = open(files_name(player, step, path, sizeof path, "file"), O_WRONLY | O_CREAT | O_TRUNC,
		      0600);
	long bytes = step->nr_numbers ? files_bytes(player, step) : 0;

	if (fd < 0 || write(fd, files_buffer(), (size_t)bytes) != bytes)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static void files_fail(struct player *player, struct step *step)
{
	(void)player;
	if (open(step->words[0], O_RDONLY | O_CLOEXEC) >= 0)
		die("%s is there", step->words[0]);
}

static void files_stat(struct player *player, struct step *step)
{
	struct stat st;

	(void)player;
	if (stat(step->words[0], &st))
		die("%s: %s", step->words[0], strerror(errno));
}

const struct verb file_verbs[] = {
	{ "write", "FILE BYTES [BYTES]: the next bytes of it", 1, 2, NULL, files_write },
	{ "read", "FILE BYTES [BYTES]: the next bytes of it", 1, 2, NULL, files_read },
	{ "pick", "FILE BYTES: reads anywhere in it", 1, 2, NULL, files_pick },
	{ "fsync", "FILE", 1, 1, NULL, files_sync },
	{ "datasync", "FILE: fdatasync", 1, 1, NULL, files_datasync },
	{ "forget", "FILE: throws its clean pages out of the cache", 1, 1, NULL, files_forget },
	{ "map", "FILE BYTES: touches the next bytes of it through a map, cold", 1, 2, NULL, files_map },
	{ "churn", "DIR: creates a file there, renames and removes it", 1, 1, NULL, files_churn },
	{ "create", "DIR [BYTES]: writes a file there anew", 1, 1, NULL, files_create },
	{ "fail", "PATH: an open that fails", 1, 1, NULL, files_fail },
	{ "stat", "PATH", 1, 1, NULL, files_stat },
	{ 0 },
};
