/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - the functions of one ELF file
 *
 *	struct rs_elf *e = rs_elf_new(fd);
 *	name = rs_elf_function(e, offset);     // the function whose code is at this offset of the file
 *	rs_elf_free(e);
 *
 * From .symtab, .dynsym, the .symtab inside .gnu_debugdata, and the debug file of its build-id where one is
 * installed. The file is untrusted: it is read, never mapped, because a mapped file that is cut by its owner
 * ends the process (SIGBUS).
 */
#ifndef RS_SYMBOLS_ELF_H
#define RS_SYMBOLS_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_BUILD_ID_BYTES 20 /* the kernel reports no longer ones */

struct rs_elf;

/* Reads the file; the caller closes fd. NULL: no ELF file, or no memory. */
struct rs_elf *rs_elf_new(int fd);
/*
 * Reads the vDSO, code of the kernel that it maps into each process, as this process has it. NULL: there is
 * none.
 */
struct rs_elf *rs_elf_new_vdso(void);
void rs_elf_free(struct rs_elf *e);
/*
 * Returns the readable name of the function at an offset of the file, valid as long as e. NULL: no symbol
 * covers it. A symbol covers the bytes of its size; without a size, its address alone: what follows may be
 * another function, whose name was stripped.
 */
const char *rs_elf_function(struct rs_elf *e, uint64_t offset);
/* Returns true if the file's own functions have no names in it, only those that others call. */
bool rs_elf_is_stripped(const struct rs_elf *e);
/*
 * Reads the symbols of another file with the same build-id, before rs_elf_function is first called. The
 * caller closes fd.
 */
void rs_elf_add_symbols(struct rs_elf *e, int fd);
/* Returns the length of the file's build-id; 0: it has none. */
size_t rs_elf_build_id(const struct rs_elf *e, uint8_t id[RS_BUILD_ID_BYTES]);

/*
 * Fills in where in the file the functions of these names begin that it offers to others; of a static program
 * (offered false) those of its own. 0: there is none. Returns how many were found.
 */
size_t rs_elf_find_offsets(int fd, bool offered, const char *const *names, size_t nr, uint64_t *offsets);
/* Likewise, of a file whose symbols are not needed. */
size_t rs_elf_read_build_id(int fd, uint8_t id[RS_BUILD_ID_BYTES]);

#endif
