/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved-symbols.h - the symbols that a recording saves: names of the offsets that occur in it, by module
 *
 *	rs_saved_symbols_put(&out, symbolizer, symbols, nr);   // when it is made
 *
 *	saved = rs_saved_symbols_new(data, len);               // when it is read, on another machine, or
 *	                                                       // after the files changed
 *	module = rs_saved_symbols_module(saved, &file);
 *	name = rs_saved_symbols_function(module, offset);
 *
 * Numbers are little-endian:
 *
 *	u32 modules | u32 bytes of text | text: strings, each ends with NUL
 *	of each module: u32 path (offset in the text) | i32 pid, of code that a process has made; else
 *		0 | u64 inode |
 *			u8 length of the build-id | 20 bytes of it | 3 bytes 0 | u32 symbols
 *			of each symbol, ascending: u64 offset | u32 function (offset in the text)
 */
#ifndef RS_SYMBOLS_SAVED_SYMBOLS_H
#define RS_SYMBOLS_SAVED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_buf;
struct rs_mapped_file;
struct rs_saved_symbols;
struct rs_saved_module;
struct rs_symbolizer;

/* data is untrusted, and outlives the result. NULL: it is malformed, or no memory. */
struct rs_saved_symbols *rs_saved_symbols_new(const uint8_t *data, size_t len);
void rs_saved_symbols_free(struct rs_saved_symbols *s);
/* in_process: code that the process has made. NULL: no symbols of this file. */
const struct rs_saved_module *rs_saved_symbols_module(const struct rs_saved_symbols *s,
						      const struct rs_mapped_file *file, bool in_process);
/* NULL: none was saved. Valid as long as the data. */
const char *rs_saved_symbols_function(const struct rs_saved_symbols *s, const struct rs_saved_module *m,
				      uint64_t offset);

/* An offset of a symbolizer's module. */
struct rs_saved_symbol {
	uint64_t offset;
	uint32_t module;
};

/* Names and writes those that have a function, and sorts them. Without memory out->failed is set. */
void rs_saved_symbols_put(struct rs_buf *out, struct rs_symbolizer *symbolizer,
			  struct rs_saved_symbol *symbols, size_t nr);

#endif
