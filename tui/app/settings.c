// SPDX-License-Identifier: GPL-2.0-or-later
/* settings.c - the user's settings: $XDG_CONFIG_HOME/ringside/settings.json */
#include "tui/app/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTINGS_MAX_BYTES (1 << 20)
#define MIN_REFRESH_MS 100
#define MAX_REFRESH_MS 60000

static char *usual_path(void)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path = NULL;
	int len = -1;

	/* The XDG specification: ignore a relative path. */
	if (config && *config == '/')
		len = asprintf(&path, "%s/ringside/settings.json", config);
	else if (home && *home == '/')
		len = asprintf(&path, "%s/.config/ringside/settings.json", home);
	return len < 0 ? NULL : path;
}

/* Returns NULL with err, or with errno ENOENT if the file does not exist. */
static char *settings_read_file(const char *path, struct rs_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	char *text = NULL;
	ssize_t len = -1;

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			rs_fail(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size >= SETTINGS_MAX_BYTES)
		rs_fail(err, "%s: not a file of settings", path);
	else if (!(text = malloc((size_t)st.st_size + 1)) || (len = read(fd, text, (size_t)st.st_size)) < 0)
		rs_fail(err, "%s: %s", path, strerror(errno));
	close(fd);
	if (len < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

static cJSON *settings_parse(const char *path, const char *text, struct rs_error *err)
{
	cJSON *root = cJSON_ParseWithOpts(text, NULL, 1);

	if (root && cJSON_IsObject(root))
		return root;
	cJSON_Delete(root);
	rs_fail(err, "%s: not JSON of settings (it is not used; mend it or remove it)", path);
	return NULL;
}

void rs_settings_none(struct rs_settings *s)
{
	*s = (struct rs_settings){ .root = cJSON_CreateObject() };
}

bool rs_settings_read(struct rs_settings *s, const char *path, struct rs_error *err)
{
	char *text;

	*s = (struct rs_settings){ .path = path ? strdup(path) : usual_path() };
	text = s->path ? settings_read_file(s->path, err) : NULL;
	if (text)
		s->root = settings_parse(s->path, text, err);
	free(text);
	s->broken = err->status != RS_OK;
	if (!s->root)
		s->root = cJSON_CreateObject();
	return !s->broken;
}

void rs_settings_done(struct rs_settings *s)
{
	free(s->path);
	cJSON_Delete(s->root);
	*s = (struct rs_settings){ 0 };
}

/* ---- writing ---- */

static void make_folders(const char *path)
{
	char *folder = strdup(path);

	for (char *slash = folder ? strchr(folder + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
	free(folder);
}

static int settings_write_all(const char *path, const char *text, struct rs_error *err)
{
	size_t len = strlen(text), done = 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	ssize_t nr = 0;

	if (fd < 0)
		return rs_fail(err, "%s: %s", path, strerror(errno));
	while (done < len && (nr = write(fd, text + done, len - done)) > 0)
		done += (size_t)nr;
	if (done < len || fsync(fd) < 0) {
		rs_fail(err, "%s: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

static void put_aside(struct rs_settings *s)
{
	char *aside;

	if (asprintf(&aside, "%s.bad", s->path) < 0)
		return;
	rename(s->path, aside);
	free(aside);
	s->broken = false;
}

/* Writes a new file, then renames it: a reader sees the old file or the new one, complete. */
int rs_settings_write(struct rs_settings *s, struct rs_error *err)
{
	char *text, *beside = NULL;
	int bad = -1;

	if (!s->path)
		return 0;
	make_folders(s->path);
	if (s->broken)
		put_aside(s);
	text = cJSON_Print(s->root);
	if (!text || asprintf(&beside, "%s.%d", s->path, (int)getpid()) < 0)
		rs_fail(err, "%s: no memory", s->path);
	else if (settings_write_all(beside, text, err) == 0 && (bad = rename(beside, s->path)) < 0)
		rs_fail(err, "%s: %s", s->path, strerror(errno));
	if (bad && beside)
		unlink(beside);
	cJSON_free(text);
	free(beside);
	return bad;
}

/* ---- read and change settings ---- */

static const char *settings_text_of(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static void settings_set_text(cJSON *object, const char *name, const char *text)
{
	cJSON_DeleteItemFromObjectCaseSensitive(object, name);
	if (object && text)
		cJSON_AddStringToObject(object, name, text);
}

/* Returns the object with that name; creates it if it is missing or of another type. */
static cJSON *object_of(cJSON *object, const char *name)
{
	cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	if (cJSON_IsObject(item))
		return item;
	cJSON_DeleteItemFromObjectCaseSensitive(object, name);
	return cJSON_AddObjectToObject(object, name);
}

const char *rs_settings_text(const struct rs_settings *s, const char *name)
{
	return settings_text_of(s->root, name);
}

void rs_settings_set_text(struct rs_settings *s, const char *name, const char *text)
{
	settings_set_text(s->root, name, text);
}

const char *rs_settings_of_view(const struct rs_settings *s, const char *view, const char *what)
{
	const cJSON *views = cJSON_GetObjectItemCaseSensitive(s->root, "views");

	return settings_text_of(cJSON_GetObjectItemCaseSensitive(views, view), what);
}

void rs_settings_set_view(struct rs_settings *s, const char *view, const char *what, const char *text)
{
	cJSON *views = object_of(s->root, "views");

	if (views)
		settings_set_text(object_of(views, view), what, text);
}

uint64_t rs_settings_refresh_ms(const struct rs_settings *s, uint64_t otherwise)
{
	const cJSON *ms = cJSON_GetObjectItemCaseSensitive(s->root, "refresh_ms");

	if (!cJSON_IsNumber(ms) || !(ms->valuedouble >= MIN_REFRESH_MS && ms->valuedouble <= MAX_REFRESH_MS))
		return otherwise;
	return (uint64_t)ms->valuedouble;
}

void rs_settings_set_refresh_ms(struct rs_settings *s, uint64_t ms)
{
	cJSON_DeleteItemFromObjectCaseSensitive(s->root, "refresh_ms");
	cJSON_AddNumberToObject(s->root, "refresh_ms", (double)ms);
}
