// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/unwinder.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/close.h"
#include "base/map.h"
#include "base/vector.h"

#define MAX_UNWIND_PROCESSES 64u     /* whose tables are kept; then all are read anew */
#define MAX_UNWIND_FILES 512u        /* likewise, open */

/* perf's registers in the order of DWARF's. */
#if defined __x86_64__
static const uint8_t dwarf_regs[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
enum { PC_REG = 8, SP_REG = 7 };
#elif defined __aarch64__
static const uint8_t dwarf_regs[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };
enum { PC_REG = 32, SP_REG = 31 };
#else
static const uint8_t dwarf_regs[] = { 0 };
enum { PC_REG = 64, SP_REG = 64 };   /* not unwound */
#endif
#define NR_DWARF_REGS (sizeof dwarf_regs)

struct unwind_file {
	Elf *elf;                    /* NULL: it cannot be read, or is another file by now */
	int fd;
	bool tried;
};

struct unwind_process {
	struct rs_map_node node;
	int32_t pid;
	Dwfl *dwfl;
	struct rs_unwinder *unwinder;
	bool attached;
};

struct rs_unwinder {
	struct rs_unwind_files files;
	struct rs_map by_pid;
	struct unwind_process *processes[MAX_UNWIND_PROCESSES];
	unsigned int nr_processes;
	struct unwind_file *by_module;
	size_t nr_modules, modules_room;
	unsigned int nr_open;
	/* the sample at hand */
	const struct rs_unwind_state *state;
	uint64_t regs[64];
	uint64_t sp;
	struct unwind_process *process;
	struct rs_unwound_frame *frames;
	size_t nr_frames, max_frames;
};

/* ---- files ---- */

static bool unwind_is_mapped_one(Elf *elf, const struct rs_mapped_file *file)
{
	const void *id;
	ssize_t len;

	if (!file->build_id_len)
		return true;
	len = dwelf_elf_gnu_build_id(elf, &id);
	return len >= (ssize_t)file->build_id_len && !memcmp(id, file->build_id, file->build_id_len);
}

/* Read, never mapped: see elf.h. */
static void unwind_read_file(struct rs_unwinder *u, uint32_t module, struct unwind_file *f)
{
	struct rs_mapped_file file = { 0 };

	f->tried = true;
	f->fd = u->nr_open < MAX_UNWIND_FILES ? u->files.open(u->files.arg, module, &file) : -1;
	if (f->fd < 0)
		return;
	elf_version(EV_CURRENT);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF && unwind_is_mapped_one(f->elf, &file)) {
		u->nr_open++;
		return;
	}
	elf_end(f->elf);
	f->elf = NULL;
	rs_close(&f->fd);
}

static Elf *unwind_elf_of(struct rs_unwinder *u, uint32_t module)
{
	while (module >= u->nr_modules) {
		struct unwind_file *f = RS_VECTOR_ADD(&u->by_module, &u->nr_modules, &u->modules_room);

		if (!f)
			return NULL;
		*f = (struct unwind_file){ .fd = -1 };
	}
	if (!u->by_module[module].tried)
		unwind_read_file(u, module, &u->by_module[module]);
	return u->by_module[module].elf;
}

/* ---- processes: each has its modules where they are mapped ---- */

static int unwind_find_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base, char **file_name, Elf **elf)
{
	*elf = elf_begin(-1, ELF_C_READ, *userdata); /* one more user of it */
	return -1;
}

/* .eh_frame is in the program: to look for debug files would take longer than unwinding. */
static int unwind_find_no_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base, const char *file, const char *link,
				    GElf_Word crc, char **debug_file)
{
	return -1;
}

/* Computes from what is mapped where all segments of the file are. Returns false if the mapping shows no segment of it. */
static bool unwind_place(Elf *elf, const struct rs_unwind_mapping *m, uint64_t *low, uint64_t *high)
{
	uint64_t bias = 0, first = UINT64_MAX, last = 0;
	bool found = false;
	GElf_Phdr phdr;
	size_t nr;

	if (elf_getphdrnum(elf, &nr) < 0)
		return false;
	for (size_t i = 0; i < nr && gelf_getphdr(elf, (int)i, &phdr); i++) {
		uint64_t begin = phdr.p_offset & ~4095ull;

		if (phdr.p_type != PT_LOAD)
			continue;
		if (!found && m->offset >= begin && m->offset - begin < phdr.p_filesz + (phdr.p_offset - begin) && phdr.p_flags & PF_X) {
			bias = m->start - m->offset - (phdr.p_vaddr - phdr.p_offset);
			found = true;
		}
		first = phdr.p_vaddr < first ? phdr.p_vaddr & ~4095ull : first;
		last = phdr.p_vaddr + phdr.p_memsz > last ? phdr.p_vaddr + phdr.p_memsz : last;
	}
	*low = bias + first;
	*high = bias + last;
	return found && *low < *high;
}

/* Makes the module known that the process has at an address. */
static Dwfl_Module *unwind_module(struct rs_unwinder *u, uint64_t address)
{
	struct unwind_process *p = u->process;
	Dwfl_Module *mod = dwfl_addrmodule(p->dwfl, address);
	struct rs_unwind_mapping m;
	uint64_t low, high;
	void **userdata;
	Elf *elf;

	if (mod || !u->files.find(u->files.arg, p->pid, address, &m))
		return mod;
	elf = unwind_elf_of(u, m.module);
	if (!elf || !unwind_place(elf, &m, &low, &high))
		return NULL;
	dwfl_report_begin_add(p->dwfl);
	mod = dwfl_report_module(p->dwfl, "", low, high);
	if (mod && dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL))
		*userdata = elf;
	dwfl_report_end(p->dwfl, NULL, NULL);
	return dwfl_addrmodule(p->dwfl, address);
}

/* ---- what elfutils asks ---- */

static pid_t unwind_next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	return 0;
}

static bool unwind_get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	*thread_arg = arg;
	return true;
}

static bool unwind_read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	const struct rs_unwinder *u = ((struct unwind_process *)arg)->unwinder;
	uint64_t at = address - u->sp;

	if (address < u->sp || u->state->stack_bytes < sizeof *result || at > u->state->stack_bytes - sizeof *result)
		return false;
	memcpy(result, u->state->stack + at, sizeof *result);
	return true;
}

static bool unwind_set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct rs_unwinder *u = ((struct unwind_process *)arg)->unwinder;
	Dwarf_Word regs[NR_DWARF_REGS];

	for (size_t i = 0; i < NR_DWARF_REGS; i++)
		regs[i] = u->regs[dwarf_regs[i]];
	dwfl_thread_state_register_pc(thread, u->regs[PC_REG]);
	return dwfl_thread_state_registers(thread, 0, NR_DWARF_REGS, regs);
}

static bool unwind_attach(struct unwind_process *p, Dwfl_Module *mod)
{
	static const Dwfl_Thread_Callbacks callbacks = {
		.next_thread = unwind_next_thread, .get_thread = unwind_get_thread, .memory_read = unwind_read_memory,
		.set_initial_registers = unwind_set_registers,
	};
	GElf_Addr bias;

	if (!p->attached)
		p->attached = dwfl_attach_state(p->dwfl, dwfl_module_getelf(mod, &bias), p->pid, &callbacks, p);
	return p->attached;
}

/* ---- processes ---- */

static void unwind_free_process(struct rs_unwinder *u, struct unwind_process *p)
{
	rs_map_remove(&u->by_pid, &p->node);
	dwfl_end(p->dwfl);
	free(p);
}

static void unwind_free_processes(struct rs_unwinder *u)
{
	for (unsigned int i = 0; i < u->nr_processes; i++)
		unwind_free_process(u, u->processes[i]);
	u->nr_processes = 0;
}

static struct unwind_process *unwind_find_process(const struct rs_unwinder *u, int32_t pid)
{
	return RS_MAP_ENTRY(rs_map_find(&u->by_pid, rs_hash_u64((uint32_t)pid)), struct unwind_process, node);
}

static struct unwind_process *unwind_process_of(struct rs_unwinder *u, int32_t pid)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = unwind_find_elf, .find_debuginfo = unwind_find_no_debuginfo };
	struct unwind_process *p = unwind_find_process(u, pid);

	if (p)
		return p;
	if (u->nr_processes == MAX_UNWIND_PROCESSES)
		unwind_free_processes(u);
	p = calloc(1, sizeof *p);
	if (!p || !(p->dwfl = dwfl_begin(&callbacks))) {
		free(p);
		return NULL;
	}
	p->pid = pid;
	p->unwinder = u;
	rs_map_add(&u->by_pid, &p->node, rs_hash_u64((uint32_t)pid));
	u->processes[u->nr_processes++] = p;
	return p;
}

void rs_unwinder_forget(struct rs_unwinder *u, int32_t pid)
{
	struct unwind_process *p = unwind_find_process(u, pid);

	for (unsigned int i = 0; p && i < u->nr_processes; i++)
		if (u->processes[i] == p)
			u->processes[i] = u->processes[u->nr_processes - 1];
	if (p) {
		u->nr_processes--;
		unwind_free_process(u, p);
	}
}

/* ---- unwinding ---- */

static int unwind_on_frame(Dwfl_Frame *frame, void *arg)
{
	struct rs_unwinder *u = arg;
	bool is_activation;
	Dwarf_Addr pc;

	if (u->nr_frames == u->max_frames || !dwfl_frame_pc(frame, &pc, &is_activation) || !pc)
		return DWARF_CB_ABORT;
	u->frames[u->nr_frames++] = (struct rs_unwound_frame){ pc, !is_activation };
	return unwind_module(u, pc - !is_activation) ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static void unwind_read_registers(struct rs_unwinder *u, const struct rs_unwind_state *state)
{
	const uint8_t *at = state->regs;

	memset(u->regs, 0, sizeof u->regs);
	for (unsigned int reg = 0; reg < 64; reg++)
		if (state->reg_mask >> reg & 1) {
			memcpy(&u->regs[reg], at, sizeof u->regs[reg]);
			at += sizeof u->regs[reg];
		}
}

size_t rs_unwinder_frames(struct rs_unwinder *u, const struct rs_unwind_state *state, struct rs_unwound_frame *frames, size_t max)
{
	Dwfl_Module *mod;

	if (SP_REG > 63 || !(state->reg_mask >> SP_REG % 64 & 1) || !(state->reg_mask >> PC_REG % 64 & 1) || !max)
		return 0;
	unwind_read_registers(u, state);
	u->state = state;
	u->sp = u->regs[SP_REG];
	u->frames = frames;
	u->nr_frames = 0;
	u->max_frames = max;
	u->process = unwind_process_of(u, state->pid);
	mod = u->process ? unwind_module(u, u->regs[PC_REG]) : NULL;
	if (mod && unwind_attach(u->process, mod))
		dwfl_getthread_frames(u->process->dwfl, state->pid, unwind_on_frame, u);
	if (!u->nr_frames) /* at least where it was */
		frames[u->nr_frames++] = (struct rs_unwound_frame){ u->regs[PC_REG], false };
	return u->nr_frames;
}

struct rs_unwinder *rs_unwinder_new(const struct rs_unwind_files *files)
{
	struct rs_unwinder *u = calloc(1, sizeof *u);

	if (!u || !rs_map_init(&u->by_pid, MAX_UNWIND_PROCESSES)) {
		free(u);
		return NULL;
	}
	u->files = *files;
	return u;
}

void rs_unwinder_free(struct rs_unwinder *u)
{
	if (!u)
		return;
	unwind_free_processes(u);
	rs_map_done(&u->by_pid);
	for (size_t i = 0; i < u->nr_modules; i++) {
		elf_end(u->by_module[i].elf);
		rs_close(&u->by_module[i].fd);
	}
	free(u->by_module);
	free(u);
}
