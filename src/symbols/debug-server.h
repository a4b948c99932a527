/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-server.h - files that debuginfod servers have, by build-id, for who asks for them
 *
 * The servers are those of $DEBUGINFOD_URLS. A server learns which build-ids it is asked for, and an answer
 * takes time, so nothing here is called unless the user has said so. The library keeps what it gets in the
 * user's cache.
 */
#ifndef RS_SYMBOLS_DEBUG_SERVER_H
#define RS_SYMBOLS_DEBUG_SERVER_H

#include <stddef.h>
#include <stdint.h>

struct rs_error;

/* Symbols: what was stripped from it. */
enum rs_debug_server_file { RS_DEBUG_SERVER_SYMBOLS, RS_DEBUG_SERVER_PROGRAM };

/* Returns -1 with err set if no server can be asked: without the library, or without $DEBUGINFOD_URLS. */
int rs_debug_server_check(struct rs_error *err);
/*
 * For root, before it becomes a user that has no home: what servers send is kept in memory, a quarter of it
 * at most, until this process ends. Call it before there are threads. Returns -1 with err set if the kernel
 * does not allow it.
 */
int rs_debug_server_cache_in_memory(struct rs_error *err);
/*
 * Returns the file with this build-id, open, for the caller to close; -1: no server has it. Waits for the
 * servers.
 */
int rs_debug_server_open(const uint8_t *build_id, size_t len, enum rs_debug_server_file file);

#endif
