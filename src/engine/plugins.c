// SPDX-License-Identifier: GPL-2.0-or-later
/* plugins - all analyses: the built-in ones and those in shared objects */
#include "engine/plugins.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/log.h"
#include "base/memory-watch.h"
#include "engine/session.h"

#define PLUGINS_BESIDE "/../lib/ringside/plugins" /* of the folder that the program is in */

#define MAX_ALL_VIEWS 128 /* the commands' lists have room for so many */

/* Empty until plugins are loaded: then the built-in ones first. */
static const struct rs_analysis *all[RS_MAX_ANALYSES + 1];
static unsigned int nr_all;

struct loader {
	const char *const *reserved;
	struct rs_buf *warnings;
	bool has_rights;  /* root, or capabilities: external code must not get them */
};

const struct rs_analysis *const *rs_plugins_all(void)
{
	return nr_all ? all : rs_builtin_analyses();
}

/* A line a note: what is in a name must not begin another. */
static void put_path(struct rs_buf *out, const char *path)
{
	for (; *path; path++)
		rs_buf_putc(out, (unsigned char)*path < ' ' || *path == 127 ? '?' : *path);
}

static void plugins_refuse(struct loader *l, const char *path, const char *why)
{
	RS_LOG(RS_LOG_PLUGIN, "'%s' is refused: %s", path, why);
	rs_buf_puts(l->warnings, "plugin '");
	put_path(l->warnings, path);
	rs_buf_puts(l->warnings, "' is not used: ");
	put_path(l->warnings, why);
	rs_buf_putc(l->warnings, '\n');
}

static int check_names(const struct loader *l, const struct rs_analysis *a, struct rs_error *err)
{
	unsigned int nr_views = 0;

	for (const struct rs_view *v = a->views; v && v->name; v++, nr_views++)
		for (const char *const *r = l->reserved; *r; r++)
			if (!strcmp(*r, v->name))
				return rs_fail(err, "'%s' is a word of ringside's own (rename it)", v->name);
	for (unsigned int i = 0; i < nr_all; i++) {
		for (const struct rs_view *w = all[i]->views; w && w->name; w++)
			nr_views++;
		if (!strcmp(all[i]->name, a->name))
			return rs_fail(err, "there is an analysis '%s' already (rename it)", a->name);
		for (const struct rs_view *v = a->views; v && v->name; v++)
			for (const struct rs_view *w = all[i]->views; w && w->name; w++)
				if (!strcmp(v->name, w->name))
					return rs_fail(
						err, "the analysis '%s' has a view '%s' already (rename it)",
						all[i]->name, v->name);
				else if (v->role && v->role == w->role)
					return rs_fail(err,
						       "the view '%s' of '%s' has the role of '%s' already",
						       w->name, all[i]->name, v->name);
	}
	if (nr_views > MAX_ALL_VIEWS)
		return rs_fail(err, "there are %d views already, or would be", MAX_ALL_VIEWS);
	return 0;
}

/*
 * ---- the last message of a crash names the plugin that it came from ----
 *
 * Costs nothing until then: the address range of each shared object is recorded when it is loaded, and the
 * return addresses of the crashed thread are compared with it.
 */

#define MAX_FRAMES 64

struct object {
	uintptr_t begin, end;
	const struct rs_analysis *analysis;
};

static struct object objects[RS_MAX_ANALYSES];
static unsigned int nr_objects;

/* The object that contains the descriptor: from its first loaded byte to its last. */
static int plugins_note_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object *o = arg;
	uintptr_t descriptor = (uintptr_t)o->analysis, begin = UINTPTR_MAX, end = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		begin = at < begin ? at : begin;
		end = at + p->p_memsz > end ? at + p->p_memsz : end;
	}
	if (descriptor < begin || descriptor >= end)
		return 0;
	o->begin = begin;
	o->end = end;
	return 1;
}

/* Runs in the signal handler of the crashed thread: finds the innermost frame of a plugin. */
static bool plugins_blame(const char *signal_name, char *text, size_t size)
{
	void *frames[MAX_FRAMES];
	int nr = backtrace(frames, MAX_FRAMES);

	for (int i = 0; i < nr; i++)
		for (unsigned int k = 0; k < nr_objects; k++)
			if ((uintptr_t)frames[i] >= objects[k].begin &&
			    (uintptr_t)frames[i] < objects[k].end) {
				snprintf(text, size,
					 "the plugin '%s' crashed (%s): take it out of the plugins' folder, "
					 "or report this to its author",
					 objects[k].analysis->name, signal_name);
				return true;
			}
	return false;
}

/* The descriptor of a loaded plugin, which stays loaded. */
static void plugins_note_crash(const struct rs_analysis *a)
{
	struct object o = { .analysis = a };
	void *first;

	if (nr_objects == RS_MAX_ANALYSES || !dl_iterate_phdr(plugins_note_object, &o))
		return;
	if (!nr_objects) {
		backtrace(&first, 1); /* loads the unwinder now, which a signal handler could not */
		rs_crash_blame(plugins_blame);
	}
	objects[nr_objects++] = o;
}

/* ---- one file ---- */

/* "/x/NAME.so" to "rs_analysis_NAME"; false where that would be no symbol. */
static bool symbol_of(const char *path, char *symbol, size_t size_bytes)
{
	const char *name = strrchr(path, '/') + 1;
	int len = (int)strlen(name) - (int)strlen(".so");

	if (len <= 0 || (size_t)snprintf(symbol, size_bytes, "rs_analysis_%.*s", len, name) >= size_bytes)
		return false;
	for (char *p = symbol; *p; p++) {
		if (*p == '-')
			*p = '_';
		if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9') && *p != '_')
			return false;
	}
	return true;
}

/* What dlerror says begins with the path, which the note has already. */
static int fail_dl(const char *path, const char *what_to_do, struct rs_error *err)
{
	const char *text = dlerror();
	size_t len = strlen(path);

	if (!text)
		text = "it cannot be loaded";
	if (!strncmp(text, path, len) && !strncmp(text + len, ": ", 2))
		text += len + 2;
	return rs_fail(err, "%.300s (%s)", text, what_to_do);
}

/* The descriptor; it stays loaded to the end, for rows and handlers point into it. */
static const struct rs_analysis *open_object(const char *path, struct rs_error *err)
{
	const struct rs_analysis *a;
	char symbol[64 + NAME_MAX];
	void *object;

	if (!symbol_of(path, symbol, sizeof symbol)) {
		rs_fail(err, "the file's name says what its descriptor is called: a word of a-z, 0-9 and -, "
			     "then .so");
		return NULL;
	}
	errno = 0;
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		rs_memory_library_failed();
		fail_dl(path,
			"it has to be a shared object for this machine that needs no more than "
			"ringside/plugin.h offers",
			err);
		return NULL;
	}
	a = dlsym(object, symbol);
	if (!a)
		rs_fail(err, "it has no '%s' (a const struct rs_analysis of that name, after the file's)",
			symbol);
	return a;
}

static int plugins_check_part(const char *path, struct rs_error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return rs_fail(err, "cannot examine '%s': %s", path, strerror(errno));
	if (st.st_uid)
		return rs_fail(err, "'%s' is not root's, and root would run it (chown root, or install it)",
			       path);
	if (st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid))
		return rs_fail(
			err,
			"'%s' can be written by others, and root would run it (chmod go-w, or install it)",
			path);
	return 0;
}

/*
 * Returns 0 if path (absolute, and without links: as realpath returns it) and each folder above it belong to
 * root, and no other user may write there. A sticky folder such as /tmp is refused: any user can create the
 * name below it.
 */
static int plugins_check_owner(const char *path, struct rs_error *err)
{
	char part[PATH_MAX];

	if (plugins_check_part("/", err) < 0)
		return -1;
	for (const char *at = path + 1; *at; at += *at == '/') {
		at += strcspn(at, "/");
		if ((size_t)snprintf(part, sizeof part, "%.*s", (int)(at - path), path) >= sizeof part)
			return rs_fail(err, "the name is too long");
		if (plugins_check_part(part, err) < 0)
			return -1;
	}
	return 0;
}

static int plugins_load(const struct loader *l, const char *path, struct rs_error *err)
{
	const struct rs_analysis *a;
	struct stat st;

	if (stat(path, &st) < 0)
		return rs_fail(err, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode)) /* a pipe would be waited for */
		return rs_fail(err, "it is no file");
	if (l->has_rights && plugins_check_owner(path, err) < 0)
		return -1;
	a = open_object(path, err);
	if (!a || rs_descriptor_check(a, err) < 0 || check_names(l, a, err) < 0)
		return -1;
	if (nr_all == RS_MAX_ANALYSES)
		return rs_fail(err, "there are %d analyses already", RS_MAX_ANALYSES);
	all[nr_all++] = a;
	plugins_note_crash(a);
	return 0;
}

static void load_file(struct loader *l, const char *folder, const char *name)
{
	char given[PATH_MAX], path[PATH_MAX];
	struct rs_error err = { 0 };

	if ((size_t)snprintf(given, sizeof given, "%s/%s", folder, name) >= sizeof given)
		rs_fail(&err, "the name is too long");
	else if (!realpath(given,
			   path)) /* what is checked is what is loaded: no link is followed after this */
		rs_fail(&err, "%s", strerror(errno));
	else
		plugins_load(l, path, &err);
	if (err.status != RS_OK)
		plugins_refuse(l, given, err.text);
	else
		RS_LOG(RS_LOG_PLUGIN, "'%s' is loaded", path);
}

/* ---- folders ---- */

static int is_object(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return len > 3 && d->d_name[0] != '.' && !strcmp(d->d_name + len - 3, ".so");
}

/* By name, so that who comes first does not hang on the file system. must_be: it was named, and is missed. */
static void load_folder(struct loader *l, const char *folder, bool must_be)
{
	struct dirent **names;
	int nr = scandir(folder, &names, is_object, alphasort);

	if (nr < 0)
		rs_memory_library_failed();
	if (nr < 0 && must_be) {
		rs_buf_puts(l->warnings, "no plugins from '");
		put_path(l->warnings, folder);
		rs_buf_printf(l->warnings, "': %s (see RINGSIDE_PLUGIN_PATH)\n", strerror(errno));
	}
	for (int i = 0; i < nr; i++) {
		load_file(l, folder, names[i]->d_name);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
}

static void load_path(struct loader *l)
{
	const char *path = getenv("RINGSIDE_PLUGIN_PATH");
	char folder[PATH_MAX];

	if (!path || !*path)
		return;
	/* root by sudo, or rights of the file: who set the variable is not who has the rights */
	if (getenv("SUDO_UID") || getauxval(AT_SECURE)) {
		rs_buf_puts(l->warnings,
			    "RINGSIDE_PLUGIN_PATH is ignored, for these rights are not those of who set it "
			    "(install the plugins, or become root by other means than sudo)\n");
		return;
	}
	for (; *path; path += *path == ':') {
		size_t len = strcspn(path, ":");

		if (len && len < sizeof folder) {
			snprintf(folder, sizeof folder, "%.*s", (int)len, path);
			load_folder(l, folder, true);
		}
		path += len;
	}
}

/* Beside the program, so that it finds its own wherever it was installed. */
static void load_installed(struct loader *l)
{
	char folder[PATH_MAX + sizeof PLUGINS_BESIDE];
	ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (len <= 0)
		return;
	folder[len] = '\0';
	strcpy(strrchr(folder, '/'), PLUGINS_BESIDE);
	load_folder(l, folder, false);
}

void rs_plugins_load(const char *const *reserved, struct rs_buf *warnings)
{
	struct loader l = { reserved, warnings, geteuid() == 0 || getauxval(AT_SECURE) };

	if (nr_all)
		return;
	for (const struct rs_analysis *const *a = rs_builtin_analyses(); *a && nr_all < RS_MAX_ANALYSES; a++)
		all[nr_all++] = *a;
	load_path(&l);
	load_installed(&l);
}
