// SPDX-License-Identifier: GPL-2.0-or-later
/* spool - batches on the disk until they are delivered */
#include "ship/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SPOOL_NAME "%012" PRIu64
#define SPOOL_NAME_LEN 12u

static int spool_fail(const struct rs_spool *s, const char *what, struct rs_error *err)
{
	return rs_fail(err, "cannot %s in '%.200s': %s (--spool names another folder)", what, s->folder,
		       strerror(errno));
}

/* ---- folders of batches ---- */

/* False: it is no batch's name. */
static bool spool_number_of(const char *name, uint64_t *number)
{
	if (strlen(name) != SPOOL_NAME_LEN || strspn(name, "0123456789") != SPOOL_NAME_LEN)
		return false;
	*number = strtoull(name, NULL, 10);
	return true;
}

static DIR *spool_open_folder(const struct rs_spool *s, const char *name)
{
	int fd = openat(s->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* Calls fn for each batch; false ends it. */
static void spool_each(const struct rs_spool *s, bool (*fn)(void *arg, uint64_t number), void *arg)
{
	DIR *dir = spool_open_folder(s, ".");
	struct dirent *entry;
	uint64_t number;

	while (dir && (entry = readdir(dir)))
		if (spool_number_of(entry->d_name, &number) && !fn(arg, number))
			break;
	if (dir)
		closedir(dir);
}

static bool spool_least(void *arg, uint64_t number)
{
	uint64_t *least = arg;

	*least = number < *least ? number : *least;
	return true;
}

bool rs_spool_first(const struct rs_spool *s, uint64_t *number)
{
	*number = UINT64_MAX;
	spool_each(s, spool_least, number);
	return *number < s->next;
}

/* Returns the bytes of the files in the folder. */
static uint64_t spool_folder_files(const struct rs_spool *s, const char *name, bool removes)
{
	DIR *dir = spool_open_folder(s, name);
	struct dirent *entry;
	uint64_t bytes = 0;

	while (dir && (entry = readdir(dir))) {
		struct stat st;

		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		bytes += (uint64_t)st.st_size;
		if (removes)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

static uint64_t spool_files(const struct rs_spool *s, uint64_t number, bool removes)
{
	char name[32];

	snprintf(name, sizeof name, SPOOL_NAME, number);
	return spool_folder_files(s, name, removes);
}

/* Of one that was killed while it wrote a batch: NUMBER.XXXXXX (cli/export/output-file.c). */
static void spool_remove_half_made(const struct rs_spool *s)
{
	DIR *dir = spool_open_folder(s, ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strspn(entry->d_name, "0123456789") == SPOOL_NAME_LEN &&
		    entry->d_name[SPOOL_NAME_LEN] == '.') {
			spool_folder_files(s, entry->d_name, true);
			unlinkat(s->dir, entry->d_name, AT_REMOVEDIR);
		}
	if (dir)
		closedir(dir);
}

int rs_spool_remove(struct rs_spool *s, uint64_t number, struct rs_error *err)
{
	char name[32];

	spool_files(s, number, true);
	snprintf(name, sizeof name, SPOOL_NAME, number);
	return unlinkat(s->dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT ?
		       spool_fail(s, "remove a batch", err) :
		       0;
}

void rs_spool_path(const struct rs_spool *s, uint64_t number, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%.*s/" SPOOL_NAME, PATH_MAX - 32, s->folder, number);
}

struct spool_sum {
	const struct rs_spool *s;
	uint64_t bytes;
};

static bool spool_add_bytes(void *arg, uint64_t number)
{
	struct spool_sum *sum = arg;

	sum->bytes += spool_files(sum->s, number, false);
	return true;
}

/* ---- the state ---- */

static int spool_write_state(const struct rs_spool *s, struct rs_error *err)
{
	char text[256];
	int len = snprintf(text, sizeof text,
			   "boot=%s next=%" PRIu64 " done_ns=%" PRIu64 " dropped=%" PRIu64 "\n", s->boot,
			   s->next, s->done_ns, s->nr_dropped);
	int fd = openat(s->dir, "state.new", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && write(fd, text, (size_t)len) == len && fsync(fd) == 0;

	if (fd >= 0 && close(fd) < 0)
		ok = false;
	if (ok && renameat(s->dir, "state.new", s->dir, "state") == 0 && fsync(s->dir) == 0)
		return 0;
	return spool_fail(s, "store the state", err);
}

static int spool_read_state(struct rs_spool *s, const char *boot, struct rs_error *err)
{
	char text[256] = "", before[48] = "";
	int fd = openat(s->dir, "state", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (len > 0 && sscanf(text, "boot=%47s next=%" SCNu64 " done_ns=%" SCNu64 " dropped=%" SCNu64, before,
			      &s->next, &s->done_ns, &s->nr_dropped) != 4)
		return rs_fail(err, "'%.200s/state' is not ringside's (--spool names another folder)",
			       s->folder);
	snprintf(s->boot, sizeof s->boot, "%s", boot);
	if (strcmp(before, boot) != 0)
		s->done_ns = 0;
	return 0;
}

int rs_spool_open(struct rs_spool *s, const char *folder, const char *boot, uint64_t most_bytes,
		  struct rs_error *err)
{
	*s = (struct rs_spool){ .dir = -1, .lock = -1, .most_bytes = most_bytes };
	if (snprintf(s->folder, sizeof s->folder, "%s", folder) >= PATH_MAX - 32)
		return rs_fail_usage(err, "--spool: the name is too long");
	if (mkdir(folder, 0700) < 0 && errno != EEXIST)
		return spool_fail(s, "store batches", err);
	s->dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	s->lock = s->dir < 0 ? -1 : openat(s->dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (s->lock < 0)
		return spool_fail(s, "store batches", err);
	if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
		return rs_fail(err,
			       "'%.200s' is used by another ringside ship (--spool names another folder)",
			       folder);
	if (spool_read_state(s, boot, err) < 0)
		return -1;
	spool_remove_half_made(s);
	return rs_spool_remove(s, s->next, err); /* half made, or made and not yet in the state */
}

void rs_spool_close(struct rs_spool *s)
{
	if (s->lock >= 0)
		close(s->lock);
	if (s->dir >= 0)
		close(s->dir);
	s->lock = s->dir = -1;
}

int rs_spool_add(struct rs_spool *s, uint64_t to_ns, struct rs_error *err)
{
	struct spool_sum sum = { s, 0 };
	uint64_t oldest;

	s->next++;
	s->done_ns = to_ns;
	spool_each(s, spool_add_bytes, &sum);
	while (sum.bytes > s->most_bytes && rs_spool_first(s, &oldest)) {
		sum.bytes -= spool_files(s, oldest, false);
		if (rs_spool_remove(s, oldest, err) < 0)
			return -1;
		s->nr_dropped++;
	}
	return spool_write_state(s, err);
}
