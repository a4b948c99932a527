// SPDX-License-Identifier: GPL-2.0-or-later
/* starvation - whether the threads of a capture get the CPU time that they ask for */
#include "source/live/starvation.h"

#define STARVATION_PART 2         /* of a second: 1/STARVATION_PART of it or more was spent waiting */
#define STARVATION_TOLD_NS 5000000000ull
#define STARVATION_LATE_NS 2000000000ull

static uint64_t starvation_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t rs_starvation_waited_ns(struct rs_starvation_thread *t, char state, uint64_t cpu_ns,
				 uint64_t wait_ns, uint64_t elapsed_ns)
{
	struct rs_starvation_thread before = *t;
	bool still_waits = state == 'R' && before.state == 'R' && cpu_ns == before.cpu_ns;
	uint64_t ended_ns, early_ns;

	*t = (struct rs_starvation_thread){ .state = state, .cpu_ns = cpu_ns, .wait_ns = wait_ns };
	ended_ns = wait_ns > before.wait_ns ? wait_ns - before.wait_ns : 0;
	early_ns = starvation_least(before.early_ns, ended_ns);
	if (!still_waits)
		return starvation_least(ended_ns - early_ns, elapsed_ns);
	t->early_ns = before.early_ns - early_ns + elapsed_ns;
	return elapsed_ns;
}

void rs_starvation_add(struct rs_starvation *s, uint64_t waited_ns, uint64_t elapsed_ns, uint64_t now_ns)
{
	atomic_store(&s->added_ns, now_ns);
	if (waited_ns < elapsed_ns / STARVATION_PART)
		return;
	atomic_fetch_add(&s->all_ns, elapsed_ns);
	atomic_store(&s->last_ns, now_ns);
}

/* Since the last second that was added, if the next one is late; else 0. */
static uint64_t starvation_late_ns(const struct rs_starvation *s, uint64_t now_ns)
{
	uint64_t added_ns = atomic_load(&s->added_ns);

	return added_ns && now_ns > added_ns + STARVATION_LATE_NS ? now_ns - added_ns : 0;
}

bool rs_starvation_is_on(const struct rs_starvation *s, uint64_t now_ns)
{
	uint64_t last_ns = atomic_load(&s->last_ns);

	return starvation_late_ns(s, now_ns) || (last_ns && now_ns < last_ns + STARVATION_TOLD_NS);
}

uint64_t rs_starvation_ns(const struct rs_starvation *s, uint64_t now_ns)
{
	return atomic_load(&s->all_ns) + starvation_late_ns(s, now_ns);
}
