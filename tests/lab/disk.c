// SPDX-License-Identifier: GPL-2.0-or-later
/* The disk of a lab machine, looked at from outside while that is off. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "nights/logbook.h"
#include "tests/lab/lab.h"
#include "verdicts/record.h"

#define DISK_MIB 160
#define BLOCK_BYTES 4096
/* Of the blocks, which ext4 keeps for its own need when it is mounted. */
#define KEPT_PERCENT 2

/* An ext4 disk with what was put, made without mounting anything. */
void lab_make_disk(void)
{
	char *size = mem_format("%dM", DISK_MIB);
	const char *const argv[] = { "mke2fs", "-q", "-b", "4096", "-t", "ext4", "-d",
		lab_content, lab_disk, size, NULL };
	const struct process_spec spec = { .argv = argv };
	struct err err = { "" };

	unlink(lab_disk);
	cr_assert_eq(process_run(&spec, NULL, &err), 0, "%s", err.text);
	free(size);
}

static char *ask(const char *const *argv)
{
	const struct process_spec spec = { .argv = argv };
	struct err err = { "" };
	char *text;

	cr_assert_eq(process_capture(&spec, &text, &err), 0, "%s", err.text);
	return text;
}

void lab_fill_disk(unsigned int left_blocks)
{
	char *filler = mem_format("%s.filler", lab_disk), *at, *text, *request, *content;
	unsigned long free_blocks;
	size_t bytes;

	text = ask((const char *const[]){ "dumpe2fs", "-h", lab_disk, NULL });
	at = strstr(text, "Free blocks:");
	cr_assert_not_null(at, "%s", text);
	free_blocks = strtoul(at + strlen("Free blocks:"), NULL, 10);
	free(text);
	free_blocks -= left_blocks + (DISK_MIB << 20) / BLOCK_BYTES * KEPT_PERCENT / 100;
	bytes = free_blocks * (size_t)BLOCK_BYTES;
	content = mem_zeroed(bytes, 1);
	/* Blocks of zeroes would be left out. */
	memset(content, 'x', bytes);
	cr_assert_eq(file_replace(filler, content, bytes), 0);
	free(content);
	request = mem_format("write %s filler", filler);
	free(ask((const char *const[]){ "debugfs", "-w", "-R", request, lab_disk, NULL }));
	free(request);
	free(filler);
}

/* What debugfs says of a path of the disk; "": it is not there. */
static char *look(const char *command, const char *path)
{
	char *request = mem_format("%s %s", command, path), *start, *text;

	text = ask((const char *const[]){ "debugfs", "-R", request, lab_disk, NULL });
	free(request);
	/* debugfs says which version it is, first. */
	start = strchr(text, '\n');
	start = mem_text(strncmp(text, "debugfs ", 8) == 0 && start ? start + 1 : text);
	free(text);
	if (strstr(start, "File not found"))
		*start = '\0';
	return start;
}

char *lab_read(const char *path)
{
	return look("cat", path);
}

/* The events of the journal, as "night intent arrived ...". */
char *lab_events(void)
{
	char *text = lab_read("/night/journal"), *all = mem_text("");
	struct logbook log;
	struct err err = { "" };

	cr_assert_eq(logbook_parse(text, strlen(text), &log, &err), 0, "%s", err.text);
	for (size_t i = 0; i < log.count; i++) {
		char *longer =
			mem_format("%s%s%s", all, i ? " " : "", log.records[i].event);

		free(all);
		all = longer;
	}
	logbook_clear(&log);
	free(text);
	return all;
}

size_t lab_count(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
		n++;
	return n;
}

void lab_expect_events(const char *wanted)
{
	char *is = lab_events(), *text;

	if (strcmp(is, wanted) != 0 && file_read("", lab_console, &text, NULL) == 0) {
		fprintf(stderr, "%s\n", text);
		free(text);
	}
	cr_assert_str_eq(is, wanted);
	free(is);
}

/* By the night's own date, as midnight may have passed since. */
static char *night_date(void)
{
	char *text = lab_read("/night/journal"), date[16] = "";
	struct logbook log;

	if (logbook_parse(text, strlen(text), &log, NULL) == 0) {
		if (log.count)
			snprintf(date, sizeof(date), "%.10s", log.records[0].text);
		logbook_clear(&log);
	}
	free(text);
	return mem_text(date);
}

/* Of an arm's result: each boot is in it once. */
static void expect_boots(const char *path, const char *text, size_t n_boots)
{
	struct record *record;
	struct err err = { "" };
	uint64_t seen = 0;
	size_t n = 0;

	cr_assert_eq(
		record_parse(path, text, strlen(text), &record, &err), 0, "%s", err.text);
	for (size_t i = 0; i < record->runs[0].n_samples; i++) {
		const uint64_t bit = 1ULL << record->runs[0].places[i].boot;

		n += !(seen & bit);
		seen |= bit;
	}
	cr_expect_eq(n, n_boots, "%s has %zu boots", path, n);
	record_free(record);
}

void lab_expect_results(size_t n_boots)
{
	static const char *const arms[] = { "reference", "tonight" };
	char *date = night_date(), *listing = look("ls -p", "/results/lab");

	/* Lines "/INODE/MODE/UID/GID/NAME/SIZE/": this night's folder, . and .. */
	cr_expect_eq(lab_count(listing, "/040"), n_boots ? 3 : 0, "%s", listing);
	for (int i = 0; i < 2; i++) {
		char *path = mem_format("/results/lab/%s/%s.json", date, arms[i]);
		char *text = lab_read(path);

		cr_expect_eq(*text != '\0', n_boots != 0, "%s", path);
		if (*text && n_boots)
			expect_boots(path, text, n_boots);
		free(text);
		free(path);
	}
	free(listing);
	free(date);
}

void lab_note_fault(const char *state, const char *fault)
{
	char *path = mem_format("%s/tests/lab/faults", lab_built);
	FILE *f = fopen(path, "a");

	cr_assert_not_null(f, "%s", path);
	fprintf(f, "%s\t%s\n", state, fault);
	fclose(f);
	free(path);
}
