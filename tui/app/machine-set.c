// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machine-set.c - the engines that the screens ask: one for each machine, a host and its guests on one clock
 */
#include "tui/app/machine-set.h"

#include <stdlib.h>

#include "tui/app/app.h"

bool rs_machine_set_init(struct rs_app *app, const struct rs_tui_engine *engine)
{
	app->machines = calloc(engine->nr, sizeof *app->machines);
	if (!app->machines)
		return false;
	app->nr_machines = engine->nr;
	for (unsigned int i = 0; i < engine->nr; i++)
		app->machines[i] = (struct rs_tui_machine){ .app = app, .client = engine->clients[i],
							    .name = engine->names[i] };
	app->machine = app->machines;
	return true;
}

void rs_machine_set_done(struct rs_app *app)
{
	for (unsigned int i = 0; i < app->nr_machines; i++) {
		rs_message_drop(app->machines[i].state);
		rs_fired_forget(&app->machines[i]);
	}
	free(app->machines);
}

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
	for (unsigned int i = 0; i < app->nr_machines; i++)
		rs_client_forget(app->machines[i].client, arg);
}

nfds_t rs_machine_set_watch(const struct rs_app *app, struct pollfd *fds)
{
	for (unsigned int i = 0; i < app->nr_machines; i++) {
		const struct rs_client *c = app->machines[i].client;

		fds[i] = (struct pollfd){ .fd = rs_client_fd(c), .events = rs_client_events(c) };
	}
	return app->nr_machines;
}

int rs_machine_set_read(struct rs_app *app, struct rs_error *err)
{
	for (unsigned int i = 0; i < app->nr_machines; i++)
		if (rs_client_read(app->machines[i].client, err) < 0)
			return -1;
	return 0;
}
