/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nearest.h - "did you mean ...?" for a misspelt name
 *
 *	const char *near = rs_nearest("recrod", names);   // "record"
 */
#ifndef RS_BASE_NEAREST_H
#define RS_BASE_NEAREST_H

/*
 * rs_nearest - the candidate that the word most likely meant, NULL where none
 * is near. candidates ends with NULL; of equally near ones the first wins. What
 * is returned is the candidate itself. The word may be hostile and of any length.
 */
const char *rs_nearest(const char *word, const char *const *candidates);

#endif
