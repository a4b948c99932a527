// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/reconnect.h"

#define TRY_NS 500000000ull

bool rs_reconnect_lose(struct rs_reconnect *a, struct rs_app *app)
{
	if (!a->connect)
		return false;
	rs_client_lose(app->machine->client);
	app->lost = true;
	app->dirty = true;
	a->next_ns = 0;
	return true;
}

static void again_connect(struct rs_reconnect *a)
{
	struct rs_error ignored = { 0 };
	int fd = a->connect(a->arg);

	if (fd < 0)
		return;
	a->fresh = rs_client_new(fd, &ignored);
	if (a->fresh && rs_client_hello_begin(a->fresh, "tui", &ignored) < 0)
		rs_reconnect_done(a);
}

/* Screens point into the catalogue of the old daemon. If the new one offers other views, they close first. */
static int again_use(struct rs_reconnect *a, struct rs_app *app, struct rs_error *err)
{
	struct rs_client *fresh = a->fresh;
	bool alike = rs_client_is_alike(app->machine->client, fresh);

	a->fresh = NULL;
	if (!alike)
		rs_app_stack_free(app);
	rs_client_become(app->machine->client, fresh);
	app->lost = false;
	rs_app_reset_state(app);
	if (!alike && rs_app_push_first(app, err) < 0)
		return -1;
	rs_app_say(app, RS_STYLE_WARN, "the daemon has begun anew: what it had before is gone%s",
		   alike ? "" : ", and it offers other views");
	return 0;
}

/* A daemon that refuses or closes at once counts as absent: the user sees the message until it returns. */
static int again_wait(struct rs_reconnect *a, struct rs_app *app, struct rs_error *err)
{
	struct rs_error failed = { 0 };

	if (rs_client_read(a->fresh, &failed) < 0) {
		rs_reconnect_done(a);
		return 0;
	}
	if (!rs_client_hello_answered(a->fresh))
		return 0;
	if (rs_client_hello_end(a->fresh, &failed) < 0) {
		rs_reconnect_done(a);
		return 0;
	}
	return again_use(a, app, err);
}

int rs_reconnect_tick(struct rs_reconnect *a, struct rs_app *app, uint64_t now_ns, struct rs_error *err)
{
	if (!app->lost)
		return 0;
	if (!a->fresh && now_ns >= a->next_ns) {
		again_connect(a);
		a->next_ns = now_ns + TRY_NS;
	}
	return a->fresh ? again_wait(a, app, err) : 0;
}

void rs_reconnect_done(struct rs_reconnect *a)
{
	rs_client_free(a->fresh);
	a->fresh = NULL;
}
