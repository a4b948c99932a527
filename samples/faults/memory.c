// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - the verbs about memory: maps, faults, and more than there is */
#include <sys/mman.h>

#include "stage.h"

static char *memory_map(size_t bytes, int pages)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	madvise(memory, bytes, pages);
	return memory;
}

static void memory_touch_pages(char *memory, long bytes)
{
	for (long page = 0; page < bytes; page += 4096)
		memory[page]++;
}

static void memory_touch(struct player *player, struct step *step)
{
	(void)player;
	if (!step->memory)
		step->memory = memory_map((size_t)step->numbers[0], MADV_NOHUGEPAGE);
	memory_touch_pages(step->memory, step->numbers[0]);
}

static void memory_again(struct player *player, struct step *step)
{
	if (step->memory)
		madvise(step->memory, (size_t)step->numbers[0], MADV_DONTNEED);
	memory_touch(player, step);
}

static void memory_alloc(struct player *player, struct step *step)
{
	char *memory = memory_map((size_t)step->numbers[0], MADV_NOHUGEPAGE);

	(void)player;
	memory_touch_pages(memory, step->numbers[0]);
	munmap(memory, (size_t)step->numbers[0]);
}

/* A large page that is read first is one of zeros, which the first write divides into small ones. */
static void memory_huge(struct player *player, struct step *step)
{
	char *memory = memory_map((size_t)step->numbers[0], MADV_HUGEPAGE);

	(void)player;
	memset(memory, 1, (size_t)step->numbers[0]);
	munmap(memory, (size_t)step->numbers[0]);
}

/* Changes of a map's protection take the process's mmap_lock for as long as the pages' entries take. */
static void memory_protect(struct player *player, struct step *step)
{
	(void)player;
	if (!step->memory) {
		step->memory = memory_map((size_t)step->numbers[0], MADV_NOHUGEPAGE);
		memory_touch_pages(step->memory, step->numbers[0]);
	}
	mprotect(step->memory, (size_t)step->numbers[0], PROT_READ);
	mprotect(step->memory, (size_t)step->numbers[0], PROT_READ | PROT_WRITE);
}

const struct verb memory_verbs[] = {
	{ "touch", "BYTES: writes to each page of memory that it keeps", 0, 1, NULL, memory_touch },
	{ "fault", "BYTES: the same, with pages that are new each time", 0, 1, NULL, memory_again },
	{ "alloc", "BYTES: maps memory, writes to each page, unmaps it", 0, 1, NULL, memory_alloc },
	{ "huge", "BYTES: the same, in large pages where there are any", 0, 1, NULL, memory_huge },
	{ "protect", "BYTES: mprotect of memory that it keeps, twice", 0, 1, NULL, memory_protect },
	{ 0 },
};
