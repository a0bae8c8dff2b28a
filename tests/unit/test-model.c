// SPDX-License-Identifier: GPL-2.0-or-later
/* Models as files: what is none, and sums that another reader finds as well. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "bench/model.h"
#include "bench-open.h"
#include "gguf-build.h"
#include "tests/guest/scratch.h"

static struct bench bench(void)
{
	return (struct bench){ .seed = 11, .page_bytes = 4096, .alive = stay_alive };
}

static char *path_of(const char *name)
{
	return mem_format("%s/%s", scratch, name);
}

static char *write_file(const char *name, const unsigned char *data, size_t bytes)
{
	char *path = path_of(name);

	cr_assert_eq(file_replace(path, (const char *)data, bytes), 0);
	return path;
}

/* Quantised and small types, with vocabularies before them: as real models have. */
static struct built real_one(void)
{
	struct built f;

	put_head(&f, 3, 5, 3);
	put_text(&f, "general.architecture");
	put(&f, 4, 8);
	put_text(&f, "llama");
	put_text(&f, "tokenizer.ggml.tokens");
	put(&f, 4, 9);
	put(&f, 4, 8);
	put(&f, 8, 3);
	put_text(&f, "<s>");
	put_text(&f, "a");
	put_text(&f, "");
	put_text(&f, "tokenizer.ggml.scores");
	put(&f, 4, 9);
	put(&f, 4, 6);
	put(&f, 8, 3);
	put(&f, 8, 0);
	put(&f, 4, 0);
	put_tensor(&f, "output.weight", 256, 2, 12, 0);
	put_tensor(&f, "token_embd.weight", 32, 3, 8, 288);
	put_tensor(&f, "blk.0.attn_q.weight", 64, 3, 2, 416);
	put_tensor(&f, "blk.0.ffn_up.weight", 5, 3, 24, 544);
	put_tensor(&f, "blk.0.attn_norm.weight", 7, 1, 0, 576);
	put_data(&f, 32, 604);
	return f;
}

static void assert_bad(const char *path, int code, const char *words)
{
	struct bench b = bench();
	struct model m;

	assert_fails(&b, model_open(&b, path, &m), code, words);
}

Test(model, tells_what_is_no_model, .init = scratch_make, .fini = scratch_remove,
	.timeout = 20)
{
	struct built f = real_one();
	char *path = path_of("fifo");

	assert_bad("/nonexistent/model.gguf", -ENOENT, "No such file");
	assert_bad(scratch, -EINVAL, "is a folder");
	cr_assert_eq(mkfifo(path, 0600), 0);
	assert_bad(path, -EINVAL, "is a FIFO");
	assert_bad("/dev/null", -EINVAL, "is no regular file");
	path = write_file("empty", f.data, 0);
	assert_bad(path, -EINVAL, "offset 0: this is no GGUF file");
	path = write_file("cut", f.data, f.bytes - 1);
	assert_bad(path, -EINVAL, "cut short: tensor blk.0.attn_norm.weight");
	f.data[4] = 1;
	path = write_file("old", f.data, f.bytes);
	assert_bad(path, -EINVAL, "offset 4: version 1");
}

static void assert_same_sums(const struct model *m, const char *path)
{
	static const char *const interpreter = "/usr/bin/python3";
	char *script = mem_format(
		"%.*s/gguf-sums.py", (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__);
	const char *const argv[] = { interpreter, script, path, NULL };
	const struct process_spec spec = { .argv = argv };
	char *text = NULL, *rest, *line;
	size_t found = 0;
	struct err err = { "" };

	if (access(interpreter, X_OK) < 0)
		cr_skip_test("no %s to read the model another way", interpreter);
	cr_assert_eq(process_capture(&spec, &text, &err), 0, "%s: %s", err.text, text);
	rest = text;
	while ((line = strsep(&rest, "\n")) && *line) {
		for (size_t i = 0; i < m->gguf.n_tensors; i++) {
			char *own = mem_format("%s %llu %llu", m->gguf.tensors[i].name,
				(unsigned long long)m->gguf.tensors[i].bytes,
				(unsigned long long)m->sums[i]);

			found += strcmp(line, own) == 0;
			free(own);
		}
	}
	cr_assert_eq(found, m->gguf.n_tensors, "%s", text);
	free(text);
	free(script);
}

Test(model, has_the_sums_that_another_reader_finds, .init = scratch_make,
	.fini = scratch_remove, .timeout = 60)
{
	const struct built f = real_one();
	char *path = write_file("model.gguf", f.data, f.bytes);
	struct bench b = bench();
	struct model m;

	cr_assert_eq(model_open(&b, path, &m), 0, "%s", b.reason);
	cr_assert_eq(m.gguf.n_tensors, 5);
	assert_same_sums(&m, path);
	model_close(&m);
}

/* On whatever disk TMPDIR or /var/tmp is; the descriptor is the file's only name. */
Test(model, that_is_made_has_them_too, .timeout = 60)
{
	struct bench b = bench();
	struct model m, other;
	char *path;

	if (model_make(&b, GGUF_LEAST, 0, &m) == -EOPNOTSUPP)
		cr_skip_test("%s", b.reason);
	path = mem_format("/proc/%d/fd/%d", (int)getpid(), m.fd);
	assert_same_sums(&m, path);
	cr_assert_eq(model_make(&b, GGUF_LEAST, 1, &other), 0, "%s", b.reason);
	for (size_t i = 0; i < m.gguf.n_tensors; i++)
		cr_assert_neq(m.sums[i], other.sums[i], "two models have one content");
	model_close(&m);
	model_close(&other);
}

Test(model, sums_of_parts_add_up)
{
	unsigned char data[61];
	const uint64_t whole_bytes = sizeof(data);
	uint64_t whole;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 37 + 200);
	whole = model_sum(data, whole_bytes, 0);
	for (uint64_t a = 0; a <= whole_bytes; a++)
		for (uint64_t c = a; c <= whole_bytes; c++)
			cr_assert_eq(model_sum(data, a, 0) + model_sum(data + a, c - a, a) +
					     model_sum(data + c, whole_bytes - c, c),
				whole);
	data[60] ^= 1;
	cr_assert_neq(model_sum(data, whole_bytes, 0), whole);
	cr_assert_eq(
		model_sum((const unsigned char *)"\x01\x00\x00\x00\x00\x00\x00\x80\x02", 9,
			0),
		0x8000000000000003);
}

/* A machine as its /sys says. */
Test(model, knows_the_read_ahead_of_its_disk, .init = scratch_make, .fini = scratch_remove)
{
	const struct built f = real_one();
	char *path = write_file("model.gguf", f.data, f.bytes), *disk, *file;
	struct bench b = bench();
	struct model m;
	struct stat st;

	cr_assert_eq(model_open(&b, path, &m), 0, "%s", b.reason);
	cr_assert_eq(model_read_ahead(&m, scratch), 128 << 10, "Linux's default");
	cr_assert_eq(fstat(m.fd, &st), 0);
	disk = mem_format("%s/sys/dev/block/%u:%u/queue", scratch, major(st.st_dev),
		minor(st.st_dev));
	cr_assert_eq(file_make_dirs(disk), 0);
	file = mem_format("%s/read_ahead_kb", disk);
	cr_assert_eq(file_replace(file, "4096\n", 5), 0);
	cr_assert_eq(model_read_ahead(&m, scratch), 4096 << 10);
	model_close(&m);
}
