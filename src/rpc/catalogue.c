// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc/catalogue.h"

#include <string.h>

const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (!strcmp(c->views[i].view.name, name))
			return &c->views[i];
	return NULL;
}

const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c, unsigned int number)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].number == number)
			return &c->kinds[i];
	return NULL;
}
