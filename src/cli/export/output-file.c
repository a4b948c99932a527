// SPDX-License-Identifier: GPL-2.0-or-later
/* output-file - a file, or a folder, that has its name only once it is complete */
#include "cli/export/output-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "capture/capture.h"
#include "cli/out.h"

static int output_file_fail(const struct rs_output_file *o, const char *advice, struct rs_error *err)
{
	return rs_fail(err, "cannot write '%s': %s%s", o->path ? o->path : "the output", strerror(errno),
		       advice);
}

/* A link stays a link: what it points to is replaced, or made. */
static int output_file_find(struct rs_output_file *o, struct rs_error *err)
{
	int ret = rs_output_place_find(&o->place, o->path);

	if (ret == -ELOOP && geteuid() == 0)
		return rs_fail(err,
			       "cannot write '%s': there is a link in it that is not root's, in a folder "
			       "that others can write "
			       "(name the file itself)",
			       o->path);
	errno = -ret;
	return ret < 0 ? output_file_fail(o, " (name another file)", err) : 0;
}

/*
 * What replaces a file has its owner and mode; a new one belongs to who called sudo. By its descriptor: its
 * name may lead to another file by now. A folder stays ours until it is complete.
 */
static int output_file_own(struct rs_output_file *o, const struct stat *before, struct rs_error *err)
{
	mode_t mask = umask(0);
	uid_t uid = before ? before->st_uid : geteuid();
	gid_t gid = before ? before->st_gid : getegid();

	umask(mask);
	if (o->kind == RS_OUTPUT_FOLDER)
		return 0;
	if (before ? uid != geteuid() || gid != getegid() : rs_launch_sudo_user(&uid, &gid))
		if (fchown(o->fd, uid, gid) < 0 && !before)
			return rs_fail(err, "cannot give '%s' to user %u: %s", o->path, (unsigned int)uid,
				       strerror(errno));
	if (fchmod(o->fd, before ? before->st_mode & 07777 : 0666 & ~mask) < 0)
		return output_file_fail(o, "", err);
	return 0;
}

/*
 * A device, a pipe, or a file beside which none may be made; is_new: it is made, if a link to it is not there
 * either.
 */
static int output_file_in_place(struct rs_output_file *o, bool is_new, struct rs_error *err)
{
	uid_t uid;
	gid_t gid;

	o->fd = openat(o->place.folder_fd, o->place.name,
		       O_WRONLY | O_CLOEXEC | o->place.nofollow | (is_new ? O_CREAT : 0), 0644);
	if (o->fd < 0)
		return output_file_fail(o, " (name another file)", err);
	if (is_new && rs_launch_sudo_user(&uid, &gid) && fchown(o->fd, uid, gid) < 0)
		return rs_fail(err, "cannot give '%s' to user %u: %s", o->path, (unsigned int)uid,
			       strerror(errno));
	return 0;
}

/* Now, because it takes memory, and the folder must be removed where there is none. */
static bool output_file_open_folder(struct rs_output_file *o)
{
	int fd = openat(o->place.folder_fd, o->made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid())
		o->folder = fdopendir(fd);
	if (!o->folder && fd >= 0)
		close(fd);
	if (!o->folder)
		unlinkat(o->place.folder_fd, o->made, AT_REMOVEDIR);
	return o->folder;
}

/* As mkostemp and mkdtemp, in a folder that is open. */
static bool output_file_make_one(struct rs_output_file *o)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	char *end = o->made + strlen(o->made) - 6;
	unsigned char random[6];
	int ret = -1;

	for (unsigned int nr = 0; ret < 0 && nr < 100; nr++) {
		if (getrandom(random, sizeof random, 0) != sizeof random)
			return false;
		for (int i = 0; i < 6; i++)
			end[i] = letters[random[i] % (sizeof letters - 1)];
		if (o->kind == RS_OUTPUT_FOLDER)
			ret = mkdirat(o->place.folder_fd, o->made, 0700);
		else
			ret = o->fd = openat(o->place.folder_fd, o->made,
					     O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (ret < 0 && errno != EEXIST)
			return false;
	}
	return ret >= 0 && (o->kind != RS_OUTPUT_FOLDER || output_file_open_folder(o));
}

static int output_file_make(struct rs_output_file *o, const struct stat *before, struct rs_error *err)
{
	if (asprintf(&o->made, "%s.XXXXXX", o->place.name) < 0) {
		o->made = NULL;
		return rs_fail(err, "cannot write '%s': out of memory", o->path);
	}
	if (output_file_make_one(o)) {
		snprintf(o->made_path, sizeof o->made_path, "/proc/self/fd/%d",
			 o->folder ? dirfd(o->folder) : o->fd);
		return output_file_own(o, before, err);
	}
	free(o->made);
	o->made = NULL;
	if (before && o->kind == RS_OUTPUT_BYTES && (errno == EACCES || errno == EPERM))
		return output_file_in_place(o, false, err);
	return output_file_fail(o, " (name another file)", err);
}

/* 1: it is there, and can be replaced; 0: it is not there, or is no regular file. */
static int output_file_check(const struct rs_output_file *o, struct stat *before, bool *in_place,
			     struct rs_error *err)
{
	*in_place = false;
	if (fstatat(o->place.folder_fd, o->place.name, before, o->place.nofollow ? AT_SYMLINK_NOFOLLOW : 0) <
	    0)
		return 0;
	if (o->kind == RS_OUTPUT_FOLDER)
		return rs_fail(err, "'%s' is there already (this format writes a new folder: name another)",
			       o->path);
	if (S_ISDIR(before->st_mode)) {
		errno = EISDIR;
		return output_file_fail(o, " (name another file)", err);
	}
	if (S_ISREG(before->st_mode) && (o->place.nofollow || o->kind != RS_OUTPUT_BYTES))
		return 1;
	*in_place = o->kind == RS_OUTPUT_BYTES || o->kind == RS_OUTPUT_IN_PLACE;
	return *in_place ?
		       0 :
		       rs_fail(err,
			       "'%s' is no regular file (this format cannot be written to a pipe or device)",
			       o->path);
}

int rs_output_file_open(struct rs_output_file *o, const char *path, enum rs_output_kind kind,
			struct rs_error *err)
{
	bool in_place;
	struct stat before;
	int is_there;

	*o = (struct rs_output_file){ .kind = kind, .fd = -1, .place.folder_fd = -1 };
	if (!path || !strcmp(path, "-")) {
		if (kind == RS_OUTPUT_PATH || kind == RS_OUTPUT_FOLDER)
			return rs_fail_usage(
				err, "this format cannot be written to standard output (name a %s with -o)",
				kind == RS_OUTPUT_FOLDER ? "folder" : "file");
		o->fd = STDOUT_FILENO;
		return 0;
	}
	o->path = path;
	if (output_file_find(o, err) < 0)
		return -1;
	is_there = output_file_check(o, &before, &in_place, err);
	if (is_there < 0)
		return -1;
	if (in_place || kind == RS_OUTPUT_IN_PLACE)
		return output_file_in_place(o, !in_place && !is_there, err);
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
static void output_file_each(const struct rs_output_file *o,
			     void (*call)(int dir, const char *name, void *arg), void *arg)
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
		unlinkat(o->place.folder_fd, o->made, 0);
		return;
	}
	output_file_each(o, output_file_unlink, NULL);
	unlinkat(o->place.folder_fd, o->made, AT_REMOVEDIR);
}

/* What is complete belongs to who called sudo; until then nobody could put a link there. */
static void output_file_give_folder(const struct rs_output_file *o)
{
	mode_t mask = umask(0);
	uid_t uid;
	gid_t gid;

	umask(mask);
	output_file_each(o, output_file_give, NULL);
	if (fchmod(dirfd(o->folder), 0777 & ~mask) == 0 && rs_launch_sudo_user(&uid, &gid) &&
	    fchown(dirfd(o->folder), uid, gid) < 0)
		return; /* root's, and readable by all */
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
	if (o->kind == RS_OUTPUT_IN_PLACE && !whole && o->fd > STDOUT_FILENO && ftruncate(o->fd, 0) < 0 &&
	    errno != EINVAL)
		output_file_fail(o, "", err);
	if (o->fd > STDOUT_FILENO && close(o->fd) < 0 && whole) {
		output_file_fail(o, "", err);
		whole = false;
	}
	if (o->made && whole && o->kind == RS_OUTPUT_FOLDER)
		output_file_give_folder(o);
	if (o->made && whole &&
	    renameat(o->place.folder_fd, o->made, o->place.folder_fd, o->place.name) < 0) {
		output_file_fail(o, "", err);
		whole = false;
	}
	if (o->made && !whole)
		output_file_remove(o);
	if (o->folder)
		closedir(o->folder);
	free(o->made);
	if (o->place.folder_fd > STDOUT_FILENO) /* 0: it was never opened */
		close(o->place.folder_fd);
	*o = (struct rs_output_file){ .fd = -1, .place.folder_fd = -1 };
	return err->status == RS_OK ? 0 : -1;
}
