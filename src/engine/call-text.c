// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * call-text.c - a system call as a person reads it: descriptors, sizes and known constants by name
 *
 * Calls whose flags and the like have names here are in a table of call-shape.c. The number of arguments of
 * the others, their types and names are the kernel's own (call-shape.h): "setns(fd: 3, flags: 0x0)". What a
 * pointer points to is not in the event, so it stays an address. The file of a descriptor follows its number,
 * "3</etc/passwd>", where it is certain (fd-paths.h).
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/digits.h"
#include "base/units.h"
#include "engine/files/fd-paths.h"
#include "engine/internal.h"

struct constant {
	uint64_t value;
	const char *name;
};

#define C(x) { x, #x }

/* Of asm-generic, as on x86 and s390: other architectures number some of these differently. */
static const struct constant open_flags[] = {
	C(O_WRONLY),   C(O_RDWR),
	C(O_CREAT),    C(O_EXCL),
	C(O_NOCTTY),   C(O_TRUNC),
	C(O_APPEND),   C(O_NONBLOCK),
	C(O_DIRECT),   C(O_DIRECTORY),
	C(O_NOFOLLOW), C(O_CLOEXEC),
	C(O_PATH),     { 04000000 | O_SYNC, "O_SYNC" },
	C(O_DSYNC),    { 0, NULL },
};
static const struct constant protections[] = { C(PROT_READ), C(PROT_WRITE), C(PROT_EXEC), { 0, NULL } };
static const struct constant mappings[] = {
	C(MAP_SHARED),    C(MAP_PRIVATE),  C(MAP_FIXED), C(MAP_ANONYMOUS), C(MAP_DENYWRITE),
	C(MAP_NORESERVE), C(MAP_POPULATE), C(MAP_STACK), C(MAP_HUGETLB),   { 0, NULL },
};
static const struct constant clones[] = {
	C(CLONE_VM),           C(CLONE_FS),     C(CLONE_FILES),         C(CLONE_SIGHAND),
	C(CLONE_VFORK),        C(CLONE_PARENT), C(CLONE_THREAD),        C(CLONE_NEWNS),
	C(CLONE_SYSVSEM),      C(CLONE_SETTLS), C(CLONE_PARENT_SETTID), C(CLONE_CHILD_CLEARTID),
	C(CLONE_CHILD_SETTID), C(CLONE_NEWPID), C(CLONE_NEWNET),        C(CLONE_NEWUSER),
	{ 0, NULL },
};
static const struct constant futexes[] = {
	C(FUTEX_WAIT),        C(FUTEX_WAKE),        C(FUTEX_REQUEUE),         C(FUTEX_CMP_REQUEUE),
	C(FUTEX_WAKE_OP),     C(FUTEX_LOCK_PI),     C(FUTEX_UNLOCK_PI),       C(FUTEX_TRYLOCK_PI),
	C(FUTEX_WAIT_BITSET), C(FUTEX_WAKE_BITSET), C(FUTEX_WAIT_REQUEUE_PI), C(FUTEX_CMP_REQUEUE_PI),
	C(FUTEX_LOCK_PI2),    { 0, NULL },
};
static const struct constant whences[] = { C(SEEK_SET),  C(SEEK_CUR),  C(SEEK_END),
					   C(SEEK_DATA), C(SEEK_HOLE), { 0, NULL } };
static const struct constant families[] = { C(AF_UNIX),    C(AF_INET),   C(AF_INET6),
					    C(AF_NETLINK), C(AF_PACKET), { 0, NULL } };
static const struct constant epolls[] = { C(EPOLL_CTL_ADD), C(EPOLL_CTL_DEL), C(EPOLL_CTL_MOD), { 0, NULL } };
static const struct constant clocks[] = {
	C(CLOCK_REALTIME),          C(CLOCK_MONOTONIC),     C(CLOCK_PROCESS_CPUTIME_ID),
	C(CLOCK_THREAD_CPUTIME_ID), C(CLOCK_MONOTONIC_RAW), C(CLOCK_REALTIME_COARSE),
	C(CLOCK_MONOTONIC_COARSE),  C(CLOCK_BOOTTIME),      { 0, NULL },
};

static void call_text_put_number(struct rs_buf *out, int64_t value)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_i64(text, value));
}

static void call_text_put_hex(struct rs_buf *out, uint64_t value)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_hex(text, value));
}

static void call_text_put_one_of(struct rs_buf *out, const struct constant *list, uint64_t value)
{
	for (; list->name; list++)
		if (list->value == value) {
			rs_buf_puts(out, list->name);
			return;
		}
	call_text_put_number(out, (int64_t)value);
}

/* Bits by name, those without a name in hex at the end; zero: the text for no bits. */
static void call_text_put_flags(struct rs_buf *out, const struct constant *list, uint64_t value,
				const char *zero)
{
	const char *between = "";

	if (!value)
		rs_buf_puts(out, zero);
	for (; list->name; list++)
		if (list->value && (value & list->value) == list->value) {
			rs_buf_puts(out, between);
			rs_buf_puts(out, list->name);
			value &= ~list->value;
			between = "|";
		}
	if (value) {
		rs_buf_puts(out, between);
		call_text_put_hex(out, value);
	}
}

static void call_text_put_fd(struct rs_session *s, const struct rs_call *call, int fd)
{
	struct rs_fd_paths *p = rs_fd_paths_of(s);
	const char *path = p && call->task ? rs_fd_paths_get(p, call, fd) : NULL;

	if (fd == AT_FDCWD)
		rs_buf_puts(&s->call_texts.text, "AT_FDCWD");
	else
		call_text_put_number(&s->call_texts.text, fd);
	if (path) {
		rs_buf_putc(&s->call_texts.text, '<');
		rs_buf_puts(&s->call_texts.text, path);
		rs_buf_putc(&s->call_texts.text, '>');
	}
}

static void call_text_put_open_flags(struct rs_buf *out, uint64_t value)
{
	if ((value & O_ACCMODE) == O_RDONLY)
		rs_buf_puts(out, value & ~(uint64_t)O_ACCMODE ? "O_RDONLY|" : "O_RDONLY");
	if (value)
		call_text_put_flags(out, open_flags, value, "");
}

static void call_text_put_futex(struct rs_buf *out, uint64_t value)
{
	call_text_put_one_of(out, futexes, value & 127);
	if (value & FUTEX_PRIVATE_FLAG)
		rs_buf_puts(out, "|PRIVATE");
	if (value & FUTEX_CLOCK_REALTIME)
		rs_buf_puts(out, "|CLOCK_REALTIME");
}

static void call_text_put_clone(struct rs_buf *out, uint64_t value)
{
	const char *signal = sigabbrev_np((int)(value & 0xff));

	if (value & ~0xffull || !signal)
		call_text_put_flags(out, clones, value & ~0xffull, "0");
	if (signal)
		rs_buf_printf(out, "%sSIG%s", value & ~0xffull ? "|" : "", signal);
}

static void call_text_put_signal(struct rs_buf *out, int nr)
{
	const char *name = sigabbrev_np(nr);

	if (name)
		rs_buf_printf(out, "SIG%s", name);
	else
		call_text_put_number(out, nr);
}

static void call_text_put_arg(struct rs_buf *out, char kind, uint64_t value)
{
	char number[RS_UNIT_TEXT];

	switch (kind) {
	case 'z': rs_buf_add(out, number, rs_units_put_u64(number, value)); break;
	case 'd': call_text_put_number(out, (int64_t)value); break;
	case 'i': call_text_put_number(out, (int)value); break;
	case 'u': call_text_put_number(out, (unsigned int)value); break;
	case 'o': rs_buf_printf(out, "0%llo", (unsigned long long)value); break;
	case 'O': call_text_put_open_flags(out, value); break;
	case 'P': call_text_put_flags(out, protections, value, "PROT_NONE"); break;
	case 'M': call_text_put_flags(out, mappings, value, "0"); break;
	case 'C': call_text_put_clone(out, value); break;
	case 'F': call_text_put_futex(out, value); break;
	case 'W': call_text_put_one_of(out, whences, value); break;
	case 'S': call_text_put_signal(out, (int)value); break;
	case 'A': call_text_put_one_of(out, families, value); break;
	case 'E': call_text_put_one_of(out, epolls, value); break;
	case 'c': call_text_put_one_of(out, clocks, value); break;
	default:
		if (value || kind != 'p')
			call_text_put_hex(out, value);
		else
			rs_buf_puts(out, "NULL");
	}
}

/* The letters of a call's arguments; *shape is NULL if the arguments have no names. */
static const char *call_text_letters_of(struct rs_session *s, int64_t nr, const struct rs_call_shape **shape)
{
	const char *row = rs_syscall_generic_constants(s->syscalls) ?
				  rs_call_facts_letters(rs_syscall_facts(s->syscalls), nr) :
				  NULL;

	/* with words of 32 bits a longer argument takes two: which words belong together is not known here */
	if (row && rs_syscall_is_narrow(s->syscalls, nr) && strchr(row, 'd'))
		row = NULL;
	*shape = row ? NULL : rs_call_shape_get(s, nr);
	return row ? row : *shape ? (*shape)->letters : "xxxxxx";
}

const char *rs_call_text(const struct rs_ctx *c, const char *name, const struct rs_call *call)
{
	struct rs_buf *out = &c->session->call_texts.text;
	const struct rs_call_shape *shape;
	const char *kinds = call_text_letters_of(c->session, call->nr, &shape);

	rs_buf_clear(out);
	rs_buf_puts(out, name);
	rs_buf_putc(out, '(');
	for (unsigned int i = 0; i < 6 && kinds[i] && kinds[i] != '.'; i++) {
		rs_buf_puts(out, i ? ", " : "");
		if (shape) {
			rs_buf_puts(out, shape->names[i]);
			rs_buf_puts(out, ": ");
		}
		if (kinds[i] == 'f' || kinds[i] == 'D')
			call_text_put_fd(c->session, call, (int)call->args[i]);
		else
			call_text_put_arg(out, kinds[i], call->args[i]);
	}
	rs_buf_putc(out, ')');
	return out->data;
}

static const char *call_text_put_words(const struct rs_ctx *c, const struct rs_call *call, unsigned int nr)
{
	char *text = c->session->call_texts.words, *p = text;

	for (unsigned int i = 0; i < nr; i++) {
		p = rs_put_0x(p, call->args[i]);
		*p++ = ' ';
	}
	*(nr ? p - 1 : p) = '\0';
	return text;
}

const char *rs_call_words(const struct rs_ctx *c, const struct rs_call *call)
{
	return call_text_put_words(c, call, 6);
}

static unsigned int call_text_find_nr_args(struct rs_session *s, int64_t nr)
{
	const struct rs_call_shape *shape = rs_call_shape_get(s, nr);

	return shape ? shape->nr : rs_syscall_nr_args(s->syscalls, nr);
}

/* Each call of an export asks: found once for each number. */
static inline unsigned int call_text_nr_args(struct rs_session *s, int64_t nr)
{
	uint8_t *known = (uint64_t)nr < RS_MAX_CALL_NUMBERS ? &s->call_texts.nr_args[nr] : NULL;

	if (!known)
		return call_text_find_nr_args(s, nr);
	if (!*known)
		*known = (uint8_t)(1 + call_text_find_nr_args(s, nr));
	return *known - 1u;
}

const char *rs_call_args(const struct rs_ctx *c, const struct rs_call *call)
{
	return call_text_put_words(c, call, call_text_nr_args(c->session, call->nr));
}
