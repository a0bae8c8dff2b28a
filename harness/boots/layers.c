// SPDX-License-Identifier: GPL-2.0-or-later
#include "layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "boots/guest-paths.h"
#include "kernels/initramfs.h"

static int write_layer(struct layer *l, const char *path, const char *before,
	size_t before_bytes, struct err *err)
{
	size_t bytes;
	char *cpio, *all;
	int ret = layer_encode(l, &cpio, &bytes, err);

	if (ret < 0)
		return ret;
	all = malloc(before_bytes + bytes);
	ret = -ENOMEM;
	if (all) {
		if (before_bytes)
			memcpy(all, before, before_bytes);
		memcpy(all + before_bytes, cpio, bytes);
		ret = file_replace(path, all, before_bytes + bytes);
	}
	free(all);
	free(cpio);
	return ret < 0 ? err_set(err, ret, "%s: %s", path, strerror(-ret)) : 0;
}

static int fill_base(struct layer *l, const char *init, const char *const *programs,
	const char *root, struct err *err)
{
	int ret = layer_add_program(l, GUEST_INIT, init, root, err);
	char *suites, *events;

	for (size_t i = 0; ret == 0 && programs[i]; i++) {
		const char *slash = strrchr(programs[i], '/');
		char *path = mem_format(GUEST_BIN "/%s", slash ? slash + 1 : programs[i]);

		ret = layer_add_program(l, path, programs[i], root, err);
		free(path);
	}
	if (ret == 0 && data_path("bench/suites", &suites) == 0) {
		ret = layer_add_folder(l, GUEST_DATA "/bench/suites", suites, err);
		free(suites);
	}
	if (ret == 0 && data_path("events", &events) == 0) {
		ret = layer_add_folder(l, GUEST_DATA "/events", events, err);
		free(events);
	}
	return ret;
}

int guest_write_base(const char *path, const char *init, const char *const *programs,
	const char *root, struct err *err)
{
	struct layer *l = layer_new();
	int ret = fill_base(l, init, programs, root, err);

	if (ret == 0)
		ret = write_layer(l, path, NULL, 0, err);
	layer_free(l);
	return ret;
}

int guest_write_initrd(const char *path, const char *base_layer, const struct job *job,
	unsigned int scale, struct err *err)
{
	struct layer *l;
	char *text, *base;
	size_t base_bytes;
	int ret = job_format(job, scale, &text, err);

	if (ret < 0)
		return ret;
	ret = file_read("", base_layer, &base, &base_bytes);
	if (ret < 0) {
		free(text);
		return err_set(err, ret, "%s: %s", base_layer, strerror(-ret));
	}
	l = layer_new();
	ret = layer_add_data(l, GUEST_JOB, text, strlen(text), 0644, err);
	if (ret == 0)
		ret = write_layer(l, path, base, base_bytes, err);
	layer_free(l);
	free(base);
	free(text);
	return ret;
}
