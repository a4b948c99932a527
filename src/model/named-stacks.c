// SPDX-License-Identifier: GPL-2.0-or-later
/* named-stacks - the table of stacks (stack-table.h) over names instead of offsets */
#include "model/named-stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"

struct named_text {
	struct rs_map_node node;
	uint32_t number;
	char text[];
};

struct named_frame {
	const char *names[2];          /* function, module */
	uint32_t caller, depth;        /* depth 1: outermost */
};

struct rs_named_stacks {
	struct rs_stack_table *table;  /* module and offset are numbers of texts */
	struct named_frame *frames;    /* by number: what comparisons read */
	size_t nr_frames, frames_room;
	struct rs_map texts;
	struct named_text **by_number;
	size_t nr_texts, texts_room;
	bool failed;
};

/* ---- texts, each once ---- */

static struct named_text *named_find_text(const struct rs_named_stacks *s, uint64_t hash, const char *text,
					  size_t len)
{
	for (struct rs_map_node *n = rs_map_find(&s->texts, hash); n; n = rs_map_find_next(n)) {
		struct named_text *found = RS_MAP_ENTRY(n, struct named_text, node);

		if (!strncmp(found->text, text, len) && !found->text[len])
			return found;
	}
	return NULL;
}

uint32_t rs_named_stacks_text(struct rs_named_stacks *s, const char *text, size_t len)
{
	uint64_t hash = rs_hash_bytes(text, len);
	struct named_text *found = named_find_text(s, hash, text, len), **place;

	if (found)
		return found->number;
	found = malloc(sizeof *found + len + 1);
	place = found ? RS_VECTOR_ADD(&s->by_number, &s->nr_texts, &s->texts_room) : NULL;
	if (!place) {
		free(found);
		s->failed = true;
		return 0;
	}
	memcpy(found->text, text, len);
	found->text[len] = '\0';
	found->number = (uint32_t)s->nr_texts - 1;
	*place = found;
	rs_map_add(&s->texts, &found->node, hash);
	return found->number;
}

const char *rs_named_stacks_text_of(const struct rs_named_stacks *s, uint32_t number)
{
	return s->by_number[number]->text;
}

uint32_t rs_named_stacks_number_of(const char *text)
{
	return ((const struct named_text *)(const void *)(text - offsetof(struct named_text, text)))->number;
}

size_t rs_named_stacks_nr_texts(const struct rs_named_stacks *s)
{
	return s->nr_texts;
}

static uint32_t named_name(struct rs_named_stacks *s, const char *name)
{
	size_t len = strlen(name);
	uint32_t number = 0;
	char *copy;

	if (!memchr(name, ';', len))
		return rs_named_stacks_text(s, name, len);
	copy = strdup(name);
	if (copy) {
		rs_named_stacks_replace(copy, len);
		number = rs_named_stacks_text(s, copy, len);
	}
	s->failed |= !copy;
	free(copy);
	return number;
}

/* ---- frames ---- */

/* Numbers are given in order: none is freed. */
static bool named_add_frame(struct rs_named_stacks *s, uint32_t caller, uint32_t function, uint32_t module)
{
	struct named_frame *frame = RS_VECTOR_ADD(&s->frames, &s->nr_frames, &s->frames_room);

	s->failed |= !frame;
	if (frame)
		*frame = (struct named_frame){ { s->by_number[function]->text, s->by_number[module]->text },
					       caller, s->frames[caller].depth + 1 };
	return frame;
}

uint32_t rs_named_stacks_add_numbers(struct rs_named_stacks *s, uint32_t caller, uint32_t function,
				     uint32_t module)
{
	uint32_t id = s->failed ? RS_STACK_OTHERS : rs_stack_table_add(s->table, caller, module, function);

	return id < s->nr_frames || named_add_frame(s, caller, function, module) ? id : RS_STACK_OTHERS;
}

uint32_t rs_named_stacks_add(struct rs_named_stacks *s, uint32_t caller, const char *function,
			     const char *module)
{
	uint32_t number = named_name(s, function);

	return rs_named_stacks_add_numbers(s, caller, number, named_name(s, module));
}

size_t rs_named_stacks_nr(const struct rs_named_stacks *s)
{
	return s->nr_frames;
}

uint32_t rs_named_stacks_caller(const struct rs_named_stacks *s, uint32_t stack)
{
	return s->frames[stack].caller;
}

const char *rs_named_stacks_function(const struct rs_named_stacks *s, uint32_t stack)
{
	return s->frames[stack].names[0];
}

const char *rs_named_stacks_module(const struct rs_named_stacks *s, uint32_t stack)
{
	return s->frames[stack].names[1];
}

/* ---- texts of stacks ---- */

const char *rs_named_stacks_put(const struct rs_named_stacks *s, uint32_t stack, bool of_modules, char *buf,
				size_t size_bytes)
{
	char *at = buf + size_bytes - 1, *more;

	*at = '\0';
	for (; stack; stack = s->frames[stack].caller, at = more) {
		more = rs_named_stacks_prepend(s->frames[stack].names[of_modules], buf, at, !*at);
		if (!more)
			break;
	}
	return at;
}

static uint32_t named_at_depth(const struct rs_named_stacks *s, uint32_t stack, uint32_t depth)
{
	while (s->frames[stack].depth > depth)
		stack = s->frames[stack].caller;
	return stack;
}

/* Two names that differ, in texts that go on behind them or end there. */
static int named_compare_names(const char *x, bool x_goes_on, const char *y, bool y_goes_on)
{
	unsigned char cx, cy;

	while (*x && *x == *y)
		x++, y++;
	cx = *x ? (unsigned char)*x : x_goes_on ? ';' : '\0';
	cy = *y ? (unsigned char)*y : y_goes_on ? ';' : '\0';
	return (cx > cy) - (cx < cy);
}

/* The outermost difference decides. A name is in the table once: other names have other addresses. */
int rs_named_stacks_compare(const struct rs_named_stacks *s, uint32_t a, uint32_t b, bool of_modules)
{
	uint32_t depth_a = s->frames[a].depth, depth_b = s->frames[b].depth, found = 0;
	const char *x = NULL, *y = NULL;

	a = named_at_depth(s, a, depth_b);
	b = named_at_depth(s, b, depth_a);
	while (a != b) {
		const struct named_frame *of_a = &s->frames[a], *of_b = &s->frames[b];

		if (of_a->names[of_modules] != of_b->names[of_modules]) {
			x = of_a->names[of_modules];
			y = of_b->names[of_modules];
			found = of_a->depth;
		}
		a = of_a->caller;
		b = of_b->caller;
	}
	return x ? named_compare_names(x, found < depth_a, y, found < depth_b) :
		   (depth_a > depth_b) - (depth_a < depth_b);
}

/* ---- stacks of one table in another ---- */

static uint32_t named_copy_text(struct rs_named_stacks *to, struct rs_named_copy *copy, const char *text)
{
	uint32_t number = rs_named_stacks_number_of(text);

	if (!copy->texts[number])
		copy->texts[number] = rs_named_stacks_text(to, text, strlen(text));
	return copy->texts[number];
}

static bool named_copy_reserve(struct rs_named_copy *copy, const struct rs_named_stacks *from)
{
	copy->from = from;
	return RS_VECTOR_RESERVE_ZERO(&copy->copied, &copy->copied_room, rs_named_stacks_nr(from)) &&
	       RS_VECTOR_RESERVE_ZERO(&copy->texts, &copy->texts_room, from->nr_texts);
}

/* Returns where the frames that are not copied yet begin, their number in *nr. */
static uint32_t named_copy_find(struct rs_named_copy *copy, uint32_t below, uint32_t stack, size_t *nr)
{
	for (*nr = 0; stack; stack = rs_named_stacks_caller(copy->from, stack)) {
		const struct rs_named_copied *copied = &copy->copied[stack];

		if (copied->stack && copied->below == below)
			return copied->stack;
		if (!RS_VECTOR_RESERVE(&copy->frames, &copy->frames_room, *nr + 1)) {
			*nr = 0;
			return RS_STACK_OTHERS;
		}
		copy->frames[(*nr)++] = stack;
	}
	return below;
}

uint32_t rs_named_stacks_copy(struct rs_named_stacks *to, struct rs_named_copy *copy,
			      const struct rs_named_stacks *from, uint32_t below, uint32_t stack)
{
	uint32_t id;
	size_t nr;

	if (stack == RS_STACK_OTHERS || !named_copy_reserve(copy, from))
		return RS_STACK_OTHERS;
	id = named_copy_find(copy, below, stack, &nr);
	while (nr) {
		uint32_t frame = copy->frames[--nr];
		uint32_t module = named_copy_text(to, copy, rs_named_stacks_module(from, frame));
		uint32_t function = named_copy_text(to, copy, rs_named_stacks_function(from, frame));

		id = rs_named_stacks_add_numbers(to, id, function, module);
		copy->copied[frame] = (struct rs_named_copied){ below, id };
	}
	return id;
}

void rs_named_stacks_copy_done(struct rs_named_copy *copy)
{
	free(copy->copied);
	free(copy->texts);
	free(copy->frames);
}

/* ---- the table ---- */

static bool named_begin(struct rs_named_stacks *s, size_t max)
{
	s->table = rs_stack_table_new(max);
	if (!rs_map_init(&s->texts, 256) || !s->table)
		return false;
	rs_named_stacks_text(s, "", 0); /* its number is 0 */
	if (s->failed || !RS_VECTOR_RESERVE_ZERO(&s->frames, &s->frames_room, RS_STACK_OTHERS + 1))
		return false;
	for (; s->nr_frames <= RS_STACK_OTHERS; s->nr_frames++)
		s->frames[s->nr_frames] = (struct named_frame){
			.names = { s->by_number[0]->text, s->by_number[0]->text },
			.depth = (uint32_t)s->nr_frames,
		};
	return true;
}

struct rs_named_stacks *rs_named_stacks_new(size_t max)
{
	struct rs_named_stacks *s = calloc(1, sizeof *s);

	if (s && named_begin(s, max))
		return s;
	rs_named_stacks_free(s);
	return NULL;
}

void rs_named_stacks_free(struct rs_named_stacks *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_texts; i++)
		free(s->by_number[i]);
	free(s->by_number);
	free(s->frames);
	rs_map_done(&s->texts);
	rs_stack_table_free(s->table);
	free(s);
}

bool rs_named_stacks_failed(const struct rs_named_stacks *s)
{
	return s->failed;
}
