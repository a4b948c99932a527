// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-history - the descriptors that a session has known to be of sockets, and when */
#include "engine/files/fd-history.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/time-limit.h"

#define FD_HISTORY_MAX 4096u
#define FD_HISTORY_MOST_SOUGHT 64u /* places that are looked at for one of a closed descriptor */

struct fd_history_place {
	uint64_t number;               /* 0: empty */
	uint64_t noted_ns;             /* known.until_ns, when it was noted */
	struct rs_fd_socket known;     /* .until_ns RS_MAX_TIME_NS: it is known still */
};

struct rs_fd_history {
	pthread_mutex_t lock;
	uint64_t last;                 /* number */
	uint32_t next;                 /* place */
	struct fd_history_place place[FD_HISTORY_MAX];
};

struct rs_fd_history *rs_fd_history_new(void)
{
	struct rs_fd_history *h = calloc(1, sizeof *h);

	if (h)
		pthread_mutex_init(&h->lock, NULL);
	return h;
}

void rs_fd_history_free(struct rs_fd_history *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < FD_HISTORY_MAX; i++)
		free(h->place[i].known.name);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* The first of the next ones that is empty, or closed; of many that are open the first. */
static struct fd_history_place *fd_history_make_room(struct rs_fd_history *h)
{
	uint32_t at = h->next;

	for (uint32_t i = 0; i < FD_HISTORY_MOST_SOUGHT; i++) {
		const struct fd_history_place *place = &h->place[(h->next + i) % FD_HISTORY_MAX];

		if (!place->number || place->known.until_ns != RS_MAX_TIME_NS) {
			at = h->next + i;
			break;
		}
	}
	h->next = (at + 1) % FD_HISTORY_MAX;
	return &h->place[at % FD_HISTORY_MAX];
}

uint64_t rs_fd_history_note(struct rs_fd_history *h, const struct rs_fd_socket *known)
{
	char *name = strdup(known->name);
	struct fd_history_place *place;
	uint64_t number;

	if (!name)
		return 0;
	pthread_mutex_lock(&h->lock);
	place = fd_history_make_room(h);
	free(place->known.name);
	/* the number tells the place, too */
	number = (h->last / FD_HISTORY_MAX + 1) * FD_HISTORY_MAX + (uint64_t)(place - h->place);
	*place = (struct fd_history_place){ .number = number, .noted_ns = known->until_ns, .known = *known };
	place->known.name = name;
	place->known.until_ns = RS_MAX_TIME_NS;
	h->last = number;
	pthread_mutex_unlock(&h->lock);
	return number;
}

void rs_fd_history_end(struct rs_fd_history *h, uint64_t number, uint64_t until_ns)
{
	struct fd_history_place *place = &h->place[number % FD_HISTORY_MAX];

	pthread_mutex_lock(&h->lock);
	if (number && place->number == number && place->known.until_ns == RS_MAX_TIME_NS)
		place->known.until_ns = until_ns;
	pthread_mutex_unlock(&h->lock);
}

void rs_fd_history_end_all(struct rs_fd_history *h, uint64_t until_ns)
{
	pthread_mutex_lock(&h->lock);
	for (uint32_t i = 0; i < FD_HISTORY_MAX; i++)
		if (h->place[i].known.until_ns == RS_MAX_TIME_NS)
			h->place[i].known.until_ns = until_ns;
	pthread_mutex_unlock(&h->lock);
}

/* ---- lists ---- */

int rs_fd_history_list(struct rs_fd_history *h, uint64_t from_ns, uint64_t to_ns,
		       struct rs_fd_socket_list *list)
{
	bool copied = true;

	pthread_mutex_lock(&h->lock);
	for (uint32_t i = 0; i < FD_HISTORY_MAX && copied; i++) {
		const struct rs_fd_socket *known = &h->place[i].known;

		if (h->place[i].number && known->until_ns >= from_ns && known->since_ns <= to_ns)
			copied = rs_fd_socket_list_add(list, known);
	}
	pthread_mutex_unlock(&h->lock);
	rs_fd_socket_list_sort(list);
	return copied ? 0 : -1;
}

static int fd_history_compare_number(const void *a, const void *b)
{
	const struct fd_history_place *x = *(const struct fd_history_place *const *)a,
				     *y = *(const struct fd_history_place *const *)b;

	return (x->number > y->number) - (x->number < y->number);
}

uint64_t rs_fd_history_list_new(struct rs_fd_history *h, uint64_t number, struct rs_fd_socket_list *list)
{
	const struct fd_history_place *found[FD_HISTORY_MAX];
	uint32_t nr = 0;
	uint64_t last;

	pthread_mutex_lock(&h->lock);
	last = h->last;
	for (uint32_t i = 0; last > number && i < FD_HISTORY_MAX; i++)
		if (h->place[i].number > number)
			found[nr++] = &h->place[i];
	if (nr)
		qsort(found, nr, sizeof *found, fd_history_compare_number);
	for (uint32_t i = 0; i < nr; i++) {
		struct rs_fd_socket known = found[i]->known;

		known.until_ns = found[i]->noted_ns;
		rs_fd_socket_list_add(list, &known);
	}
	pthread_mutex_unlock(&h->lock);
	return last;
}
