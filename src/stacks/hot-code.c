// SPDX-License-Identifier: GPL-2.0-or-later
/* hot-code - which function a process runs most: samples of the CPUs by their innermost frame */
#include "stacks/hot-code.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"
#include "ringside/sample.h"
#include "symbols/symbolizer.h"

#define HOT_CODE_LEAST_SAMPLES 20
#define HOT_CODE_LEAST_SHARE 0.1

/* An address that a thread was at, under one name of its process. */
struct hot_code_place {
	struct rs_map_node node;
	uint64_t offset, nr;
	uint32_t module;
	int32_t pid, tid;
	char comm[RS_COMM_LEN];
};

struct rs_hot_code_counts {
	struct rs_symbolizer *symbolizer;
	struct rs_map places;
	struct hot_code_place **list;
	size_t nr, room;
	uint64_t nr_dropped;       /* samples that found no place: they may be of any thread */
};

struct rs_hot_code_counts *rs_hot_code_new(struct rs_symbolizer *symbolizer)
{
	struct rs_hot_code_counts *h = calloc(1, sizeof *h);

	if (!h || !rs_map_init(&h->places, 256)) {
		free(h);
		return NULL;
	}
	h->symbolizer = symbolizer;
	return h;
}

void rs_hot_code_reset(struct rs_hot_code_counts *h)
{
	for (size_t i = 0; i < h->nr; i++) {
		rs_map_remove(&h->places, &h->list[i]->node);
		free(h->list[i]);
	}
	h->nr = 0;
	h->nr_dropped = 0;
}

void rs_hot_code_free(struct rs_hot_code_counts *h)
{
	if (!h)
		return;
	rs_hot_code_reset(h);
	rs_map_done(&h->places);
	free(h->list);
	free(h);
}

static struct hot_code_place *hot_code_new_place(struct rs_hot_code_counts *h)
{
	struct hot_code_place **at = h->nr < RS_HOT_CODE_MAX ? RS_VECTOR_ADD(&h->list, &h->nr, &h->room) :
							       NULL;

	if (!at)
		return NULL;
	*at = calloc(1, sizeof **at);
	h->nr -= !*at;
	return *at;
}

void rs_hot_code_add(struct rs_hot_code_counts *h, int32_t pid, int32_t tid, const char *comm,
		     uint32_t module, uint64_t offset)
{
	uint64_t hash = rs_hash_u64(offset ^ (uint64_t)module << 40 ^ rs_hash_u64((uint32_t)tid));
	struct rs_map_node *node = rs_map_find(&h->places, hash);
	struct hot_code_place *place;

	for (; node; node = rs_map_find_next(node)) {
		place = RS_MAP_ENTRY(node, struct hot_code_place, node);
		if (place->offset == offset && place->module == module && place->tid == tid &&
		    place->pid == pid && !strncmp(place->comm, comm, RS_COMM_LEN)) {
			place->nr++;
			return;
		}
	}
	place = hot_code_new_place(h);
	if (!place) {
		h->nr_dropped++;
		return;
	}
	*place = (struct hot_code_place){ .offset = offset, .module = module, .pid = pid, .tid = tid,
					  .nr = 1 };
	memcpy(place->comm, comm, strnlen(comm, RS_COMM_LEN - 1));
	rs_map_add(&h->places, &place->node, hash);
}

/* ---- which function ---- */

/* A number is a process', or one of its threads'. */
static bool hot_code_is_asked(const struct hot_code_place *place, const struct rs_hot_code_asked *asked)
{
	if (asked->accepts)
		return asked->accepts(asked->arg, place->tid);
	for (unsigned int i = 0; i < asked->nr_ids; i++)
		if (place->pid == asked->ids[i] || place->tid == asked->ids[i])
			return true;
	return asked->comm && !strncmp(place->comm, asked->comm, RS_COMM_LEN);
}

struct hot_code_function {
	struct rs_symbol symbol;
	uint64_t nr;
};

static int hot_code_compare(const void *a, const void *b)
{
	const struct rs_symbol *x = &((const struct hot_code_function *)a)->symbol,
			       *y = &((const struct hot_code_function *)b)->symbol;
	int order = strcmp(x->function, y->function);

	return order ? order : strcmp(x->module, y->module);
}

/* Adds up equal functions, which are beside each other. Returns the one with most samples. */
static const struct hot_code_function *hot_code_most(struct hot_code_function *functions, size_t nr)
{
	struct hot_code_function *most = functions;

	qsort(functions, nr, sizeof *functions, hot_code_compare);
	for (size_t i = 0; i < nr; i++) {
		if (i && !hot_code_compare(&functions[i - 1], &functions[i]))
			functions[i].nr += functions[i - 1].nr;
		if (functions[i].nr > most->nr)
			most = &functions[i];
	}
	return most;
}

bool rs_hot_code_find(struct rs_hot_code_counts *h, const struct rs_hot_code_asked *asked,
		      struct rs_hot_code *code)
{
	struct hot_code_function *functions = malloc((h->nr + 1) * sizeof *functions);
	const struct hot_code_function *most;
	size_t nr = 0;

	*code = (struct rs_hot_code){ .nr_samples = 0 };
	for (size_t i = 0; functions && i < h->nr; i++) {
		if (!hot_code_is_asked(h->list[i], asked))
			continue;
		code->nr_samples += h->list[i]->nr;
		functions[nr].nr = h->list[i]->nr;
		rs_symbolizer_find(h->symbolizer, h->list[i]->module, h->list[i]->offset,
				   &functions[nr].symbol);
		nr += functions[nr].symbol.function != NULL; /* without a name it is in the sum alone */
	}
	if (nr) {
		most = hot_code_most(functions, nr);
		code->nr_samples += h->nr_dropped;
		code->nr = most->nr;
		code->function = most->symbol.function;
		code->module = most->symbol.module;
	}
	free(functions);
	return nr && code->nr_samples >= HOT_CODE_LEAST_SAMPLES &&
	       rs_share_bound(code->nr, code->nr_samples, -1) >= HOT_CODE_LEAST_SHARE;
}
