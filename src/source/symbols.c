// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols - sorted by address, and looked up by bisection
 *
 * kallsyms has no sizes: an object ends where the next symbol of any kind begins,
 * so that those of code are kept too, without their names. Addresses that are
 * hidden (kptr_restrict) are 0, and no symbol at all.
 */
#include "source/symbols.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SYMBOLS (1u << 20)       /* a kernel with all its modules has some 200,000 */
#define MAX_NAMES_BYTES (32u << 20)
#define MAX_OFFSET 65536u            /* behind the last symbol of a section lies something else */
/*
 * A kernel without CONFIG_KALLSYMS_ALL names a few dozens of its variables. What
 * lies behind one of them is most likely not part of it: only an exact hit is a name.
 */
#define FEW_VARIABLES 1000u

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

/* Where a section ends is no variable, though kallsyms says so. */
static bool is_end(const char *name)
{
	static const char *const ends[] = { "_end", "_edata", "__bss_stop", "__brk_base", "__brk_limit", "__end_bss", NULL };

	for (const char *const *e = ends; *e; e++)
		if (!strcmp(*e, name))
			return true;
	return false;
}

static uint32_t add_name(struct rs_symbols *s, const char *name, size_t len)
{
	uint32_t at = (uint32_t)s->names_len + 1;

	if (s->names_len + len + 1 > MAX_NAMES_BYTES)
		return 0;
	if (s->names_len + len + 1 > s->names_room) {
		size_t room = s->names_room ? 2 * s->names_room : 1u << 16;
		char *names = realloc(s->names, room);

		if (!names)
			return 0;
		s->names = names;
		s->names_room = room;
	}
	memcpy(s->names + s->names_len, name, len + 1);
	s->names_len += len + 1;
	s->nr_variables++;
	return at;
}

static bool add(struct rs_symbols *s, uint64_t addr, char type, const char *name)
{
	if (s->nr == MAX_SYMBOLS)
		return false;
	if (s->nr == s->room) {
		size_t room = s->room ? 2 * s->room : 4096;
		struct symbol *at = realloc(s->at, room * sizeof *at);

		if (!at)
			return false;
		s->at = at;
		s->room = room;
	}
	s->at[s->nr] = (struct symbol){ .addr = addr, .order = (uint32_t)s->nr };
	if (strchr("bBdDgGsSvV", type) && !is_end(name))
		s->at[s->nr].name = add_name(s, name, strlen(name));
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

/* Sixteen digits of each of 200,000 lines: strtoull takes four times as long. Returns where they end. */
static char *read_hex(char *at, uint64_t *value)
{
	for (*value = 0; isxdigit((unsigned char)*at); at++)
		*value = *value << 4 | (uint64_t)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
	return at;
}

/*
 * The kernel's own come in order, those of modules behind them in any, and mostly at higher addresses: then it is
 * enough to sort what is out of order at the end.
 */
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

/* "ffffffff82a09a80 D tasklist_lock", then a tab and the module. A line that reads otherwise is no symbol. */
static bool read_line(char *line, uint64_t *addr, char *type, char **name)
{
	char *at;

	at = read_hex(line, addr);
	if (at == line || at[0] != ' ' || !at[1] || at[2] != ' ')
		return false;
	*type = at[1];
	*name = at + 3;
	at[3 + strcspn(at + 3, " \t\n")] = '\0';
	return *addr && **name && !strchr("aAuUnN?", *type); /* absolute and undefined ones are no addresses */
}

static void read_lines(struct rs_symbols *s, FILE *f)
{
	char line[512], *name, type;
	uint64_t addr;

	while (fgets(line, sizeof line, f))
		if (read_line(line, &addr, &type, &name) && !add(s, addr, type, name))
			break;
	sort(s->at, s->nr);
}

/* A place of our own in a file that others may be reading, too, by the same descriptor. */
struct place {
	int fd;
	off_t at;
};

static ssize_t read_at(void *cookie, char *buf, size_t size)
{
	struct place *place = cookie;
	ssize_t n = pread(place->fd, buf, size, place->at);

	if (n > 0)
		place->at += n;
	return n;
}

static FILE *open_text(struct rs_source *source, struct place *place)
{
	place->fd = source->ops->symbols_fd ? source->ops->symbols_fd(source) : -1;
	if (place->fd >= 0)
		return fopencookie(place, "r", (cookie_io_functions_t){ .read = read_at });
	return source->info.kallsyms.len ?
		fmemopen((void *)(uintptr_t)source->info.kallsyms.data, source->info.kallsyms.len, "r") : NULL;
}

bool rs_symbols_may_name(const struct rs_source *source, uint64_t addr)
{
	const char *machine = source->info.machine;

	return !machine || strcmp(machine, "x86_64") != 0 || addr >= 0xffffffff80000000;
}

struct rs_symbols *rs_symbols_new(struct rs_source *source)
{
	struct rs_symbols *s = calloc(1, sizeof *s);
	struct place place = { 0 };
	FILE *f = s ? open_text(source, &place) : NULL;

	if (f) {
		read_lines(s, f);
		fclose(f);
	}
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
