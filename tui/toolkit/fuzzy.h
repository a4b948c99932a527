/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzzy.h - finds a name by a few of its letters */
#ifndef RS_TUI_FUZZY_H
#define RS_TUI_FUZZY_H

/*
 * Returns how badly a name fits what was typed, ignoring the case of ASCII letters; -1: not at all. From best
 * to worst: it is the name; the name begins with it; a word of the name does; the name contains it; its
 * letters come in that order, the closer together the better. "" fits every name alike.
 */
int rs_fuzzy_rank(const char *name, const char *typed);

#endif
