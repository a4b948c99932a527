// SPDX-License-Identifier: GPL-2.0-or-later
/* test-unwind - callers of a function of this program, without frame pointers, by its registers and a copy of its stack */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "symbols/unwinder.h"

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__
#define CAN_UNWIND 1
#else
#define CAN_UNWIND 0
#endif

#ifdef __clang__
#define WITHOUT_FRAME_POINTERS __attribute__((noinline))
#else
#define WITHOUT_FRAME_POINTERS __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#endif
#define ALL_REGS 0xff01ffull /* those of 64-bit programs, without segments and flags */

static uint64_t regs[17];
static uint8_t stack[4096];
static const void *callers[2];   /* where inner() and middle() return to */
static unsigned int nr_opened;

static bool find_mapping(void *arg, int32_t pid, uint64_t address, struct rs_unwind_mapping *m)
{
	FILE *file = fopen("/proc/self/maps", "re");
	unsigned long long start, end, offset;
	char line[512], perms[8];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		ck_assert_int_eq(sscanf(line, "%llx-%llx %7s %llx", &start, &end, perms, &offset), 4);
		found = address >= start && address < end && strchr(perms, 'x') && strchr(line, '/');
	}
	if (file)
		fclose(file);
	*m = (struct rs_unwind_mapping){ start, end, offset, 7 };
	/* one module is enough: the functions below are in it */
	return found && address >= start && (uint64_t)(uintptr_t)find_mapping >= start && (uint64_t)(uintptr_t)find_mapping < end;
}

static int open_file(void *arg, uint32_t module, struct rs_mapped_file *file)
{
	ck_assert_uint_eq(module, 7);
	nr_opened++;
	*file = (struct rs_mapped_file){ .build_id = (const uint8_t *)"\1", .build_id_len = arg ? 1 : 0 };
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static void save_state(void)
{
#if CAN_UNWIND
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
				     REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	ucontext_t context;

	getcontext(&context);
	for (size_t i = 0; i < 17; i++)
		regs[i] = (uint64_t)context.uc_mcontext.gregs[order[i]];
	memcpy(stack, (const void *)(uintptr_t)regs[7], sizeof stack);
#endif
}

static WITHOUT_FRAME_POINTERS int inner(volatile int *v)
{
	callers[0] = __builtin_return_address(0);
	save_state();
	return *v + 1;
}

static WITHOUT_FRAME_POINTERS int middle(volatile int *v)
{
	volatile int local[10] = { *v };
	int sum = 0;

	callers[1] = __builtin_return_address(0);
	for (int i = 0; i < 10; i++)
		sum += inner(&local[i]);
	return sum + local[3];
}

static size_t unwind(struct rs_unwound_frame *frames, void *arg, size_t stack_bytes)
{
	const struct rs_unwind_files files = { find_mapping, open_file, arg };
	const struct rs_unwind_state state = { getpid(), ALL_REGS, (const uint8_t *)regs, stack, stack_bytes };
	struct rs_unwinder *u = rs_unwinder_new(&files);
	size_t nr = 0;

	for (int i = 0; i < 3; i++) { /* the tables of a process are read once */
		nr = rs_unwinder_frames(u, &state, frames, 64);
		if (i == 1)
			rs_unwinder_forget(u, getpid());
	}
	rs_unwinder_free(u);
	return nr;
}

START_TEST(callers_without_frame_pointers)
{
	volatile int v = 1;
	struct rs_unwound_frame frames[64];
	size_t nr, at = 0;

	if (!CAN_UNWIND)
		return;
	middle(&v);
	nr_opened = 0;
	nr = unwind(frames, NULL, sizeof stack);
	ck_assert_uint_ge(nr, 3);
	ck_assert(!frames[0].caller && frames[0].address == regs[8]);
	/* save_state may be inlined */
	while (at < nr && frames[at].address != (uint64_t)(uintptr_t)callers[0])
		at++;
	ck_assert_uint_le(at, 2);
	ck_assert_uint_eq(frames[at + 1].address, (uint64_t)(uintptr_t)callers[1]);
	ck_assert(frames[at].caller && frames[at + 1].caller);
	ck_assert_uint_eq(nr_opened, 1);
	/* without the stack there is the function alone, and no wrong callers */
	ck_assert_uint_eq(unwind(frames, NULL, 0), 1);
}
END_TEST

START_TEST(another_file_is_not_used)
{
	volatile int v = 1;
	struct rs_unwound_frame frames[64];

	if (!CAN_UNWIND)
		return;
	middle(&v);
	ck_assert_uint_eq(unwind(frames, regs, sizeof stack), 1);
	ck_assert_uint_eq(frames[0].address, regs[8]);
}
END_TEST

Suite *rs_suite_unwind(void)
{
	Suite *s = suite_create("unwind");
	TCase *t = tcase_create("unwind");

	tcase_add_test(t, callers_without_frame_pointers);
	tcase_add_test(t, another_file_is_not_used);
	suite_add_tcase(s, t);
	return s;
}
