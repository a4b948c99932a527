// SPDX-License-Identifier: GPL-2.0-or-later
/* symbolizer - the function at an offset of a module: the kernel, a file, or code that a process has made */
#include "symbols/symbolizer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/close.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vector.h"
#include "symbols/debug-server.h"
#include "symbols/build-id-cache.h"
#include "symbols/kallsyms.h"
#include "symbols/perf-map.h"
#include "symbols/saved-symbols.h"

#define MAX_MODULES 65536u
#define MAX_KEPT_FDS 256u    /* files that are open until their symbols are read; others are opened again */

enum symbolize_kind { NO_FILE, ELF_FILE, VDSO, CODE_OF_PROCESS };

struct symbolize_module {
	struct rs_map_node node;    /* by its path, or its process; the kernel and unknown have none */
	enum symbolize_kind kind;
	uint32_t number;
	char *path;
	const char *name;
	uint8_t build_id[RS_BUILD_ID_BYTES];
	size_t build_id_len;
	uint64_t inode;
	int fd;                     /* -1: not open */
	bool lent;                  /* rs_symbolizer_lend_file was called */
	bool tried;                 /* to read the file's symbols */
	struct rs_elf *elf;
	const struct rs_saved_module *saved;
	int32_t pid;
	uid_t owner;                /* of the process; -1 unknown */
	struct rs_perf_map perf_map;
};

struct rs_symbolizer {
	struct rs_symbolizer_config config;
	struct rs_map by_key;
	struct symbolize_module **modules; /* by number */
	size_t nr, room;
	unsigned int nr_fds;
	struct rs_kallsyms *kallsyms;      /* made when first needed */
	struct rs_saved_symbols *saved;    /* NULL: none, or malformed */
	pthread_mutex_t lock;              /* held in each function below */
};

/* ---- modules ---- */

static struct symbolize_module *symbolize_add(struct rs_symbolizer *s, enum symbolize_kind kind,
					      const char *path)
{
	struct symbolize_module *m = calloc(1, sizeof *m), **at;

	if (m)
		m->path = strdup(path);
	at = m && m->path && s->nr < MAX_MODULES ? RS_VECTOR_ADD(&s->modules, &s->nr, &s->room) : NULL;
	if (!at) {
		if (m)
			free(m->path);
		free(m);
		return NULL;
	}
	m->kind = kind;
	m->name = strrchr(m->path, '/') ? strrchr(m->path, '/') + 1 : m->path;
	m->fd = -1;
	m->owner = (uid_t)-1;
	*at = m;
	return m;
}

struct rs_symbolizer *rs_symbolizer_new(const struct rs_symbolizer_config *config)
{
	struct rs_symbolizer *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->config = *config;
	pthread_mutex_init(&s->lock, NULL);
	s->saved = config->saved ? rs_saved_symbols_new(config->saved, config->saved_len) : NULL;
	if (rs_map_init(&s->by_key, 64) && symbolize_add(s, NO_FILE, "[kernel]") &&
	    symbolize_add(s, NO_FILE, "[unknown]"))
		return s;
	rs_symbolizer_free(s);
	return NULL;
}

static void symbolize_free_module(struct symbolize_module *m)
{
	rs_close(&m->fd);
	rs_elf_free(m->elf);
	rs_perf_map_done(&m->perf_map);
	free(m->path);
	free(m);
}

void rs_symbolizer_free(struct rs_symbolizer *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++)
		symbolize_free_module(s->modules[i]);
	free(s->modules);
	rs_map_done(&s->by_key);
	rs_kallsyms_free(s->kallsyms);
	rs_saved_symbols_free(s->saved);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/*
 * "//anon", "[heap]", "/memfd:jit", "/dev/zero", "/SYSV00000000": memory that a program may fill with code.
 */
static enum symbolize_kind symbolize_kind_of(const char *path)
{
	static const char *const of_process[] = { "//anon",    "[heap]", "[stack]",       "/memfd:",
						  "/dev/zero", "/SYSV",  "/anon_hugepage" };

	for (size_t i = 0; i < sizeof of_process / sizeof *of_process; i++)
		if (!strncmp(path, of_process[i], strlen(of_process[i])))
			return CODE_OF_PROCESS;
	if (!strcmp(path, "[vdso]"))
		return VDSO;
	return *path == '/' ? ELF_FILE : *path ? NO_FILE : CODE_OF_PROCESS;
}

/* Of a file, or of the process whose code it is. */
static uint64_t symbolize_hash(enum symbolize_kind kind, const struct rs_mapped_file *file)
{
	if (kind == CODE_OF_PROCESS)
		return rs_hash_u64((uint32_t)file->pid);
	return rs_hash_pair(rs_hash_pair(rs_hash_bytes(file->path, strlen(file->path)), file->inode),
			    rs_hash_bytes(file->build_id, file->build_id_len));
}

static bool symbolize_is(const struct symbolize_module *m, enum symbolize_kind kind,
			 const struct rs_mapped_file *file)
{
	if (kind == CODE_OF_PROCESS || m->kind == CODE_OF_PROCESS)
		return m->kind == kind && m->pid == file->pid;
	return !strcmp(m->path, file->path) && m->inode == file->inode &&
	       m->build_id_len == file->build_id_len &&
	       (!m->build_id_len || !memcmp(m->build_id, file->build_id, m->build_id_len));
}

static bool symbolize_may_open(const struct rs_symbolizer *s, const struct symbolize_module *m)
{
	return s->config.local || ((s->config.by_build_id || s->config.debuginfod) && m->build_id_len);
}

/* As it is now: a program may replace it, or remove it, before a name is shown. */
static int symbolize_open(const struct rs_symbolizer *s, const struct symbolize_module *m)
{
	struct stat st;
	int fd = s->config.by_build_id ? rs_build_id_cache_open(m->build_id, m->build_id_len, "elf") : -1;

	if (fd >= 0)
		return fd;
	/* a recording may name any path: of a device, to open it is to use it */
	if (!symbolize_may_open(s, m) || stat(m->path, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (m->inode && m->inode != st.st_ino)))
		rs_close(&fd);
	return fd;
}

/* A process that runs was recorded if it is not younger than that; it writes its map after its own start. */
static void symbolize_limit_map(const struct rs_symbolizer *s, struct symbolize_module *m, int32_t pid)
{
	m->owner = s->config.jitted_owner;
	m->perf_map.from_ns = s->config.jitted_from_ns;
	m->perf_map.to_ns = s->config.jitted_to_ns;
	if (rs_perf_map_process(pid, &m->owner, &m->perf_map.from_ns))
		m->perf_map.to_ns = m->perf_map.from_ns <= s->config.jitted_to_ns ?
					    INT64_MAX :
					    1; /* 1: another process by now, no file is so old */
}

/* The kernel tells the user of a process to everybody, and forgets it when the process ends. */
static void symbolize_find_owner(struct rs_symbolizer *s, struct symbolize_module *m, int32_t pid)
{
	char path[32];
	struct stat st;

	m->pid = pid;
	if (!s->config.local && s->config.jitted_to_ns)
		symbolize_limit_map(s, m, pid);
	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	if (s->config.local && stat(path, &st) == 0)
		m->owner = st.st_uid;
}

static struct symbolize_module *symbolize_make(struct rs_symbolizer *s, enum symbolize_kind kind,
					       const struct rs_mapped_file *file)
{
	struct symbolize_module *m;
	char path[40];

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)file->pid);
	m = symbolize_add(s, kind, kind == CODE_OF_PROCESS ? path : file->path);
	if (!m)
		return NULL;
	if (s->saved)
		m->saved = rs_saved_symbols_module(s->saved, file, kind == CODE_OF_PROCESS);
	if (kind == CODE_OF_PROCESS) {
		symbolize_find_owner(s, m, file->pid);
		return m;
	}
	m->inode = file->inode;
	m->build_id_len = file->build_id_len;
	if (file->build_id_len)
		memcpy(m->build_id, file->build_id, file->build_id_len);
	if (kind == ELF_FILE && s->nr_fds < MAX_KEPT_FDS) {
		m->fd = symbolize_open(s, m);
		s->nr_fds += m->fd >= 0;
	}
	return m;
}

static uint32_t symbolize_module(struct rs_symbolizer *s, const struct rs_mapped_file *file)
{
	enum symbolize_kind kind = symbolize_kind_of(file->path);
	uint64_t hash = symbolize_hash(kind, file);
	struct symbolize_module *m;

	for (struct rs_map_node *n = rs_map_find(&s->by_key, hash); n; n = rs_map_find_next(n))
		if (symbolize_is(RS_MAP_ENTRY(n, struct symbolize_module, node), kind, file))
			return (RS_MAP_ENTRY(n, struct symbolize_module, node))->number;
	m = symbolize_make(s, kind, file);
	if (!m)
		return RS_MODULE_UNKNOWN;
	m->number = (uint32_t)s->nr - 1;
	rs_map_add(&s->by_key, &m->node, hash);
	return m->number;
}

uint32_t rs_symbolizer_module(struct rs_symbolizer *s, const struct rs_mapped_file *file)
{
	uint32_t module;

	pthread_mutex_lock(&s->lock);
	module = symbolize_module(s, file);
	pthread_mutex_unlock(&s->lock);
	return module;
}

static struct symbolize_module *symbolize_get(struct rs_symbolizer *s, uint32_t module)
{
	struct symbolize_module *m;

	pthread_mutex_lock(&s->lock);
	m = s->modules[module < s->nr ? module : RS_MODULE_UNKNOWN];
	pthread_mutex_unlock(&s->lock);
	return m;
}

/* One that was opened by its path is the right one if the inode is. */
bool rs_symbolizer_lacks_file(struct rs_symbolizer *s, uint32_t module)
{
	const struct symbolize_module *m = symbolize_get(s, module);
	bool lacks;

	pthread_mutex_lock(&s->lock);
	lacks = s->config.local && m->kind == ELF_FILE && !m->lent && !m->tried && (m->fd < 0 || !m->inode);
	pthread_mutex_unlock(&s->lock);
	return lacks;
}

void rs_symbolizer_file(struct rs_symbolizer *s, uint32_t module, struct rs_mapped_file *file)
{
	const struct symbolize_module *m = symbolize_get(s, module);

	*file = (struct rs_mapped_file){
		.pid = m->pid, .path = m->kind == CODE_OF_PROCESS ? "//anon" : m->path,
		.build_id = m->build_id,
		.build_id_len = m->build_id_len, .inode = m->inode,
	};
}

int rs_symbolizer_open(struct rs_symbolizer *s, uint32_t module)
{
	const struct symbolize_module *m = symbolize_get(s, module);

	if (m->kind != ELF_FILE)
		return -1;
	return m->fd >= 0 ? fcntl(m->fd, F_DUPFD_CLOEXEC, 3) : symbolize_open(s, m);
}

/* It replaces a file that was opened by its path, which may lead to another file in the process' own root. */
static void symbolize_lend(struct rs_symbolizer *s, uint32_t module, int fd)
{
	struct symbolize_module *m = module < s->nr ? s->modules[module] : NULL;

	if (m)
		m->lent = true;
	if (!m || m->kind != ELF_FILE || m->tried || (m->fd < 0 && s->nr_fds >= MAX_KEPT_FDS)) {
		close(fd);
		return;
	}
	s->nr_fds += m->fd < 0;
	rs_close(&m->fd);
	m->fd = fd;
}

void rs_symbolizer_lend_file(struct rs_symbolizer *s, uint32_t module, int fd)
{
	pthread_mutex_lock(&s->lock);
	symbolize_lend(s, module, fd);
	pthread_mutex_unlock(&s->lock);
}

bool rs_symbolizer_has_file(struct rs_symbolizer *s, uint32_t module)
{
	return symbolize_get(s, module)->kind != CODE_OF_PROCESS;
}

/* ---- names ---- */

/* Only if it is the file that was mapped: another version of a library has other functions there. */
static bool symbolize_is_mapped_one(const struct symbolize_module *m)
{
	uint8_t id[RS_BUILD_ID_BYTES];

	return !m->build_id_len ||
	       (rs_elf_build_id(m->elf, id) >= m->build_id_len && !memcmp(id, m->build_id, m->build_id_len));
}

static struct rs_elf *symbolize_download(const uint8_t *build_id, size_t len)
{
	int fd = rs_debug_server_open(build_id, len, RS_DEBUG_SERVER_PROGRAM);
	struct rs_elf *elf = fd >= 0 ? rs_elf_new(fd) : NULL;

	rs_close(&fd);
	return elf;
}

/* A server has the whole file, or what was stripped from it, or both. */
static void symbolize_ask_servers(struct symbolize_module *m)
{
	uint8_t id[RS_BUILD_ID_BYTES];
	size_t len;
	int fd;

	if (!m->elf && m->build_id_len)
		m->elf = symbolize_download(m->build_id, m->build_id_len);
	len = m->elf && rs_elf_is_stripped(m->elf) ? rs_elf_build_id(m->elf, id) : 0;
	fd = len ? rs_debug_server_open(id, len, RS_DEBUG_SERVER_SYMBOLS) : -1;
	if (fd >= 0)
		rs_elf_add_symbols(m->elf, fd);
	rs_close(&fd);
}

static void symbolize_read_elf(struct rs_symbolizer *s, struct symbolize_module *m)
{
	m->tried = true;
	if (m->kind == VDSO) {
		m->elf = symbolize_may_open(s, m) ? rs_elf_new_vdso() : NULL;
		return;
	}
	if (m->fd >= 0)
		s->nr_fds--;
	else
		m->fd = symbolize_open(s, m);
	m->elf = m->fd >= 0 ? rs_elf_new(m->fd) : NULL;
	rs_close(&m->fd);
	if (m->elf && !symbolize_is_mapped_one(m)) {
		rs_elf_free(m->elf);
		m->elf = NULL;
	}
	if (s->config.debuginfod)
		symbolize_ask_servers(m);
	RS_LOG(RS_LOG_SOURCE, "symbols of '%s': %s", m->path,
	       m->elf ? "read" : "no right to read it, not there, another file by now, or no ELF file");
}

static void symbolize_kernel(struct rs_symbolizer *s, uint64_t address, struct rs_symbol *symbol)
{
	const char *module;

	if (!s->kallsyms)
		s->kallsyms = rs_kallsyms_new(s->config.kallsyms_fd, s->config.kallsyms,
					      s->config.kallsyms_len, true);
	if (rs_kallsyms_function(s->kallsyms, address, &symbol->function, &module) && *module)
		symbol->module = module;
}

static bool symbolize_code(struct rs_symbolizer *s, struct symbolize_module *m, uint64_t address,
			   struct rs_symbol *symbol)
{
	symbol->function = m->saved ? rs_saved_symbols_function(s->saved, m->saved, address) :
				      rs_perf_map_function(&m->perf_map, address);
	if (!symbol->function && (s->config.local || (s->config.jitted_to_ns && !m->tried))) {
		m->tried = true;
		rs_perf_map_read(&m->perf_map, m->path, m->owner);
		symbol->function = rs_perf_map_function(&m->perf_map, address);
	}
	symbol->module = symbol->function ? m->name : "[anon]";
	return symbol->function;
}

static bool symbolize_find(struct rs_symbolizer *s, uint32_t module, uint64_t offset,
			   struct rs_symbol *symbol)
{
	struct symbolize_module *m = s->modules[module < s->nr ? module : RS_MODULE_UNKNOWN];

	*symbol = (struct rs_symbol){ .module = m->name };
	if (module == RS_MODULE_KERNEL)
		symbolize_kernel(s, offset, symbol);
	else if (m->kind == CODE_OF_PROCESS)
		return symbolize_code(s, m, offset, symbol);
	else if (m->saved)
		symbol->function = rs_saved_symbols_function(s->saved, m->saved, offset);
	if (!symbol->function && m->kind != NO_FILE && !m->tried && (!m->saved || s->config.debuginfod))
		symbolize_read_elf(s, m);
	if (!symbol->function && m->elf)
		symbol->function = rs_elf_function(m->elf, offset);
	return true;
}

bool rs_symbolizer_find(struct rs_symbolizer *s, uint32_t module, uint64_t offset, struct rs_symbol *symbol)
{
	bool is_final;

	pthread_mutex_lock(&s->lock);
	is_final = symbolize_find(s, module, offset, symbol);
	pthread_mutex_unlock(&s->lock);
	return is_final;
}
