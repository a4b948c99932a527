// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "capture/capture.h"
#include "cli/out.h"

static int output_file_fail(const struct rs_output_file *o, const char *advice, struct rs_error *err)
{
	return rs_fail(err, "cannot write '%s': %s%s", o->path ? o->path : "the output", strerror(errno), advice);
}

/* A link stays a link: what it points to is replaced, or made. */
static char *output_file_resolve(const char *path)
{
	char target[4096];
	ssize_t len;
	char *real = realpath(path, NULL);

	if (real)
		return real;
	len = readlink(path, target, sizeof target - 1);
	if (len <= 0)
		return strdup(path);
	target[len] = '\0';
	if (*target == '/' || !strrchr(path, '/'))
		return strdup(target);
	return asprintf(&real, "%.*s/%s", (int)(strrchr(path, '/') - path), path, target) < 0 ? NULL : real;
}

/* What replaces a file has its owner and mode; a new one belongs to who called sudo. */
static int output_file_own(struct rs_output_file *o, const struct stat *before, struct rs_error *err)
{
	mode_t mask = umask(0), all = o->kind == RS_OUTPUT_FOLDER ? 0777 : 0666;
	uid_t uid = before ? before->st_uid : geteuid();
	gid_t gid = before ? before->st_gid : getegid();

	umask(mask);
	if (before ? uid != geteuid() || gid != getegid() : rs_launch_sudo_user(&uid, &gid))
		if (chown(o->made, uid, gid) < 0 && !before)
			return rs_fail(err, "cannot give '%s' to user %u: %s", o->path, (unsigned int)uid, strerror(errno));
	if (chmod(o->made, before ? before->st_mode & 07777 : all & ~mask) < 0)
		return output_file_fail(o, "", err);
	return 0;
}

/* A device, a pipe, or a file beside which none may be made; is_new: it is made, if a link to it is not there either. */
static int output_file_in_place(struct rs_output_file *o, bool is_new, struct rs_error *err)
{
	uid_t uid;
	gid_t gid;

	o->fd = open(o->path, O_WRONLY | O_CLOEXEC | (is_new ? O_CREAT : 0), 0644);
	if (o->fd < 0)
		return output_file_fail(o, " (name another file)", err);
	if (is_new && rs_launch_sudo_user(&uid, &gid) && fchown(o->fd, uid, gid) < 0)
		return rs_fail(err, "cannot give '%s' to user %u: %s", o->path, (unsigned int)uid, strerror(errno));
	return 0;
}

/* Now, because it takes memory, and the folder must be removed where there is none. */
static bool output_file_open_folder(struct rs_output_file *o)
{
	o->folder = opendir(o->made);
	if (!o->folder)
		rmdir(o->made);
	return o->folder;
}

static int output_file_make(struct rs_output_file *o, const struct stat *before, struct rs_error *err)
{
	bool made;

	if (asprintf(&o->made, "%s.XXXXXX", o->final) < 0) {
		o->made = NULL;
		return rs_fail(err, "cannot write '%s': out of memory", o->path);
	}
	if (o->kind == RS_OUTPUT_FOLDER)
		made = mkdtemp(o->made) && output_file_open_folder(o);
	else
		made = (o->fd = mkostemp(o->made, O_CLOEXEC)) >= 0;
	if (made)
		return output_file_own(o, before, err);
	free(o->made);
	o->made = NULL;
	if (before && o->kind == RS_OUTPUT_BYTES && (errno == EACCES || errno == EPERM))
		return output_file_in_place(o, false, err);
	return output_file_fail(o, " (name another file)", err);
}

/* 1: it is there, and can be replaced; 0: it is not there, or is no regular file. */
static int output_file_check(const struct rs_output_file *o, struct stat *before, bool *in_place, struct rs_error *err)
{
	*in_place = false;
	if (stat(o->path, before) < 0)
		return 0;
	if (o->kind == RS_OUTPUT_FOLDER)
		return rs_fail(err, "'%s' is there already (this format writes a new folder: name another)", o->path);
	if (S_ISDIR(before->st_mode)) {
		errno = EISDIR;
		return output_file_fail(o, " (name another file)", err);
	}
	if (S_ISREG(before->st_mode))
		return 1;
	*in_place = o->kind == RS_OUTPUT_BYTES || o->kind == RS_OUTPUT_IN_PLACE;
	return *in_place ? 0 : rs_fail(err, "'%s' is no regular file (this format cannot be written to a pipe or device)", o->path);
}

int rs_output_file_open(struct rs_output_file *o, const char *path, enum rs_output_kind kind, struct rs_error *err)
{
	bool in_place;
	struct stat before;
	int is_there;

	*o = (struct rs_output_file){ .kind = kind, .fd = -1 };
	if (!path || !strcmp(path, "-")) {
		if (kind == RS_OUTPUT_PATH || kind == RS_OUTPUT_FOLDER)
			return rs_fail_usage(err, "this format cannot be written to standard output (name a %s with -o)",
					     kind == RS_OUTPUT_FOLDER ? "folder" : "file");
		o->fd = STDOUT_FILENO;
		return 0;
	}
	o->path = path;
	is_there = output_file_check(o, &before, &in_place, err);
	if (is_there < 0)
		return -1;
	if (in_place || kind == RS_OUTPUT_IN_PLACE)
		return output_file_in_place(o, !in_place && !is_there, err);
	o->final = output_file_resolve(path);
	if (!o->final)
		return rs_fail(err, "cannot write '%s': out of memory", path);
	return output_file_make(o, is_there ? &before : NULL, err);
}

int rs_output_file_begin(const struct rs_output_file *o, struct rs_error *err)
{
	struct stat st;

	if (o->path && !o->made && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(o->fd, 0) < 0)
		return output_file_fail(o, "", err);
	return 0;
}

const char *rs_output_file_left(const struct rs_output_file *o)
{
	return o->made ? "nothing was written" : "it is not whole";
}

int rs_output_file_write(const struct rs_output_file *o, struct rs_buf *b, struct rs_error *err)
{
	return o->path ? rs_out_file(o->fd, o->path, rs_output_file_left(o), b, err) : rs_out(b, err);
}

/* Calls for each file of the folder; formats write no folders into theirs. */
static void output_file_each(const struct rs_output_file *o, void (*call)(int dir, const char *name, void *arg), void *arg)
{
	struct dirent *entry;

	rewinddir(o->folder);
	while ((entry = readdir(o->folder)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			call(dirfd(o->folder), entry->d_name, arg);
}

static void output_file_give(int dir, const char *name, void *arg)
{
	uid_t uid;
	gid_t gid;

	if (rs_launch_sudo_user(&uid, &gid) && fchownat(dir, name, uid, gid, AT_SYMLINK_NOFOLLOW) < 0)
		return; /* root's, and readable by all */
}

static void output_file_unlink(int dir, const char *name, void *arg)
{
	unlinkat(dir, name, 0);
}

static void output_file_remove(const struct rs_output_file *o)
{
	if (o->kind != RS_OUTPUT_FOLDER) {
		unlink(o->made);
		return;
	}
	output_file_each(o, output_file_unlink, NULL);
	rmdir(o->made);
}

static void output_file_add_size(int dir, const char *name, void *sum_bytes)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		*(uint64_t *)sum_bytes += (uint64_t)st.st_size;
}

uint64_t rs_output_file_bytes(const struct rs_output_file *o)
{
	uint64_t bytes = 0;
	struct stat st;

	if (o->kind == RS_OUTPUT_FOLDER && o->made)
		output_file_each(o, output_file_add_size, &bytes);
	else if (o->fd >= 0 && fstat(o->fd, &st) == 0)
		bytes = (uint64_t)st.st_size;
	return bytes;
}

int rs_output_file_close(struct rs_output_file *o, bool whole, struct rs_error *err)
{
	/* What main would find at the end of the command: the file would have its name by then. */
	if (o->made && whole && rs_memory_failed()) {
		rs_fail(err, "cannot write '%s': out of memory (nothing was written)", o->path);
		whole = false;
	}
	if (o->kind == RS_OUTPUT_IN_PLACE && !whole && o->fd > STDOUT_FILENO && ftruncate(o->fd, 0) < 0 && errno != EINVAL)
		output_file_fail(o, "", err);
	if (o->fd > STDOUT_FILENO && close(o->fd) < 0 && whole) {
		output_file_fail(o, "", err);
		whole = false;
	}
	if (o->made && whole && o->kind == RS_OUTPUT_FOLDER)
		output_file_each(o, output_file_give, NULL);
	if (o->made && whole && rename(o->made, o->final) < 0) {
		output_file_fail(o, "", err);
		whole = false;
	}
	if (o->made && !whole)
		output_file_remove(o);
	if (o->folder)
		closedir(o->folder);
	free(o->made);
	free(o->final);
	*o = (struct rs_output_file){ .fd = -1 };
	return err->status == RS_OK ? 0 : -1;
}
