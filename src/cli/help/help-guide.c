// SPDX-License-Identifier: GPL-2.0-or-later
/* help-guide - the sections of docs/guide.md, which the build makes a string of */
#include "cli/help/help.h"

#include <strings.h>

extern const char rs_guide_md[];

bool rs_help_guide_next(struct rs_help_section *s)
{
	static const char mark[] = "\n## ";
	const char *at = strstr(s->text ? s->text + s->len : rs_guide_md, mark), *end;

	if (!at)
		return false;
	s->title = at + sizeof mark - 1;
	s->title_len = strcspn(s->title, "\n");
	s->text = s->title + s->title_len;
	end = strstr(s->text, mark);
	s->len = end ? (size_t)(end - s->text) : strlen(s->text);
	return true;
}

bool rs_help_guide_find(const char *title, struct rs_help_section *s)
{
	*s = (struct rs_help_section){ 0 };
	while (rs_help_guide_next(s))
		if (strlen(title) == s->title_len && !strncasecmp(title, s->title, s->title_len))
			return true;
	return false;
}

void rs_help_guide_put(const struct rs_help_section *s, struct rs_buf *out)
{
	rs_buf_add(out, s->title, s->title_len);
	rs_buf_add(out, s->text, s->len);
	rs_buf_putc(out, '\n');
}

void rs_help_guide_put_all(struct rs_buf *out)
{
	rs_buf_puts(out, rs_guide_md);
}
