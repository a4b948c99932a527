/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbolizer.h - the function at an offset of a module: the kernel, a file, or code that a process has made
 *
 *	struct rs_symbolizer *s = rs_symbolizer_new(&config);
 *	module = rs_symbolizer_module(s, &file);          // when it is mapped; while the file is there, it is
 *	                                                  // opened
 *	...
 *	rs_symbolizer_find(s, module, offset, &symbol);   // when a name is shown: reads the file's symbols
 *
 * Several threads may use one, as the sessions of a daemon's time ranges do: the texts that it returns do not
 * change.
 *
 * A name is never that of another function: where no symbol covers the address, or where the file is another
 * one by now, there is no name.
 */
#ifndef RS_SYMBOLS_SYMBOLIZER_H
#define RS_SYMBOLS_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/elf.h"

/* Modules that each session has. */
enum { RS_MODULE_KERNEL, RS_MODULE_UNKNOWN, RS_NR_FIXED_MODULES };

struct rs_symbolizer_config {
	int kallsyms_fd;             /* above 0: in the place of the text */
	const char *kallsyms;        /* outlives the symbolizer */
	size_t kallsyms_len;
	bool local;                  /* the addresses are those of this machine, now: files can be opened */
	/* likewise if their build-id is that of the mapping: paths may be those of another machine */
	bool by_build_id;
	bool debuginfod;             /* the user asks debuginfod servers for what this machine lacks */
	/*
	 * Of a recording of this machine, of this boot: when it was made, in CLOCK_REALTIME, and whose it is.
	 * /tmp/perf-PID.map names code if the process that was recorded still runs, or if its user's file was
	 * written last while the recording was made. to_ns 0: no map is read.
	 */
	int64_t jitted_from_ns, jitted_to_ns;
	uid_t jitted_owner;
	/* symbols of a recording, see saved-symbols.h, which outlive the symbolizer; NULL: none */
	const uint8_t *saved;
	size_t saved_len;
};

/* What the kernel reports of a mapping. */
struct rs_mapped_file {
	int32_t pid;
	const char *path;            /* "/usr/lib/libz.so.1", "//anon"; "[vdso]": of 64-bit processes */
	const uint8_t *build_id;
	size_t build_id_len;         /* 0: not reported; else at most RS_BUILD_ID_BYTES */
	uint64_t inode;              /* without a build-id; 0: not reported */
};

struct rs_symbol {
	const char *function;        /* readable; NULL: unknown */
	const char *module;          /* "libz.so.1", "[kernel]", "[ext4]", "[anon]"; never NULL */
};

struct rs_symbolizer;

struct rs_symbolizer *rs_symbolizer_new(const struct rs_symbolizer_config *config);
void rs_symbolizer_free(struct rs_symbolizer *s);
/* Returns the number of the module that is mapped, RS_MODULE_UNKNOWN without memory. */
uint32_t rs_symbolizer_module(struct rs_symbolizer *s, const struct rs_mapped_file *file);
/* Returns true unless the module's file is open for certain: one who may open more files should be asked. */
bool rs_symbolizer_lacks_file(struct rs_symbolizer *s, uint32_t module);
/* Gives the file of a module, open, whose symbols have not been read; it is closed by the symbolizer. */
void rs_symbolizer_lend_file(struct rs_symbolizer *s, uint32_t module, int fd);
/*
 * Returns what was mapped: for a recording to save. Code that a process has made: .pid, else 0. Valid as long
 * as s.
 */
void rs_symbolizer_file(struct rs_symbolizer *s, uint32_t module, struct rs_mapped_file *file);
/*
 * Opens the file of a module, for the caller to close: it may be another one by now, see
 * rs_mapped_file.build_id. -1: none.
 */
int rs_symbolizer_open(struct rs_symbolizer *s, uint32_t module);
/* Returns false if the module's offsets are addresses of its process: of code that no file has. */
bool rs_symbolizer_has_file(struct rs_symbolizer *s, uint32_t module);
/*
 * Names an offset: of the kernel, and of a module without a file, an address. The texts are valid as long as
 * s. Returns true if the answer will stay the same; a program that makes code may name it later.
 */
bool rs_symbolizer_find(struct rs_symbolizer *s, uint32_t module, uint64_t offset, struct rs_symbol *symbol);

#endif
