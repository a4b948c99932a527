// SPDX-License-Identifier: GPL-2.0-or-later
/* ends - both ends of a socket as text */
#include "base/ends.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t ends_mapped[12] = { [10] = 0xff, [11] = 0xff };

static bool ends_is_mapped(const uint8_t *addr)
{
	return !memcmp(addr, ends_mapped, sizeof ends_mapped);
}

/* "10.0.0.1:80", "[::1]:80" */
static int ends_put(const struct rs_ends *ends, int which, bool is_mapped, char *buf, size_t size_bytes)
{
	char addr[INET6_ADDRSTRLEN];

	if (is_mapped)
		inet_ntop(AF_INET, ends->addr[which] + sizeof ends_mapped, addr, sizeof addr);
	else
		inet_ntop(AF_INET6, ends->addr[which], addr, sizeof addr);
	return snprintf(buf, size_bytes, is_mapped ? "%s:%u" : "[%s]:%u", addr, ends->port[which]);
}

const char *rs_ends_text(const char *protocol, const struct rs_ends *ends, char *buf)
{
	bool is_mapped = ends_is_mapped(ends->addr[RS_ENDS_LOCAL]);
	char local[64], remote[64];

	ends_put(ends, RS_ENDS_LOCAL, is_mapped, local, sizeof local);
	ends_put(ends, RS_ENDS_REMOTE, is_mapped, remote, sizeof remote);
	snprintf(buf, RS_ENDS_TEXT_BYTES, "%.16s%s:[%s%s%s]", protocol, is_mapped ? "" : "v6", local,
		 ends->port[RS_ENDS_REMOTE] ? "->" : "", ends->port[RS_ENDS_REMOTE] ? remote : "");
	return buf;
}

/* Takes "10.0.0.1:80" or "[::1]:80" off the text. */
static const char *ends_take(const char *text, uint8_t *addr, uint16_t *port)
{
	bool is_v6 = *text == '[';
	const char *close = is_v6 ? strchr(text, ']') : strchr(text, ':');
	size_t len = close ? (size_t)(close - text) - is_v6 : INET6_ADDRSTRLEN;
	char name[INET6_ADDRSTRLEN], *end;
	unsigned long number;

	if (len >= sizeof name)
		return NULL;
	memcpy(name, text + is_v6, len);
	name[len] = '\0';
	memcpy(addr, ends_mapped, sizeof ends_mapped);
	if (inet_pton(is_v6 ? AF_INET6 : AF_INET, name, is_v6 ? addr : addr + sizeof ends_mapped) != 1 ||
	    close[is_v6] != ':')
		return NULL;
	number = strtoul(close + is_v6 + 1, &end, 10);
	*port = (uint16_t)number;
	return number > UINT16_MAX || end == close + is_v6 + 1 ? NULL : end;
}

bool rs_ends_parse(const char *text, const char *protocol, struct rs_ends *ends)
{
	size_t len = strlen(protocol);

	*ends = (struct rs_ends){ .port = { 0 } };
	if (strncmp(text, protocol, len) != 0)
		return false;
	text += len;
	if (!strncmp(text, "v6", 2))
		text += 2;
	if (strncmp(text, ":[", 2) != 0)
		return false;
	text = ends_take(text + 2, ends->addr[RS_ENDS_LOCAL], &ends->port[RS_ENDS_LOCAL]);
	if (text && !strncmp(text, "->", 2))
		text = ends_take(text + 2, ends->addr[RS_ENDS_REMOTE], &ends->port[RS_ENDS_REMOTE]);
	else if (ends_is_mapped(ends->addr[RS_ENDS_LOCAL]))
		memcpy(ends->addr[RS_ENDS_REMOTE], ends_mapped, sizeof ends_mapped);
	return text && !strcmp(text, "]");
}
