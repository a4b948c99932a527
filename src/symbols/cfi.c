// SPDX-License-Identifier: GPL-2.0-or-later
/* cfi - call frame information of one ELF file: the registers of a function's caller */
#include "symbols/cfi.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CFI_MAX_BYTES (256 << 20)   /* Chrome's .eh_frame has 30 MiB */
#define CFI_MAX_SECTIONS (1u << 20)
#define CFI_MAX_SEGMENTS 64u
#define CFI_MAX_OPS 64u      /* of an expression: those of signal frames and PLTs have 10 */

#if defined __x86_64__
#define CFI_MACHINE EM_X86_64
#elif defined __aarch64__
#define CFI_MACHINE EM_AARCH64
#else
#define CFI_MACHINE EM_NONE
#endif

struct cfi_segment {
	uint64_t offset, bytes, address;
};

struct rs_cfi {
	int fd;
	Elf *elf;
	Dwarf_CFI *table;            /* NULL: none */
	struct cfi_segment segments[CFI_MAX_SEGMENTS];
	size_t nr_segments;
};

/* ---- the file ---- */

static bool cfi_is_mapped_one(Elf *elf, const uint8_t *build_id, size_t build_id_len)
{
	const void *id;
	ssize_t len;

	if (!build_id_len)
		return true;
	len = dwelf_elf_gnu_build_id(elf, &id);
	return len >= (ssize_t)build_id_len && !memcmp(id, build_id, build_id_len);
}

/*
 * elfutils would load these sections, whatever size they claim; without headers of sections, all that is
 * behind .eh_frame.
 */
static bool cfi_is_small(int fd, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names, nr;
	struct stat st;

	if (elf_getshdrnum(elf, &nr) < 0 || nr > CFI_MAX_SECTIONS || fstat(fd, &st) < 0)
		return false;
	if (!nr || st.st_size <= CFI_MAX_BYTES)
		return st.st_size <= CFI_MAX_BYTES;
	if (elf_getshdrstrndx(elf, &names) < 0 || !gelf_getshdr(elf_getscn(elf, names), &header) ||
	    header.sh_size > CFI_MAX_BYTES)
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) :
								    NULL;

		if (name && !strncmp(name, ".eh_frame", 9))
			return header.sh_size <= CFI_MAX_BYTES;
	}
	return false;
}

static void cfi_read_segments(struct rs_cfi *cfi)
{
	GElf_Phdr p;
	size_t nr;

	if (elf_getphdrnum(cfi->elf, &nr) < 0)
		return;
	for (size_t i = 0;
	     i < nr && cfi->nr_segments < CFI_MAX_SEGMENTS && gelf_getphdr(cfi->elf, (int)i, &p); i++)
		if (p.p_type == PT_LOAD && (p.p_flags & PF_X))
			cfi->segments[cfi->nr_segments++] = (struct cfi_segment){ p.p_offset, p.p_filesz,
										  p.p_vaddr };
}

static bool cfi_read(struct rs_cfi *cfi, const uint8_t *build_id, size_t build_id_len)
{
	GElf_Ehdr header;

	cfi->elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(cfi->fd, ELF_C_READ, NULL);
	if (!cfi->elf || !gelf_getehdr(cfi->elf, &header) || header.e_machine != CFI_MACHINE ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || !cfi_is_mapped_one(cfi->elf, build_id, build_id_len))
		return false;
	cfi_read_segments(cfi);
	if (cfi_is_small(cfi->fd, cfi->elf))
		cfi->table = dwarf_getcfi_elf(cfi->elf);
	return true;
}

struct rs_cfi *rs_cfi_new(int fd, const uint8_t *build_id, size_t build_id_len)
{
	struct rs_cfi *cfi = calloc(1, sizeof *cfi);

	if (!cfi) {
		close(fd);
		return NULL;
	}
	cfi->fd = fd;
	if (cfi_read(cfi, build_id, build_id_len))
		return cfi;
	rs_cfi_free(cfi);
	return NULL;
}

void rs_cfi_free(struct rs_cfi *cfi)
{
	if (!cfi)
		return;
	if (cfi->table)
		dwarf_cfi_end(cfi->table);
	elf_end(cfi->elf);
	close(cfi->fd);
	free(cfi);
}

/* ---- rows ---- */

static Dwarf_Frame *cfi_frame_at(struct rs_cfi *cfi, uint64_t offset)
{
	Dwarf_Frame *frame;

	for (size_t i = 0; cfi->table && i < cfi->nr_segments; i++) {
		const struct cfi_segment *s = &cfi->segments[i];

		if (offset >= s->offset && offset - s->offset < s->bytes)
			return dwarf_cfi_addrframe(cfi->table, offset - s->offset + s->address, &frame) == 0 ?
				       frame :
				       NULL;
	}
	return NULL;
}

static bool cfi_is_short(Dwarf_Word offset)
{
	return (int64_t)offset == (int32_t)offset;
}

/*
 * As dwarf_frame_register writes them: the CFA, what to add to it, and whether the sum is the value or where
 * it is saved.
 */
static bool cfi_rule_of(const Dwarf_Op *ops, size_t nr, const Dwarf_Op *memory, struct rs_cfi_rule *rule)
{
	bool is_value = nr && ops[nr - 1].atom == DW_OP_stack_value;
	size_t nr_sums = nr - is_value - 1;

	*rule = (struct rs_cfi_rule){ .how = nr || ops == memory ? RS_CFI_UNKNOWN : RS_CFI_SAME };
	if (!nr)
		return true;
	if (nr == 1 && ops[0].atom == DW_OP_regx && ops[0].number < RS_CFI_NR_REGS) {
		*rule = (struct rs_cfi_rule){ .how = RS_CFI_OTHER, .reg = (uint8_t)ops[0].number };
		return true;
	}
	if (ops[0].atom != DW_OP_call_frame_cfa || nr_sums > 1 ||
	    (nr_sums && (ops[1].atom != DW_OP_plus_uconst || !cfi_is_short(ops[1].number))))
		return false;
	*rule = (struct rs_cfi_rule){ .how = is_value ? RS_CFI_SUM : RS_CFI_SAVED,
				      .offset = nr_sums ? (int32_t)ops[1].number : 0 };
	return true;
}

static bool cfi_read_cfa(Dwarf_Frame *frame, struct rs_cfi_rule *rule)
{
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) < 0 || nr != 1 || ops[0].atom != DW_OP_bregx ||
	    ops[0].number >= RS_CFI_NR_REGS || !cfi_is_short(ops[0].number2))
		return false;
	*rule = (struct rs_cfi_rule){ .how = RS_CFI_SUM, .reg = (uint8_t)ops[0].number,
				      .offset = (int32_t)ops[0].number2 };
	return true;
}

void rs_cfi_read_row(struct rs_cfi *cfi, uint64_t offset, struct rs_cfi_row *row)
{
	Dwarf_Frame *frame = cfi_frame_at(cfi, offset);
	Dwarf_Op memory[3], *ops;
	int return_reg;
	size_t nr;

	*row = (struct rs_cfi_row){ .kind = RS_CFI_NO_ROW };
	return_reg = frame ? dwarf_frame_info(frame, NULL, NULL, &row->is_signal) : -1;
	if (return_reg >= 0 && return_reg < RS_CFI_NR_REGS) {
		row->return_reg = (uint8_t)return_reg;
		row->kind = cfi_read_cfa(frame, &row->cfa) ? RS_CFI_RULES : RS_CFI_EXPRESSIONS;
		for (int reg = 0; reg < RS_CFI_NR_REGS; reg++)
			if (dwarf_frame_register(frame, reg, memory, &ops, &nr) == 0 &&
			    !cfi_rule_of(ops, nr, memory, &row->rules[reg]))
				row->kind = RS_CFI_EXPRESSIONS;
	}
	free(frame);
}

/* ---- values ---- */

static bool cfi_load(const struct rs_cfi_stack *stack, uint64_t address, uint64_t *value)
{
	uint64_t at = address - stack->address;

	if (address < stack->address || stack->bytes < sizeof *value || at > stack->bytes - sizeof *value)
		return false;
	memcpy(value, stack->data + at, sizeof *value);
	return true;
}

static bool cfi_has(const struct rs_cfi_regs *regs, uint64_t reg)
{
	return reg < RS_CFI_NR_REGS && (regs->known >> reg & 1);
}

static void cfi_set(struct rs_cfi_regs *regs, unsigned int reg, uint64_t value)
{
	regs->value[reg] = value;
	regs->known |= 1ull << reg;
}

static bool cfi_apply(const struct rs_cfi_rule *rule, unsigned int reg, uint64_t cfa,
		      const struct rs_cfi_stack *stack, const struct rs_cfi_regs *regs, uint64_t *value)
{
	unsigned int from = rule->how == RS_CFI_OTHER ? rule->reg : reg;

	switch (rule->how) {
	case RS_CFI_SAME:
	case RS_CFI_OTHER:
		*value = regs->value[from];
		return cfi_has(regs, from);
	case RS_CFI_SAVED:
		return cfi_load(stack, cfa + (uint64_t)(int64_t)rule->offset, value);
	case RS_CFI_SUM:
		*value = cfa + (uint64_t)(int64_t)rule->offset;
		return true;
	case RS_CFI_UNKNOWN:
		break;
	}
	return false;
}

/* ---- expressions: of signal frames and PLTs ---- */

struct cfi_machine {
	const struct rs_cfi_stack *stack;
	const struct rs_cfi_regs *regs;
	uint64_t cfa;
	bool has_cfa;
	uint64_t values[CFI_MAX_OPS]; /* each operation adds one at most */
	size_t nr;
};

static bool cfi_push(struct cfi_machine *m, uint64_t value)
{
	m->values[m->nr++] = value;
	return true;
}

static bool cfi_compute(struct cfi_machine *m, unsigned int atom)
{
	uint64_t b = m->values[--m->nr], *a = &m->values[m->nr - 1];

	switch (atom) {
	case DW_OP_plus: *a += b; break;
	case DW_OP_minus: *a -= b; break;
	case DW_OP_mul: *a *= b; break;
	case DW_OP_and: *a &= b; break;
	case DW_OP_or: *a |= b; break;
	case DW_OP_xor: *a ^= b; break;
	case DW_OP_shl: *a = b < 64 ? *a << b : 0; break;
	case DW_OP_shr: *a = b < 64 ? *a >> b : 0; break;
	case DW_OP_eq: *a = *a == b; break;
	case DW_OP_ne: *a = *a != b; break;
	case DW_OP_ge: *a = (int64_t)*a >= (int64_t)b; break;
	case DW_OP_gt: *a = (int64_t)*a > (int64_t)b; break;
	case DW_OP_le: *a = (int64_t)*a <= (int64_t)b; break;
	case DW_OP_lt: *a = (int64_t)*a < (int64_t)b; break;
	default: return false;
	}
	return true;
}

static bool cfi_operate(struct cfi_machine *m, const Dwarf_Op *op)
{
	unsigned int atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return cfi_push(m, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return cfi_has(m->regs, atom - DW_OP_breg0) &&
		       cfi_push(m, m->regs->value[atom - DW_OP_breg0] + op->number);
	if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
		return cfi_push(m, op->number);
	switch (atom) {
	case DW_OP_bregx:
		return cfi_has(m->regs, op->number) && cfi_push(m, m->regs->value[op->number] + op->number2);
	case DW_OP_call_frame_cfa:
		return m->has_cfa && cfi_push(m, m->cfa);
	case DW_OP_dup:
		return m->nr && cfi_push(m, m->values[m->nr - 1]);
	case DW_OP_deref:
		return m->nr && cfi_load(m->stack, m->values[m->nr - 1], &m->values[m->nr - 1]);
	case DW_OP_plus_uconst:
		return m->nr && (m->values[m->nr - 1] += op->number, true);
	case DW_OP_nop:
		return true;
	default:
		return m->nr >= 2 && cfi_compute(m, atom);
	}
}

/*
 * is_address: what is computed is where the value is saved, unless the expression says that it is the value.
 */
static bool cfi_evaluate(struct cfi_machine *m, const Dwarf_Op *ops, size_t nr, bool is_address,
			 uint64_t *value)
{
	if (!nr || nr > CFI_MAX_OPS)
		return false;
	m->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		if (ops[i].atom == DW_OP_stack_value)
			is_address = false;
		else if (!cfi_operate(m, &ops[i]))
			return false;
	}
	if (!m->nr)
		return false;
	*value = m->values[m->nr - 1];
	return !is_address || cfi_load(m->stack, *value, value);
}

static void cfi_step_by_expressions(Dwarf_Frame *frame, const struct rs_cfi_stack *stack,
				    const struct rs_cfi_regs *regs, struct rs_cfi_regs *callers)
{
	struct cfi_machine m = { .stack = stack, .regs = regs };
	Dwarf_Op memory[3], *ops;
	uint64_t value;
	size_t nr;

	m.has_cfa = dwarf_frame_cfa(frame, &ops, &nr) == 0 && cfi_evaluate(&m, ops, nr, false, &m.cfa);
	for (unsigned int reg = 0; reg < RS_CFI_NR_REGS; reg++) {
		struct rs_cfi_rule rule;

		if (dwarf_frame_register(frame, (int)reg, memory, &ops, &nr) < 0)
			continue;
		if (nr && ops[0].atom != DW_OP_regx ? cfi_evaluate(&m, ops, nr, true, &value) :
		    cfi_rule_of(ops, nr, memory, &rule) && cfi_apply(&rule, reg, 0, stack, regs, &value))
			cfi_set(callers, reg, value);
	}
}

/* ---- steps ---- */

static void cfi_step_by_rules(const struct rs_cfi_row *row, const struct rs_cfi_stack *stack,
			      const struct rs_cfi_regs *regs, struct rs_cfi_regs *callers)
{
	uint64_t cfa, value;

	if (!cfi_has(regs, row->cfa.reg))
		return;
	cfa = regs->value[row->cfa.reg] + (uint64_t)(int64_t)row->cfa.offset;
	for (unsigned int reg = 0; reg < RS_CFI_NR_REGS; reg++)
		if (row->rules[reg].how != RS_CFI_UNKNOWN &&
		    cfi_apply(&row->rules[reg], reg, cfa, stack, regs, &value))
			cfi_set(callers, reg, value);
}

bool rs_cfi_step(struct rs_cfi *cfi, const struct rs_cfi_row *row, uint64_t offset,
		 const struct rs_cfi_stack *stack, const struct rs_cfi_regs *regs,
		 struct rs_cfi_regs *callers)
{
	Dwarf_Frame *frame = row->kind == RS_CFI_EXPRESSIONS ? cfi_frame_at(cfi, offset) : NULL;

	callers->known = 0;
	if (row->kind == RS_CFI_RULES)
		cfi_step_by_rules(row, stack, regs, callers);
	else if (frame)
		cfi_step_by_expressions(frame, stack, regs, callers);
	free(frame);
	if (!cfi_has(callers, row->return_reg) || !callers->value[row->return_reg])
		return false;
	cfi_set(callers, RS_CFI_PC, callers->value[row->return_reg]);
	return true;
}

/* A frame begins with the caller's frame pointer; then comes where the call returns to. */
bool rs_cfi_step_by_frame_pointer(const struct rs_cfi_stack *stack, const struct rs_cfi_regs *regs,
				  struct rs_cfi_regs *callers)
{
	uint64_t fp = regs->value[RS_CFI_FP], saved, to;

	callers->known = 0;
	if (!cfi_has(regs, RS_CFI_FP) || !cfi_load(stack, fp, &saved) || !cfi_load(stack, fp + 8, &to) ||
	    !to || (cfi_has(regs, RS_CFI_SP) && fp + 16 <= regs->value[RS_CFI_SP]))
		return false;
	cfi_set(callers, RS_CFI_FP, saved);
	cfi_set(callers, RS_CFI_SP, fp + 16);
	cfi_set(callers, RS_CFI_PC, to);
	return true;
}
