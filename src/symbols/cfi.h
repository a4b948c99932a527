/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - call frame information of one ELF file: how to compute the registers of a function's caller from
 * its own
 *
 *	struct rs_cfi *cfi = rs_cfi_new(fd);
 *	rs_cfi_read_row(cfi, offset, &row);              // of an instruction; the same for each stack that
 *	                                                 // has it
 *	rs_cfi_step(cfi, &row, offset, &stack, &regs, &callers);
 *	rs_cfi_free(cfi);
 *
 * elfutils reads .eh_frame, which each program and library has that was not built without it. The file is
 * untrusted: it is read, never mapped (see elf.h), and sizes are checked before elfutils allocates what it
 * claims to have.
 */
#ifndef RS_SYMBOLS_CFI_H
#define RS_SYMBOLS_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers by the numbers of DWARF, as many as stacks are unwound by. */
#if defined __x86_64__
enum { RS_CFI_NR_REGS = 17, RS_CFI_FP = 6, RS_CFI_SP = 7, RS_CFI_PC = 16 };
#else
enum { RS_CFI_NR_REGS = 33, RS_CFI_FP = 29, RS_CFI_LR = 30, RS_CFI_SP = 31, RS_CFI_PC = 32 };
#endif

struct rs_cfi_regs {
	uint64_t value[RS_CFI_NR_REGS];
	uint64_t known;              /* bit by bit; others have no value */
};

/* A copy of the top of a stack. */
struct rs_cfi_stack {
	const uint8_t *data;
	size_t bytes;
	uint64_t address;
};

/* The caller's value of a register. */
struct rs_cfi_rule {
	/* SAVED: at base + offset; SUM: base + offset; OTHER: of .reg */
	enum { RS_CFI_UNKNOWN, RS_CFI_SAME, RS_CFI_SAVED, RS_CFI_SUM, RS_CFI_OTHER } how : 8;
	uint8_t reg;
	int32_t offset;
};

struct rs_cfi_row {
	/* EXPRESSIONS: not by rules alone, as in a signal's frame */
	enum { RS_CFI_NO_ROW, RS_CFI_RULES, RS_CFI_EXPRESSIONS } kind : 8;
	bool is_signal;              /* the caller was interrupted, and has called nothing */
	uint8_t return_reg;
	struct rs_cfi_rule cfa;      /* SUM; the base of the others' offsets */
	struct rs_cfi_rule rules[RS_CFI_NR_REGS];
};

struct rs_cfi;

/* Takes fd, which it closes with the rest. NULL: no ELF file of this machine's kind, or no memory. */
struct rs_cfi *rs_cfi_new(int fd, const uint8_t *build_id, size_t build_id_len);
void rs_cfi_free(struct rs_cfi *cfi);
void rs_cfi_read_row(struct rs_cfi *cfi, uint64_t offset, struct rs_cfi_row *row);
/*
 * Computes the caller's registers, of which RS_CFI_PC is where the call returns to. Returns false if there is
 * no caller, or it is unknown.
 */
bool rs_cfi_step(struct rs_cfi *cfi, const struct rs_cfi_row *row, uint64_t offset,
		 const struct rs_cfi_stack *stack, const struct rs_cfi_regs *regs,
		 struct rs_cfi_regs *callers);
/* Likewise by the frame pointer, for code without a row. */
bool rs_cfi_step_by_frame_pointer(const struct rs_cfi_stack *stack, const struct rs_cfi_regs *regs,
				  struct rs_cfi_regs *callers);

#endif
