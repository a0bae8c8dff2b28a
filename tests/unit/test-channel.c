// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "boots/channel.h"

#define DEVICE_BYTES 16384
#define RUN "ab-1"

/* A device with what a guest sends of a job of one step. */
struct device {
	int fd;
	struct channel_writer writer;
};

static struct device begin(void)
{
	struct device d = { .fd = memfd_create("channel", 0) };

	cr_assert_eq(ftruncate(d.fd, DEVICE_BYTES), 0);
	cr_assert_eq(channel_begin(d.fd, DEVICE_BYTES, RUN, &d.writer), 0);
	return d;
}

static void fill(struct device *d)
{
	char big[1500];

	memset(big, 'x', sizeof(big));
	cr_assert_eq(channel_send_text(&d->writer, FRAME_PHASE, "init"), 0);
	cr_assert_eq(channel_send_text(&d->writer, FRAME_PHASE, "swap"), 0);
	cr_assert_eq(channel_send(&d->writer, FRAME_HEARTBEAT, NULL, 0), 0);
	cr_assert_eq(channel_send_text(&d->writer, FRAME_LOG, "one\n"), 0);
	cr_assert_eq(channel_send_text(&d->writer, FRAME_LOG, "two\n"), 0);
	cr_assert_eq(channel_send_file(&d->writer, "swap", big, sizeof(big)), 0);
	cr_assert_eq(channel_send_file(&d->writer, "empty", NULL, 0), 0);
}

static void finish(struct device *d)
{
	struct channel_end end = {
		.cause = END_EXIT, .status = 3, .reason = (char *)"exit 3"
	};

	cr_assert_eq(channel_finish(&d->writer, &end), 0);
}

/* The device's content, freed by the caller, and its end. */
static unsigned char *read_back(struct device *d)
{
	unsigned char *data = mem_zeroed(DEVICE_BYTES, 1);

	cr_assert_eq(pread(d->fd, data, DEVICE_BYTES, 0), DEVICE_BYTES);
	close(d->fd);
	return data;
}

static unsigned char *whole(uint64_t *ret_end)
{
	struct device d = begin();

	fill(&d);
	finish(&d);
	*ret_end = d.writer.offset;
	return read_back(&d);
}

static enum channel_state state_of(const unsigned char *data, size_t bytes)
{
	struct channel c;
	enum channel_state state;

	channel_parse(data, bytes, RUN, &c);
	state = c.state;
	channel_clear(&c);
	return state;
}

Test(channel, gives_back_what_was_sent)
{
	uint64_t end;
	unsigned char *data = whole(&end);
	struct channel c;

	channel_parse(data, DEVICE_BYTES, RUN, &c);
	cr_assert_eq(c.state, CHANNEL_COMPLETE);
	cr_assert_eq(c.n_frames, 9);
	cr_assert_str_eq(c.phase, "swap");
	cr_assert_str_eq(c.log, "one\ntwo\n");
	cr_assert_eq(c.n_files, 2);
	cr_assert_str_eq(c.files[0].name, "swap");
	cr_assert_eq(c.files[0].bytes, 1500);
	cr_assert_eq(strspn(c.files[0].data, "x"), 1500);
	cr_assert_str_eq(c.files[1].name, "empty");
	cr_assert_eq(c.files[1].bytes, 0);
	cr_assert_eq(c.end.cause, END_EXIT);
	cr_assert_eq(c.end.status, 3);
	cr_assert_str_eq(c.end.reason, "exit 3");
	channel_clear(&c);
	free(data);
}

Test(channel, notices_each_flipped_bit)
{
	uint64_t end;
	unsigned char *data = whole(&end);

	/* The sector after END as well: nothing belongs there. */
	for (size_t bit = 0; bit < (end + FRAME_SECTOR_BYTES) * 8; bit++) {
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		cr_assert_eq(state_of(data, DEVICE_BYTES), CHANNEL_CORRUPT, "bit %zu", bit);
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	cr_assert_eq(state_of(data, DEVICE_BYTES), CHANNEL_COMPLETE);
	free(data);
}

Test(channel, notices_each_cut)
{
	uint64_t end;
	unsigned char *data = whole(&end);

	for (size_t bytes = 0; bytes < end; bytes++) {
		unsigned char *cut = malloc(bytes + 1);

		memcpy(cut, data, bytes);
		cr_assert_eq(state_of(cut, bytes), CHANNEL_CUT, "%zu bytes", bytes);
		free(cut);
	}
	cr_assert_eq(state_of(data, end), CHANNEL_COMPLETE);
	free(data);
}

Test(channel, tells_a_guest_that_never_wrote_from_one_that_died)
{
	unsigned char *data = mem_zeroed(DEVICE_BYTES, 1);
	struct device d = begin();
	struct channel c;

	cr_assert_eq(state_of(data, DEVICE_BYTES), CHANNEL_EMPTY);
	free(data);
	fill(&d);
	data = read_back(&d);
	channel_parse(data, DEVICE_BYTES, RUN, &c);
	cr_assert_eq(c.state, CHANNEL_INCOMPLETE);
	cr_assert_eq(c.n_frames, 8);
	cr_assert_str_eq(c.phase, "swap");
	channel_clear(&c);
	free(data);
}

Test(channel, refuses_another_runs_frames)
{
	uint64_t end;
	unsigned char *data = whole(&end);
	static const char *const others[] = { "", "ab", "ab-10", "ab-2" };
	struct channel c;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		channel_parse(data, DEVICE_BYTES, others[i], &c);
		cr_assert_eq(c.state, CHANNEL_OTHER_RUN, "%s", others[i]);
		channel_clear(&c);
	}
	free(data);
}

static size_t put(unsigned char *to, enum frame_type type, uint32_t sequence,
	const char *payload, uint32_t bytes)
{
	struct frame f = { .type = type,
		.sequence = sequence,
		.payload = (const unsigned char *)payload,
		.bytes = bytes };

	frame_encode(&f, to);
	return frame_size(bytes);
}

Test(channel, refuses_whole_frames_in_no_right_order)
{
	static const struct {
		const char *what;
		struct {
			enum frame_type type;
			uint32_t sequence;
			const char *payload;
			uint32_t bytes;
		} frames[4];
	} cases[] = {
		{ "no BEGIN", { { FRAME_LOG, 0, "x", 1 } } },
		{ "BEGIN twice",
			{ { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_BEGIN, 1, RUN, 4 } } },
		{ "one missing", { { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_LOG, 2, "x", 1 } } },
		{ "one repeated", { { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_LOG, 1, "x", 1 },
					  { FRAME_LOG, 1, "x", 1 } } },
		{ "unknown type", { { FRAME_BEGIN, 0, RUN, 4 },
					  { (enum frame_type)99, 1, "x", 1 } } },
		{ "END counts wrong",
			{ { FRAME_BEGIN, 0, RUN, 4 },
				{ FRAME_END, 1, "\2\0\0\0\0\0\0\0\0\0\0\0", 12 } } },
		{ "END of no cause",
			{ { FRAME_BEGIN, 0, RUN, 4 },
				{ FRAME_END, 1, "\1\0\0\0\77\0\0\0\0\0\0\0", 12 } } },
		{ "END too short",
			{ { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_END, 1, "\1\0\0\0", 4 } } },
		{ "frame after END",
			{ { FRAME_BEGIN, 0, RUN, 4 },
				{ FRAME_END, 1, "\1\0\0\0\0\0\0\0\0\0\0\0", 12 },
				{ FRAME_LOG, 2, "x", 1 } } },
		{ "file without a name",
			{ { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_FILE, 1, "\0x", 2 } } },
		{ "file without an end of its name",
			{ { FRAME_BEGIN, 0, RUN, 4 }, { FRAME_FILE, 1, "name", 4 } } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char *data = mem_zeroed(DEVICE_BYTES, 1), *to = data;

		for (size_t k = 0; k < 4 && cases[i].frames[k].type; k++)
			to += put(to, cases[i].frames[k].type, cases[i].frames[k].sequence,
				cases[i].frames[k].payload, cases[i].frames[k].bytes);
		cr_assert_eq(state_of(data, DEVICE_BYTES), CHANNEL_DISORDER, "%s",
			cases[i].what);
		free(data);
	}
}

Test(channel, keeps_room_for_the_end)
{
	struct device d = begin();
	char big[2000];
	unsigned char *data;
	int ret;

	memset(big, 'y', sizeof(big));
	do
		ret = channel_send_file(&d.writer, "big", big, sizeof(big));
	while (ret == 0);
	cr_assert_eq(ret, -ENOSPC);
	finish(&d);
	data = read_back(&d);
	cr_assert_eq(state_of(data, DEVICE_BYTES), CHANNEL_COMPLETE);
	free(data);
}

Test(channel, reads_a_file_and_says_which_one_it_cannot)
{
	struct channel c;
	struct err err;

	cr_assert_eq(channel_read("/nonexistent/channel.img", RUN, &c, &err), -ENOENT);
	cr_assert(strstr(err.text, "/nonexistent/channel.img"));
}
