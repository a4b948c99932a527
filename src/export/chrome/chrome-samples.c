// SPDX-License-Identifier: GPL-2.0-or-later
/* chrome-samples - samples of the CPUs (P), stacks of waits, and the table of both (stackFrames) */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "export/chrome/chrome.h"

/* Stacks of several machines differ; a session has fewer than 2^20. */
static uint32_t samples_id(const struct rs_chrome *ch, uint32_t stack)
{
	return ch->machine << 20 | stack;
}

void rs_chrome_set_stack(struct rs_chrome *ch, uint32_t stack, struct rs_chrome_state *state)
{
	if (!stack || !rs_scene_use_stack(&ch->scene, stack))
		return;
	state->frame = samples_id(ch, stack);
	state->function = rs_scene_wait_function(&ch->scene, stack);
}

void rs_chrome_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_cpu_sample *sample)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	size_t before_bytes = ch->out->len;

	if (!rs_chrome_takes(ch, "sample", 0) || !rs_scene_use_stack(s, sample->stack))
		return;
	rs_chrome_sample(ch, rs_chrome_task_track(ch, at->task, at->own), sample->ts_ns,
			 samples_id(ch, sample->stack));
	rs_chrome_wrote(ch, "sample", 0, before_bytes);
	s->export.note = "Perfetto shows no samples of this format: -f perfetto has them for it";
}

void rs_chrome_put_stack(struct rs_scene *s, uint32_t stack, uint32_t caller, const struct rs_frame *frame)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	struct rs_json j;
	char text[80];

	rs_buf_printf(&ch->frames, "%s\n\"%" PRIu32 "\":", ch->frames.len ? "," : "", samples_id(ch, stack));
	rs_json_init(&j, &ch->frames);
	rs_json_open(&j, '{');
	rs_json_key(&j, "category");
	rs_json_str(&j, frame->module);
	rs_json_key(&j, "name");
	snprintf(text, sizeof text, "[unknown] %.40s+0x%" PRIx64, frame->module, frame->offset);
	rs_json_str(&j, frame->function ? frame->function : text);
	if (caller) {
		rs_json_key(&j, "parent");
		snprintf(text, sizeof text, "%" PRIu32, samples_id(ch, caller));
		rs_json_str(&j, text);
	}
	rs_json_close(&j, '}');
}
