/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args-mask.h - command lines as text, without what looks like a secret
 *
 * What follows a name like password, token or authorization (--db-password X, token=X, "X-Api-Key: X"), and
 * the password of a URL (scheme://user:X@host), becomes ***. So does the argument of some programs' short
 * options, as mysql -pX. A guess: it may hide what is no secret, and a secret in another form stays.
 */
#ifndef RS_BASE_ARGS_MASK_H
#define RS_BASE_ARGS_MASK_H

#include <stdbool.h>
#include <stddef.h>

#define RS_ARGS_MASK "***"

/*
 * words: as /proc/PID/cmdline has them, each ends with a NUL, or with the end. Writes them with a space
 * between, terminated, and returns the length; what does not fit is cut, and ends in "...". masks false: as
 * they are.
 */
size_t rs_args_mask_put(const char *words, size_t len, bool masks, char *out, size_t size_bytes);

#endif
