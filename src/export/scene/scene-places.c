// SPDX-License-Identifier: GPL-2.0-or-later
/* scene-places - disks and connections: what has a track once something of it is drawn */
#include <stdio.h>
#include <stdlib.h>

#include "export/scene/scene.h"

static void places_name_disk(const struct rs_scene *s, struct rs_scene_place *p)
{
	uint32_t dev = (uint32_t)p->id;
	const char *name = NULL;

	for (size_t i = 0; i < s->info->nr_disks; i++)
		if (s->info->disks[i].dev == dev)
			name = s->info->disks[i].name;
	snprintf(p->name, sizeof p->name, "disk %u,%u%s%.32s", dev >> 20, dev & 0xfffff, name ? " " : "",
		 name ? name : "");
}

/* Its first span comes when its ends are known; by the end of the file it may be forgotten. */
static void places_name_connection(const struct rs_scene *s, struct rs_scene_place *p)
{
	const struct rs_socket *k = rs_socket_find(s->c, p->id);
	char buf[RS_SOCKET_TEXT_BYTES];
	const char *text = k ? rs_socket_text(k, buf) : NULL;

	if (k)
		snprintf(p->name, sizeof p->name, "%.16s%s%s", k->comm, k->comm[0] ? " " : "",
			 text ? text : "TCP");
}

static const struct places_kind {
	unsigned int max;
	bool shares_last;       /* those beyond share the last one; else they are not drawn */
	void (*set_name)(const struct rs_scene *s, struct rs_scene_place *p);
} kinds[RS_NR_TRACK_TYPES] = {
	[RS_TRACK_DISK] = { 256, true, places_name_disk },
	[RS_TRACK_CONNECTION] = { 1000, false, places_name_connection },
};

void rs_scene_places_begin(struct rs_scene *s)
{
	for (unsigned int type = 0; type < RS_NR_TRACK_TYPES; type++) {
		struct rs_scene_places *of = &s->places[type];

		if (!kinds[type].max)
			continue;
		of->at = calloc(kinds[type].max, sizeof *of->at);
		of->own = calloc(kinds[type].max, s->ops->place_bytes + 1);
	}
}

void rs_scene_places_drop(struct rs_scene *s)
{
	for (unsigned int type = 0; type < RS_NR_TRACK_TYPES; type++) {
		free(s->places[type].at);
		free(s->places[type].own);
		s->places[type] = (struct rs_scene_places){ 0 };
	}
}

bool rs_scene_track_of_place(struct rs_scene *s, enum rs_track_type type, uint64_t id,
			     struct rs_scene_track *at)
{
	struct rs_scene_places *of = &s->places[type];
	const struct places_kind *kind = &kinds[type];
	unsigned int i = 0;

	if (!of->at || !of->own)
		return false;
	while (i < of->nr && of->at[i].id != id)
		i++;
	if (i == kind->max && !kind->shares_last)
		return false;
	if (i == kind->max) {
		i--;
	} else if (i == of->nr) {
		of->at[of->nr++] = (struct rs_scene_place){ .id = id };
		kind->set_name(s, &of->at[i]);
	}
	*at = (struct rs_scene_track){ type, i, NULL, &of->at[i].nest, of->own + i * s->ops->place_bytes };
	return true;
}
