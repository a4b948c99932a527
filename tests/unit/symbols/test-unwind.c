// SPDX-License-Identifier: GPL-2.0-or-later
/* test-unwind - callers of a function of this program, without frame pointers, by its registers and a copy of its stack */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "skip.h"
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
extern void *__libc_stack_end;   /* of the C library */
#define ALL_REGS 0xff01ffull /* those of 64-bit programs, without segments and flags */

static uint64_t regs[17];
static uint8_t stack[16384];     /* a signal's frame has all registers: 3 KiB */
static size_t stack_bytes;
static const void *callers[2];   /* where inner() and middle() return to */
static char paths[64][256];      /* of the modules, whose numbers begin at 1 */
static unsigned int nr_opened[64];

static uint32_t module_of(const char *path)
{
	uint32_t module = 1;

	while (paths[module][0] && strcmp(paths[module], path) != 0)
		module++;
	ck_assert_uint_lt(module, 63);
	snprintf(paths[module], sizeof paths[module], "%s", path);
	return module;
}

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
	*m = (struct rs_unwind_mapping){ start, offset, found ? module_of(strchr(line, '/')) : 0, true };
	return found;
}

static int open_file(void *arg, uint32_t module, struct rs_mapped_file *file)
{
	char path[256];

	nr_opened[module]++;
	*file = (struct rs_mapped_file){ .build_id = (const uint8_t *)"\1", .build_id_len = arg ? 1 : 0 };
	snprintf(path, sizeof path, "%.*s", (int)strcspn(paths[module], "\n"), paths[module]);
	return open(path, O_RDONLY | O_CLOEXEC);
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
	stack_bytes = (uint64_t)(uintptr_t)__libc_stack_end - regs[7];
	stack_bytes = stack_bytes < sizeof stack ? stack_bytes : sizeof stack;
	memcpy(stack, (const void *)(uintptr_t)regs[7], stack_bytes);
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

static size_t unwind(struct rs_unwound_frame *frames, void *arg, size_t bytes)
{
	const struct rs_unwind_files files = { find_mapping, open_file, arg };
	const struct rs_unwind_state state = { getpid(), ALL_REGS, (const uint8_t *)regs, stack, bytes };
	struct rs_unwinder *u = rs_unwinder_new(&files);
	size_t nr = 0;

	for (int i = 0; i < 3; i++) /* the file is read once */
		nr = rs_unwinder_frames(u, &state, frames, 64);
	rs_unwinder_free(u);
	return nr;
}

START_TEST(callers_without_frame_pointers)
{
	volatile int v = 1;
	struct rs_unwound_frame frames[64];
	size_t nr, at = 0;

	if (!CAN_UNWIND)
		SKIP("no stacks are unwound on this architecture");
	middle(&v);
	memset(nr_opened, 0, sizeof nr_opened);
	nr = unwind(frames, NULL, stack_bytes);
	ck_assert_uint_ge(nr, 3);
	ck_assert(!frames[0].caller && frames[0].address == regs[8]);
	/* save_state may be inlined */
	while (at < nr && frames[at].address != (uint64_t)(uintptr_t)callers[0])
		at++;
	ck_assert_uint_le(at, 2);
	ck_assert_uint_eq(frames[at + 1].address, (uint64_t)(uintptr_t)callers[1]);
	ck_assert(frames[at].caller && frames[at + 1].caller);
	for (size_t i = 1; i < 64; i++)
		ck_assert_uint_le(nr_opened[i], 1);
	/* without the stack there is the function alone, and no wrong callers */
	ck_assert_uint_eq(unwind(frames, NULL, 0), 1);
}
END_TEST

static uint64_t interrupted_at;

static WITHOUT_FRAME_POINTERS void on_signal(int sig, siginfo_t *info, void *context)
{
#if CAN_UNWIND
	interrupted_at = (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#endif
	save_state();
}

static WITHOUT_FRAME_POINTERS long interrupted(volatile int *v)
{
	callers[0] = __builtin_return_address(0);
	return syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1) + *v;
}

/* The kernel made the handler's frame: its return address is no call's, and neither is the place that was interrupted. */
START_TEST(the_interrupted_function_is_no_caller)
{
	const struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	volatile int v = 1;
	struct rs_unwound_frame frames[64];
	size_t nr, at = 0, calls = 0;

	if (!CAN_UNWIND)
		SKIP("no stacks are unwound on this architecture");
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(interrupted(&v), 1);
	signal(SIGUSR1, SIG_DFL);
	nr = unwind(frames, NULL, stack_bytes);
	while (at < nr && frames[at].address != interrupted_at)
		at++;
	ck_assert_uint_ge(at, 2); /* on_signal, the trampoline */
	ck_assert_uint_lt(at, nr);
	ck_assert(!frames[at].caller && !frames[at - 1].caller);
	while (calls < nr && frames[calls].address != (uint64_t)(uintptr_t)callers[0])
		calls++;
	ck_assert_uint_gt(calls, at);
	ck_assert_uint_lt(calls, nr);
	ck_assert(frames[calls].caller);
}
END_TEST

START_TEST(another_file_is_not_used)
{
	volatile int v = 1;
	struct rs_unwound_frame frames[64];

	if (!CAN_UNWIND)
		SKIP("no stacks are unwound on this architecture");
	middle(&v);
	ck_assert_uint_eq(unwind(frames, regs, stack_bytes), 1);
	ck_assert_uint_eq(frames[0].address, regs[8]);
}
END_TEST

Suite *rs_suite_unwind(void)
{
	Suite *s = suite_create("unwind");
	TCase *t = tcase_create("unwind");

	tcase_add_test(t, callers_without_frame_pointers);
	tcase_add_test(t, the_interrupted_function_is_no_caller);
	tcase_add_test(t, another_file_is_not_used);
	suite_add_tcase(s, t);
	return s;
}
