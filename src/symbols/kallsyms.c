// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kallsyms - sorted by address, and looked up by bisection
 *
 * kallsyms has no sizes: an object ends where the next symbol of any kind begins,
 * so that some of code are kept too, without their names unless functions are asked for.
 * Addresses that are hidden (kptr_restrict) are 0, and no symbol at all.
 */
#include "symbols/kallsyms.h"

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
#define ADDRESS_DIGITS 16            /* of a 64-bit kernel */
#define MAX_OFFSET 65536u            /* beyond this the address belongs to something else */
/*
 * A kernel without CONFIG_KALLSYMS_ALL names a few dozens of its variables. What
 * lies behind one of them is most likely not part of it: only an exact hit is a name.
 */
#define FEW_VARIABLES 1000u

/* By its type, as nm(1) has them. */
enum kallsyms_kind { BOUNDARY, CODE, VARIABLE, NOTHING };

static const uint8_t kind_of[256] = {
	['b'] = VARIABLE,
	['B'] = VARIABLE,
	['d'] = VARIABLE,
	['D'] = VARIABLE,
	['g'] = VARIABLE,
	['G'] = VARIABLE,
	['s'] = VARIABLE,
	['S'] = VARIABLE,
	['v'] = VARIABLE,
	['V'] = VARIABLE,
	['t'] = CODE,
	['T'] = CODE,
	['w'] = CODE,
	['W'] = CODE,
	['i'] = CODE,
	/* absolute, undefined: no addresses */
	['a'] = NOTHING,
	['A'] = NOTHING,
	['u'] = NOTHING,
	['U'] = NOTHING,
	['n'] = NOTHING,
	['N'] = NOTHING,
	['?'] = NOTHING,
};

struct kallsyms_entry {
	uint64_t addr;
	uint32_t name;               /* 1 + where it is in names; 0: a boundary alone */
	uint32_t order : 31;         /* in the text: the kernel puts the best of several names first */
	uint32_t is_code : 1;
};

struct rs_kallsyms {
	struct kallsyms_entry *at;
	size_t nr, room, nr_variables;
	bool functions;              /* code has names, too */
	const char *last_line;       /* while lines are read: of the last symbol */
	bool skips_code;             /* likewise: code after it is more code */
	char *names;
	size_t names_len, names_room;
};

/* The end of a section is not a variable, though kallsyms lists it as one. */
static bool is_end(const char *name, size_t len)
{
	static const char *const ends[] = { "_end",        "_edata",    "__bss_stop", "__brk_base",
					    "__brk_limit", "__end_bss", NULL };

	for (const char *const *e = ends; *name == '_' && *e; e++)
		if (strlen(*e) == len && !memcmp(*e, name, len))
			return true;
	return false;
}

/* Behind it comes the module, if it is of one: "name\t[module]". */
static size_t kallsyms_name_len(const char *name, const char *end)
{
	const char *at = name;

	while (at < end && *at != ' ' && *at != '\t')
		at++;
	return (size_t)(at - name);
}

/* Returns 1 + the place of the text; 0: no room. */
static uint32_t kallsyms_add_text(struct rs_kallsyms *s, const char *text, size_t len)
{
	uint32_t at = (uint32_t)s->names_len + 1;

	if (s->names_len + len + 1 > MAX_NAMES_BYTES ||
	    !RS_VECTOR_RESERVE(&s->names, &s->names_room, s->names_len + len + 1))
		return 0;
	if (len)
		memcpy(s->names + s->names_len, text, len);
	s->names[s->names_len + len] = '\0';
	s->names_len += len + 1;
	return at;
}

static uint32_t kallsyms_add_variable(struct rs_kallsyms *s, const char *name, size_t len)
{
	uint32_t at = is_end(name, len) ? 0 : kallsyms_add_text(s, name, len);

	s->nr_variables += at != 0;
	return at;
}

/* "name", then "[module]", "" for the kernel itself. */
static uint32_t kallsyms_add_function(struct rs_kallsyms *s, const char *name, size_t len, const char *end)
{
	const char *module = name + len;
	uint32_t at = kallsyms_add_text(s, name, len);

	while (module < end && *module != '[')
		module++;
	return at && kallsyms_add_text(s, module, (size_t)(end - module)) ? at : 0;
}

static bool kallsyms_add(struct rs_kallsyms *s, uint64_t addr, enum kallsyms_kind kind, const char *name,
			const char *end)
{
	if (s->nr == MAX_SYMBOLS || !RS_VECTOR_RESERVE(&s->at, &s->room, s->nr + 1))
		return false;
	s->at[s->nr] = (struct kallsyms_entry){ .addr = addr, .order = (uint32_t)s->nr & INT32_MAX,
						.is_code = kind != VARIABLE };
	if (kind == VARIABLE)
		s->at[s->nr].name = kallsyms_add_variable(s, name, kallsyms_name_len(name, end));
	else if (s->functions && kind == CODE)
		s->at[s->nr].name = kallsyms_add_function(s, name, kallsyms_name_len(name, end), end);
	s->nr++;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct kallsyms_entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* 200,000 lines begin with one, of sixteen digits on a 64-bit kernel. Returns where they end. */
static const char *read_hex(const char *at, const char *end, uint64_t *value)
{
	uint32_t high, low;

	if (end - at > 16 && at[16] == ' ' && rs_read_eight_hex(at, &high) &&
	    rs_read_eight_hex(at + 8, &low)) {
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

/*
 * The kernel's own are in order, those of modules after them are not, but mostly at higher addresses: sort
 * these alone.
 */
static void sort(struct kallsyms_entry *at, size_t nr)
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
 * Is this code after code? Then it is skipped: a variable ends at the first one. True for the kernel's own
 * symbols only, which are in order.
 */
static bool is_more_code(const struct rs_kallsyms *s, uint64_t addr, const char *end)
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
 * "ffffffff82a09a80 D tasklist_lock", then a tab and the module. A line that reads otherwise is no symbol,
 * nor is one that is absolute or undefined. False: there is no more room.
 */
static bool kallsyms_read_line(struct rs_kallsyms *s, const char *line, const char *end)
{
	uint64_t addr;
	const char *at = read_hex(line, end, &addr), *name = at + 3;
	enum kallsyms_kind kind;

	if (at == line || end - at < 4 || at[0] != ' ' || at[2] != ' ' || !addr || *name == ' ' ||
	    *name == '\t')
		return true;
	kind = kind_of[(unsigned char)at[1]];
	if (kind == NOTHING)
		return true;
	if (kind != VARIABLE && !s->functions && is_more_code(s, addr, end)) {
		s->skips_code = true;
		return true;
	}
	s->last_line = at == line + ADDRESS_DIGITS ? line : NULL;
	s->skips_code = false;
	return kallsyms_add(s, addr, kind, name, end);
}

/*
 * Most lines are code after code, of the same number of digits. Their text is in the order of their
 * addresses, so that these need not be numbers.
 */
static bool kallsyms_skips(const struct rs_kallsyms *s, const char *line, const char *end)
{
	return s->skips_code && s->last_line && end - line > ADDRESS_DIGITS + 3 &&
	       line[ADDRESS_DIGITS] == ' ' && line[ADDRESS_DIGITS + 2] == ' ' &&
	       kind_of[(unsigned char)line[ADDRESS_DIGITS + 1]] != VARIABLE && end[-1] != ']' &&
	       memcmp(line, s->last_line, ADDRESS_DIGITS) >= 0;
}

static void read_lines(struct rs_kallsyms *s, const char *text, size_t len)
{
	const char *end = len ? text + len : text, *line_end; /* NULL has no place, not even 0 further on */

	for (const char *line = text; line < end; line = line_end + 1) {
		line_end = memchr(line, '\n', (size_t)(end - line));
		line_end = line_end ? line_end : end;
		if (!kallsyms_skips(s, line, line_end) && !kallsyms_read_line(s, line, line_end))
			break;
	}
	s->last_line = NULL;
	sort(s->at, s->nr);
}

/* Other threads may read the same descriptor: use pread from its begin. */
static void kallsyms_read_file(struct rs_kallsyms *s, int fd)
{
	struct rs_buf text = RS_BUF_INIT;
	ssize_t n = 0;

	while (text.len < MAX_TEXT_BYTES && rs_buf_reserve(&text, SYMBOLS_READ_BYTES) &&
	       (n = pread(fd, text.data + text.len, SYMBOLS_READ_BYTES, (off_t)text.len)) > 0)
		text.len += (size_t)n;
	read_lines(s, text.data, text.len);
	rs_buf_done(&text);
}

bool rs_kallsyms_may_name(const char *machine, uint64_t addr)
{
	return !machine || strcmp(machine, "x86_64") != 0 || addr >= 0xffffffff80000000;
}

struct rs_kallsyms *rs_kallsyms_new(int fd, const char *text, size_t len, bool functions)
{
	struct rs_kallsyms *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->functions = functions;
	if (fd > 0)
		kallsyms_read_file(s, fd);
	else
		read_lines(s, text, len);
	return s;
}

void rs_kallsyms_free(struct rs_kallsyms *s)
{
	if (!s)
		return;
	free(s->at);
	free(s->names);
	free(s);
}

/* The last address at or below addr; of several symbols there the first of that kind that has a name. */
static const struct kallsyms_entry *below(const struct rs_kallsyms *s, uint64_t addr, bool is_code)
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
	while (from < last && (!s->at[from].name || s->at[from].is_code != is_code))
		from++;
	return s->at[from].is_code == is_code ? &s->at[from] : NULL;
}

bool rs_kallsyms_variable(const struct rs_kallsyms *s, uint64_t addr, char *buf, size_t size_bytes)
{
	const struct kallsyms_entry *found = s ? below(s, addr, false) : NULL;
	uint64_t offset = found ? addr - found->addr : 0;

	if (!found || !found->name || offset >= (s->nr_variables < FEW_VARIABLES ? 1 : MAX_OFFSET))
		return false;
	if (offset)
		snprintf(buf, size_bytes, "%s+0x%" PRIx64, s->names + found->name - 1, offset);
	else
		snprintf(buf, size_bytes, "%s", s->names + found->name - 1);
	return true;
}

bool rs_kallsyms_function(const struct rs_kallsyms *s, uint64_t addr, const char **name, const char **module)
{
	const struct kallsyms_entry *found = s ? below(s, addr, true) : NULL;

	if (!found || !found->name || addr - found->addr >= MAX_OFFSET)
		return false;
	*name = s->names + found->name - 1;
	*module = *name + strlen(*name) + 1;
	return true;
}
