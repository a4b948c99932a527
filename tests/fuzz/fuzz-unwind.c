// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-unwind.c - callers by any registers, any stack and any file: never outside of them, and always to an end
 *
 * u16 bytes of the stack, 17 registers of 8 bytes, the stack, then the ELF file, which is mapped at 0x400000.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/unwinder.h"

#define NR_REGS 17u
#define MAPPED_AT 0x400000u
#define MAPPED_BYTES 0x100000u
#define MAX_FRAMES 256u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct file {
	const uint8_t *data;
	size_t len;
};

static bool find_mapping(void *arg, int32_t pid, uint64_t address, struct rs_unwind_mapping *m)
{
	*m = (struct rs_unwind_mapping){ .start = MAPPED_AT, .module = 2, .is_file = true };
	return address >= MAPPED_AT && address < MAPPED_AT + MAPPED_BYTES;
}

static int open_file(void *arg, uint32_t module, struct rs_mapped_file *mapped)
{
	const struct file *file = arg;
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, file->data, file->len) == (ssize_t)file->len)
		return fd;
	close(fd);
	return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct rs_unwind_state state = { .pid = 1, .reg_mask = rs_unwinder_regs() };
	struct rs_unwound_frame frames[MAX_FRAMES];
	struct file file;
	struct rs_unwinder *u;
	uint16_t stack_bytes;

	if (len < 2 + NR_REGS * 8 || __builtin_popcountll(state.reg_mask) > (int)NR_REGS)
		return 0;
	memcpy(&stack_bytes, data, 2);
	state.regs = data + 2;
	state.stack = data + 2 + NR_REGS * 8;
	state.stack_bytes = stack_bytes < len - (2 + NR_REGS * 8) ? stack_bytes : len - (2 + NR_REGS * 8);
	file = (struct file){ state.stack + state.stack_bytes, len - (2 + NR_REGS * 8) - state.stack_bytes };
	u = rs_unwinder_new(&(struct rs_unwind_files){ find_mapping, open_file, &file });
	if (u && rs_unwinder_regs() && !rs_unwinder_frames(u, &state, frames, MAX_FRAMES))
		abort();
	rs_unwinder_free(u);
	return 0;
}
