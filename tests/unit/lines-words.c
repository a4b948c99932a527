// SPDX-License-Identifier: GPL-2.0-or-later
/* lines-words - what the words of a line say, as named values */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines-parts.h"

__attribute__((noreturn))
void rs_lines_bad(const struct lines *l, const char *why)
{
	ck_abort_msg("line \"%s\": %s at \"%s\"", l->line, why, l->at);
}

static struct value *set(struct lines *l, const char *name, uint64_t number)
{
	struct value *v = &l->values[l->nr_values++];

	ck_assert_uint_le(l->nr_values, MAX_VALUES);
	snprintf(v->name, sizeof v->name, "%s", name);
	v->text[0] = 0;
	v->number = number;
	return v;
}

const struct value *rs_lines_get(const struct lines *l, const char *name)
{
	for (unsigned int i = 0; i < l->nr_values; i++)
		if (!strcmp(l->values[i].name, name))
			return &l->values[i];
	return NULL;
}

void rs_lines_skip_spaces(struct lines *l)
{
	l->at += strspn(l->at, " ");
}

bool rs_lines_word(struct lines *l, char *buf, size_t size)
{
	size_t len;

	rs_lines_skip_spaces(l);
	len = strcspn(l->at, " ");
	if (!len)
		return false;
	if (len >= size)
		rs_lines_bad(l, "a word too long");
	memcpy(buf, l->at, len);
	buf[len] = 0;
	l->at += len;
	return true;
}

uint64_t rs_lines_number(struct lines *l, const char *text, int base)
{
	char *end;
	uint64_t n = text[0] == '-' ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);

	if (end == text || *end)
		rs_lines_bad(l, "not a number before here");
	return n;
}

/* "NAME/TID": the first slash with only digits up to the next space, so that names hold spaces and slashes. */
static const char *name_end(const char *at)
{
	for (const char *p = strchr(at, '/'); p; p = strchr(p + 1, '/')) {
		size_t digits = strspn(p + 1, "0123456789");

		if (digits && (!p[1 + digits] || p[1 + digits] == ' '))
			return p;
	}
	return NULL;
}

void rs_lines_read_task(struct lines *l, const char *comm, const char *tid, unsigned int cpu)
{
	const char *slash;
	struct value *v;

	rs_lines_skip_spaces(l);
	slash = name_end(l->at);
	if (!slash)
		rs_lines_bad(l, "expected NAME/TID");
	v = set(l, comm, 0);
	snprintf(v->text, sizeof v->text, "%.*s", (int)(slash - l->at), l->at);
	l->at = slash + 1;
	v = set(l, tid, strtoull(l->at, NULL, 10));
	l->at += strspn(l->at, "0123456789");
	if (!v->number && !strcmp(v[-1].text, "idle"))
		snprintf(v[-1].text, sizeof v->text, "swapper/%u", cpu);
}

static void read_state(struct lines *l, const char *name)
{
	const char *letters = l->layout->letters, *p;
	char text[16];
	uint64_t state = 0;

	if (!rs_lines_word(l, text, sizeof text))
		rs_lines_bad(l, "expected a state");
	for (p = text; *p; p++) {
		const char *bit = strchr(letters, *p);

		if (*p == 'R' || *p == '|')
			continue;
		if (*p == '+')
			state |= 1ull << l->layout->letters_bits;
		else if (bit)
			state |= 1ull << (bit - letters);
		else if (strchr("SDTtXZPI", *p))
			l->no_letter = true;
		else
			rs_lines_bad(l, "no such state before here");
	}
	set(l, name, state);
}

static void read_dev(struct lines *l)
{
	unsigned int major = 0, minor = 0;
	char text[32];

	if (!rs_lines_word(l, text, sizeof text) || sscanf(text, "%u,%u", &major, &minor) != 2)
		rs_lines_bad(l, "expected MAJ,MIN before here");
	set(l, "dev", (uint64_t)major << 20 | minor);
	set(l, "s_dev", (uint64_t)major << 20 | minor);
}

/* "10.0.0.1:80", "::1:80": the last colon is before the port. */
static void read_end(struct lines *l, const char *addr, const char *port)
{
	char text[64], *colon;

	if (!rs_lines_word(l, text, sizeof text) || !(colon = strrchr(text, ':')))
		rs_lines_bad(l, "expected ADDRESS:PORT before here");
	*colon = 0;
	snprintf(set(l, addr, 0)->text, sizeof l->values->text, "%.40s", text);
	set(l, port, rs_lines_number(l, colon + 1, 10));
}

/* One word of an event's pattern: "->", "@state", "%dev", "&addr:port", "$text", "~text with spaces", "#number", "comm/pid". */
static void read_pattern_word(struct lines *l, char *what, unsigned int cpu)
{
	char text[64], *slash = strchr(what, '/'), *colon = strchr(what, ':');

	if (slash) {
		*slash = 0;
		rs_lines_read_task(l, what, slash + 1, cpu);
	} else if (*what == '&') {
		*colon = 0;
		read_end(l, what + 1, colon + 1);
	} else if (*what == '@') {
		read_state(l, what + 1);
	} else if (*what == '%') {
		read_dev(l);
	} else if (*what == '~') {
		l->at += *l->at == ' ';
		snprintf(set(l, what + 1, 0)->text, sizeof l->values->text, "%s", l->at);
		l->at += strlen(l->at);
	} else if (!rs_lines_word(l, text, sizeof text)) {
		rs_lines_bad(l, "the line ends too early");
	} else if (*what == '$') {
		struct value *v = set(l, what + 1, 0);

		snprintf(v->text, sizeof v->text, "%s", text);
	} else if (*what == '#') {
		set(l, what + 1, rs_lines_number(l, text, 10));
	} else if (strcmp(text, what)) {
		rs_lines_bad(l, "expected -> before here");
	}
}

/* "nr" is a system call's number or name in one event, sectors in the other. */
uint64_t rs_lines_syscall_nr(struct lines *l, const char *text)
{
	char key[32];
	const char *found;

	if (isdigit((unsigned char)*text) || *text == '-')
		return rs_lines_number(l, text, 10);
	snprintf(key, sizeof key, "%s=", text);
	for (found = l->layout->syscalls; (found = strstr(found, key)); found++)
		if (found == l->layout->syscalls || found[-1] == ' ')
			return strtoull(found + strlen(key), NULL, 10);
	rs_lines_bad(l, "no such system call in the test's list");
}

static const char *const long_names[][2] = {
	{ "target", "target_cpu" }, { "err", "error" }, { "old", "old_pid" }, { "flags", "clone_flags" },
	{ "t", "common_pid" },
};

static void read_option(struct lines *l, const char *key, const char *text, bool is_syscall)
{
	struct value *v;

	for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++)
		if (!strcmp(key, long_names[i][0]))
			key = long_names[i][1];
	if (!strcmp(key, "nr")) {
		if (is_syscall)
			set(l, "__syscall_nr", rs_lines_syscall_nr(l, text));
		set(l, is_syscall ? "id" : "nr_sector", is_syscall ? rs_lines_syscall_nr(l, text) : rs_lines_number(l, text, 10));
	} else if (!strcmp(key, "comm") || !strncmp(key, "cgroup", 6) || !strcmp(key, "asleep") || !strcmp(key, "call") ||
		   !strcmp(key, "wchan")) {
		v = set(l, key, 0);
		snprintf(v->text, sizeof v->text, "%s", text);
	} else {
		set(l, key, rs_lines_number(l, text, !strcmp(key, "clone_flags") ? 16 : 10));
	}
}

/* What follows the pattern: "key=value", "by NAME/TID", "irq", "irqs_off", "group_dead", and in hex sys_enter's words, or a stack's addresses. */
void rs_lines_read_options(struct lines *l, const struct event_layout *ev, unsigned int cpu)
{
	bool is_syscall = strstr(ev->system, "syscalls"), is_stack = strstr(ev->name, "_stack");
	char text[128], name[16], *equals;
	unsigned int nr_args = 0;

	while (rs_lines_word(l, text, sizeof text)) {
		if ((equals = strchr(text, '='))) {
			*equals = 0;
			read_option(l, text, equals + 1, is_syscall);
		} else if (!strcmp(text, "by")) {
			rs_lines_read_task(l, "by_comm", "common_pid", cpu);
		} else if (!strcmp(text, "irq")) {
			set(l, "common_flags", 8);
		} else if (!strcmp(text, "softirq")) {
			set(l, "common_flags", 16);
		} else if (!strcmp(text, "irqs_off")) {
			set(l, "common_flags", 1);
		} else if (!strcmp(text, "group_dead")) {
			set(l, "group_dead", 1);
		} else if (is_syscall ? nr_args < 6 : is_stack && nr_args < 8) {
			snprintf(name, sizeof name, "args%u", nr_args++);
			set(l, name, rs_lines_number(l, text, 16));
		} else {
			rs_lines_bad(l, "what is that before here");
		}
	}
	if (is_stack) {
		set(l, "nr_callers", nr_args);
		set(l, "size", nr_args); /* unless the line says it: the first counts */
	}
}

/* Events that fire in the context of the very task that they name. */
static const char *const own_context[][2] = {
	{ "sched_switch", "prev_pid" }, { "sched_process_fork", "parent_pid" }, { "sched_process_exec", "pid" },
	{ "sched_process_exit", "pid" }, { "task_rename", "pid" },
};

static void set_context(struct lines *l, const struct event_layout *ev)
{
	for (size_t i = 0; i < sizeof own_context / sizeof *own_context; i++)
		if (!strcmp(ev->name, own_context[i][0]) && rs_lines_get(l, own_context[i][1]))
			set(l, "common_pid", rs_lines_get(l, own_context[i][1])->number);
	if (!rs_lines_get(l, "common_pid"))
		rs_lines_bad(l, "in whose context? say t=TID or by NAME/TID");
}

void rs_lines_read_event(struct lines *l, const struct event_layout *ev, unsigned int cpu)
{
	char text[64], pattern[96], *rest, *what;

	rs_lines_skip_spaces(l);
	if (!strncmp(l->at, "t=", 2)) {
		rs_lines_word(l, text, sizeof text);
		read_option(l, "t", text + 2, false);
	}
	snprintf(pattern, sizeof pattern, "%s", ev->pattern);
	for (rest = pattern; *pattern && (what = strsep(&rest, " ")); )
		read_pattern_word(l, what, cpu);
	rs_lines_read_options(l, ev, cpu);
	set_context(l, ev);
}
