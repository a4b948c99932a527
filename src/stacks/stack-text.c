// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-text - stacks as text, and the frames that only tell how an event came about */
#include <inttypes.h>
#include <stdio.h>

#include "model/named-stacks.h"
#include "ringside/plugin.h"
#include "stacks/stacks.h"

/* Functions of the kernel by how their names begin: symbols alone, which a recording has, too. */
static const struct {
	enum rs_stack_part part;
	const char *prefix;
} parts[] = {
	{ RS_STACK_TRACING, "trace_event_" }, { RS_STACK_TRACING, "__traceiter_" },
	{ RS_STACK_TRACING, "event_triggers_" },
	{ RS_STACK_TRACING, "perf_trace_" }, { RS_STACK_TRACING, "__trace_stack" },
	{ RS_STACK_TRACING, "ftrace_" },
	{ RS_STACK_TRACING, "trace_stack" }, { RS_STACK_TRACING, "__do_trace_" },
	{ RS_STACK_TRACING, "stacktrace_trigger" },
	{ RS_STACK_TRACING, "trace_contention_" }, { RS_STACK_TRACING, "trace_call_bpf" },
	{ RS_STACK_TRACING, "bpf_trace_run" },
	{ RS_STACK_TRACING, "__bpf_trace_" }, { RS_STACK_TRACING, "bpf_prog_" },
	{ RS_STACK_TRACING, "perf_tp_event" },
	{ RS_STACK_TRACING, "perf_swevent_" }, { RS_STACK_TRACING, "__perf_event_output" },
	{ RS_STACK_TRACING, "perf_event_output" },
	{ RS_STACK_SCHEDULER, "__schedule" }, { RS_STACK_SCHEDULER, "schedule" },
	{ RS_STACK_SCHEDULER, "io_schedule" },
	{ RS_STACK_SCHEDULER, "preempt_schedule" }, { RS_STACK_SCHEDULER, "__cond_resched" },
	{ RS_STACK_SCHEDULER, "dynamic_cond_resched" },
	{ RS_STACK_SCHEDULER, "raw_irqentry_exit_cond_resched" }, { RS_STACK_SCHEDULER, "_cond_resched" },
	{ RS_STACK_ENTRY, "syscall_trace_enter" }, { RS_STACK_ENTRY, "trace_syscall_enter" },
	{ RS_STACK_ENTRY, "syscall_enter_from_user_mode" },
	{ RS_STACK_ENTRY, "do_syscall_" }, { RS_STACK_ENTRY, "__do_syscall" },
	{ RS_STACK_ENTRY, "do_int80_" }, { RS_STACK_ENTRY, "do_fast_syscall_" },
	{ RS_STACK_ENTRY, "__do_fast_syscall_" }, { RS_STACK_ENTRY, "entry_" },
	{ RS_STACK_ENTRY, "invoke_syscall" }, { RS_STACK_ENTRY, "el0" },
	{ RS_STACK_ENTRY, "do_el0_svc" }, { RS_STACK_ENTRY, "do_user_addr_fault" },
	{ RS_STACK_ENTRY, "do_kern_addr_fault" },
	{ RS_STACK_ENTRY, "handle_page_fault" }, { RS_STACK_ENTRY, "exc_page_fault" },
	{ RS_STACK_ENTRY, "asm_exc_page_fault" },
	{ RS_STACK_ENTRY, "do_page_fault" }, { RS_STACK_ENTRY, "el1" }, { RS_STACK_ENTRY, "do_mem_abort" },
	{ RS_STACK_LOCKS, "mutex_" }, { RS_STACK_LOCKS, "__mutex_" }, { RS_STACK_LOCKS, "ww_mutex_" },
	{ RS_STACK_LOCKS, "rwsem_" },
	{ RS_STACK_LOCKS, "down" }, { RS_STACK_LOCKS, "__down" }, { RS_STACK_LOCKS, "_raw_" },
	{ RS_STACK_LOCKS, "__raw_" },
	{ RS_STACK_LOCKS, "do_raw_" }, { RS_STACK_LOCKS, "queued_" }, { RS_STACK_LOCKS, "native_queued_" },
	{ RS_STACK_LOCKS, "__pv_queued_" },
	{ RS_STACK_LOCKS, "pv_" }, { RS_STACK_LOCKS, "osq_" }, { RS_STACK_LOCKS, "rt_mutex_" },
	{ RS_STACK_LOCKS, "__rt_mutex_" },
	{ RS_STACK_LOCKS, "rtlock_" }, { RS_STACK_LOCKS, "rt_spin_" }, { RS_STACK_LOCKS, "rt_read_" },
	{ RS_STACK_LOCKS, "rt_write_" },
	{ RS_STACK_LOCKS, "rtmutex_" }, { RS_STACK_LOCKS, "rwbase_" }, { RS_STACK_LOCKS, "__rwbase_" },
	{ RS_STACK_LOCKS, "__ww_" },
	{ RS_STACK_LOCKS, "raw_spin_" }, { RS_STACK_LOCKS, "up_read" }, { RS_STACK_LOCKS, "up_write" },
	{ RS_STACK_LOCKS, "__up_" },
	{ RS_STACK_LOCKS, "resilient_" }, { RS_STACK_LOCKS, "percpu_up_" },
	{ RS_STACK_LOCKS, "percpu_down" }, { RS_STACK_LOCKS, "__percpu_down" },
	{ RS_STACK_LOCKS, "percpu_rwsem_" },
	{ RS_STACK_ALLOCATOR, "kmalloc_" }, { RS_STACK_ALLOCATOR, "__kmalloc" },
	{ RS_STACK_ALLOCATOR, "__do_kmalloc" }, { RS_STACK_ALLOCATOR, "___kmalloc" },
	{ RS_STACK_ALLOCATOR, "kmem_cache_" }, { RS_STACK_ALLOCATOR, "__kmem_cache_" },
	{ RS_STACK_ALLOCATOR, "slab_alloc" },
	{ RS_STACK_ALLOCATOR, "__slab_alloc" }, { RS_STACK_ALLOCATOR, "___slab_alloc" },
	{ RS_STACK_ALLOCATOR, "new_slab" },
	{ RS_STACK_ALLOCATOR, "allocate_slab" }, { RS_STACK_ALLOCATOR, "refill_objects" },
	{ RS_STACK_ALLOCATOR, "refill_sheaf" },
	{ RS_STACK_ALLOCATOR, "krealloc" }, { RS_STACK_ALLOCATOR, "kvmalloc" },
	{ RS_STACK_ALLOCATOR, "__kvmalloc" }, { RS_STACK_ALLOCATOR, "kmemdup" },
	{ RS_STACK_ALLOCATOR, "kstrdup" }, { RS_STACK_ALLOCATOR, "alloc_pages" },
	{ RS_STACK_ALLOCATOR, "__alloc_pages" },
	{ RS_STACK_ALLOCATOR, "alloc_frozen_pages" }, { RS_STACK_ALLOCATOR, "__alloc_frozen_pages" },
	{ RS_STACK_ALLOCATOR, "folio_alloc" },
	{ RS_STACK_ALLOCATOR, "__folio_alloc" }, { RS_STACK_ALLOCATOR, "vma_alloc_folio" },
	{ RS_STACK_ALLOCATOR, "get_free_pages" },
	{ RS_STACK_ALLOCATOR, "__get_free_pages" }, { RS_STACK_ALLOCATOR, "get_zeroed_page" },
};

static bool stack_text_is_part(const char *function, unsigned int asked)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (asked & parts[i].part && !strncmp(function, parts[i].prefix, strlen(parts[i].prefix)))
			return true;
	return false;
}

/* The kernel or this program kept no more frames: who called is not known. */
static bool stack_text_is_cut(const struct rs_frame *frame)
{
	return frame->function && !strcmp(frame->function, "[truncated]");
}

uint32_t rs_stack_outside(const struct rs_ctx *c, uint32_t stack, unsigned int asked)
{
	struct rs_frame frame;

	for (uint32_t at = stack, caller; at; at = caller) {
		rs_stack_frame(c, at, &frame);
		caller = rs_stack_caller(c, at);
		if (stack_text_is_cut(&frame))
			return 0;
		if (!frame.function || *frame.module != '[' || !stack_text_is_part(frame.function, asked))
			return at;
	}
	return 0;
}

uint32_t rs_stack_outside_or_all(const struct rs_ctx *c, uint32_t stack, unsigned int asked)
{
	uint32_t outside = rs_stack_outside(c, stack, asked);

	return outside ? outside : stack;
}

void rs_stack_put_address(const struct rs_frame *frame, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%.100s%s0x%" PRIx64, frame->is_address ? "" : frame->module,
		 frame->is_address ? "" : "+", frame->offset);
}

const char *rs_stack_frame_name(const struct rs_frame *frame, char unknown[RS_CELL_TEXT_BYTES])
{
	if (frame->function)
		return frame->function;
	memcpy(unknown, "[unknown] ", sizeof "[unknown] ");
	rs_stack_put_address(frame, unknown + strlen(unknown), RS_CELL_TEXT_BYTES - strlen(unknown));
	return unknown;
}

static const char *stack_text_module(const struct rs_frame *frame, char unknown[RS_CELL_TEXT_BYTES])
{
	return frame->module;
}

static const char *stack_text_put(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes,
				  const char *(*name)(const struct rs_frame *, char *))
{
	char *at = buf + size_bytes - 1, *more, unknown[RS_CELL_TEXT_BYTES];
	struct rs_frame frame;

	*at = '\0';
	for (; stack; stack = rs_stack_caller(c, stack), at = more) {
		rs_stack_frame(c, stack, &frame);
		more = rs_named_stacks_prepend(name(&frame, unknown), buf, at, !*at);
		if (!more)
			break;
	}
	return at;
}

const char *rs_stack_text(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes)
{
	return stack_text_put(c, stack, buf, size_bytes, rs_stack_frame_name);
}

const char *rs_stack_modules(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes)
{
	return stack_text_put(c, stack, buf, size_bytes, stack_text_module);
}

const char *rs_stack_callers(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes)
{
	struct rs_frame frame;
	size_t len = 0;

	for (buf[0] = '\0'; stack; stack = rs_stack_caller(c, stack)) {
		char unknown[RS_CELL_TEXT_BYTES];
		int n;

		rs_stack_frame(c, stack, &frame);
		n = snprintf(buf + len, size_bytes - len, "%s%s", len ? " < " : "",
			     rs_stack_frame_name(&frame, unknown));
		if (n < 0 || (size_t)n >= size_bytes - len) {
			buf[len] = '\0';
			break;
		}
		len += (size_t)n;
	}
	return buf;
}

/* ---- cells ---- */

struct rs_value rs_stack_value(const struct rs_ctx *c, uint32_t stack, unsigned int asked)
{
	size_t size_bytes;
	char *text = stack ? rs_stacks_text(c->session, &size_bytes) : NULL;

	return rs_s(text ? rs_stack_callers(c, rs_stack_outside_or_all(c, stack, asked), text, size_bytes) :
			   NULL);
}

struct rs_value rs_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_stack_value(c, g->stack, RS_STACK_OUTSIDE_ENTRY);
}
