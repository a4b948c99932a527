// SPDX-License-Identifier: GPL-2.0-or-later
/* memory - pages that each process takes from the kernel and gives back, and how its resident memory moves */
#include "ringside/plugin.h"

#define MEMORY_NR_WAYS 4
#define MEMORY_NR_SETS 1024       /* address spaces at a time: 4096, those least lately heard of go */
#define MEMORY_NR_MEMBERS 8       /* of an address space; kernels have four */
#define MAX_ORDER 31 /* 1 << order pages at once; kernels have 10 or so, a hostile file may say anything */
#define IRQ_FLAGS 0x18     /* common_flags: TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of the trace format */
#define SWAP_ENTRIES \
	2 /* MM_SWAPENTS, where the format has no names: it has been this since there is rss_stat */

/* By how much resident memory grew, or shrank, and the most that it grew by at any time. */
struct memory_rss {
	int64_t now, most;
};

struct memory_row {
	uint64_t alloc, free;     /* pages */
	uint64_t nr_rss;          /* rss_stat events of its process */
	struct memory_rss rss;
};

static void memory_merge_rss(void *into, const void *from)
{
	const struct memory_rss *of = from;
	struct memory_rss *to = into;

	to->now = (int64_t)((uint64_t)to->now + (uint64_t)of->now);
	to->most = of->most > to->most ? of->most : to->most;
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct memory_row), .in_task = true,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct memory_row, alloc, nr_rss),
		{ RS_MEASURE_OTHER, offsetof(struct memory_row, rss), memory_merge_rss,
		  sizeof(struct memory_rss) }) },
	{ 0 },
};

/*
 * An address space, as rss_stat names it: by a hash of where it lies, which is
 * used again for another one as soon as it has gone.
 */
struct mm {
	uint32_t id;
	bool used, fresh;         /* fresh: made within the capture, so it began with nothing */
	bool by_other;            /* first heard of from a task that did not live in it ... */
	int32_t first_process;    /* ... of this process; 0: of no task */
	uint8_t known;            /* bit by member: its size is */
	uint64_t last_ns;
	/* the leader of the process that lives in it; NULL: no task was seen in it yet */
	struct rs_task *owner;
	uint64_t size[MEMORY_NR_MEMBERS];
	uint64_t pending, pending_first; /* without owner: changes, and the sizes that were there first */
};

struct task_memory {
	struct memory_row row;    /* first; rss: of a leader, its process' */
	struct mm *mm;            /* of a leader: whose owner is this task */
	bool had_mm, execed;
};

struct memory {
	bool has_mms;
	uint64_t swap_entries;    /* the member that is not resident */
	struct mm mms[MEMORY_NR_SETS][MEMORY_NR_WAYS];
};

static struct task_memory *memory_task_data(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

/* A process that is not known goes by the thread that was seen. */
static int32_t memory_process_id(const struct rs_task *t)
{
	return !t ? 0 : t->pid ? t->pid : t->tid;
}

/* ---- pages ---- */

enum { ORDER, FLAGS, PFN };

/* Not for an event in an interrupt: the task that it interrupted did not ask for these pages. */
static struct memory_row *memory_row_of(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
					uint64_t *nr)
{
	uint64_t order = rs_u64(ev, &f[ORDER]);

	if (!ev->task || rs_u64(ev, &f[FLAGS]) & IRQ_FLAGS || order > MAX_ORDER)
		return NULL;
	*nr = 1ull << order;
	return &memory_task_data(c, ev->task)->row;
}

/*
 * An allocation that failed is reported, too, with a page number of all ones in the size of the kernel's
 * long.
 */
static bool failed(const struct rs_event *ev, const struct rs_field *pfn)
{
	return rs_has(pfn) && rs_u64(ev, pfn) == UINT64_MAX >> (64 - 8 * pfn->size_bytes);
}

static void on_alloc(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t nr;
	struct memory_row *row = memory_row_of(c, ev, f, &nr);

	if (row && !failed(ev, &f[PFN]))
		row->alloc += nr;
}

/* mm_page_free_batched reports the same pages again. */
static void on_free(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t nr;
	struct memory_row *row = memory_row_of(c, ev, f, &nr);

	if (row)
		row->free += nr;
}

/* ---- address spaces ---- */

static void memory_forget(struct rs_ctx *c, struct mm *m)
{
	if (m->owner)
		memory_task_data(c, m->owner)->mm = NULL;
	*m = (struct mm){ .id = m->id };
}

/* The one of that id, else a new one in the place of the oldest of its set. */
static struct mm *mm_of(struct rs_ctx *c, uint32_t id)
{
	struct memory *s = c->state;
	struct mm *set = s->mms[id * 2654435761u >> 16 & (MEMORY_NR_SETS - 1)], *oldest = set;

	for (struct mm *m = set; m < set + MEMORY_NR_WAYS; m++) {
		if (m->used && m->id == id)
			return m;
		if (oldest->used && (!m->used || m->last_ns < oldest->last_ns))
			oldest = m;
	}
	if (oldest->used)
		rs_count(c, RS_COUNT_EVICTED);
	memory_forget(c, oldest);
	oldest->id = id;
	return oldest;
}

static void memory_add(struct rs_ctx *c, struct rs_task *leader, uint64_t change)
{
	struct memory_row *row = &memory_task_data(c, leader)->row;

	row->nr_rss++;
	row->rss.now = (int64_t)((uint64_t)row->rss.now + change);
	if (row->rss.now > row->rss.most)
		row->rss.most = row->rss.now;
}

/*
 * A process that was born in the capture, or has exec'ed in it, lives in an address space that was made in
 * it. Its parent, or it itself, filled that from outside first; one that vfork lends to it was there before.
 */
static bool is_fresh(const struct mm *m, const struct rs_task *leader, const struct task_memory *d)
{
	if (d->mm) /* exec: it leaves one for another */
		return true;
	if (m->by_other && m->first_process == memory_process_id(leader))
		return true;
	return !d->had_mm && (d->execed || (m->by_other && leader->birth_ns));
}

/* The process is seen to live in it. */
static void memory_begin_lifetime(struct rs_ctx *c, struct mm *m, struct rs_task *leader)
{
	struct task_memory *d = memory_task_data(c, leader);

	m->fresh = is_fresh(m, leader, d);
	if (d->mm)
		memory_forget(c, d->mm);
	m->owner = leader;
	d->mm = m;
	d->had_mm = true;
	memory_add(c, leader, m->pending + (m->fresh ? m->pending_first : 0));
}

/*
 * Does another address space lie where the owner's was? The owner's own tasks report its last sizes as they
 * exit.
 */
static bool has_ended(const struct mm *m, const struct rs_event *ev, const struct rs_task *leader)
{
	const struct rs_task *owner = m->owner;

	if (!owner || !owner->exited)
		return false;
	return leader ? leader != owner : memory_process_id(ev->task) != memory_process_id(owner);
}

static void add_size(struct rs_ctx *c, struct mm *m, uint64_t member, uint64_t size)
{
	bool known = m->known >> member & 1;
	uint64_t change = known ? size - m->size[member] : 0, first = known ? 0 : size;

	m->known |= (uint8_t)(1u << member);
	m->size[member] = size;
	if (m->owner) {
		memory_add(c, m->owner, change + (m->fresh ? first : 0));
	} else {
		m->pending += change;
		m->pending_first += first;
	}
}

enum { MM_ID, CURR, MEMBER, SIZE };

static void on_rss(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct memory *s = c->state;
	struct rs_task *leader = rs_u64(ev, &f[CURR]) ? rs_task_get(c, memory_process_id(ev->task)) : NULL;
	uint64_t member = rs_u64(ev, &f[MEMBER]), size = rs_u64(ev, &f[SIZE]);
	struct mm *m;

	if (member >= MEMORY_NR_MEMBERS || member == s->swap_entries)
		return;
	m = mm_of(c, (uint32_t)rs_u64(ev, &f[MM_ID]));
	if (has_ended(m, ev, leader))
		memory_forget(c, m);
	if (!m->used) {
		m->used = s->has_mms = true;
		m->by_other = !leader;
		m->first_process = memory_process_id(ev->task);
	}
	if (leader && !m->owner)
		memory_begin_lifetime(c, m, leader);
	m->last_ns = ev->ts_ns;
	add_size(c, m, member, size);
}

static void memory_on_exec(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *leader = rs_task_get(c, (int32_t)rs_i64(ev, &f[0]));

	if (leader)
		memory_task_data(c, leader)->execed = true;
}

static int memory_init(struct rs_ctx *c)
{
	struct memory *s = c->state;

	if (!rs_event_symbol(c, "kmem", "rss_stat", "MM_SWAPENTS", &s->swap_entries))
		s->swap_entries = SWAP_ENTRIES;
	return 0;
}

/* ---- rows ---- */

static bool memory_knows_rss(const struct rs_group *g)
{
	return g->task && ((const struct memory_row *)g->row)->nr_rss && !rs_group_is_by(g, "tid");
}

static struct rs_value memory_show_rss(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return memory_knows_rss(g) ? rs_i(((const struct memory_row *)g->row)->rss.now) : rs_null();
}

/* Several processes need not have had their most at one time. */
static struct rs_value memory_show_rise(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(memory_knows_rss(g) && rs_group_is_by(g, "pid"),
		       (uint64_t)((const struct memory_row *)g->row)->rss.most);
}

#define PAGES(member) .measure_bytes = offsetof(struct memory_row, member), .aspect = RS_VALUE

static void memory_on_evict(struct rs_ctx *c, struct rs_task *t)
{
	if (memory_task_data(c, t)->mm)
		memory_forget(c, memory_task_data(c, t)->mm);
}

/* Sizes stay known: what changes next is measured from there. */
static void memory_reset(struct rs_ctx *c)
{
	struct memory *s = c->state;

	for (size_t set = 0; s->has_mms && set < MEMORY_NR_SETS; set++)
		for (struct mm *m = s->mms[set]; m < s->mms[set] + MEMORY_NR_WAYS; m++)
			m->pending = m->pending_first = 0;
}

const struct rs_analysis rs_analysis_memory = {
	.abi = RS_ABI,
	.name = "memory",
	.summary = "who takes the memory",
	.requirements = RS_LIST(
		rs_requirement,
		{ "kmem",
		  "mm_page_alloc",
		  RS_REQUIRED,
		  RS_BY_TASK,
		  on_alloc,
		  { "order", "common_flags", "?pfn" } },
		{ "kmem", "mm_page_free", RS_OPTIONAL, RS_BY_TASK, on_free, { "order", "common_flags" } },
		{ "kmem",
		  "rss_stat",
		  RS_OPTIONAL,
		  RS_BY_ANYONE,
		  on_rss,
		  { "mm_id", "curr", "member", "size" } },
		{ "sched", "sched_process_exec", RS_OPTIONAL, RS_BY_TASK, memory_on_exec, { "pid" } }),
	.views = RS_LIST(
		rs_view,
		{ .name = "memory", .topic = RS_TOPIC_MEMORY,
		  .summary = "pages that each process takes and gives back, and how its memory grows",
		  .kind = RS_VIEW_TABLE,
		  .sort = "-alloc_pages",
		  .options = "by",
		  .store = stores,
		  .by = "pid",
		  .text_columns = "comm,pid,alloc_pages,free_pages,rss_delta_bytes,rss_rise_bytes",
		  .columns = RS_LIST(rs_column, RS_GROUP_BY_COLUMNS,
				     { "alloc_pages", "ALLOC", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
				       "pages that it took from the kernel, or the kernel for it",
				       PAGES(alloc) },
				     { "free_pages", "FREE", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
				       "pages that it gave back, its own or others'", PAGES(free),
				       .if_recorded = "kmem:mm_page_free" },
				     { "rss_delta_bytes", "RSS+-", RS_TYPE_BYTES, 0,
				       RS_COLUMN_SIGNED | RS_COLUMN_SUM, 10,
				       "by how much its resident memory grew or shrank; null by thread, and "
				       "where it did not move",
				       .if_recorded = "kmem:rss_stat", .cell = memory_show_rss },
				     { "rss_rise_bytes", "RISE", RS_TYPE_BYTES, 0, 0, 9,
				       "the most that it grew by, at any time; likewise",
				       .if_recorded = "kmem:rss_stat", .cell = memory_show_rise }) }),
	.stores = stores,
	.by_name = true,
	.state_size = sizeof(struct memory),
	.task_size = sizeof(struct task_memory),
	.begin = memory_init,
	.task_evict = memory_on_evict,
	.reset = memory_reset,
};
