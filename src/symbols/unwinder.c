// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unwinder - walks a copy of a stack by the call frame information of the files that are mapped
 *
 * Programs run few places over and over: what is known of an instruction is kept, so that a frame costs some
 * 100 ns.
 */
#include "symbols/unwinder.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"
#include "symbols/cfi.h"

#define MAX_UNWIND_FILES 512u        /* open */
#define UNWIND_ROWS 16384u           /* a power of two; 3 MiB */

/* perf's registers in the order of DWARF's. */
#if defined __x86_64__
static const uint8_t dwarf_regs[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
#elif defined __aarch64__
static const uint8_t dwarf_regs[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
				      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
#else
static const uint8_t dwarf_regs[] = { 0 };
#endif
#define NR_DWARF_REGS (sizeof dwarf_regs)

struct unwind_file {
	struct rs_cfi *cfi;          /* NULL: it cannot be read, or is another file by now */
	bool tried;
};

/* Of one instruction: the place in the table follows from it, and another one may take it. */
struct unwind_known {
	uint64_t offset;
	uint32_t module;
	bool is_set;
	struct rs_cfi_row row;
};

struct rs_unwinder {
	struct rs_unwind_files files;
	struct unwind_file *by_module;
	size_t nr_modules, modules_room;
	unsigned int nr_open;
	struct unwind_known known[UNWIND_ROWS];
};

uint64_t rs_unwinder_regs(void)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < NR_DWARF_REGS && NR_DWARF_REGS > 1; i++)
		mask |= 1ull << dwarf_regs[i];
	return mask;
}

/* ---- files ---- */

static struct unwind_file *unwind_file_of(struct rs_unwinder *u, uint32_t module)
{
	while (module >= u->nr_modules) {
		struct unwind_file *f = RS_VECTOR_ADD(&u->by_module, &u->nr_modules, &u->modules_room);

		if (!f)
			return NULL;
		*f = (struct unwind_file){ 0 };
	}
	return &u->by_module[module];
}

static struct rs_cfi *unwind_cfi_of(struct rs_unwinder *u, uint32_t module)
{
	struct unwind_file *f = unwind_file_of(u, module);
	struct rs_mapped_file file = { 0 };
	int fd;

	if (!f || f->tried)
		return f ? f->cfi : NULL;
	f->tried = true;
	fd = u->nr_open < MAX_UNWIND_FILES ? u->files.open(u->files.arg, module, &file) : -1;
	if (fd >= 0)
		f->cfi = rs_cfi_new(fd, file.build_id, file.build_id_len);
	u->nr_open += f->cfi != NULL;
	return f->cfi;
}

void rs_unwinder_retry(struct rs_unwinder *u, uint32_t module)
{
	if (module < u->nr_modules && !u->by_module[module].cfi)
		u->by_module[module].tried = false;
}

/* ---- unwinding ---- */

static const struct rs_cfi_row *unwind_row(struct rs_unwinder *u, struct rs_cfi *cfi, uint32_t module,
					   uint64_t offset)
{
	struct unwind_known *k = &u->known[rs_hash_pair(offset, module) & (UNWIND_ROWS - 1)];

	if (k->is_set && k->offset == offset && k->module == module)
		return &k->row;
	k->is_set = true;
	k->offset = offset;
	k->module = module;
	rs_cfi_read_row(cfi, offset, &k->row);
	return &k->row;
}

/* By the frame pointer, which may also be any value: it must lead to where a function can return to. */
static bool unwind_step_by_frame_pointer(struct rs_unwinder *u, int32_t pid, const struct rs_cfi_stack *stack,
					 const struct rs_cfi_regs *regs, struct rs_cfi_regs *callers)
{
	struct rs_unwind_mapping m;

	return rs_cfi_step_by_frame_pointer(stack, regs, callers) &&
	       u->files.find(u->files.arg, pid, callers->value[RS_CFI_PC] - 1, &m);
}

/*
 * Goes from a frame to its caller's. interrupted: the caller was, and has called nothing. A file that cannot
 * be read ends the stack: frame pointers could be anything in it.
 */
static bool unwind_step(struct rs_unwinder *u, int32_t pid, struct rs_unwound_frame *frame,
			const struct rs_cfi_stack *stack, struct rs_cfi_regs *regs, bool *interrupted)
{
	uint64_t at = frame->address - frame->caller;
	const struct rs_cfi_row *row = NULL;
	struct rs_unwind_mapping m;
	struct rs_cfi_regs callers;
	struct rs_cfi *cfi;
	bool found;

	*interrupted = false;
	if (!u->files.find(u->files.arg, pid, at, &m))
		return false;
	cfi = m.is_file ? unwind_cfi_of(u, m.module) : NULL;
	if (cfi)
		row = unwind_row(u, cfi, m.module, at - m.start + m.offset);
	else if (m.is_file)
		return false;
	if (row && row->kind != RS_CFI_NO_ROW) {
		found = rs_cfi_step(cfi, row, at - m.start + m.offset, stack, regs, &callers);
		*interrupted = row->is_signal;
		if (row->is_signal) /* the kernel made this frame: nobody has called it */
			frame->caller = false;
	} else {
		found = unwind_step_by_frame_pointer(u, pid, stack, regs, &callers);
	}
	if (!found || (callers.value[RS_CFI_PC] == regs->value[RS_CFI_PC] &&
		       callers.value[RS_CFI_SP] == regs->value[RS_CFI_SP]))
		return false;
	*regs = callers;
	return true;
}

static void unwind_read_registers(const struct rs_unwind_state *state, struct rs_cfi_regs *regs)
{
	uint64_t values[64] = { 0 };
	const uint8_t *at = state->regs;

	for (unsigned int reg = 0; reg < 64; reg++)
		if (state->reg_mask >> reg & 1) {
			memcpy(&values[reg], at, sizeof values[reg]);
			at += sizeof values[reg];
		}
	regs->known = 0;
	for (size_t i = 0; i < NR_DWARF_REGS; i++) {
		regs->value[i] = values[dwarf_regs[i]];
		regs->known |= (state->reg_mask >> dwarf_regs[i] & 1) << i;
	}
}

size_t rs_unwinder_frames(struct rs_unwinder *u, const struct rs_unwind_state *state,
			  struct rs_unwound_frame *frames, size_t max)
{
	struct rs_cfi_stack stack = { state->stack, state->stack_bytes, 0 };
	struct rs_cfi_regs regs;
	bool interrupted = true;
	size_t nr = 0;

	if (!max || !rs_unwinder_regs() || (state->reg_mask & rs_unwinder_regs()) != rs_unwinder_regs())
		return 0;
	unwind_read_registers(state, &regs);
	stack.address = regs.value[RS_CFI_SP];
	do
		frames[nr] = (struct rs_unwound_frame){ regs.value[RS_CFI_PC], !interrupted };
	while (++nr < max && !state->is_32_bit &&
	       unwind_step(u, state->pid, &frames[nr - 1], &stack, &regs, &interrupted));
	return nr;
}

struct rs_unwinder *rs_unwinder_new(const struct rs_unwind_files *files)
{
	struct rs_unwinder *u = calloc(1, sizeof *u);

	if (u)
		u->files = *files;
	return u;
}

void rs_unwinder_free(struct rs_unwinder *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->nr_modules; i++)
		rs_cfi_free(u->by_module[i].cfi);
	free(u->by_module);
	free(u);
}
