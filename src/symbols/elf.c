// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf - elfutils finds the sections; sizes are checked before it allocates what a file claims to have
 */
#include "symbols/elf.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/close.h"
#include "base/vector.h"
#include "symbols/demangle.h"

#define MAX_SECTION_BYTES (256u << 20)
#define MAX_DEBUGDATA_BYTES (64u << 20)
#define MAX_SECTIONS (1u << 20)
#define MAX_FUNCTIONS (4u << 20)
#define ELF_MAX_NAMES_BYTES (256u << 20)
#define MAX_SEGMENTS 64u
#define MAX_ENCLOSING 64u    /* functions inside one another: the parts of one that the compiler has split */

/* An executable part of the file, as it is loaded. */
struct elf_segment {
	uint64_t offset, bytes, address;
};

struct elf_function {
	uint64_t address, bytes;
	uint32_t name;               /* where it is in names */
	uint8_t rank;                /* of several with one address the highest is shown */
	char *readable;              /* demangled; NULL: not mangled, or not tried yet */
	bool tried;
};

struct rs_elf {
	struct elf_segment segments[MAX_SEGMENTS];
	size_t nr_segments;
	struct elf_function *functions;
	size_t nr_functions, functions_room;
	char *names;
	size_t names_len, names_room;
	uint8_t build_id[RS_BUILD_ID_BYTES];
	size_t build_id_len;
	bool is_arm;
	bool has_symtab;             /* of some file that was read */
};

static void elf_read_segments(struct rs_elf *e, Elf *elf)
{
	GElf_Phdr p;
	size_t nr;

	if (elf_getphdrnum(elf, &nr) < 0)
		return;
	for (size_t i = 0; i < nr && e->nr_segments < MAX_SEGMENTS && gelf_getphdr(elf, (int)i, &p); i++)
		if (p.p_type == PT_LOAD && (p.p_flags & PF_X))
			e->segments[e->nr_segments++] = (struct elf_segment){ p.p_offset, p.p_filesz,
									      p.p_vaddr };
}

static size_t elf_copy_build_id(Elf *elf, uint8_t id[RS_BUILD_ID_BYTES])
{
	const void *found;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &found);

	if (len <= 0)
		return 0;
	len = len < RS_BUILD_ID_BYTES ? len : RS_BUILD_ID_BYTES;
	memcpy(id, found, (size_t)len);
	return (size_t)len;
}

size_t rs_elf_read_build_id(int fd, uint8_t id[RS_BUILD_ID_BYTES])
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	size_t len = elf ? elf_copy_build_id(elf, id) : 0;

	elf_end(elf);
	return len;
}

/* Of several names of a function: the one that other files can use, then a name without underscores. */
static uint8_t elf_rank(const GElf_Sym *sym, const char *name)
{
	static const uint8_t by_binding[] = { [STB_LOCAL] = 0, [STB_GLOBAL] = 8, [STB_WEAK] = 4 };
	unsigned int binding = GELF_ST_BIND(sym->st_info);

	return (uint8_t)((binding <= STB_WEAK ? by_binding[binding] : 0) + (sym->st_size ? 16 : 0) +
			 (name[0] != '_') + (strncmp(name, "__", 2) != 0));
}

static bool elf_add(struct rs_elf *e, const GElf_Sym *sym, const char *name)
{
	size_t len = strlen(name) + 1;
	struct elf_function *f;

	if (e->nr_functions == MAX_FUNCTIONS || e->names_len + len > ELF_MAX_NAMES_BYTES ||
	    !RS_VECTOR_RESERVE(&e->names, &e->names_room, e->names_len + len))
		return false;
	f = RS_VECTOR_ADD(&e->functions, &e->nr_functions, &e->functions_room);
	if (!f)
		return false;
	*f = (struct elf_function){ .address = sym->st_value & ~(uint64_t)e->is_arm, .bytes = sym->st_size,
				    .name = (uint32_t)e->names_len, .rank = elf_rank(sym, name) };
	memcpy(e->names + e->names_len, name, len);
	e->names_len += len;
	return true;
}

static bool elf_is_function(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF && sym->st_value;
}

/*
 * Data of a section whose header has been checked; NULL: it is too large, or runs past the end of the file.
 */
static Elf_Data *elf_data_of(Elf_Scn *section, GElf_Shdr *header)
{
	return section && gelf_getshdr(section, header) && header->sh_type != SHT_NOBITS &&
	       header->sh_size <= MAX_SECTION_BYTES ? elf_getdata(section, NULL) : NULL;
}

static void elf_read_symbols(struct rs_elf *e, Elf *elf, Elf_Scn *section)
{
	GElf_Shdr header, strings;
	Elf_Data *data = elf_data_of(section, &header);
	size_t each = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);

	/* elf_strptr would load the strings, whatever size they claim */
	if (!data || !each || !elf_data_of(elf_getscn(elf, header.sh_link), &strings))
		return;
	for (size_t i = 1; i < data->d_size / each; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || !elf_is_function(&sym))
			continue;
		name = elf_strptr(elf, header.sh_link, sym.st_name);
		if (name && *name && !elf_add(e, &sym, name))
			return;
	}
}

static void elf_read_symbols_of(struct rs_elf *e, Elf *elf, bool dynamic, bool own)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t nr;

	if (elf_getshdrnum(elf, &nr) < 0 || nr > MAX_SECTIONS)
		return;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    ((own && header.sh_type == SHT_SYMTAB) || (dynamic && header.sh_type == SHT_DYNSYM))) {
			e->has_symtab |= header.sh_type == SHT_SYMTAB;
			elf_read_symbols(e, elf, section);
		}
}

static void elf_read_all_symbols(struct rs_elf *e, Elf *elf)
{
	elf_read_symbols_of(e, elf, true, true);
}

/*
 * Fedora's distributions keep the names of a stripped file's functions in it, as an ELF file that xz has
 * packed.
 */
static void elf_read_debugdata(struct rs_elf *e, const Elf_Data *packed)
{
	for (size_t room = packed->d_size * 8; room <= MAX_DEBUGDATA_BYTES && room; room *= 4) {
		uint64_t limit = MAX_DEBUGDATA_BYTES;
		size_t in = 0, out = 0;
		char *unpacked = malloc(room);
		lzma_ret ret = unpacked ? lzma_stream_buffer_decode(&limit, 0, NULL, packed->d_buf, &in,
								    packed->d_size, (uint8_t *)unpacked, &out,
								    room) :
					  LZMA_MEM_ERROR;
		Elf *elf = ret == LZMA_OK ? elf_memory(unpacked, out) : NULL;

		if (elf)
			elf_read_all_symbols(e, elf);
		elf_end(elf);
		free(unpacked);
		if (ret != LZMA_BUF_ERROR)
			return;
	}
}

static void elf_find_debugdata(struct rs_elf *e, Elf *elf)
{
	size_t names;
	Elf_Scn *section = NULL;
	GElf_Shdr header, strings;

	if (elf_getshdrstrndx(elf, &names) < 0 || !elf_data_of(elf_getscn(elf, names), &strings))
		return;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) :
								    NULL;
		Elf_Data *data = name && !strcmp(name, ".gnu_debugdata") ? elf_data_of(section, &header) :
									   NULL;

		if (data && data->d_buf)
			elf_read_debugdata(e, data);
	}
}

static void elf_read_other(struct rs_elf *e, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	if (elf)
		elf_read_all_symbols(e, elf);
	elf_end(elf);
}

/* Where distributions install it: /usr/lib/debug/.build-id/ab/cdef.debug. */
static void elf_read_debug_file(struct rs_elf *e)
{
	char path[64 + 2 * RS_BUILD_ID_BYTES], *at = path;
	int fd;

	if (e->build_id_len < 2)
		return;
	at += sprintf(at, "/usr/lib/debug/.build-id/%02x/", e->build_id[0]);
	for (size_t i = 1; i < e->build_id_len; i++)
		at += sprintf(at, "%02x", e->build_id[i]);
	strcpy(at, ".debug");
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0)
		elf_read_other(e, fd);
	rs_close(&fd);
}

static int elf_by_address(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	/* of equal ones the first comes last, where it is found */
	return x->name > y->name ? -1 : x->name < y->name;
}

/* Of several functions at one address the best remains. */
static void elf_sort(struct rs_elf *e)
{
	size_t nr = 0;

	if (e->nr_functions)
		qsort(e->functions, e->nr_functions, sizeof *e->functions, elf_by_address);
	for (size_t i = 0; i < e->nr_functions; i++)
		if (i + 1 == e->nr_functions || e->functions[i + 1].address != e->functions[i].address)
			e->functions[nr++] = e->functions[i];
	e->nr_functions = nr;
}

/* Takes what elf_begin or elf_memory returned. */
static struct rs_elf *elf_read(Elf *elf)
{
	struct rs_elf *e = calloc(1, sizeof *e);
	GElf_Ehdr header;

	if (!e || !elf || !gelf_getehdr(elf, &header) ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN)) {
		elf_end(elf);
		free(e);
		return NULL;
	}
	e->is_arm = header.e_machine == EM_ARM; /* the lowest bit says that the code is Thumb */
	elf_read_segments(e, elf);
	e->build_id_len = elf_copy_build_id(elf, e->build_id);
	elf_read_all_symbols(e, elf);
	elf_find_debugdata(e, elf);
	elf_end(elf);
	elf_read_debug_file(e);
	elf_sort(e);
	return e;
}

struct rs_elf *rs_elf_new(int fd)
{
	return elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_read(elf_begin(fd, ELF_C_READ, NULL));
}

/* The kernel's own file: its headers of sections are its last part. */
struct rs_elf *rs_elf_new_vdso(void)
{
	const ElfW(Ehdr) *vdso = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	size_t len = vdso ? vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize : 0;
	char *copy = len && elf_version(EV_CURRENT) != EV_NONE ? malloc(len) : NULL;
	struct rs_elf *e;

	if (!copy)
		return NULL;
	memcpy(copy, vdso, len);
	e = elf_read(elf_memory(copy, len));
	free(copy);
	return e;
}

bool rs_elf_is_stripped(const struct rs_elf *e)
{
	return !e->has_symtab;
}

void rs_elf_add_symbols(struct rs_elf *e, int fd)
{
	elf_read_other(e, fd);
	elf_sort(e);
}

void rs_elf_free(struct rs_elf *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->nr_functions; i++)
		free(e->functions[i].readable);
	free(e->functions);
	free(e->names);
	free(e);
}

static bool elf_address_of(const struct rs_elf *e, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (offset >= s->offset && offset - s->offset < s->bytes) {
			*address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}

/* Returns the index after the last function that begins at or before the address. */
static size_t elf_upper_bound(const struct rs_elf *e, uint64_t address)
{
	size_t from = 0, to = e->nr_functions;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (e->functions[mid].address <= address)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static bool elf_covers(const struct elf_function *f, uint64_t address)
{
	return address - f->address < (f->bytes ? f->bytes : 1);
}

const char *rs_elf_function(struct rs_elf *e, uint64_t offset)
{
	uint64_t address;
	size_t at;

	if (!elf_address_of(e, offset, &address))
		return NULL;
	at = elf_upper_bound(e, address);
	for (size_t back = 0; at-- && back < MAX_ENCLOSING; back++) {
		struct elf_function *f = &e->functions[at];

		if (!elf_covers(f, address))
			continue;
		if (!f->tried)
			f->readable = rs_demangle(e->names + f->name);
		f->tried = true;
		return f->readable ? f->readable : e->names + f->name;
	}
	return NULL;
}

static uint64_t elf_offset_of(const struct rs_elf *e, uint64_t address)
{
	for (size_t i = 0; i < e->nr_segments; i++)
		if (address - e->segments[i].address < e->segments[i].bytes)
			return address - e->segments[i].address + e->segments[i].offset;
	return 0;
}

size_t rs_elf_find_offsets(int fd, bool offered, const char *const *names, size_t nr, uint64_t *offsets)
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	struct rs_elf *e = calloc(1, sizeof *e);
	size_t nr_found = 0;

	memset(offsets, 0, nr * sizeof *offsets);
	if (e && elf) {
		elf_read_segments(e, elf);
		elf_read_symbols_of(e, elf, offered, !offered);
		for (size_t i = 0; i < e->nr_functions; i++)
			for (size_t k = 0; k < nr; k++)
				if (!offsets[k] && !strcmp(e->names + e->functions[i].name, names[k]))
					nr_found += (offsets[k] = elf_offset_of(
							     e, e->functions[i].address)) != 0;
	}
	if (e)
		rs_elf_free(e);
	elf_end(elf);
	return nr_found;
}

size_t rs_elf_build_id(const struct rs_elf *e, uint8_t id[RS_BUILD_ID_BYTES])
{
	memcpy(id, e->build_id, e->build_id_len);
	return e->build_id_len;
}
