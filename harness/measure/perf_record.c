// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/perf_record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/process.h"
#include "measure/sampling.h"

/* perf reads all of the kernel's symbols before it listens. */
#define ANSWER_MS 20000
#define END_MS 20000

struct perf_record {
	struct process *process;
	int control, ack; /* both ends of named pipes, so that no open waits */
};

int perf_record_find(struct err *err)
{
	char *path;
	const int ret = process_find("perf", &path);

	if (ret < 0)
		return err_set(err, ret, "perf was not found: install linux-perf (perf)");
	free(path);
	return 0;
}

/* A descriptor of a new named pipe, or -errno. */
static int make_fifo(const char *path)
{
	int fd;

	unlink(path);
	if (mkfifo(path, 0600) < 0)
		return -errno;
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int start(struct perf_record *p, const char *path, pid_t tid, const char *control,
	struct err *err)
{
	char *hz = mem_format("%d", SAMPLING_HZ), *thread = mem_format("%d", (int)tid);
	const char *argv[] = { "perf", "record", "--quiet", "--no-buildid-cache", "-g",
		"-F", hz, "--delay=-1", control, "-o", path, tid ? "-t" : "-a",
		tid ? thread : NULL, NULL };
	const struct process_spec spec = { .argv = argv };
	const int ret = process_start(&spec, &p->process, err);

	free(hz);
	free(thread);
	return ret;
}

/* Whether perf answers; it tells so by the line "ack" and a newline or a NUL. */
static int wait_for_ack(struct perf_record *p)
{
	struct pollfd answer = { .fd = p->ack, .events = POLLIN };
	char line[16];
	int status;

	for (int waited_ms = 0; waited_ms < ANSWER_MS; waited_ms += 100) {
		if (poll(&answer, 1, 100) > 0)
			return read(p->ack, line, sizeof(line)) > 0 ? 0 : -EPIPE;
		if (process_wait(p->process, 0, NULL, &status) != -ETIMEDOUT)
			return -EPIPE;
	}
	return -ETIMEDOUT;
}

int perf_record_start(
	const char *path, pid_t tid, struct perf_record **ret, struct err *err)
{
	struct perf_record *p = mem_zeroed(1, sizeof(*p));
	char *control = mem_format("%s.control", path), *ack = mem_format("%s.ack", path);
	char *option = mem_format("--control=fifo:%s,%s", control, ack);
	int code;

	p->control = make_fifo(control);
	p->ack = make_fifo(ack);
	code = p->control < 0 ? p->control : p->ack < 0 ? p->ack : 0;
	if (code < 0)
		err_set(err, code, "%s: %s", path, strerror(-code));
	else
		code = start(p, path, tid, option, err);
	/* Once it answers, it has opened both. */
	if (code == 0) {
		code = perf_record_enable(p, false);
		if (code < 0)
			err_set(err, code,
				"perf record does not answer: does it know --control (5.10)?");
	}
	unlink(control);
	unlink(ack);
	free(control);
	free(ack);
	free(option);
	if (code < 0)
		perf_record_end(p);
	else
		*ret = p;
	return code;
}

int perf_record_enable(struct perf_record *p, bool on)
{
	const char *word = on ? "enable\n" : "disable\n";

	if (write(p->control, word, strlen(word)) < 0)
		return -errno;
	return wait_for_ack(p);
}

void perf_record_end(struct perf_record *p)
{
	if (!p)
		return;
	if (p->process)
		process_stop(p->process, END_MS, NULL);
	process_free(p->process);
	if (p->control >= 0)
		close(p->control);
	if (p->ack >= 0)
		close(p->ack);
	free(p);
}
