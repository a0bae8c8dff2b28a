// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/machine.h"
#include "measure/machine_journal.h"
#include "measure/machine_zram.h"

static char dir[64];

static void make_dir(void)
{
	strcpy(dir, "/tmp/test-machine.XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
}

static void remove_dir(void)
{
	char *command[] = { (char[]){ "lock" }, (char[]){ "journal" }, (char[]){ "a" },
		(char[]){ "b" } };

	for (size_t i = 0; i < sizeof(command) / sizeof(command[0]); i++) {
		char *path = mem_format("%s/%s", dir, command[i]);

		unlink(path);
		free(path);
	}
	rmdir(dir);
}

TestSuite(machine, .init = make_dir, .fini = remove_dir);

static char *in_dir(const char *name)
{
	return mem_format("%s/%s", dir, name);
}

static void put(const char *path, const char *text)
{
	cr_assert_eq(file_replace(path, text, strlen(text)), 0);
}

static void assert_holds(const char *path, const char *expected)
{
	char *text;

	cr_assert_eq(file_read_line("", path, &text), 0);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(journal, reads_what_it_can_and_refuses_the_rest)
{
	static const struct {
		const char *text;
		int code;
		size_t count;
	} cases[] = {
		{ "", 0, 0 },
		{ "boot\tab", 0, 0 }, /* torn: nothing was changed yet */
		{ "boot\tabc\n", 0, 0 },
		{ "boot\tabc\nfile\t/a\t1\t2\n", 0, 1 },
		{ "boot\tabc\nfile\t/a\t1\t2\nswap-on\t/dev/zr", 0, 1 }, /* torn */
		{ "boot\tabc\nfile\t/a\t1\t2\nswap-on\t/dev/zram1\t\t", 0,
			1 }, /* all but \n */
		{ "boot\tabc\nfile\t/a\t\t\n", 0, 1 },
		{ "boot\tabc\nzram-add\t1\t\t\nzram-size\t1\t0\t4096\nswap-on\t/dev/"
		  "zram1\t\t\n",
			0, 3 },
		{ "boot\tabc\ncgroup-enable\t/g/c\t-memory\t+memory\ncgroup\t/g/s\t\t\n", 0,
			2 },
		{ "file\t/a\t1\t2\n", -EBADMSG, 0 },
		{ "\n", -EBADMSG, 0 },
		{ "boot\tabc\nfile\t/a\t1\n", -EBADMSG, 0 },
		{ "boot\tabc\nfile\t/a\t1\t2\t3\n", -EBADMSG, 0 },
		{ "boot\tabc\nburn\t/a\t1\t2\n", -EBADMSG, 0 },
		{ "boot\tabc\nfile\t/a\\x\t1\t2\n", -EBADMSG, 0 },
		{ "boot\tabc\nfile\t/a\t1\t2\\\n", -EBADMSG, 0 },
		{ "boot\tabc\n\nfile\t/a\t1\t2\n", -EBADMSG, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct journal j = { .count = 77 };
		struct err err = { "" };
		int r = journal_parse("JOURNAL", cases[i].text, &j, &err);

		cr_assert_eq(r, cases[i].code, "case %zu: %d", i, r);
		if (r < 0) {
			cr_assert_eq(j.count, 77, "case %zu touched its output", i);
			cr_assert(strstr(err.text, "JOURNAL: line "), "%s", err.text);
			continue;
		}
		cr_assert_eq(j.count, cases[i].count, "case %zu: %zu", i, j.count);
		journal_clear(&j);
	}
}

Test(machine, journal_keeps_any_text)
{
	static const char odd[] = "a\tb\nc\\d\\t \\";
	struct journal j, again;
	char *text;

	cr_assert_eq(journal_load(dir, &j, NULL), 0);
	cr_assert_eq(journal_note(&j, CHANGE_FILE, "/x y", odd, "", NULL), 0);
	cr_assert_eq(journal_note(&j, CHANGE_SWAP_ON, "/dev/zram7", "", "", NULL), 0);
	cr_assert_eq(journal_load(dir, &again, NULL), 0);
	cr_assert_eq(again.count, 2);
	cr_assert_eq(again.changes[0].kind, CHANGE_FILE);
	cr_assert_str_eq(again.changes[0].target, "/x y");
	cr_assert_str_eq(again.changes[0].old_text, odd);
	cr_assert_str_eq(again.changes[0].new_text, "");
	text = change_describe(&again.changes[1]);
	cr_assert(strstr(text, "/dev/zram7"), "%s", text);
	free(text);
	journal_clear(&again);
	journal_clear(&j);
}

Test(machine, journal_of_an_earlier_boot_is_void)
{
	char *path = in_dir("journal");
	struct journal j;
	struct machine *m;

	put(path, "boot\tan-earlier-one\nfile\t/a\t1\t2\n");
	cr_assert_eq(journal_load(dir, &j, NULL), 0);
	cr_assert_eq(j.count, 0);
	cr_assert_eq(journal_note(&j, CHANGE_FILE, "/b", "3", "4", NULL), 0);
	journal_clear(&j);
	cr_assert_eq(journal_load(dir, &j, NULL), 0);
	cr_assert_eq(j.count, 1);
	cr_assert_str_eq(j.changes[0].target, "/b");
	journal_clear(&j);
	cr_assert_eq(machine_open(dir, &m, NULL), -EUCLEAN);
	free(path);
}

Test(machine, settings_are_read_back_and_restored_newest_first)
{
	char *a = in_dir("a"), *b = in_dir("b"), *journal = in_dir("journal");
	struct machine *m;
	struct err err = { "" };

	put(a, "60\n");
	put(b, "always\n");
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	/* Other lengths than the old text would leave its tail: a file is no sysctl. */
	cr_assert_eq(machine_set(m, a, "10", &err), 0, "%s", err.text);
	cr_assert_eq(machine_set(m, a, "20", &err), 0, "%s", err.text);
	cr_assert_eq(machine_set(m, a, "20", &err), 0, "%s", err.text);
	cr_assert_eq(machine_set(m, b, "madvis", &err), 0, "%s", err.text);
	assert_holds(a, "20");
	cr_assert_eq(machine_close(m, &err), 0, "%s", err.text);
	assert_holds(a, "60");
	assert_holds(b, "always");
	cr_assert_neq(access(journal, F_OK), 0);
	free(a);
	free(b);
	free(journal);
}

Test(machine, what_another_has_set_meanwhile_stays)
{
	char *a = in_dir("a");
	struct machine *m;

	put(a, "60\n");
	cr_assert_eq(machine_open(dir, &m, NULL), 0);
	cr_assert_eq(machine_set(m, a, "10", NULL), 0);
	put(a, "33\n");
	cr_assert_eq(machine_close(m, NULL), 0);
	assert_holds(a, "33");
	free(a);
}

Test(machine, refused_value_is_an_error)
{
	struct machine *m;
	struct err err = { "" };
	char *a = in_dir("a");

	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	cr_assert_eq(machine_set(m, a, "1", &err), -ENOENT);
	cr_assert(strstr(err.text, a), "%s", err.text);
	/* A file keeps the tail of a longer text, as a setting that does not take. */
	put(a, "12345\n");
	cr_assert_eq(machine_set(m, a, "9", &err), -EIO);
	cr_assert(strstr(err.text, "92345"), "%s", err.text);
	machine_close(m, NULL);
	free(a);
}

Test(machine, second_run_is_refused_with_the_pid_of_the_first)
{
	struct machine *m, *other = NULL;
	struct machine_left left;
	struct err err = { "" };
	char *pid = mem_format("pid %d,", getpid());

	cr_assert_eq(machine_open(dir, &m, NULL), 0);
	cr_assert_eq(machine_open(dir, &other, &err), -EBUSY);
	cr_assert_null(other);
	cr_assert(strstr(err.text, pid), "%s", err.text);
	cr_assert_eq(machine_restore_left(dir, &err), -EBUSY);
	cr_assert_eq(machine_find_left(dir, &left, NULL), 0);
	cr_assert(left.running);
	machine_left_clear(&left);
	cr_assert_eq(machine_close(m, NULL), 0);
	cr_assert_eq(machine_find_left(dir, &left, NULL), 0);
	cr_assert_not(left.running);
	machine_left_clear(&left);
	cr_assert_eq(machine_open(dir, &m, NULL), 0);
	machine_close(m, NULL);
	free(pid);
}

Test(machine, damaged_journal_stops_a_run)
{
	char *path = in_dir("journal"), *boot, *text;
	struct machine *m;
	struct machine_left left;
	struct err err = { "" };

	cr_assert_eq(file_read_line("", "/proc/sys/kernel/random/boot_id", &boot), 0);
	text = mem_format("boot\t%s\nrubbish\n", boot);
	put(path, text);
	cr_assert_eq(machine_open(dir, &m, &err), -EBADMSG);
	cr_assert(strstr(err.text, path) && strstr(err.text, "line 2"), "%s", err.text);
	cr_assert_eq(machine_find_left(dir, &left, &err), -EBADMSG);
	cr_assert_eq(machine_restore_left(dir, &err), -EBADMSG);
	free(path);
	free(boot);
	free(text);
}

Test(machine, nothing_left_where_nothing_ran)
{
	struct machine_left left;

	cr_assert_eq(machine_find_left("/nonexistent/dir", &left, NULL), 0);
	cr_assert_eq(left.count, 0);
	cr_assert_not(left.running);
	machine_left_clear(&left);
	cr_assert_eq(machine_restore_left("/nonexistent/dir", NULL), 0);
}

Test(zram, swap_header_is_the_kernels)
{
	unsigned char page[65536];
	static const size_t sizes[] = { 4096, 16384, 65536 };
	uint32_t words[3];

	for (size_t i = 0; i < 3; i++) {
		memset(page, 0xff, sizeof(page));
		swap_header_format(page, sizes[i], 255);
		memcpy(words, page + 1024, sizeof(words));
		cr_assert_eq(words[0], 1);
		cr_assert_eq(words[1], 255);
		cr_assert_eq(words[2], 0);
		cr_assert_eq(memcmp(page + sizes[i] - 10, "SWAPSPACE2", 10), 0);
		cr_assert_eq(page[0], 0);
		cr_assert(sizes[i] == sizeof(page) || page[sizes[i]] == 0xff);
	}
}
