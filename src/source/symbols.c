// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols - sorted by address, and looked up by bisection
 *
 * kallsyms has no sizes: an object ends where the next symbol of any kind begins,
 * so that some of code are kept too, without their names. Addresses that are
 * hidden (kptr_restrict) are 0, and no symbol at all.
 */
#include "source/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/digits.h"
#include "base/vector.h"

#define MAX_SYMBOLS (1u << 20)       /* a kernel with all its modules has some 200,000 */
#define MAX_NAMES_BYTES (32u << 20)
#define MAX_TEXT_BYTES (64u << 20)   /* 10 MB are usual */
#define SYMBOLS_READ_BYTES (64u << 10)
#define MAX_OFFSET 65536u            /* beyond this the address belongs to something else */
/*
 * A kernel without CONFIG_KALLSYMS_ALL names a few dozens of its variables. What
 * lies behind one of them is most likely not part of it: only an exact hit is a name.
 */
#define FEW_VARIABLES 1000u

/* By its type, as nm(1) has them. */
enum symbols_kind { CODE, VARIABLE, NOTHING };

static const uint8_t kind_of[256] = {
	['b'] = VARIABLE, ['B'] = VARIABLE, ['d'] = VARIABLE, ['D'] = VARIABLE, ['g'] = VARIABLE, ['G'] = VARIABLE,
	['s'] = VARIABLE, ['S'] = VARIABLE, ['v'] = VARIABLE, ['V'] = VARIABLE,
	/* absolute, undefined: no addresses */
	['a'] = NOTHING, ['A'] = NOTHING, ['u'] = NOTHING, ['U'] = NOTHING, ['n'] = NOTHING, ['N'] = NOTHING, ['?'] = NOTHING,
};

struct symbol {
	uint64_t addr;
	uint32_t name;               /* 1 + where it is in names; 0: code, a boundary alone */
	uint32_t order;              /* in the text: the kernel puts the best of several names first */
};

struct rs_symbols {
	struct symbol *at;
	size_t nr, room, nr_variables;
	char *names;
	size_t names_len, names_room;
};

/* The end of a section is not a variable, though kallsyms lists it as one. */
static bool is_end(const char *name, size_t len)
{
	static const char *const ends[] = { "_end", "_edata", "__bss_stop", "__brk_base", "__brk_limit", "__end_bss", NULL };

	for (const char *const *e = ends; *name == '_' && *e; e++)
		if (strlen(*e) == len && !memcmp(*e, name, len))
			return true;
	return false;
}

/* Behind it comes the module, if it is of one. */
static size_t symbols_name_len(const char *name, const char *end)
{
	const char *at = name;

	while (at < end && *at != ' ' && *at != '\t')
		at++;
	return (size_t)(at - name);
}

static uint32_t symbols_add_name(struct rs_symbols *s, const char *name, size_t len)
{
	uint32_t at = (uint32_t)s->names_len + 1;

	if (is_end(name, len))
		return 0;
	if (s->names_len + len + 1 > MAX_NAMES_BYTES)
		return 0;
	if (!RS_VECTOR_RESERVE(&s->names, &s->names_room, s->names_len + len + 1))
		return 0;
	memcpy(s->names + s->names_len, name, len);
	s->names[s->names_len + len] = '\0';
	s->names_len += len + 1;
	s->nr_variables++;
	return at;
}

static bool symbols_add(struct rs_symbols *s, uint64_t addr, enum symbols_kind kind, const char *name,
			const char *end)
{
	if (s->nr == MAX_SYMBOLS || !RS_VECTOR_RESERVE(&s->at, &s->room, s->nr + 1))
		return false;
	s->at[s->nr] = (struct symbol){ .addr = addr, .order = (uint32_t)s->nr };
	if (kind == VARIABLE)
		s->at[s->nr].name = symbols_add_name(s, name, symbols_name_len(name, end));
	s->nr++;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* 200,000 lines begin with one, of sixteen digits on a 64-bit kernel. Returns where they end. */
static const char *read_hex(const char *at, const char *end, uint64_t *value)
{
	uint32_t high, low;

	if (end - at > 16 && at[16] == ' ' && rs_read_eight_hex(at, &high) && rs_read_eight_hex(at + 8, &low)) {
		*value = (uint64_t)high << 32 | low;
		return at + 16;
	}
	for (*value = 0; at < end; at++) {
		unsigned int digit = (unsigned int)(*at - '0'), letter = (unsigned int)((*at | 32) - 'a');

		if (digit > 9 && letter > 5)
			break;
		*value = *value << 4 | (digit > 9 ? letter + 10 : digit);
	}
	return at;
}

/* The kernel's own are in order, those of modules after them are not, but mostly at higher addresses: sort these alone. */
static void sort(struct symbol *at, size_t nr)
{
	size_t in_order = 1;

	if (!nr)
		return;
	while (in_order < nr && at[in_order].addr >= at[in_order - 1].addr)
		in_order++;
	qsort(at + in_order, nr - in_order, sizeof *at, by_address);
	if (in_order < nr && at[in_order].addr < at[in_order - 1].addr)
		qsort(at, nr, sizeof *at, by_address);
}

/*
 * Is this code after code? Then it is skipped: a variable ends at the first one. True for the kernel's own symbols only,
 * which are in order.
 */
static bool is_more_code(const struct rs_symbols *s, uint64_t addr, const char *end)
{
	uint64_t last = s->nr ? s->at[s->nr - 1].addr : UINT64_MAX;

	if (addr < last || end[-1] == ']')
		return false;
	for (size_t i = s->nr; i-- && s->at[i].addr == last;)
		if (s->at[i].name) /* a variable at the address of that code: this one is its end */
			return false;
	return true;
}

/*
 * "ffffffff82a09a80 D tasklist_lock", then a tab and the module. A line that reads otherwise is no symbol, nor is one
 * that is absolute or undefined. False: there is no more room.
 */
static bool symbols_read_line(struct rs_symbols *s, const char *line, const char *end)
{
	uint64_t addr;
	const char *at = read_hex(line, end, &addr), *name = at + 3;
	enum symbols_kind kind;

	if (at == line || end - at < 4 || at[0] != ' ' || at[2] != ' ' || !addr || *name == ' ' || *name == '\t')
		return true;
	kind = kind_of[(unsigned char)at[1]];
	if (kind == NOTHING || (kind == CODE && is_more_code(s, addr, end)))
		return true;
	return symbols_add(s, addr, kind, name, end);
}

static void read_lines(struct rs_symbols *s, const char *text, size_t len)
{
	const char *end = len ? text + len : text, *line_end; /* NULL has no place, not even 0 further on */

	for (const char *line = text; line < end; line = line_end + 1) {
		line_end = memchr(line, '\n', (size_t)(end - line));
		line_end = line_end ? line_end : end;
		if (!symbols_read_line(s, line, line_end))
			break;
	}
	sort(s->at, s->nr);
}

/* Other threads may read the same descriptor: use pread from its begin. */
static void symbols_read_file(struct rs_symbols *s, int fd)
{
	struct rs_buf text = RS_BUF_INIT;
	ssize_t n = 0;

	while (text.len < MAX_TEXT_BYTES && rs_buf_reserve(&text, SYMBOLS_READ_BYTES) &&
	       (n = pread(fd, text.data + text.len, SYMBOLS_READ_BYTES, (off_t)text.len)) > 0)
		text.len += (size_t)n;
	read_lines(s, text.data, text.len);
	rs_buf_done(&text);
}

bool rs_symbols_may_name(const struct rs_source *source, uint64_t addr)
{
	const char *machine = source->info.machine;

	return !machine || strcmp(machine, "x86_64") != 0 || addr >= 0xffffffff80000000;
}

struct rs_symbols *rs_symbols_new(struct rs_source *source)
{
	struct rs_symbols *s = calloc(1, sizeof *s);
	int fd = source->info.kallsyms_fd;

	if (s && fd > 0)
		symbols_read_file(s, fd);
	else if (s)
		read_lines(s, source->info.kallsyms.data, source->info.kallsyms.len);
	return s;
}

void rs_symbols_free(struct rs_symbols *s)
{
	if (!s)
		return;
	free(s->at);
	free(s->names);
	free(s);
}

/* The last address at or below addr; of several symbols there the first that has a name. */
static const struct symbol *below(const struct rs_symbols *s, uint64_t addr)
{
	size_t from = 0, to = s->nr, last;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (s->at[mid].addr <= addr)
			from = mid + 1;
		else
			to = mid;
	}
	if (!from)
		return NULL;
	last = from - 1;
	for (from = last; from && s->at[from - 1].addr == s->at[last].addr;)
		from--;
	while (from < last && !s->at[from].name)
		from++;
	return &s->at[from];
}

bool rs_symbols_name(const struct rs_symbols *s, uint64_t addr, char *buf, size_t size_bytes)
{
	const struct symbol *found = s ? below(s, addr) : NULL;
	uint64_t offset = found ? addr - found->addr : 0;

	if (!found || !found->name || offset >= (s->nr_variables < FEW_VARIABLES ? 1 : MAX_OFFSET))
		return false;
	if (offset)
		snprintf(buf, size_bytes, "%s+0x%" PRIx64, s->names + found->name - 1, offset);
	else
		snprintf(buf, size_bytes, "%s", s->names + found->name - 1);
	return true;
}
