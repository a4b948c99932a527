// SPDX-License-Identifier: GPL-2.0-or-later
/* app-pin.c - the time that the engine keeps for the screens, from a pause until they are live again */
#include "tui/app/app-pin.h"

#include "base/units.h"
#include "tui/app/app.h"

#define APP_PIN_LEAST_NS 5000000000ull /* what a timeline shows of now, whatever the overview's interval */

bool rs_app_pin_has(const struct rs_app *app, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_app_pin *p = &app->pin;

	return p->known && from_ns >= p->from_ns && to_ns <= p->to_ns;
}

uint64_t rs_app_pin_oldest_ns(const struct rs_app *app)
{
	bool in_pin = !app->time.now && app->pin.known && app->time.to_ns <= app->pin.to_ns;

	return in_pin && app->pin.from_ns < app->oldest_ns ? app->pin.from_ns : app->oldest_ns;
}

static void app_pin_set(struct rs_app *app, const struct rs_pin_reply *pin)
{
	app->pin.known = true;
	app->pin.from_ns = pin->from_ns;
	app->pin.to_ns = pin->to_ns;
	app->pin.bytes = pin->bytes;
	app->dirty = true;
}

/* What the window has room for is its end: says from when on. */
static void app_pin_say_shortened(struct rs_app *app)
{
	struct rs_buf from = RS_BUF_INIT;
	char size[RS_UNIT_TEXT + 1];

	size[rs_units_put_bytes(size, app->pin.bytes)] = '\0';
	rs_app_moment(app, app->pin.from_ns, &from);
	rs_app_say(app, RS_STYLE_WARN, "pinned from %s on only, %s: at most half of the window can be "
		   "(a larger --window)", from.data ? from.data : "", size);
	rs_buf_done(&from);
}

static bool app_pin_ask(struct rs_app *app, uint64_t from_ns, uint64_t to_ns, rs_client_reply *reply)
{
	const struct rs_pin_request request = { .time = { rs_u(from_ns), rs_u(to_ns) } };

	return rs_client_ask(app->machine->client, "pin", &request, reply, app) != 0;
}

static void got_pin(void *arg, const struct rs_reply *reply)
{
	struct rs_app *app = arg;
	const struct rs_pin_reply *pin = reply->message;

	if (!app->pin.wanted)
		return;
	app->pin.refused = !pin;
	if (!pin) {
		rs_app_say(app, RS_STYLE_WARN, "paused, but not pinned: %s", reply->error);
		return;
	}
	app_pin_set(app, pin);
	if (!app->time.now && pin->from_ns > app->time.from_ns)
		app_pin_say_shortened(app);
}

/* What is pinned is the end of what was asked for: if that is too late, asks for the shown time alone. */
static void got_roomy_pin(void *arg, const struct rs_reply *reply)
{
	const struct rs_pin_reply *pin = reply->message;
	struct rs_app *app = arg;

	if (app->pin.wanted && !app->time.now && pin && pin->from_ns > app->time.from_ns &&
	    app_pin_ask(app, app->time.from_ns, app->time.to_ns, got_pin))
		return;
	got_pin(arg, reply);
}

void rs_app_pin_begin(struct rs_app *app)
{
	uint64_t to_ns = app->now_ns > app->time.to_ns ? app->now_ns : app->time.to_ns;
	uint64_t from_ns = to_ns > APP_PIN_LEAST_NS ? to_ns - APP_PIN_LEAST_NS : 0;

	from_ns = app->time.from_ns < from_ns ? app->time.from_ns : from_ns;
	app->pin = (struct rs_app_pin){ 0 };
	app->pin.wanted = app->live && !app->ended && app->now_ns &&
			  app_pin_ask(app, from_ns, to_ns, got_roomy_pin);
}

static void got_unpin(void *arg, const struct rs_reply *reply)
{
	(void)arg;
	(void)reply; /* an engine without pins refuses it: there is none to end */
}

void rs_app_pin_end(struct rs_app *app)
{
	if (app->pin.wanted && !app->pin.refused)
		rs_client_ask(app->machine->client, "unpin", NULL, got_unpin, app);
	app->pin = (struct rs_app_pin){ 0 };
}

/* Requests about the state and pins are answered in the order in which they were sent. */
void rs_app_pin_note_state(struct rs_app *app, const struct rs_state_reply *state)
{
	if (!app->pin.known && !app->pin.expired)
		return;
	if (state->pin) {
		app_pin_set(app, state->pin);
	} else {
		app->pin.known = false;
		app->pin.expired = true;
	}
}

/* Until the window comes to it, the shown time is there whether it is pinned or not. */
void rs_app_pin_put(const struct rs_app *app, struct rs_buf *out)
{
	uint64_t from_ns = app->time.from_ns, to_ns = app->time.to_ns;

	if (!app->live || app->time.now)
		return;
	if (rs_app_pin_has(app, from_ns, to_ns))
		rs_buf_puts(out, ", pinned");
	else if (to_ns < app->oldest_ns && (!app->pin.known || to_ns < app->pin.from_ns))
		rs_buf_puts(out, ", expired");
	else if (app->pin.known && to_ns <= app->pin.to_ns)
		rs_buf_puts(out, ", pinned in part");
	else if (app->paused && (app->pin.refused || app->pin.expired))
		rs_buf_puts(out, ", not pinned");
}
