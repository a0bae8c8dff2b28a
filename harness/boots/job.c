// SPDX-License-Identifier: GPL-2.0-or-later
#include "job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAGIC "shootdown-job 1"

struct job_step *job_add_step(struct job *job, const char *name, uint64_t deadline_ms)
{
	struct job_step *step;

	job->steps = mem_resize(job->steps, job->n_steps + 1, sizeof(*job->steps));
	step = &job->steps[job->n_steps++];
	*step = (struct job_step){
		.name = mem_text(name),
		.deadline_ms = deadline_ms,
		.argv = mem_zeroed(1, sizeof(*step->argv)),
	};
	return step;
}

void job_add_sysctl(struct job_sysctls *to, const char *name, const char *value)
{
	to->items = mem_resize(to->items, to->count + 1, sizeof(*to->items));
	to->items[to->count].name = mem_text(name);
	to->items[to->count++].value = mem_text(value);
}

void job_add_arg(struct job_step *step, const char *word)
{
	step->argv = mem_resize(step->argv, step->argc + 2, sizeof(*step->argv));
	step->argv[step->argc++] = mem_text(word);
	step->argv[step->argc] = NULL;
}

void job_sysctls_clear(struct job_sysctls *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->items[i].name);
		free(s->items[i].value);
	}
	free(s->items);
	*s = (struct job_sysctls){ 0 };
}

void job_clear(struct job *job)
{
	for (size_t i = 0; i < job->n_steps; i++) {
		struct job_step *step = &job->steps[i];

		for (size_t k = 0; k < step->argc; k++)
			free(step->argv[k]);
		free(step->argv);
		free(step->name);
		free(step->send);
		job_sysctls_clear(&step->sysctls);
	}
	free(job->steps);
	job_sysctls_clear(&job->sysctls);
	*job = (struct job){ 0 };
}

char *job_sysctl_path(const char *name)
{
	char *path = mem_format("/proc/sys/%s", name);

	/* As sysctl(8): with a slash in the name, dots are part of it. */
	if (strchr(name, '/'))
		return path;
	for (char *c = path + strlen("/proc/sys/"); *c; c++) {
		if (*c == '.')
			*c = '/';
	}
	return path;
}

static bool is_sysctl_name(const char *name)
{
	/* It becomes a path: nothing may lead out of /proc/sys. */
	return name[0] && name[0] != '/' && name[0] != '.' && !strstr(name, "..") &&
	       !strpbrk(name, " \t");
}

static int parse_sysctl(char *value, struct job_sysctls *to)
{
	char *blank = strchr(value, ' ');

	if (!blank)
		return -EINVAL;
	*blank = '\0';
	if (!is_sysctl_name(value))
		return -EINVAL;
	job_add_sysctl(to, value, blank + 1);
	return 0;
}

static int parse_deadline(const char *value, uint64_t *ret_ms)
{
	char *end;
	unsigned long long ms;

	if (value[0] < '0' || value[0] > '9')
		return -EINVAL;
	errno = 0;
	ms = strtoull(value, &end, 10);
	if (errno || *end || ms == 0 || ms > UINT32_MAX)
		return -EINVAL;
	*ret_ms = ms;
	return 0;
}

static bool is_whole(const struct job *job)
{
	const struct job_step *last;

	if (job->n_steps == 0)
		return true;
	last = &job->steps[job->n_steps - 1];
	return last->argc > 0 && last->deadline_ms > 0;
}

/* One line, without its line break; written to. */
static int parse_line(char *line, struct job *job)
{
	struct job_step *step = job->n_steps ? &job->steps[job->n_steps - 1] : NULL;
	char *value = strchr(line, ' ');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (strcmp(line, "sysctl") == 0)
		return parse_sysctl(value, step ? &step->sysctls : &job->sysctls);
	if (strcmp(line, "step") == 0) {
		if (!is_whole(job) || !value[0])
			return -EINVAL;
		job_add_step(job, value, 0);
		return 0;
	}
	if (!step)
		return -EINVAL;
	if (strcmp(line, "deadline_ms") == 0)
		return parse_deadline(value, &step->deadline_ms);
	if (strcmp(line, "arg") == 0) {
		job_add_arg(step, value);
		return 0;
	}
	if (strcmp(line, "send") == 0 && value[0] && !step->send) {
		step->send = mem_text(value);
		return 0;
	}
	return -EINVAL;
}

static int parse_lines(char *text, struct job *job, struct err *err)
{
	bool begun = false;
	int number = 0;

	for (char *line = text, *next; line; line = next) {
		number++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (!begun && strcmp(line, MAGIC) != 0)
			return err_set(
				err, -EINVAL, "job: line %d: not \"" MAGIC "\"", number);
		if (begun && parse_line(line, job) < 0)
			return err_set(err, -EINVAL, "job: line %d: cannot be read: %s",
				number, line);
		begun = true;
	}
	if (!begun)
		return err_set(err, -EINVAL, "job: empty");
	if (!is_whole(job))
		return err_set(err, -EINVAL, "job: the last step lacks deadline_ms or arg");
	return 0;
}

int job_parse(const char *text, struct job *ret, struct err *err)
{
	char *copy = mem_text(text);
	struct job job = { 0 };
	int code = parse_lines(copy, &job, err);

	free(copy);
	if (code < 0)
		job_clear(&job);
	else
		*ret = job;
	return code;
}

/* The text while it is written; code is the first failure. */
struct writer {
	FILE *to;
	int code;
};

static void put(struct writer *w, const char *key, const char *value)
{
	if (strchr(value, '\n'))
		w->code = -EINVAL;
	fprintf(w->to, "%s %s\n", key, value);
}

static void put_sysctls(struct writer *w, const struct job_sysctls *s)
{
	for (size_t i = 0; i < s->count; i++) {
		char *both = mem_format("%s %s", s->items[i].name, s->items[i].value);

		put(w, "sysctl", both);
		free(both);
	}
}

static void put_step(struct writer *w, const struct job_step *step, unsigned int scale)
{
	put(w, "step", step->name);
	fprintf(w->to, "deadline_ms %" PRIu64 "\n", step->deadline_ms * scale);
	put_sysctls(w, &step->sysctls);
	for (size_t i = 0; i < step->argc; i++)
		put(w, "arg", step->argv[i]);
	if (step->send)
		put(w, "send", step->send);
}

int job_format(const struct job *job, unsigned int scale, char **ret_text, struct err *err)
{
	struct job back;
	size_t bytes;
	char *text;
	struct writer w = { .to = open_memstream(&text, &bytes) };

	if (!w.to)
		return err_set(err, -errno, "job: %s", strerror(errno));
	fprintf(w.to, MAGIC "\n");
	put_sysctls(&w, &job->sysctls);
	for (size_t i = 0; i < job->n_steps; i++)
		put_step(&w, &job->steps[i], scale);
	if (fclose(w.to) != 0)
		return err_set(err, -ENOMEM, "job: %s", strerror(ENOMEM));
	if (w.code < 0)
		err_set(err, w.code, "job: a line break in a name or a value");
	else
		w.code = job_parse(text, &back, err);
	if (w.code < 0) {
		free(text);
		return w.code;
	}
	job_clear(&back);
	*ret_text = text;
	return 0;
}
