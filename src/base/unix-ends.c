// SPDX-License-Identifier: GPL-2.0-or-later
/* unix-ends - both ends of a Unix socket as text */
#include "base/unix-ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t rs_unix_ends_text(int type, const struct rs_unix_ends *ends, char *buf, size_t size_bytes)
{
	static const char *const types[] = { "", "STREAM", "DGRAM", "RAW", "RDM", "SEQPACKET" };
	bool is_known = type > 0 && (size_t)type < sizeof types / sizeof *types;
	const char *quote = *ends->path ? "\"" : "";
	char peer[16] = "";
	int len;

	if (ends->peer)
		snprintf(peer, sizeof peer, "->%u", ends->peer);
	len = snprintf(buf, size_bytes, "UNIX%s%s:[%u%s%s%s%s%s]", is_known ? "-" : "",
		       is_known ? types[type] : "", ends->inode, peer,
		       !*ends->path   ? "" :
		       ends->is_peers ? " " :
					",", quote, ends->path, quote);
	return len > 0 && (size_t)len < size_bytes ? (size_t)len : 0;
}

/* ,"/run/x"] with a path that may have any of these characters: it ends with the text. */
static bool unix_ends_take_path(const char *text, struct rs_unix_ends *ends)
{
	size_t len = strlen(text);

	if (!strcmp(text, "]"))
		return true;
	if ((*text != ',' && *text != ' ') || text[1] != '"' || len < 4 || len - 4 >= sizeof ends->path ||
	    strcmp(text + len - 2, "\"]") != 0)
		return false;
	ends->is_peers = *text == ' ';
	memcpy(ends->path, text + 2, len - 4);
	ends->path[len - 4] = '\0';
	return true;
}

bool rs_unix_ends_parse(const char *text, struct rs_unix_ends *ends)
{
	const char *at = strncmp(text, "UNIX", 4) ? NULL : strstr(text, ":[");
	char *end;

	*ends = (struct rs_unix_ends){ .inode = 0 };
	if (!at)
		return false;
	ends->inode = (uint32_t)strtoul(at + 2, &end, 10);
	if (!strncmp(end, "->", 2))
		ends->peer = (uint32_t)strtoul(end + 2, &end, 10);
	return ends->inode && unix_ends_take_path(end, ends);
}
