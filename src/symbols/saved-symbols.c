// SPDX-License-Identifier: GPL-2.0-or-later
/* saved-symbols - the symbols that a recording saves: names of the offsets that occur in it, by module */
#include "symbols/saved-symbols.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "symbols/symbolizer.h"

#define SAVED_MODULE_BYTES 44u
#define SAVED_SYMBOL_BYTES 12u

struct rs_saved_module {
	struct rs_map_node node;
	const char *path;
	int32_t pid;
	uint64_t inode;
	const uint8_t *build_id;
	size_t build_id_len, nr;
	const uint8_t *rows;
};

struct rs_saved_symbols {
	struct rs_map by_file;
	const char *text;
	size_t text_len, nr_modules;
	struct rs_saved_module modules[];
};

static uint32_t saved_u32(const uint8_t *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof v);
	return le32toh(v);
}

static uint64_t saved_u64(const uint8_t *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof v);
	return le64toh(v);
}

/* ---- reading ---- */

/* pid: of code that the process has made; else 0. */
static uint64_t saved_hash(int32_t pid, const char *path, uint64_t inode)
{
	return pid ? rs_hash_u64((uint32_t)pid) : rs_hash_pair(rs_hash_bytes(path, strlen(path)), inode);
}

/* Returns false unless offsets ascend, as the search needs, and each name is a string of the text. */
static bool saved_check_rows(const struct rs_saved_symbols *s, const struct rs_saved_module *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		const uint8_t *row = m->rows + i * SAVED_SYMBOL_BYTES;

		if (saved_u32(row + 8) >= s->text_len ||
		    (i && saved_u64(row) <= saved_u64(row - SAVED_SYMBOL_BYTES)))
			return false;
	}
	return true;
}

/* Returns where the next module begins; NULL: it is malformed. */
static const uint8_t *saved_read_module(struct rs_saved_symbols *s, const uint8_t *at, const uint8_t *end)
{
	struct rs_saved_module *m = &s->modules[s->nr_modules];

	if ((size_t)(end - at) < SAVED_MODULE_BYTES || saved_u32(at) >= s->text_len ||
	    at[16] > RS_BUILD_ID_BYTES)
		return NULL;
	*m = (struct rs_saved_module){
		.path = s->text + saved_u32(at), .pid = (int32_t)saved_u32(at + 4),
		.inode = saved_u64(at + 8),
		.build_id_len = at[16], .build_id = at + 17, .nr = saved_u32(at + 40),
		.rows = at + SAVED_MODULE_BYTES,
	};
	if (m->nr > (size_t)(end - m->rows) / SAVED_SYMBOL_BYTES || !saved_check_rows(s, m))
		return NULL;
	rs_map_add(&s->by_file, &m->node, saved_hash(m->pid, m->path, m->inode));
	s->nr_modules++;
	return m->rows + m->nr * SAVED_SYMBOL_BYTES;
}

struct rs_saved_symbols *rs_saved_symbols_new(const uint8_t *data, size_t len)
{
	size_t nr_modules = len >= 8 ? saved_u32(data) : 0, text_len = len >= 8 ? saved_u32(data + 4) : 0;
	const uint8_t *at, *end = data + len;
	struct rs_saved_symbols *s;

	if (len < 8 || text_len > len - 8 || nr_modules > (len - 8 - text_len) / SAVED_MODULE_BYTES ||
	    (text_len && data[8 + text_len - 1]))
		return NULL;
	s = calloc(1, sizeof *s + nr_modules * sizeof s->modules[0]);
	if (!s || !rs_map_init(&s->by_file, nr_modules)) {
		free(s);
		return NULL;
	}
	s->text = (const char *)data + 8;
	s->text_len = text_len;
	for (at = data + 8 + text_len; at && s->nr_modules < nr_modules;)
		at = saved_read_module(s, at, end);
	if (at == end)
		return s;
	rs_saved_symbols_free(s);
	return NULL;
}

void rs_saved_symbols_free(struct rs_saved_symbols *s)
{
	if (s)
		rs_map_done(&s->by_file);
	free(s);
}

const struct rs_saved_module *rs_saved_symbols_module(const struct rs_saved_symbols *s,
						      const struct rs_mapped_file *file, bool in_process)
{
	uint64_t hash = saved_hash(in_process ? file->pid : 0, file->path, file->inode);

	for (struct rs_map_node *n = rs_map_find(&s->by_file, hash); n; n = rs_map_find_next(n)) {
		const struct rs_saved_module *m = RS_MAP_ENTRY(n, struct rs_saved_module, node);

		if (in_process ? m->pid == file->pid :
				 !m->pid && !strcmp(m->path, file->path) && m->inode == file->inode &&
					 m->build_id_len == file->build_id_len &&
					 (!m->build_id_len ||
					  !memcmp(m->build_id, file->build_id, m->build_id_len)))
			return m;
	}
	return NULL;
}

const char *rs_saved_symbols_function(const struct rs_saved_symbols *s, const struct rs_saved_module *m,
				      uint64_t offset)
{
	size_t from = 0, to = m->nr;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		const uint8_t *row = m->rows + mid * SAVED_SYMBOL_BYTES;

		if (saved_u64(row) == offset)
			return s->text + saved_u32(row + 8);
		if (saved_u64(row) < offset)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

/* ---- writing ---- */

struct saved_writer {
	struct rs_buf text, modules;
	const char *last;         /* most symbols have the name of the one before them */
	uint32_t last_at;
};

static void saved_put_u32(struct rs_buf *out, uint32_t v)
{
	v = htole32(v);
	rs_buf_add(out, &v, sizeof v);
}

static void saved_put_u64(struct rs_buf *out, uint64_t v)
{
	v = htole64(v);
	rs_buf_add(out, &v, sizeof v);
}

static uint32_t saved_put_text(struct saved_writer *w, const char *text)
{
	if (text != w->last) {
		w->last_at = (uint32_t)w->text.len;
		rs_buf_add(&w->text, text, strlen(text) + 1);
	}
	w->last = text;
	return w->last_at;
}

static int saved_compare(const void *a, const void *b)
{
	const struct rs_saved_symbol *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Writes nr symbols of one module. Returns false if none has a name. */
static bool saved_put_module(struct saved_writer *w, struct rs_symbolizer *symbolizer,
			     const struct rs_saved_symbol *symbols, size_t nr)
{
	struct rs_buf rows = RS_BUF_INIT;
	uint8_t build_id[RS_BUILD_ID_BYTES + 3] = { 0 };
	struct rs_mapped_file file;
	struct rs_symbol symbol;
	bool any;

	for (size_t i = 0; i < nr; i++) {
		if (i && symbols[i].offset == symbols[i - 1].offset)
			continue;
		rs_symbolizer_find(symbolizer, symbols[i].module, symbols[i].offset, &symbol);
		if (!symbol.function)
			continue;
		saved_put_u64(&rows, symbols[i].offset);
		saved_put_u32(&rows, saved_put_text(w, symbol.function));
	}
	rs_symbolizer_file(symbolizer, symbols->module, &file);
	any = rows.len;
	if (any) {
		if (file.build_id_len)
			memcpy(build_id, file.build_id, file.build_id_len);
		saved_put_u32(&w->modules, saved_put_text(w, file.path));
		saved_put_u32(&w->modules, (uint32_t)file.pid);
		saved_put_u64(&w->modules, file.inode);
		rs_buf_putc(&w->modules, (char)file.build_id_len);
		rs_buf_add(&w->modules, build_id, sizeof build_id);
		saved_put_u32(&w->modules, (uint32_t)(rows.len / SAVED_SYMBOL_BYTES));
		rs_buf_add(&w->modules, rows.data, rows.len);
	}
	w->modules.failed |= rows.failed;
	rs_buf_done(&rows);
	return any;
}

void rs_saved_symbols_put(struct rs_buf *out, struct rs_symbolizer *symbolizer,
			  struct rs_saved_symbol *symbols, size_t nr)
{
	struct saved_writer w = { .text = RS_BUF_INIT, .modules = RS_BUF_INIT };
	uint32_t nr_modules = 0;

	if (nr)
		qsort(symbols, nr, sizeof *symbols, saved_compare);
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && symbols[end].module == symbols[i].module;)
			end++;
		/* the kernel's are in the recording's kallsyms */
		if (symbols[i].module >= RS_NR_FIXED_MODULES)
			nr_modules += saved_put_module(&w, symbolizer, &symbols[i], end - i);
	}
	saved_put_u32(out, nr_modules);
	saved_put_u32(out, (uint32_t)w.text.len);
	rs_buf_add(out, w.text.data, w.text.len);
	rs_buf_add(out, w.modules.data, w.modules.len);
	out->failed |= w.text.failed | w.modules.failed | (w.text.len > UINT32_MAX);
	rs_buf_done(&w.text);
	rs_buf_done(&w.modules);
}
