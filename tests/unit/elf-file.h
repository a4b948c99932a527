/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf-file.h - small ELF files, made in memory
 *
 *	fd = elf_file_open(&(struct elf_file){ .functions = FUNCTIONS({ "main", 0x10, 0x20 }) });
 *
 * Its code is at offset 0x1000 of the file and loaded at 0x401000: a function's address is relative to that.
 */
#ifndef TESTS_ELF_FILE_H
#define TESTS_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define ELF_CODE_OFFSET 0x1000u
#define ELF_CODE_BYTES 0x1000u

struct elf_file_function {
	const char *name;
	uint64_t at, bytes;
	unsigned char binding;      /* STB_LOCAL if not given */
};

struct elf_file {
	const struct elf_file_function *functions; /* ends with a NULL name */
	bool stripped;              /* it has no section of symbols */
	bool packed;                /* they are in .gnu_debugdata */
	const char *build_id;       /* NULL: none */
};

#define FUNCTIONS(...) ((const struct elf_file_function[]){ __VA_ARGS__, { 0 } })

void elf_file_put(struct rs_buf *out, const struct elf_file *file);
/* An unlinked file in memory of these bytes. */
int elf_file_bytes(const void *bytes, size_t len);
int elf_file_open(const struct elf_file *file);

#endif
