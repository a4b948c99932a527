/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library.h - a library that is loaded when it is needed
 *
 * What a few commands need must not delay all others: libcurl alone brings thirty libraries and 12 ms to each
 * start.
 *
 *	#define CURL_CALLS(CALL) CALL(curl_easy_init) CALL(curl_easy_perform)
 *	static struct { CURL_CALLS(RS_LIBRARY_CALL) } curl;
 *	static const struct rs_library_symbol symbols[] = { CURL_CALLS(RS_LIBRARY_SYMBOL_OF_curl) { 0 } };
 *
 *	#define RS_LIBRARY_SYMBOL_OF_curl(name) RS_LIBRARY_SYMBOL(curl, name)
 *	...
 *	if (rs_library_load("libcurl.so.4", "libcurl4", symbols, &err) == 0)
 *		curl.curl_easy_init();
 */
#ifndef RS_BASE_LIBRARY_H
#define RS_BASE_LIBRARY_H

#include "base/error.h"

struct rs_library_symbol {
	const char *name;
	void *to;            /* the address of the pointer to the function */
};

#define RS_LIBRARY_CALL(name) __typeof__(name) *name;
#define RS_LIBRARY_SYMBOL(table, name) { #name, &(table).name },

/*
 * Fills the pointers of symbols, which end with a NULL name. It is never unloaded. package: what to install
 * if it is missing.
 */
int rs_library_load(const char *file, const char *package, const struct rs_library_symbol *symbols,
		    struct rs_error *err);

#endif
