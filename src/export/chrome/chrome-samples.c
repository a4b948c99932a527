// SPDX-License-Identifier: GPL-2.0-or-later
/* chrome-samples - samples of the CPUs (P), stacks of waits, and the table of both (stackFrames) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/vector.h"
#include "export/chrome/chrome.h"

/* Stacks of several machines differ; a session has fewer than 2^20. */
static uint32_t samples_id(const struct rs_chrome *ch, uint32_t stack)
{
	return ch->machine << 20 | stack;
}

/* Notes that the stack is in use, and what called it. Returns false without memory. */
static bool samples_note(struct rs_ctx *c, struct rs_chrome *ch, uint32_t stack)
{
	size_t room = ch->stacks_room;

	if (stack >= room) {
		if (!RS_VECTOR_RESERVE(&ch->stacks, &ch->stacks_room, (size_t)stack + 1))
			return false;
		memset(ch->stacks + room, 0, ch->stacks_room - room);
	}
	/* a caller's number is known before, but not always less */
	for (; stack && !ch->stacks[stack]; stack = rs_stack_caller(c, stack))
		if (stack >= ch->stacks_room)
			return samples_note(c, ch, stack);
		else
			ch->stacks[stack] = 1;
	return true;
}

void rs_chrome_set_stack(struct rs_ctx *c, struct rs_chrome *ch, uint32_t stack,
			 struct rs_chrome_state *state)
{
	struct rs_frame frame;

	if (!stack || !samples_note(c, ch, stack))
		return;
	state->frame = samples_id(ch, stack);
	rs_stack_frame(c, rs_stack_outside(c, stack, RS_STACK_OUTSIDE_LOCKS), &frame);
	if (frame.function && frame.module && *frame.module == '[')
		state->function = frame.function;
}

void rs_chrome_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	size_t before_bytes = ch->out->len;

	if (!rs_shown(c, sample->task) || !rs_chrome_takes(ch, "sample", 0) ||
	    !samples_note(c, ch, sample->stack))
		return;
	rs_chrome_sample(ch, rs_chrome_task_track(c, sample->task), sample->ts_ns,
			 samples_id(ch, sample->stack));
	rs_chrome_wrote(ch, "sample", 0, before_bytes);
	ch->export.note = "Perfetto shows no samples of this format: -f perfetto has them for it";
}

void rs_chrome_put_frames(struct rs_ctx *c, struct rs_chrome *ch)
{
	struct rs_json j;

	for (uint32_t stack = 1; stack < ch->stacks_room; stack++) {
		uint32_t caller = ch->stacks[stack] ? rs_stack_caller(c, stack) : 0;
		struct rs_frame frame;
		char text[80];

		if (!ch->stacks[stack])
			continue;
		rs_stack_frame(c, stack, &frame);
		rs_buf_printf(&ch->frames, "%s\n\"%" PRIu32 "\":", ch->frames.len ? "," : "",
			      samples_id(ch, stack));
		rs_json_init(&j, &ch->frames);
		rs_json_open(&j, '{');
		rs_json_key(&j, "category");
		rs_json_str(&j, frame.module);
		rs_json_key(&j, "name");
		snprintf(text, sizeof text, "[unknown] %.40s+0x%" PRIx64, frame.module, frame.offset);
		rs_json_str(&j, frame.function ? frame.function : text);
		if (caller) {
			rs_json_key(&j, "parent");
			snprintf(text, sizeof text, "%" PRIu32, samples_id(ch, caller));
			rs_json_str(&j, text);
		}
		rs_json_close(&j, '}');
	}
	free(ch->stacks);
	ch->stacks = NULL;
	ch->stacks_room = 0;
}
