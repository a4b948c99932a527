// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machine-set.c - the engines that the screens ask: one for each machine, a host and its guests on one clock
 */
#include "tui/app/machine-set.h"

#include <stdlib.h>

#include "tui/app/app.h"

bool rs_machine_set_init(struct rs_app *app, const struct rs_tui_engine *engine)
{
	app->all = calloc(engine->nr, sizeof *app->all);
	if (!app->all)
		return false;
	app->nr_all = engine->nr;
	for (unsigned int i = 0; i < engine->nr; i++)
		app->all[i] = (struct rs_tui_machine){ .app = app, .client = engine->clients[i],
						       .name = engine->names[i], .clock = engine->clocks[i] };
	app->nr_machines = engine->are_hosts ? 1 : engine->nr;
	app->machine = app->machines = app->all;
	return true;
}

void rs_machine_set_done(struct rs_app *app)
{
	for (unsigned int i = 0; i < app->nr_all; i++) {
		rs_message_drop(app->all[i].state);
		rs_fired_forget(&app->all[i]);
	}
	free(app->all);
}

/* ---- several hosts ---- */

bool rs_machine_set_has_hosts(const struct rs_app *app)
{
	return app->nr_machines < app->nr_all;
}

unsigned int rs_machine_set_host(const struct rs_app *app)
{
	return rs_machine_set_has_hosts(app) ? (unsigned int)(app->machines - app->all) : 0;
}

void rs_machine_set_next_host(struct rs_app *app)
{
	rs_app_pin_end(app);
	app->machine = app->machines = &app->all[(rs_machine_set_host(app) + 1) % app->nr_all];
	app->lost = app->machine->lost;
	rs_app_reset_state(app);
}

static bool machine_set_is_shown(const struct rs_app *app, const struct rs_tui_machine *m)
{
	return m >= app->machines && m < app->machines + app->nr_machines;
}

void rs_machine_set_read_hidden(struct rs_app *app)
{
	for (struct rs_tui_machine *m = app->all; m < app->all + app->nr_all; m++) {
		struct rs_error why = { 0 };

		if (machine_set_is_shown(app, m) || m->lost || rs_client_read(m->client, &why) == 0)
			continue;
		rs_client_lose(m->client);
		m->lost = true;
		rs_app_say(app, RS_STYLE_WARN, "%s: the connection is lost", m->name);
	}
}

/* ---- the current machine ---- */

void rs_machine_set_use(struct rs_app *app, struct rs_tui_machine *machine)
{
	if (app->machine == machine)
		return;
	app->machine = machine;
	rs_app_note_quality(app, NULL); /* it was about rows of another machine */
	app->dirty = true;
}

/* ---- their answers ---- */

unsigned int rs_machine_set_nr_open(const struct rs_app *app)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < app->nr_machines; i++)
		nr += rs_client_nr_open(app->machines[i].client);
	return nr;
}

void rs_machine_set_forget(struct rs_app *app, const void *arg)
{
	for (unsigned int i = 0; i < app->nr_all; i++)
		rs_client_forget(app->all[i].client, arg);
}

nfds_t rs_machine_set_watch(const struct rs_app *app, struct pollfd *fds)
{
	for (unsigned int i = 0; i < app->nr_all; i++) {
		const struct rs_client *c = app->all[i].client;

		fds[i] = (struct pollfd){ .fd = rs_client_fd(c), .events = rs_client_events(c) };
	}
	return app->nr_all;
}

int rs_machine_set_read(struct rs_app *app, struct rs_error *err)
{
	for (unsigned int i = 0; i < app->nr_machines; i++)
		if (rs_client_read(app->machines[i].client, err) < 0)
			return -1;
	return 0;
}
