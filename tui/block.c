// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/block.h"

#include "daemon/wire.h"
#include "tui/app.h"

void rs_block_send(struct rs_block *b, rs_client_reply *reply)
{
	b->asked = rs_client_send(rs_app_client(b->app), -1, reply, b) != 0;
}

bool rs_block_answered(struct rs_block *b, const cJSON *reply)
{
	b->asked = false;
	b->answered = true;
	rs_app_redraw(b->app);
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "ok"));
}

const char *rs_block_text(const cJSON *json, const char *name)
{
	const char *text = rs_wire_text_of(json, name);

	return text ? text : "-";
}
