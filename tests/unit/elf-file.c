// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf-file.h"

#include <check.h>
#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ELF_CODE_ADDRESS 0x401000u

enum { NO_SECTION, TEXT, NOTE, SYMBOLS, STRINGS, DEBUGDATA, NAMES, NR_SECTIONS };

static const char names[] = "\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.gnu_debugdata\0.shstrtab";

static uint32_t elf_name_of(const char *name)
{
	for (size_t at = 1; at < sizeof names; at += strlen(names + at) + 1)
		if (!strcmp(names + at, name))
			return (uint32_t)at;
	return 0;
}

static void elf_add_section(struct rs_buf *out, Elf64_Shdr *header, const struct rs_buf *bytes)
{
	header->sh_offset = out->len;
	header->sh_size = bytes->len;
	rs_buf_add(out, bytes->data, bytes->len);
	rs_buf_pad(out, '\0', -out->len & 7);
}

static void elf_put_symbols(struct rs_buf *symbols, struct rs_buf *strings, const struct elf_file *file)
{
	Elf64_Sym none = { 0 };

	rs_buf_add(symbols, &none, sizeof none);
	rs_buf_putc(strings, '\0');
	for (const struct elf_file_function *f = file->functions; f && f->name; f++) {
		Elf64_Sym sym = { .st_name = (uint32_t)strings->len, .st_info = ELF64_ST_INFO(f->binding, STT_FUNC), .st_shndx = TEXT,
				  .st_value = ELF_CODE_ADDRESS + f->at, .st_size = f->bytes };

		rs_buf_add(symbols, &sym, sizeof sym);
		rs_buf_add(strings, f->name, strlen(f->name) + 1);
	}
}

static void elf_put_note(struct rs_buf *note, const char *id)
{
	Elf64_Nhdr header = { .n_namesz = 4, .n_descsz = (uint32_t)strlen(id), .n_type = NT_GNU_BUILD_ID };

	rs_buf_add(note, &header, sizeof header);
	rs_buf_add(note, "GNU", 4);
	rs_buf_add(note, id, strlen(id));
	rs_buf_pad(note, '\0', -note->len & 3);
}

/* An ELF file with the symbols, packed by xz. */
static void elf_put_packed(struct rs_buf *out, const struct elf_file *file)
{
	struct elf_file inner = *file;
	struct rs_buf plain = RS_BUF_INIT;
	uint8_t *packed;
	size_t len = 0, room;

	inner.packed = inner.stripped = false;
	elf_file_put(&plain, &inner);
	room = lzma_stream_buffer_bound(plain.len);
	packed = malloc(room);
	ck_assert_int_eq(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (uint8_t *)plain.data, plain.len, packed, &len, room), LZMA_OK);
	rs_buf_add(out, packed, len);
	free(packed);
	rs_buf_done(&plain);
}

void elf_file_put(struct rs_buf *out, const struct elf_file *file)
{
	struct rs_buf symbols = RS_BUF_INIT, strings = RS_BUF_INIT, note = RS_BUF_INIT, packed = RS_BUF_INIT, text = RS_BUF_INIT;
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_EXEC, .e_machine = EM_X86_64,
		.e_version = EV_CURRENT, .e_phoff = sizeof header, .e_ehsize = sizeof header, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = NR_SECTIONS, .e_shstrndx = NAMES,
	};
	Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = ELF_CODE_OFFSET, .p_vaddr = ELF_CODE_ADDRESS,
		  .p_filesz = ELF_CODE_BYTES, .p_memsz = ELF_CODE_BYTES },
		{ .p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4 },
	};
	Elf64_Shdr sections[NR_SECTIONS] = {
		[TEXT] = { elf_name_of(".text"), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, ELF_CODE_ADDRESS, ELF_CODE_OFFSET, ELF_CODE_BYTES },
		[NOTE] = { elf_name_of(".note.gnu.build-id"), SHT_NOTE, .sh_addralign = 4 },
		[SYMBOLS] = { elf_name_of(".symtab"), file->stripped || file->packed ? SHT_PROGBITS : SHT_SYMTAB, .sh_link = STRINGS,
			      .sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8 },
		[STRINGS] = { elf_name_of(".strtab"), SHT_STRTAB, .sh_addralign = 1 },
		[DEBUGDATA] = { elf_name_of(".gnu_debugdata"), SHT_PROGBITS, .sh_addralign = 1 },
		[NAMES] = { elf_name_of(".shstrtab"), SHT_STRTAB, .sh_addralign = 1 },
	};
	struct rs_buf section_names = { .data = (char *)(uintptr_t)names, .len = sizeof names };
	size_t begin = out->len;

	ck_assert_uint_eq(begin, 0);
	if (!file->stripped && !file->packed)
		elf_put_symbols(&symbols, &strings, file);
	if (file->build_id)
		elf_put_note(&note, file->build_id);
	if (file->packed)
		elf_put_packed(&packed, file);
	rs_buf_pad(out, '\0', sizeof header + sizeof segments);
	elf_add_section(out, &sections[NOTE], &note);
	rs_buf_pad(out, '\0', ELF_CODE_OFFSET - out->len);
	rs_buf_pad(&text, '\xcc', ELF_CODE_BYTES);
	elf_add_section(out, &sections[TEXT], &text);
	elf_add_section(out, &sections[SYMBOLS], &symbols);
	elf_add_section(out, &sections[STRINGS], &strings);
	elf_add_section(out, &sections[DEBUGDATA], &packed);
	elf_add_section(out, &sections[NAMES], &section_names);
	segments[1].p_offset = sections[NOTE].sh_offset;
	segments[1].p_filesz = segments[1].p_memsz = sections[NOTE].sh_size;
	header.e_shoff = out->len;
	rs_buf_add(out, sections, sizeof sections);
	memcpy(out->data, &header, sizeof header);
	memcpy(out->data + sizeof header, segments, sizeof segments);
	rs_buf_done(&symbols);
	rs_buf_done(&strings);
	rs_buf_done(&note);
	rs_buf_done(&packed);
	rs_buf_done(&text);
}

int elf_file_bytes(const void *bytes, size_t len)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
	return fd;
}

int elf_file_open(const struct elf_file *file)
{
	struct rs_buf b = RS_BUF_INIT;
	int fd;

	elf_file_put(&b, file);
	fd = elf_file_bytes(b.data, b.len);
	rs_buf_done(&b);
	return fd;
}
