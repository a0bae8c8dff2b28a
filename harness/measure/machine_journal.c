// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const char *const kind_names[] = {
	[CHANGE_FILE] = "file",
	[CHANGE_MODULE] = "module",
	[CHANGE_ZRAM_ADD] = "zram-add",
	[CHANGE_ZRAM_SIZE] = "zram-size",
	[CHANGE_SWAP_ON] = "swap-on",
	[CHANGE_CGROUP_ENABLE] = "cgroup-enable",
	[CHANGE_CGROUP] = "cgroup",
};
#define N_KINDS (sizeof(kind_names) / sizeof(kind_names[0]))

static void change_clear(struct change *c)
{
	free(c->target);
	free(c->old_text);
	free(c->new_text);
}

void journal_clear(struct journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		change_clear(&j->changes[i]);
	free(j->changes);
	free(j->path);
	free(j->boot);
	memset(j, 0, sizeof(*j));
}

void journal_drop(struct journal *j, size_t index)
{
	change_clear(&j->changes[index]);
	j->count--;
	memmove(&j->changes[index], &j->changes[index + 1],
		(j->count - index) * sizeof(j->changes[0]));
}

static void add(struct journal *j, struct change c)
{
	j->changes = mem_resize(j->changes, j->count + 1, sizeof(c));
	j->changes[j->count++] = c;
}

static char *escape(const char *text)
{
	char *out = mem_zeroed(2 * strlen(text) + 1, 1), *p = out;

	for (; *text; text++) {
		if (*text != '\t' && *text != '\n' && *text != '\\') {
			*p++ = *text;
			continue;
		}
		*p++ = '\\';
		*p++ = *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\';
	}
	return out;
}

/* Of text up to end; NULL for an escape that escape() does not make. */
static char *unescape(const char *text, const char *end)
{
	char *out = mem_zeroed((size_t)(end - text) + 1, 1), *p = out;

	for (; text < end; text++) {
		if (*text != '\\') {
			*p++ = *text;
			continue;
		}
		text++;
		if (text == end || !strchr("tn\\", *text)) {
			free(out);
			return NULL;
		}
		*p++ = *text == 't' ? '\t' : *text == 'n' ? '\n' : '\\';
	}
	return out;
}

/* A line without its newline. */
static int parse_change(const char *line, const char *end, struct change *ret)
{
	char *fields[4] = { NULL };
	size_t n = 0;
	struct change c = { 0 };

	while (n < 4) {
		const char *tab = memchr(line, '\t', (size_t)(end - line));

		if (n == 3 ? tab != NULL : tab == NULL)
			break;
		fields[n] = unescape(line, tab ? tab : end);
		if (!fields[n])
			break;
		n++;
		line = tab ? tab + 1 : end;
	}
	while (n == 4 && c.kind < N_KINDS && strcmp(kind_names[c.kind], fields[0]) != 0)
		c.kind++;
	free(fields[0]);
	c.target = fields[1];
	c.old_text = fields[2];
	c.new_text = fields[3];
	if (n < 4 || c.kind == N_KINDS) {
		change_clear(&c);
		return -EBADMSG;
	}
	*ret = c;
	return 0;
}

int journal_parse(const char *name, const char *text, struct journal *ret, struct err *err)
{
	static const char boot[] = "boot\t";
	struct journal j = { 0 };
	const char *line = text, *end;
	int number = 0;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		struct change c;

		number++;
		if (number == 1 && strncmp(line, boot, strlen(boot)) == 0) {
			j.boot = unescape(line + strlen(boot), end);
			if (j.boot)
				continue;
		} else if (number > 1 && parse_change(line, end, &c) == 0) {
			add(&j, c);
			continue;
		}
		journal_clear(&j);
		return err_set(err, -EBADMSG,
			"%s: line %d is not of this program's journal; see what it says, "
			"then remove the file",
			name, number);
	}
	if (!j.boot)
		j.boot = mem_text("");
	*ret = j;
	return 0;
}

int journal_load(const char *run_dir, struct journal *ret, struct err *err)
{
	char *path = mem_format("%s/journal", run_dir), *text = NULL, *boot = NULL;
	struct journal j = { 0 };
	int r;

	r = file_read_line("", BOOT_ID, &boot);
	if (r < 0)
		boot = mem_text("unknown");
	r = file_read("", path, &text, NULL);
	if (r == 0) {
		r = journal_parse(path, text, &j, err);
		free(text);
	} else if (r == -ENOENT) {
		r = journal_parse(path, "", &j, err);
	} else {
		err_set(err, r, "cannot read %s: %s", path, strerror(-r));
	}
	if (r < 0) {
		free(path);
		free(boot);
		return r;
	}
	if (!j.boot || strcmp(j.boot, boot) != 0) {
		journal_clear(&j);
		j.boot = mem_text(boot);
	}
	free(boot);
	j.path = path;
	*ret = j;
	return 0;
}

static char *format_change(const struct change *c)
{
	char *target = escape(c->target), *old_text = escape(c->old_text);
	char *new_text = escape(c->new_text);
	char *line = mem_format(
		"%s\t%s\t%s\t%s\n", kind_names[c->kind], target, old_text, new_text);

	free(target);
	free(old_text);
	free(new_text);
	return line;
}

static int append(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644),
	    ret = 0;
	ssize_t put;

	if (fd < 0)
		return -errno;
	put = write(fd, text, strlen(text));
	if (put < 0)
		ret = -errno;
	else if ((size_t)put < strlen(text))
		ret = -ENOSPC;
	else if (fsync(fd) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int journal_note(struct journal *j, enum change_kind kind, const char *target,
	const char *old_text, const char *new_text, struct err *err)
{
	struct change c = { kind, mem_text(target), mem_text(old_text),
		mem_text(new_text) };
	char *line = format_change(&c);
	int r;

	/* The first line of a new file goes with the first change in one write. */
	if (j->count == 0) {
		char *both = mem_format("boot\t%s\n%s", j->boot, line);

		free(line);
		line = both;
		unlink(j->path); /* of an earlier boot, or one torn line */
	}
	r = append(j->path, line);
	free(line);
	if (r < 0) {
		change_clear(&c);
		journal_keep(j, NULL); /* cuts off what append may have begun */
		return err_set(err, r, "cannot write %s, so nothing was changed: %s",
			j->path, strerror(-r));
	}
	add(j, c);
	return 0;
}

int journal_keep(const struct journal *j, struct err *err)
{
	char *text = mem_format("boot\t%s\n", j->boot);
	int r = 0;

	for (size_t i = 0; i < j->count; i++) {
		char *line = format_change(&j->changes[i]);
		char *longer = mem_format("%s%s", text, line);

		free(line);
		free(text);
		text = longer;
	}
	if (j->count > 0)
		r = file_replace(j->path, text, strlen(text));
	else if (unlink(j->path) < 0 && errno != ENOENT)
		r = -errno;
	free(text);
	return r < 0 ? err_set(err, r, "cannot write %s: %s", j->path, strerror(-r)) : 0;
}

char *change_describe(const struct change *c)
{
	switch (c->kind) {
	case CHANGE_FILE:
		return mem_format("%s was changed from \"%s\" to \"%s\"", c->target,
			c->old_text, c->new_text);
	case CHANGE_MODULE:
		return mem_format("the kernel module %s was loaded", c->target);
	case CHANGE_ZRAM_ADD:
		return mem_format("the device /dev/zram%s was made", c->target);
	case CHANGE_ZRAM_SIZE:
		return mem_format(
			"/dev/zram%s was set up with %s bytes", c->target, c->new_text);
	case CHANGE_SWAP_ON:
		return mem_format("swap was turned on on %s", c->target);
	case CHANGE_CGROUP_ENABLE:
		return mem_format("the memory controller was enabled in %s", c->target);
	case CHANGE_CGROUP:
		return mem_format("the cgroup %s was made", c->target);
	}
	abort();
}
