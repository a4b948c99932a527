// SPDX-License-Identifier: GPL-2.0-or-later
/* keep-folder - a folder of recordings that never has half of one, and never more than a limit */
#include "daemon/keep-folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEP_PART ".part-"
#define KEEP_PART_LEN (sizeof KEEP_PART - 1)
#define KEEP_TIME "%Y%m%dT%H%M%SZ" /* "20261128T054500Z" */
#define KEEP_TIME_LEN 16
#define KEEP_AHEAD_S 86400
#define KEEP_LAST ".json"
#define KEEP_BLOCK_BYTES 512u

/* ---- names ---- */

bool rs_keep_folder_is_stem(const char *file)
{
	for (int i = 0; i < KEEP_TIME_LEN; i++)
		if (i == 8		     ? file[i] != 'T'
		    : i == KEEP_TIME_LEN - 1 ? file[i] != 'Z'
					     : !isdigit((unsigned char)file[i]))
			return false;
	return file[KEEP_TIME_LEN] == '-';
}

static bool keep_is_of_stem(const char *file, const char *stem)
{
	size_t len = strlen(stem);

	return !strncmp(file, stem, len) && file[len] == '.';
}

static void keep_put_time(time_t t, char text[KEEP_TIME_LEN + 1])
{
	struct tm tm;

	/* a year of five digits would not sort */
	if (!gmtime_r(&t, &tm) || strftime(text, KEEP_TIME_LEN + 1, KEEP_TIME, &tm) != KEEP_TIME_LEN)
		strcpy(text, "99991231T235959Z");
}

/* ---- what is there ---- */

struct keep_entry {
	char stem[RS_KEEP_STEM];
	uint64_t bytes;
	bool is_whole;               /* it has the file that comes last */
	bool is_ahead;               /* of a clock that was wrong */
};

struct keep_list {
	struct keep_entry *at;
	size_t nr, room;
};

/* Calls each for every file, after all names are read: what it removes or renames is not seen twice. */
static void keep_each(const struct rs_keep_folder *f, void (*each)(void *arg, const char *file), void *arg)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		each(arg, entry->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

struct keep_scan {
	const struct rs_keep_folder *f;
	struct keep_list list;
};

static struct keep_entry *keep_find(struct keep_list *list, const char *stem)
{
	struct keep_entry *more;

	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->at[i].stem, stem))
			return &list->at[i];
	if (list->nr == list->room) {
		more = realloc(list->at, (list->room + 64) * sizeof *more);
		if (!more)
			return NULL;
		list->at = more;
		list->room += 64;
	}
	more = &list->at[list->nr++];
	*more = (struct keep_entry){ .bytes = 0 };
	snprintf(more->stem, sizeof more->stem, "%s", stem);
	return more;
}

static void keep_scan_file(void *arg, const char *file)
{
	struct keep_scan *scan = arg;
	const char *dot = strchr(file, '.');
	struct keep_entry *entry;
	char stem[RS_KEEP_STEM];
	struct stat st;

	if (!rs_keep_folder_is_stem(file) || !dot || dot - file >= RS_KEEP_STEM)
		return;
	snprintf(stem, sizeof stem, "%.*s", (int)(dot - file), file);
	entry = keep_find(&scan->list, stem);
	if (!entry)
		return;
	if (fstatat(scan->f->fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0)
		entry->bytes += (uint64_t)st.st_blocks * KEEP_BLOCK_BYTES;
	entry->is_whole = entry->is_whole || !strcmp(dot, KEEP_LAST);
}

static int keep_by_age(const void *a, const void *b)
{
	const struct keep_entry *x = a, *y = b;

	return x->is_ahead != y->is_ahead ? y->is_ahead - x->is_ahead : strcmp(x->stem, y->stem);
}

/* The oldest first; the caller frees .at. */
static struct keep_list keep_read(const struct rs_keep_folder *f, time_t now)
{
	struct keep_scan scan = { .f = f };
	char latest[KEEP_TIME_LEN + 1];

	keep_put_time(now + KEEP_AHEAD_S, latest);
	keep_each(f, keep_scan_file, &scan);
	for (size_t i = 0; i < scan.list.nr; i++)
		scan.list.at[i].is_ahead = strncmp(scan.list.at[i].stem, latest, KEEP_TIME_LEN) > 0;
	if (scan.list.nr)
		qsort(scan.list.at, scan.list.nr, sizeof *scan.list.at, keep_by_age);
	return scan.list;
}

/* ---- a new one ---- */

/* Behind the latest of them: they sort by age, whatever the clock does. */
static time_t keep_next_time(const struct rs_keep_folder *f, time_t now)
{
	struct keep_list list = keep_read(f, now);
	struct tm tm = { 0 };
	time_t latest = 0;

	if (list.nr && !list.at[list.nr - 1].is_ahead &&
	    strptime(list.at[list.nr - 1].stem, KEEP_TIME, &tm))
		latest = timegm(&tm);
	free(list.at);
	return latest >= now ? latest + 1 : now;
}

void rs_keep_folder_name(const struct rs_keep_folder *f, time_t now, const char *name, char *stem)
{
	size_t len;

	keep_put_time(keep_next_time(f, now), stem);
	len = strlen(stem);
	stem[len++] = '-';
	for (; *name && len < KEEP_TIME_LEN + 49; name++)
		stem[len++] = isalnum((unsigned char)*name) ? *name : '-';
	stem[len] = '\0';
}

/* ---- removing ---- */

struct keep_removal {
	const struct rs_keep_folder *f;
	const char *stem;            /* NULL: the parts of all */
};

static void keep_remove_file(void *arg, const char *file)
{
	struct keep_removal *r = arg;
	bool is_part = !strncmp(file, KEEP_PART, KEEP_PART_LEN);

	if (r->stem ? keep_is_of_stem(file + (is_part ? KEEP_PART_LEN : 0), r->stem) : is_part)
		unlinkat(r->f->fd, file, 0);
}

/* First the one without which the rest is unfinished. */
void rs_keep_folder_drop(struct rs_keep_folder *f, const char *stem)
{
	struct keep_removal r = { f, stem };
	char last[RS_KEEP_STEM + 8];

	snprintf(last, sizeof last, "%s" KEEP_LAST, stem);
	unlinkat(f->fd, last, 0);
	keep_each(f, keep_remove_file, &r);
}

void rs_keep_folder_prune(struct rs_keep_folder *f, time_t now)
{
	struct keep_list list = keep_read(f, now);
	uint64_t bytes = 0;

	for (size_t i = 0; i < list.nr; i++)
		bytes += list.at[i].bytes;
	for (size_t i = 0; i + 1 < list.nr && (list.nr - i > f->most || bytes > f->most_bytes); i++) {
		rs_keep_folder_drop(f, list.at[i].stem);
		bytes -= list.at[i].bytes;
	}
	free(list.at);
}

/* ---- opening, writing ---- */

int rs_keep_folder_open(struct rs_keep_folder *f, const char *path, struct rs_error *err)
{
	struct keep_removal parts = { f, NULL };
	struct keep_list list;

	f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0)
		return rs_fail(err, "cannot open '%s': %s", path, strerror(errno));
	if (faccessat(f->fd, ".", W_OK, AT_EACCESS) < 0) {
		rs_fail(err, "cannot write in '%s': %s", path, strerror(errno));
		rs_keep_folder_close(f);
		return -1;
	}
	keep_each(f, keep_remove_file, &parts);
	list = keep_read(f, 0);
	for (size_t i = 0; i < list.nr; i++)
		if (!list.at[i].is_whole)
			rs_keep_folder_drop(f, list.at[i].stem);
	free(list.at);
	return 0;
}

void rs_keep_folder_close(struct rs_keep_folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

int rs_keep_folder_create(struct rs_keep_folder *f, const char *stem, const char *ending,
			  struct rs_error *err)
{
	char name[RS_KEEP_STEM + 40];
	int fd;

	snprintf(name, sizeof name, KEEP_PART "%s%s", stem, ending);
	fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
	return fd < 0 ? rs_fail(err, "cannot create '%s': %s", name, strerror(errno)) : fd;
}

static bool keep_write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

int rs_keep_folder_write(struct rs_keep_folder *f, const char *stem, const char *ending,
			 const struct rs_buf *text, struct rs_error *err)
{
	int fd;

	if (text->failed)
		return rs_fail(err, "cannot write '%s%s': out of memory", stem, ending);
	fd = rs_keep_folder_create(f, stem, ending, err);
	if (fd < 0)
		return -1;
	if (!keep_write_all(fd, text->data, text->len))
		rs_fail(err, "cannot write '%s%s': %s", stem, ending, strerror(errno));
	if (close(fd) < 0 && err->status == RS_OK)
		rs_fail(err, "cannot write '%s%s': %s", stem, ending, strerror(errno));
	return err->status == RS_OK ? 0 : -1;
}

struct keep_finish {
	struct rs_keep_folder *f;
	const char *stem;
	bool renames, failed;        /* the second time they get their names, but for the last */
	struct rs_error *err;
};

static void keep_finish_file(void *arg, const char *file)
{
	struct keep_finish *k = arg;
	const char *name = file + KEEP_PART_LEN;
	int fd;

	if (k->failed || strncmp(file, KEEP_PART, KEEP_PART_LEN) || !keep_is_of_stem(name, k->stem))
		return;
	if (k->renames) {
		k->failed = strcmp(name + strlen(k->stem), KEEP_LAST) &&
			    renameat(k->f->fd, file, k->f->fd, name) < 0;
	} else {
		fd = openat(k->f->fd, file, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		k->failed = fd < 0 || fsync(fd) < 0;
		if (fd >= 0)
			close(fd);
	}
	if (k->failed)
		rs_fail(k->err, "cannot keep '%s': %s", name, strerror(errno));
}

int rs_keep_folder_finish(struct rs_keep_folder *f, const char *stem, struct rs_error *err)
{
	struct keep_finish k = { .f = f, .stem = stem, .err = err };
	char part[RS_KEEP_STEM + 16], last[RS_KEEP_STEM + 8];

	keep_each(f, keep_finish_file, &k);
	k.renames = true;
	if (!k.failed)
		keep_each(f, keep_finish_file, &k);
	snprintf(part, sizeof part, KEEP_PART "%s" KEEP_LAST, stem);
	snprintf(last, sizeof last, "%s" KEEP_LAST, stem);
	if (!k.failed && (fsync(f->fd) < 0 || renameat(f->fd, part, f->fd, last) < 0 || fsync(f->fd) < 0)) {
		rs_fail(err, "cannot keep '%s': %s", last, strerror(errno));
		k.failed = true;
	}
	if (k.failed)
		rs_keep_folder_drop(f, stem);
	return k.failed ? -1 : 0;
}
