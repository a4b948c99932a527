// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save-dialog.c - saves the shown time range, or all data, to a file; dumps the screen as text
 *
 * This process opens the file with the user's rights and passes it on: the engine has other rights than the
 * user.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "tui/app/menu.h"

#define SAVE_MAX_FORMATS 64u

struct rs_saving {
	struct rs_app *app;
	const struct rs_catalogue_format *format;
	struct rs_asked_time time;
	char path[RS_PROMPT_BYTES];
	bool made;               /* this process created the file, and removes it on failure */
	bool asked;
};

/* With the first of the endings: ".pftrace.perfetto-trace". */
static void propose(const char *endings, char *to, size_t size)
{
	time_t now = time(NULL);
	struct tm t;
	char when[32] = "";

	if (localtime_r(&now, &t))
		strftime(when, sizeof when, "-%Y%m%d-%H%M%S", &t);
	snprintf(to, size, "ringside%s.%.*s", when, (int)strcspn(endings + 1, "."), endings + 1);
}

bool rs_save_dialog_is_running(const struct rs_app *app)
{
	return app->saving && app->saving->asked;
}

void rs_save_dialog_end(struct rs_app *app)
{
	if (!app->saving)
		return;
	rs_machine_set_forget(app, app->saving);
	if (app->saving->asked && app->saving->made)
		unlink(app->saving->path); /* it is incomplete */
	free(app->saving);
	app->saving = NULL;
}

static void got_saved(void *arg, const struct rs_reply *reply)
{
	struct rs_saving *s = arg;
	struct rs_app *app = s->app;
	const struct rs_save_reply *saved = reply->message;
	char size[RS_UNIT_TEXT + 1], count[RS_UNIT_TEXT + 1];

	s->asked = false;
	if (rs_app_refused(app, reply)) {
		if (s->made)
			unlink(s->path);
	} else {
		size[rs_units_put_bytes(size, saved->bytes)] = '\0';
		count[rs_units_put_grouped(count, saved->events)] = '\0';
		rs_app_say(app, RS_STYLE_GOOD, "%s: %s, %s events", s->path, size, count);
	}
	rs_save_dialog_end(app);
}

static void save_ask(struct rs_saving *s, int fd)
{
	struct rs_app *app = s->app;
	const struct rs_save_request request = { .format = s->format->name, .time = s->time };

	s->asked = rs_client_ask_fd(app->machine->client, "save", &request, fd, got_saved, s) != 0;
	if (s->asked)
		rs_app_say(app, RS_STYLE_TEXT, "saving %s", s->path);
	else
		rs_app_say(app, RS_STYLE_BAD, "%s: the engine takes no more questions now", s->path);
}

static void save_open_file(struct rs_saving *s, bool over);

static void got_over(void *arg, const char *text)
{
	struct rs_saving *s = arg;

	if (text && (*text == 'y' || *text == 'Y'))
		save_open_file(s, true);
	else
		rs_save_dialog_end(s->app);
}

/*
 * Never overwrites an existing file without asking. Never opens a device or a pipe, which could block the
 * screens.
 */
static void save_open_file(struct rs_saving *s, bool over)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, fd;
	struct rs_app *app = s->app;
	struct stat st;
	char question[64];

	fd = open(s->path, flags | (over ? 0 : O_EXCL), 0644);
	if (fd < 0 && errno == EEXIST && !over) {
		snprintf(question, sizeof question, "%.30s exists. Write over it? (y/n)", s->path);
		rs_app_prompt(app, question, "", got_over, NULL, s);
		return;
	}
	s->made = !over;
	if (fd < 0)
		rs_app_say(app, RS_STYLE_BAD, "%s: %s", s->path, strerror(errno));
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		rs_app_say(app, RS_STYLE_BAD, "%s: not a file", s->path);
	else if (over && ftruncate(fd, 0) < 0)
		rs_app_say(app, RS_STYLE_BAD, "%s: %s", s->path, strerror(errno));
	else
		save_ask(s, fd);
	if (fd >= 0)
		close(fd);
	if (!s->asked)
		rs_save_dialog_end(app);
}

static void got_path(void *arg, const char *text)
{
	struct rs_saving *s = arg;

	if (!text || !*text) {
		rs_save_dialog_end(s->app);
		return;
	}
	snprintf(s->path, sizeof s->path, "%s", text);
	save_open_file(s, false);
}

/* What the menu of formats is about. */
struct save_target {
	struct rs_app *app;
	struct rs_asked_time time;
	char what[32];
};

static void save_on_format(void *arg, size_t id)
{
	const struct save_target *target = arg;
	struct rs_app *app = target->app;
	struct rs_saving *s = calloc(1, sizeof *s);
	char path[128], question[64];

	if (!s)
		return;
	app->saving = s;
	s->app = app;
	s->time = target->time;
	s->format = &rs_client_catalogue(app->machine->client)->formats[id];
	propose(s->format->endings, path, sizeof path);
	snprintf(question, sizeof question, "save %s as:", target->what);
	rs_app_prompt(app, question, path, got_path, NULL, s);
}

void rs_save_dialog_begin(struct rs_app *app, const struct rs_asked_time *time, const char *what)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	struct rs_menu_line lines[SAVE_MAX_FORMATS];
	size_t nr = c->nr_formats < SAVE_MAX_FORMATS ? c->nr_formats : SAVE_MAX_FORMATS;
	struct rs_menu menu = { .title = "save as", .name = "save", .selected = save_on_format,
				.free = free };
	struct save_target *target;
	struct rs_screen *s;

	if (app->saving) {
		rs_app_say(app, RS_STYLE_WARN, "%s is being saved", app->saving->path);
		return;
	}
	menu.arg = target = calloc(1, sizeof *target);
	if (!target)
		return;
	*target = (struct save_target){ .app = app, .time = *time };
	rs_copy(target->what, sizeof target->what, what);
	for (size_t i = 0; i < nr; i++) {
		lines[i] = (struct rs_menu_line){ .help = c->formats[i].help, .id = i };
		snprintf(lines[i].name, sizeof lines[i].name, "%s", c->formats[i].name);
	}
	s = rs_menu_new(app, &menu, lines, nr);
	if (!s)
		free(target);
	rs_app_push(app, s);
}

/* ---- dump the screen ---- */

void rs_save_dialog_dump(struct rs_app *app)
{
	struct rs_buf text = RS_BUF_INIT;
	char path[128];
	int fd;
	bool bad;

	if (!app->shown)
		return;
	propose(".txt", path, sizeof path);
	rs_canvas_text(app->shown, &text);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	bad = fd < 0 || write(fd, text.data, text.len) != (ssize_t)text.len;
	if (bad)
		rs_app_say(app, RS_STYLE_BAD, "%s: %s", path, strerror(errno));
	else
		rs_app_say(app, RS_STYLE_GOOD, "this screen is in %s", path);
	if (fd >= 0)
		close(fd);
	rs_buf_done(&text);
}
