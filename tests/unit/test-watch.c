// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "boots/watch.h"

static const struct guest_deadlines deadlines = {
	.phase_ms = { 100, 200, 300, 400, 500 },
	.silence_ms = 50,
};

static struct watch w;
static struct channel_writer guest;

static void set_up(void)
{
	w.console_fd = memfd_create("console", 0);
	w.channel_fd = memfd_create("channel", 0);
	cr_assert_eq(ftruncate(w.channel_fd, (off_t)CHANNEL_BYTES), 0);
	watch_look(&w, 1000);
}

TestSuite(watch, .init = set_up);

static bool is_late(uint64_t now_ms, const char *reason)
{
	char *late = watch_find_late(&w, &deadlines, 1000, now_ms);
	bool same = late && strstr(late, reason);

	if (late && !same)
		cr_log_error("%s", late);
	free(late);
	return same;
}

static void print(const char *text)
{
	cr_assert_eq(write(w.console_fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void begin(void)
{
	cr_assert_eq(channel_begin(w.channel_fd, CHANNEL_BYTES, "run", &guest), 0);
	cr_assert_eq(channel_send_text(&guest, FRAME_PHASE, "init"), 0);
}

Test(watch, follows_a_guest_through_its_phases)
{
	const struct channel_end end = { .reason = (char *)"" };

	cr_assert_eq(w.phase, PHASE_FIRMWARE);
	print("Linux version\n");
	watch_look(&w, 1010);
	cr_assert_eq(w.phase, PHASE_KERNEL);
	begin();
	watch_look(&w, 1020);
	cr_assert_eq(w.phase, PHASE_INIT);
	cr_assert_eq(channel_send_text(&guest, FRAME_PHASE, "swap"), 0);
	watch_look(&w, 1030);
	cr_assert_eq(w.phase, PHASE_WORKLOAD);
	cr_assert_eq(channel_send_text(&guest, FRAME_PHASE, "swap"), 0);
	cr_assert_eq(channel_finish(&guest, &end), 0);
	watch_look(&w, 1040);
	cr_assert_eq(w.phase, PHASE_SHUTDOWN);
	cr_assert_eq(w.phase_ms, 1040);
	cr_assert_eq(w.console.n_lines, 1);
}

Test(watch, gives_each_phase_its_time)
{
	cr_assert(!is_late(1100, ""));
	cr_assert(is_late(1101, "not through with firmware after 0.1 s"));
	print("x");
	watch_look(&w, 1100);
	cr_assert(!is_late(1300, ""));
	cr_assert(is_late(1301, "not through with kernel"));
	begin();
	watch_look(&w, 2000);
	cr_assert(!is_late(2300, ""));
	cr_assert(is_late(2301, "not through with init"));
}

Test(watch, tells_silence_from_slowness)
{
	begin();
	cr_assert_eq(channel_send_text(&guest, FRAME_PHASE, "swap"), 0);
	watch_look(&w, 2000);
	cr_assert(is_late(2051, "no sign of life"));
	for (uint64_t now_ms = 2040; now_ms <= 3400; now_ms += 40) {
		cr_assert_eq(channel_send(&guest, FRAME_HEARTBEAT, NULL, 0), 0);
		watch_look(&w, now_ms);
		cr_assert(!is_late(now_ms, ""), "%d", (int)now_ms);
	}
	/* Alive, but beyond the steps' own 1000 ms and the 400 ms of grace. */
	cr_assert_eq(channel_send(&guest, FRAME_HEARTBEAT, NULL, 0), 0);
	watch_look(&w, 3401);
	cr_assert(is_late(3401, "not through with workload after 1.4 s"));
}

Test(watch, takes_no_frame_that_is_not_whole)
{
	unsigned char bit;

	begin();
	cr_assert_eq(pread(w.channel_fd, &bit, 1, 30), 1);
	bit ^= 1;
	cr_assert_eq(pwrite(w.channel_fd, &bit, 1, 30), 1);
	watch_look(&w, 1010);
	cr_assert_eq(w.phase, PHASE_FIRMWARE);
}
