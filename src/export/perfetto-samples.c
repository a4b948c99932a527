// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-samples.c - samples of the CPUs, with call stacks that are written once
 *
 * The session may give the number of a stack to another one when its table is full, so stacks are known here by what they hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "export/perfetto-fields.h"
#include "export/perfetto.h"
#include "export/proto.h"
#include "ringside/hash.h"

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
	p = rs_perfetto_put_text(p, PF_INTERNED_MAPPING_PATHS, *iid, module, strnlen(module, SAMPLES_MAX_NAME));
	p = at = rs_proto_open(p, PF_INTERNED_MAPPINGS);
	p = rs_proto_uint(p, PF_IID, *iid);
	return rs_proto_close(at, rs_proto_uint(p, PF_MAPPING_PATH_IDS, *iid));
}

static char *samples_put_frame(struct rs_perfetto *pf, char *p, const struct rs_frame *frame, uint64_t hash, uint32_t *iid)
{
	char buf[80], *at;
	const char *name = samples_name(frame, buf, sizeof buf);
	uint32_t function, module;

	*iid = rs_perfetto_intern(pf->frames, RS_PERFETTO_STACKS, hash, &pf->nr_frames);
	if (*iid)
		return p;
	*iid = pf->nr_frames;
	function = rs_perfetto_intern(pf->functions, RS_PERFETTO_STACKS, samples_hash(2, name), &pf->nr_functions);
	if (!function) {
		function = pf->nr_functions;
		p = rs_perfetto_put_text(p, PF_INTERNED_FUNCTIONS, function, name, strnlen(name, SAMPLES_MAX_NAME));
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
		s->hashes[s->nr] = samples_hash(samples_hash(frame->offset, frame->module), frame->function ? frame->function : "");
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
	return rs_proto_close(at, rs_proto_uint(p, PF_SAMPLE_CPU_MODE, sample->in_kernel ? PF_MODE_KERNEL : PF_MODE_USER));
}

void rs_perfetto_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct samples_stack s;
	uint32_t callstack;
	char *p;

	if (rs_api_is_muted(c) || !rs_shown(c, sample->task))
		return;
	samples_read(c, sample->stack, &s);
	callstack = rs_perfetto_intern(pf->callstacks, RS_PERFETTO_STACKS, s.hash, &pf->nr_callstacks);
	p = rs_perfetto_open(pf, sample->ts_ns, callstack ? 0 : s.nr * SAMPLES_FRAME_BYTES);
	if (!p)
		return;
	if (!callstack)
		p = samples_put_callstack(pf, p, &s);
	rs_perfetto_close(pf, samples_put_sample(p, sample, callstack ? callstack : pf->nr_callstacks));
	pf->drawn = true;
}
