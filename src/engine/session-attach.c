// SPDX-License-Identifier: GPL-2.0-or-later
/* session-attach - binds a session to its source: formats, fields, CPUs, names; then the analyses begin */
#include <stdlib.h>

#include "decode/merge.h"
#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/dispatch.h"
#include "engine/first-names.h"
#include "engine/internal.h"
#include "engine/names.h"

/* In the order of enum rs_lock_flags. */
static void session_read_lock_bits(struct rs_session *s)
{
	static const char *const names[RS_NR_LOCK_FLAGS] = {
		"SPIN", "READ", "WRITE", "RT", "PERCPU", "MUTEX"
	};
	uint64_t *bits = s->contentions.lock_bits;

	for (unsigned int i = 0; i < RS_NR_LOCK_FLAGS; i++)
		bits[i] = rs_formats_flag(s->formats, "lock", "contention_begin", names[i]);
}

/* Returns false without memory. */
static bool session_add_arrays_by_cpu(struct rs_session *s, unsigned int nr_cpus)
{
	struct rs_cpu_contexts *contexts = &s->cpu_contexts;
	struct rs_quality_counts *quality = &s->quality;

	contexts->by_cpu = calloc(nr_cpus + 1, sizeof *contexts->by_cpu);
	contexts->shown = calloc(nr_cpus + 1, sizeof *contexts->shown);
	quality->lost_by_cpu = calloc(nr_cpus + 1, sizeof *quality->lost_by_cpu);
	quality->uncounted_by_cpu = calloc(nr_cpus + 1, sizeof *quality->uncounted_by_cpu);
	return contexts->by_cpu && contexts->shown && quality->lost_by_cpu && quality->uncounted_by_cpu;
}

static int session_begin_analyses(struct rs_session *s, struct rs_error *err)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		struct rs_analysis_instance *instance = &s->analyses[i];
		int error = instance->disabled[0] || !instance->analysis->begin ?
				    0 :
				    instance->analysis->begin(&instance->ctx);

		if (error)
			return rs_fail(err, "cannot begin '%s': %s", instance->analysis->name,
				       strerror(-error));
	}
	return 0;
}

int rs_session_attach(struct rs_session *s, struct rs_source *source, struct rs_error *err)
{
	unsigned int nr_cpus = source->info.nr_cpus;
	bool has_arrays;

	s->source = source;
	s->formats = rs_formats_new(&source->info, err);
	has_arrays = session_add_arrays_by_cpu(s, nr_cpus);
	s->syscalls = rs_syscall_names_new(&source->info);
	if (!s->formats || !has_arrays || !s->syscalls)
		return rs_fail(err, "cannot begin a session: out of memory");
	s->calls.kinds = rs_syscall_facts(s->syscalls)->kind;
	s->calls.ends = rs_syscall_facts(s->syscalls)->end;
	if (rs_session_select_cpus(s->config.selection.cpus, s->cpu_contexts.shown, nr_cpus, err) < 0)
		return -1;
	rs_formats_state_letters(s->formats, s->texts.letters);
	session_read_lock_bits(s);
	if (rs_bind_all(s, err) < 0)
		return -1;
	if (s->config.ahead) /* optional: without memory the names of the recording's cmdlines are used */
		s->names.first = rs_first_names_new(s->config.ahead, s->formats,
						    s->config.ahead_bytes ? s->config.ahead_bytes :
									    RS_FIRST_NAMES_BYTES);
	if (rs_dispatch_begin(s) < 0 || rs_names_init(s) < 0)
		return rs_fail(err, "cannot begin a session: out of memory");
	for (unsigned int i = 0; i < nr_cpus; i++)
		s->cpu_contexts.by_cpu[i] = (struct rs_cpu_context){ .tid = -1, .context_tid = -1,
								     .cpu = &s->states.cpus[i] };
	rs_dispatch_list(s);
	s->range.muted = s->config.from_ns > 0;
	s->merge = rs_merge_new(source, rs_dispatch_gap, s, err);
	return s->merge ? session_begin_analyses(s, err) : -1;
}
