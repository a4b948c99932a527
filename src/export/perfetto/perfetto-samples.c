// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-samples.c - samples of the CPUs, and waits whose stacks were recorded, with call stacks that are
 * written once
 *
 * The session may give the number of a stack to another one when its table is full, so stacks are known here
 * by what they hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/perfetto.h"
#include "export/perfetto/proto.h"
#include "ringside/event.h"

#define SAMPLES_MAX_FRAMES 256u
#define SAMPLES_MAX_NAME 1024u   /* names of C++ are longer, and cut */

static uint64_t samples_hash(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return rs_hash_u64(hash) | 1;
}

static const char *samples_name(const struct rs_frame *frame, char *buf, size_t size)
{
	if (frame->function)
		return frame->function;
	snprintf(buf, size, "[unknown] %.40s+0x%" PRIx64, frame->module, frame->offset);
	return buf;
}

/* Room for what one new frame defines: a function, a module with its path, the frame. */
#define SAMPLES_FRAME_BYTES (2 * RS_PROTO_TEXT(SAMPLES_MAX_NAME) + 16 * RS_PROTO_NUMBER)

static char *samples_put_module(struct rs_perfetto *pf, char *p, const char *module, uint32_t *iid)
{
	char *at;

	*iid = rs_perfetto_intern(pf->modules, RS_PERFETTO_STACKS, samples_hash(1, module), &pf->nr_modules);
	if (*iid)
		return p;
	*iid = pf->nr_modules;
	p = rs_perfetto_put_text(p, PF_INTERNED_MAPPING_PATHS, *iid, module,
				 strnlen(module, SAMPLES_MAX_NAME));
	p = at = rs_proto_open(p, PF_INTERNED_MAPPINGS);
	p = rs_proto_uint(p, PF_IID, *iid);
	return rs_proto_close(at, rs_proto_uint(p, PF_MAPPING_PATH_IDS, *iid));
}

static char *samples_put_frame(struct rs_perfetto *pf, char *p, const struct rs_frame *frame, uint64_t hash,
			       uint32_t *iid)
{
	char buf[80], *at;
	const char *name = samples_name(frame, buf, sizeof buf);
	uint32_t function, module;

	*iid = rs_perfetto_intern(pf->frames, RS_PERFETTO_STACKS, hash, &pf->nr_frames);
	if (*iid)
		return p;
	*iid = pf->nr_frames;
	function = rs_perfetto_intern(pf->functions, RS_PERFETTO_STACKS, samples_hash(2, name),
				      &pf->nr_functions);
	if (!function) {
		function = pf->nr_functions;
		p = rs_perfetto_put_text(p, PF_INTERNED_FUNCTIONS, function, name,
					 strnlen(name, SAMPLES_MAX_NAME));
	}
	p = samples_put_module(pf, p, frame->module, &module);
	p = at = rs_proto_open(p, PF_INTERNED_FRAMES);
	p = rs_proto_uint(p, PF_IID, *iid);
	p = rs_proto_uint(p, PF_FRAME_FUNCTION_ID, function);
	p = rs_proto_uint(p, PF_FRAME_MAPPING_ID, module);
	return rs_proto_close(at, rs_proto_uint(p, PF_FRAME_REL_PC, frame->offset));
}

/* Frames of a stack, innermost first, each with a hash. */
struct samples_stack {
	unsigned int nr;
	struct rs_frame frames[SAMPLES_MAX_FRAMES];
	uint64_t hashes[SAMPLES_MAX_FRAMES], hash;
};

static void samples_read(struct rs_ctx *c, uint32_t stack, struct samples_stack *s)
{
	s->nr = 0;
	s->hash = 0;
	for (; stack && s->nr < SAMPLES_MAX_FRAMES; stack = rs_stack_caller(c, stack)) {
		struct rs_frame *frame = &s->frames[s->nr];

		rs_stack_frame(c, stack, frame);
		s->hashes[s->nr] = samples_hash(samples_hash(frame->offset, frame->module),
						frame->function ? frame->function : "");
		s->hash = rs_hash_u64(s->hash ^ s->hashes[s->nr++]) | 1;
	}
}

static char *samples_put_callstack(struct rs_perfetto *pf, char *p, const struct samples_stack *s)
{
	uint32_t iids[SAMPLES_MAX_FRAMES];
	char *at, *interned;

	p = interned = rs_proto_open(p, PF_PACKET_INTERNED_DATA);
	for (unsigned int i = 0; i < s->nr; i++)
		p = samples_put_frame(pf, p, &s->frames[i], s->hashes[i], &iids[i]);
	p = at = rs_proto_open(p, PF_INTERNED_CALLSTACKS);
	p = rs_proto_uint(p, PF_IID, pf->nr_callstacks);
	for (unsigned int i = s->nr; i--;)
		p = rs_proto_uint(p, PF_CALLSTACK_FRAME_IDS, iids[i]);
	return rs_proto_close(interned, rs_proto_close(at, p));
}

static char *samples_put_sample(char *p, const struct rs_cpu_sample *sample, uint32_t callstack)
{
	const struct rs_task *t = sample->task;
	char *at;

	p = at = rs_proto_open(p, PF_PACKET_PERF_SAMPLE);
	p = rs_proto_uint(p, PF_SAMPLE_CPU, sample->cpu);
	p = rs_proto_uint(p, PF_SAMPLE_PID, (uint32_t)(t->pid ? t->pid : t->tid));
	p = rs_proto_uint(p, PF_SAMPLE_TID, (uint32_t)t->tid);
	p = rs_proto_uint(p, PF_SAMPLE_CALLSTACK_IID, callstack);
	return rs_proto_close(
		at, rs_proto_uint(p, PF_SAMPLE_CPU_MODE, sample->in_kernel ? PF_MODE_KERNEL : PF_MODE_USER));
}

/* Opens a packet of this time, and in it defines the call stack if that is new. NULL: no memory. */
static char *samples_open(struct rs_perfetto *pf, uint64_t ts_ns, uint32_t stack, uint32_t *callstack)
{
	struct samples_stack s;
	char *p;

	samples_read(pf->scene.c, stack, &s);
	*callstack = rs_perfetto_intern(pf->callstacks, RS_PERFETTO_STACKS, s.hash, &pf->nr_callstacks);
	p = rs_perfetto_open(pf, ts_ns, *callstack ? 0 : s.nr * SAMPLES_FRAME_BYTES);
	if (p && !*callstack)
		p = samples_put_callstack(pf, p, &s);
	if (!*callstack)
		*callstack = pf->nr_callstacks;
	return p;
}

void rs_perfetto_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			    const struct rs_cpu_sample *sample)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	uint32_t callstack;
	char *p = samples_open(pf, sample->ts_ns, sample->stack, &callstack);

	if (!p)
		return;
	rs_perfetto_close(pf, samples_put_sample(p, sample, callstack));
	pf->drawn = true;
}

/* On a track of its own under the thread's: a wait lies across the slices of a thread without calls. */
void rs_perfetto_put_wait(struct rs_perfetto *pf, const struct rs_scene_track *at,
			  const struct rs_scene_state *state)
{
	const struct rs_interval *iv = state->interval;
	uint64_t arg = rs_state_arg(RS_BLOCKED, iv->letter, state->wait->cause, 0);
	struct rs_perfetto_task *d = at->own;
	char buf[64], *p, *event;
	const char *name = rs_state_label(arg, buf, sizeof buf);
	uint32_t callstack;

	if (!d->waits)
		d->waits = rs_perfetto_add_track(pf, rs_perfetto_task_track(pf, iv->task), iv->task,
						 "waits with stacks");
	p = samples_open(pf, iv->from_ns, state->stack, &callstack);
	if (!p)
		return;
	p = event = rs_proto_open(p, PF_PACKET_TRACK_EVENT);
	p = rs_proto_uint(p, PF_TRACK_EVENT_TYPE, PF_SLICE_BEGIN);
	p = rs_proto_uint(p, PF_TRACK_EVENT_UUID, d->waits);
	p = rs_proto_text(p, PF_TRACK_EVENT_CATEGORIES, "wait", 4);
	p = rs_proto_text(p, PF_TRACK_EVENT_NAME, name, strlen(name));
	p = rs_proto_uint(p, PF_TRACK_EVENT_CALLSTACK_IID, callstack);
	rs_perfetto_close(pf, rs_proto_close(event, p));
	p = rs_perfetto_open(pf, iv->to_ns, 0);
	if (!p)
		return;
	p = event = rs_proto_open(p, PF_PACKET_TRACK_EVENT);
	p = rs_proto_uint(p, PF_TRACK_EVENT_TYPE, PF_SLICE_END);
	p = rs_proto_uint(p, PF_TRACK_EVENT_UUID, d->waits);
	rs_perfetto_close(pf, rs_proto_close(event, p));
}

/*
 * The number of the kernel's function that the task waits in, without those that each wait has; 0: not known.
 * It is interned in a packet of its own, before the bundle that names it.
 */
uint32_t rs_perfetto_caller(struct rs_perfetto *pf, uint32_t stack)
{
	const char *function = stack ? rs_scene_wait_function(&pf->scene, stack) : NULL;
	char *p, *interned;
	uint32_t iid;

	if (!function)
		return 0;
	iid = rs_perfetto_intern(pf->callers, RS_PERFETTO_CALLERS, samples_hash(3, function),
				 &pf->nr_callers);
	if (iid)
		return iid;
	p = rs_perfetto_open_untimed(pf, RS_PROTO_TEXT(SAMPLES_MAX_NAME));
	if (!p)
		return 0;
	p = interned = rs_proto_open(p, PF_PACKET_INTERNED_DATA);
	p = rs_perfetto_put_text(p, PF_INTERNED_KERNEL_SYMBOLS, pf->nr_callers, function,
				 strnlen(function, SAMPLES_MAX_NAME));
	rs_perfetto_close(pf, rs_proto_close(interned, p));
	return pf->nr_callers;
}
