// SPDX-License-Identifier: GPL-2.0-or-later
/* How the kernel was started and set up: command line, mitigations, swap. */
#include "environment_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "setting.h"
#include "swaps.h"

/* A word of the command line that begins so is not of the machine. */
static const struct {
	const char *start;
	bool variant;
} other_words[] = {
	{ "BOOT_IMAGE=", false },
	{ "initrd=", false },
	{ "root=", false },
	{ "resume=", false },
	{ "shootdown.", false }, /* run ids and the like */
	{ "batched_unmap_tlb_flush=", true },
	{ "vm.batched_unmap_tlb_flush=", true },
	{ "sysctl.vm.batched_unmap_tlb_flush=", true },
};

static void add_word(char *list, const char *word, size_t length)
{
	if (*list)
		strcat(list, " ");
	strncat(list, word, length);
}

void environment_split_cmdline(const char *cmdline, char **ret_identity, char **ret_variant)
{
	char *identity = mem_zeroed(strlen(cmdline) + 1, 1);
	char *variant = mem_zeroed(strlen(cmdline) + 1, 1);
	static const char blanks[] = " \t\n";

	for (const char *word = cmdline + strspn(cmdline, blanks); *word;) {
		size_t length = 0, i = 0, n = sizeof(other_words) / sizeof(other_words[0]);

		/* A value may be quoted: a="b c". */
		for (bool quoted = false; word[length]; length++) {
			if (word[length] == '"')
				quoted = !quoted;
			else if (!quoted && strchr(blanks, word[length]))
				break;
		}
		if (length == 2 && strncmp(word, "--", 2) == 0)
			break;
		while (i < n && strncmp(word, other_words[i].start,
					strlen(other_words[i].start)) != 0)
			i++;
		if (i == n)
			add_word(identity, word, length);
		else if (other_words[i].variant)
			add_word(variant, word, length);
		word += length;
		word += strspn(word, blanks);
	}
	*ret_identity = identity;
	*ret_variant = variant;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* What newer kernels know of and this CPU does not have must not tell them apart. */
char *environment_mitigations(const char *root)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	char *full = mem_format("%s%s", root, folder), *list = NULL;
	struct dirent **entries;
	int n = scandir(full, &entries, not_hidden, alphasort);

	free(full);
	if (n < 0)
		return NULL;
	for (int i = 0; i < n; i++) {
		char *path = mem_format("%s/%s", folder, entries[i]->d_name), *text,
		     *longer;

		if (file_read_line(root, path, &text) == 0) {
			if (strcmp(text, "Not affected") != 0) {
				longer = mem_format("%s%s%s=%s", list ? list : "",
					list ? "; " : "", entries[i]->d_name, text);
				free(list);
				list = longer;
			}
			free(text);
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
	return list ? list : mem_text("none needed");
}

/* The next power of two: a few pages more or less are the same class. */
static char *size_class(uint64_t bytes)
{
	static const char units[] = "KMGTPE";
	uint64_t size = 1024;
	int unit = 0;

	while (size < bytes && size < (uint64_t)1 << 60)
		size *= 2;
	for (size /= 1024; size >= 1024; size /= 1024)
		unit++;
	return mem_format("%llu%c", (unsigned long long)size, units[unit]);
}

/* The number of a zram device says nothing: another run gets another one. */
static char *describe_area(const char *root, const struct swap_area *area)
{
	const char *name = strrchr(area->path, '/');
	char *size = size_class(area->size_bytes), *path, *algorithm = NULL, *text;

	name = name ? name + 1 : area->path;
	if (strncmp(name, "zram", 4) == 0 && isdigit((unsigned char)name[4])) {
		path = mem_format("/sys/block/%s/comp_algorithm", name);
		if (setting_read(root, path, &algorithm) < 0)
			algorithm = mem_text("unknown");
		text = mem_format("zram %s %s", algorithm, size);
		free(path);
		free(algorithm);
	} else if (strcmp(area->type, "partition") == 0) {
		text = mem_format("partition %s %s", name, size);
	} else {
		text = mem_format("file %s", size);
	}
	free(size);
	return text;
}

/* A run of equal areas is one entry: "8 x zram lzo-rle 1G". */
static char *describe_areas(const char *root, const struct swaps *swaps)
{
	char *list = NULL, *text = NULL, *next;

	for (size_t i = 0, same = 1; i < swaps->count; i++, same++) {
		char *longer;

		if (!text)
			text = describe_area(root, &swaps->areas[i]);
		next = i + 1 < swaps->count ? describe_area(root, &swaps->areas[i + 1])
					    : NULL;
		if (next && strcmp(next, text) == 0) {
			free(next);
			continue;
		}
		longer = same > 1 ? mem_format("%s%s%zu x %s", list ? list : "",
					    list ? ", " : "", same, text)
				  : mem_format("%s%s%s", list ? list : "", list ? ", " : "",
					    text);
		free(list);
		free(text);
		list = longer;
		text = next;
		same = 0;
	}
	return list ? list : mem_text("none");
}

char *environment_swap(const char *root)
{
	struct swaps swaps;
	char *list, *zswap, *both;

	if (swaps_read(root, &swaps, NULL) < 0)
		return mem_text("unknown");
	list = describe_areas(root, &swaps);
	/* It keeps pages away from the swap, so it is part of what is measured. */
	if (swaps.count > 0 &&
		file_read_line(root, "/sys/module/zswap/parameters/enabled", &zswap) == 0) {
		if (strcmp(zswap, "Y") == 0) {
			both = mem_format("%s behind zswap", list);
			free(list);
			list = both;
		}
		free(zswap);
	}
	swaps_clear(&swaps);
	return list;
}
