// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine_zram.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/swap.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "swaps.h"

#define ZRAM_MODULE "zram"
#define HOT_ADD "/sys/class/zram-control/hot_add"
#define HOT_REMOVE "/sys/class/zram-control/hot_remove"
#define ZRAM_MAX 1024 /* numbers tried */

/* Above any disk, so that what is measured is this device. */
#define ZRAM_PRIORITY 100

/*
 * Someone may look into a new or a left device (udev does): the kernel then
 * says EBUSY for a moment.
 */
#define BUSY_TRIES 100
#define BUSY_WAIT_NS 20000000

static int poke_patiently(const char *path, const char *text)
{
	const struct timespec wait = { .tv_nsec = BUSY_WAIT_NS };
	int ret = file_poke(path, text);

	for (int i = 1; ret == -EBUSY && i < BUSY_TRIES; i++) {
		nanosleep(&wait, NULL);
		ret = file_poke(path, text);
	}
	return ret;
}

/* -ENOENT where there is no such device. */
static int read_disksize(const char *number, uint64_t *ret_bytes)
{
	char *path = mem_format("/sys/block/zram%s/disksize", number), *text;
	int r = file_read_line("", path, &text);

	free(path);
	if (r < 0)
		return r;
	*ret_bytes = strtoull(text, NULL, 10);
	free(text);
	return 0;
}

void swap_header_format(unsigned char *page, size_t page_bytes, uint32_t last_page)
{
	static const char label[16] = "shootdown", magic[] = "SWAPSPACE2";
	const uint32_t words[] = { 1 /* version */, last_page, 0 /* bad pages */ };
	unsigned char uuid[16] = { 0 };

	/* A UUID is only for people to tell areas apart: one of zeroes does. */
	if (getrandom(uuid, sizeof(uuid), GRND_NONBLOCK) != (ssize_t)sizeof(uuid))
		memset(uuid, 0, sizeof(uuid));
	memset(page, 0, page_bytes);
	memcpy(page + 1024, words, sizeof(words));
	memcpy(page + 1024 + sizeof(words), uuid, sizeof(uuid));
	memcpy(page + 1024 + sizeof(words) + sizeof(uuid), label, sizeof(label));
	memcpy(page + page_bytes - strlen(magic), magic, strlen(magic));
}

static int write_swap_header(const char *device, uint64_t bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *page = mem_zeroed(1, page_bytes);
	int fd = open(device, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0) {
		ret = -errno;
		free(page);
		return ret;
	}
	swap_header_format(page, page_bytes, (uint32_t)(bytes / page_bytes - 1));
	/* swapon reads through the same page cache, but fsync also tells of errors. */
	if (pwrite(fd, page, page_bytes, 0) != (ssize_t)page_bytes || fsync(fd) < 0)
		ret = errno ? -errno : -EIO;
	close(fd);
	free(page);
	return ret;
}

/* The kernel gives the lowest number that is free. */
static int lowest_absent(char *ret_number, size_t size)
{
	uint64_t bytes;

	for (int i = 0; i < ZRAM_MAX; i++) {
		snprintf(ret_number, size, "%d", i);
		if (read_disksize(ret_number, &bytes) == -ENOENT)
			return 0;
	}
	return -ENODEV;
}

static int hot_add(struct journal *j, char *ret_number, size_t size, struct err *err)
{
	char expected[16], *number;
	int r;

	r = lowest_absent(expected, sizeof(expected));
	if (r < 0)
		return err_set(err, r, "no zram number below %d is free", ZRAM_MAX);
	r = journal_note(j, CHANGE_ZRAM_ADD, expected, "", "", err);
	if (r < 0)
		return r;
	r = file_read_line("", HOT_ADD, &number);
	if (r < 0 || strcmp(number, expected) != 0) {
		/* Made by someone else at the same moment, or not at all. */
		journal_drop(j, j->count - 1);
		journal_keep(j, NULL);
	}
	if (r < 0)
		return err_set(err, r, "cannot make a zram device through %s: %s", HOT_ADD,
			strerror(-r));
	if (strcmp(number, expected) != 0)
		r = journal_note(j, CHANGE_ZRAM_ADD, number, "", "", err);
	if (r < 0)
		file_poke(HOT_REMOVE, number);
	else
		snprintf(ret_number, size, "%s", number);
	free(number);
	return r;
}

/* "modprobe zram" or "modprobe -r zram". */
static int modprobe(const char *option, struct err *err)
{
	const char *argv[] = { "modprobe", option ? option : ZRAM_MODULE,
		option ? ZRAM_MODULE : NULL, NULL };
	const struct process_spec spec = { .argv = argv };

	return process_run(&spec, NULL, err);
}

/* Distributions have zram as a module that nothing loads by itself. */
static int load_module(struct journal *j, struct err *err)
{
	uint64_t bytes;
	struct err why = { "" };
	int r;

	if (access(HOT_ADD, F_OK) == 0 || read_disksize("0", &bytes) == 0)
		return 0;
	r = journal_note(j, CHANGE_MODULE, ZRAM_MODULE, "", "", err);
	if (r < 0)
		return r;
	r = modprobe(NULL, &why);
	if (r == 0)
		return 0;
	journal_drop(j, j->count - 1);
	journal_keep(j, NULL);
	return err_set(err, -ENODEV,
		"there is no zram to make swap of (%s); turn on a swap of your own",
		why.text);
}

/* Kernels or containers without hot_add: a device that nobody has set up. */
static int lowest_unused(char *ret_number, size_t size, struct err *err)
{
	uint64_t bytes;

	for (int i = 0; i < ZRAM_MAX; i++) {
		snprintf(ret_number, size, "%d", i);
		if (read_disksize(ret_number, &bytes) == 0 && bytes == 0)
			return 0;
	}
	return err_set(err, -ENODEV,
		"no zram device is free for swap (load the module with \"modprobe zram\", "
		"or turn "
		"on a swap of your own)");
}

int zram_swap_on(struct journal *j, uint64_t bytes, char *ret_device, struct err *err)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	char number[16], device[64], path[64], size[32];
	int r;

	bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
	if (bytes < 10 * page_bytes || bytes / page_bytes > UINT32_MAX)
		return err_set(err, -EINVAL, "%llu bytes are no size for a swap",
			(unsigned long long)bytes);
	r = load_module(j, err);
	if (r < 0)
		return r;
	r = access(HOT_ADD, F_OK) == 0 ? hot_add(j, number, sizeof(number), err)
				       : lowest_unused(number, sizeof(number), err);
	if (r < 0)
		return r;
	snprintf(device, sizeof(device), "/dev/zram%s", number);
	snprintf(path, sizeof(path), "/sys/block/zram%s/disksize", number);
	snprintf(size, sizeof(size), "%llu", (unsigned long long)bytes);
	r = journal_note(j, CHANGE_ZRAM_SIZE, number, "0", size, err);
	if (r < 0)
		return r;
	r = poke_patiently(path, size);
	if (r < 0)
		return err_set(
			err, r, "cannot write %s to %s: %s", size, path, strerror(-r));
	r = write_swap_header(device, bytes);
	if (r < 0)
		return err_set(err, r, "cannot write a swap header to %s: %s", device,
			strerror(-r));
	r = journal_note(j, CHANGE_SWAP_ON, device, "", "", err);
	if (r < 0)
		return r;
	if (swapon(device, SWAP_FLAG_PREFER | ZRAM_PRIORITY) < 0)
		return err_set(err, -errno, "cannot turn on swap on %s: %s", device,
			strerror(errno));
	strcpy(ret_device, device);
	return 0;
}

static int is_swap(const char *device, struct err *err)
{
	struct swaps swaps;
	int r = swaps_read("", &swaps, err), found = 0;

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	for (size_t i = 0; i < swaps.count; i++)
		found |= strcmp(swaps.areas[i].path, device) == 0;
	swaps_clear(&swaps);
	return found;
}

static int undo_swap(const char *device, struct err *err)
{
	int r = is_swap(device, err);

	if (r <= 0)
		return r;
	if (swapoff(device) < 0)
		return err_set(err, -errno, "cannot turn off swap on %s: %s", device,
			strerror(errno));
	return 0;
}

static int undo_size(const char *number, const char *size, struct err *err)
{
	char path[64];
	uint64_t bytes;
	int r = read_disksize(number, &bytes);

	if (r == -ENOENT || (r == 0 && bytes != strtoull(size, NULL, 10)))
		return 0;
	snprintf(path, sizeof(path), "/sys/block/zram%s/reset", number);
	if (r == 0)
		r = poke_patiently(path, "1");
	return r < 0 ? err_set(err, r, "cannot reset /dev/zram%s: %s", number, strerror(-r))
		     : 0;
}

static int undo_add(const char *number, struct err *err)
{
	uint64_t bytes;
	int r = read_disksize(number, &bytes);

	if (r == -ENOENT || (r == 0 && bytes != 0))
		return 0;
	if (r == 0)
		r = poke_patiently(HOT_REMOVE, number);
	return r < 0 ? err_set(err, r, "cannot remove /dev/zram%s: %s", number,
			       strerror(-r))
		     : 0;
}

/* Someone who has set up a device meanwhile keeps the module. */
static int undo_module(struct err *err)
{
	char number[16];
	uint64_t bytes;

	for (int i = 0; i < ZRAM_MAX; i++) {
		snprintf(number, sizeof(number), "%d", i);
		if (read_disksize(number, &bytes) == 0 && bytes > 0)
			return 0;
	}
	return access("/sys/module/" ZRAM_MODULE, F_OK) == 0 ? modprobe("-r", err) : 0;
}

int zram_undo(const struct change *c, struct err *err)
{
	switch (c->kind) {
	case CHANGE_SWAP_ON:
		return undo_swap(c->target, err);
	case CHANGE_ZRAM_SIZE:
		return undo_size(c->target, c->new_text, err);
	case CHANGE_ZRAM_ADD:
		return undo_add(c->target, err);
	case CHANGE_MODULE:
		return undo_module(err);
	case CHANGE_FILE:
	case CHANGE_CGROUP_ENABLE:
	case CHANGE_CGROUP:
		break;
	}
	return -EINVAL;
}
