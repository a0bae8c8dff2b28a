// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"

#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char *capture(const struct process_spec *spec)
{
	struct err err = { "" };
	char *text = NULL;

	cr_assert_eq(process_capture(spec, &text, &err), 0, "%s", err.text);
	return text;
}

Test(process, passes_words_folder_and_environment)
{
	struct process_spec spec = {
		.argv = ARGV("sh", "-c", "echo \"$1|$2|$A|$B\"; pwd; echo second >&2", "sh",
			"a b", "$HOME;`x`"),
		.cwd = "/",
		.env = ARGV("A=new"),
	};
	char *text;

	setenv("A", "old", 1);
	setenv("B", "kept", 1);
	text = capture(&spec);
	cr_assert_str_eq(text, "a b|$HOME;`x`|new|kept\n/\nsecond\n");
	free(text);
}

Test(process, stdin_is_empty_or_a_file)
{
	struct process_spec spec = { .argv = ARGV("cat") };
	char path[] = "/tmp/shootdown-input-XXXXXX";
	char *text = capture(&spec);
	int fd = mkstemp(path);

	cr_assert_str_eq(text, "");
	free(text);
	cr_assert_eq(write(fd, "last line", 9), 9);
	close(fd);
	spec.input = path;
	text = capture(&spec);
	cr_assert_str_eq(text, "last line\n");
	free(text);
	unlink(path);
}

Test(process, says_what_cannot_start)
{
	const struct {
		struct process_spec spec;
		int code;
		const char *words;
	} cases[] = {
		{ { .argv = ARGV("no-such-program-here") }, -ENOENT,
			"no-such-program-here" },
		{ { .argv = ARGV("/nowhere/tool") }, -ENOENT, "/nowhere/tool" },
		{ { .argv = ARGV("true"), .cwd = "/nowhere" }, -ENOENT, "/nowhere" },
		{ { .argv = ARGV("true"), .input = "/nowhere/in" }, -ENOENT,
			"/nowhere/in" },
		{ { .argv = ARGV("true"), .log = "/nowhere/log" }, -ENOENT,
			"/nowhere/log" },
		{ { .argv = ARGV("/etc/") }, -EACCES, "/etc/" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct process *p = NULL;
		struct err err = { "" };

		cr_expect_eq(
			process_start(&cases[i].spec, &p, &err), cases[i].code, "%zu", i);
		cr_expect(strstr(err.text, cases[i].words), "%zu: %s", i, err.text);
		cr_expect_null(p);
	}
}

Test(process, says_how_it_ended)
{
	struct process_spec spec = { .argv = ARGV("sh", "-c", "exit 3") };
	struct err err = { "" };

	cr_assert_eq(process_run(&spec, NULL, &err), -ECHILD);
	cr_assert_str_eq(err.text, "sh: exit status 3");
	spec.argv = ARGV("sh", "-c", "kill -SEGV $$");
	cr_assert_eq(process_run(&spec, NULL, &err), -ECHILD);
	cr_assert_str_eq(err.text, "sh: killed by SIGSEGV");
}

static void count_bytes(void *context, const char *line)
{
	*(size_t *)context += strlen(line);
}

Test(process, lines_of_any_length_reach_listener_and_log)
{
	char path[] = "/tmp/shootdown-log-XXXXXX";
	size_t heard = 0;
	struct process_spec spec = {
		.argv = ARGV("sh", "-c",
			"head -c 300000 /dev/zero | tr '\\0' x; echo; printf y"),
		.log = path,
		.on_line = count_bytes,
		.context = &heard,
	};
	struct stat st;
	struct err err = { "" };

	close(mkstemp(path));
	cr_assert_eq(process_run(&spec, NULL, &err), 0, "%s", err.text);
	cr_assert_eq(heard, 300001);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_size, 300002);
	unlink(path);
}

Test(process, a_full_disk_ends_it)
{
	size_t heard = 0;
	struct process_spec spec = { .argv = ARGV("yes"),
		.log = "/dev/full",
		.on_line = count_bytes,
		.context = &heard };
	struct err err = { "" };

	cr_assert_eq(process_run(&spec, NULL, &err), -ENOSPC);
	cr_assert(strstr(err.text, "No space"), "%s", err.text);
}

Test(process, the_flag_and_the_clock_end_a_wait)
{
	struct process_spec spec = { .argv = ARGV("sleep", "60") };
	volatile sig_atomic_t stop = 1;
	struct process *p;
	int status;

	cr_assert_eq(process_start(&spec, &p, NULL), 0);
	cr_assert_eq(process_wait(p, 50, NULL, &status), -ETIMEDOUT);
	cr_assert_eq(process_wait(p, -1, &stop, &status), -EINTR);
	process_stop(p, 5000, &status);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	cr_assert_eq(process_wait(p, -1, NULL, &status), 0);
	process_free(p);
	cr_assert_eq(process_run(&spec, &stop, NULL), -EINTR);
}

static void keep_pid(void *context, const char *line)
{
	*(pid_t *)context = (pid_t)atoi(line);
}

/* Gone, or waiting for init to notice. */
static bool is_dead(pid_t pid)
{
	char path[64], *text;
	bool dead;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (file_read("", path, &text, NULL) < 0)
		return true;
	dead = strstr(text, ") Z") != NULL;
	free(text);
	return dead;
}

Test(process, stop_ends_deaf_grandchildren_too)
{
	pid_t grandchild = 0;
	struct process_spec spec = {
		.argv = ARGV(
			"sh", "-c", "trap '' TERM; sleep 60 & echo $!; wait; sleep 60"),
		.on_line = keep_pid,
		.context = &grandchild,
	};
	struct process *p;
	int status;

	cr_assert_eq(process_start(&spec, &p, NULL), 0);
	while (!grandchild)
		process_wait(p, 50, NULL, &status);
	process_stop(p, 300, &status);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	for (int i = 0; i < 100 && !is_dead(grandchild); i++)
		usleep(20000);
	cr_assert(is_dead(grandchild));
	process_free(p);
}

Test(process, the_child_dies_with_its_parent)
{
	char path[] = "/tmp/shootdown-pid-XXXXXX", *text;
	pid_t parent, child = 0;

	close(mkstemp(path));
	parent = fork();
	if (parent == 0) {
		struct process_spec spec = {
			.argv = ARGV("sh", "-c", "echo $$; exec sleep 60"), .log = path
		};
		struct process *p;

		process_start(&spec, &p, NULL);
		for (;;)
			pause();
	}
	while (!child && file_read_line("", path, &text) == 0) {
		child = (pid_t)atoi(text);
		free(text);
	}
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	for (int i = 0; i < 200 && !is_dead(child); i++)
		usleep(20000);
	cr_assert(is_dead(child));
	unlink(path);
}
