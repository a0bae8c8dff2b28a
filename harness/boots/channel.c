// SPDX-License-Identifier: GPL-2.0-or-later
#include "channel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define END_HEADER_BYTES 12
/* END and its reason always fit into what is held back for them. */
#define END_RESERVE_BYTES 4096
#define REASON_MAX_BYTES 2048

const char *channel_state_name(enum channel_state state)
{
	static const char *const names[CHANNEL_STATES] = {
		[CHANNEL_COMPLETE] = "complete",
		[CHANNEL_EMPTY] = "empty",
		[CHANNEL_INCOMPLETE] = "incomplete",
		[CHANNEL_CUT] = "cut short",
		[CHANNEL_CORRUPT] = "corrupt",
		[CHANNEL_DISORDER] = "out of order",
		[CHANNEL_OTHER_RUN] = "of another run",
	};

	return names[state];
}

static char *take_text(const unsigned char *data, size_t bytes)
{
	char *text = mem_zeroed(bytes + 1, 1);

	if (bytes)
		memcpy(text, data, bytes);
	return text;
}

static int take_file(struct channel *c, const struct frame *f)
{
	const unsigned char *nul = memchr(f->payload, 0, f->bytes);
	struct channel_file *file;
	size_t name_bytes;

	if (!nul || nul == f->payload)
		return -EBADMSG;
	name_bytes = (size_t)(nul - f->payload) + 1;
	c->files = mem_resize(c->files, c->n_files + 1, sizeof(*c->files));
	file = &c->files[c->n_files++];
	file->name = take_text(f->payload, name_bytes);
	file->bytes = f->bytes - name_bytes;
	file->data = take_text(nul + 1, file->bytes);
	return 0;
}

static int take_end(struct channel *c, const struct frame *f)
{
	uint32_t cause;

	if (f->bytes < END_HEADER_BYTES || frame_get_u32(f->payload) != f->sequence)
		return -EBADMSG;
	cause = frame_get_u32(f->payload + 4);
	if (cause >= END_CAUSES)
		return -EBADMSG;
	c->end.cause = cause;
	c->end.status = frame_get_u32(f->payload + 8);
	c->end.reason =
		take_text(f->payload + END_HEADER_BYTES, f->bytes - END_HEADER_BYTES);
	return 0;
}

static void take_log(struct channel *c, const struct frame *f)
{
	char *text = take_text(f->payload, f->bytes);
	char *joined = mem_format("%s%s", c->log ? c->log : "", text);

	free(text);
	free(c->log);
	c->log = joined;
}

/* 0, or -EBADMSG for a frame that no writer puts there. */
static int take_frame(struct channel *c, const struct frame *f)
{
	if (f->sequence != c->n_frames || (f->type == FRAME_BEGIN) != (f->sequence == 0))
		return -EBADMSG;
	switch (f->type) {
	case FRAME_BEGIN:
	case FRAME_HEARTBEAT:
		return 0;
	case FRAME_PHASE:
		c->n_phases++;
		free(c->phase);
		c->phase = take_text(f->payload, f->bytes);
		return 0;
	case FRAME_FILE:
		return take_file(c, f);
	case FRAME_LOG:
		take_log(c, f);
		return 0;
	case FRAME_END:
		return take_end(c, f);
	default:
		return -EBADMSG;
	}
}

static bool is_run(const struct frame *begin, const char *run_id)
{
	return begin->bytes == strlen(run_id) &&
	       memcmp(begin->payload, run_id, begin->bytes) == 0;
}

/* Nothing may follow END, except where the device ends there. */
static enum channel_state after_end(const unsigned char *data, size_t bytes, size_t offset)
{
	struct frame f;
	int ret = frame_decode(data, bytes, offset, &f);

	if (ret == 0)
		return CHANNEL_DISORDER;
	return ret == -EBADMSG ? CHANNEL_CORRUPT : CHANNEL_COMPLETE;
}

static enum channel_state parse_frames(
	const unsigned char *data, size_t bytes, const char *run_id, struct channel *c)
{
	size_t offset = 0;
	struct frame f;
	int ret;

	while ((ret = frame_decode(data, bytes, offset, &f)) == 0) {
		if (take_frame(c, &f) < 0)
			return CHANNEL_DISORDER;
		if (f.type == FRAME_BEGIN && !is_run(&f, run_id))
			return CHANNEL_OTHER_RUN;
		c->n_frames++;
		offset += frame_size(f.bytes);
		if (f.type == FRAME_END)
			return after_end(data, bytes, offset);
	}
	if (ret == -ENOSPC)
		return CHANNEL_CUT;
	if (ret == -EBADMSG)
		return CHANNEL_CORRUPT;
	return c->n_frames ? CHANNEL_INCOMPLETE : CHANNEL_EMPTY;
}

void channel_parse(
	const unsigned char *data, size_t bytes, const char *run_id, struct channel *ret)
{
	struct channel c = { 0 };

	c.state = parse_frames(data, bytes, run_id, &c);
	*ret = c;
}

int channel_read(const char *path, const char *run_id, struct channel *ret, struct err *err)
{
	size_t bytes;
	char *data;
	int code = file_read("", path, &data, &bytes);

	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	channel_parse((const unsigned char *)data, bytes, run_id, ret);
	free(data);
	return 0;
}

void channel_clear(struct channel *c)
{
	for (size_t i = 0; i < c->n_files; i++) {
		free(c->files[i].name);
		free(c->files[i].data);
	}
	free(c->files);
	free(c->phase);
	free(c->log);
	free(c->end.reason);
	*c = (struct channel){ 0 };
}

/* The guest's side. */

static int write_at(int fd, const unsigned char *data, uint64_t bytes, uint64_t offset)
{
	while (bytes > 0) {
		ssize_t put = pwrite(fd, data, bytes, (off_t)offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		data += put;
		bytes -= (uint64_t)put;
		offset += (uint64_t)put;
	}
	return fdatasync(fd) < 0 ? -errno : 0;
}

static int send_frame(struct channel_writer *w, enum frame_type type, const void *payload,
	size_t bytes, uint64_t reserve_bytes)
{
	struct frame f = { .type = type, .sequence = w->sequence, .payload = payload };
	unsigned char *sectors;
	uint64_t size;
	int ret = 0;

	if (bytes > w->bytes)
		return -ENOSPC;
	f.bytes = (uint32_t)bytes;
	size = frame_size(f.bytes);
	if (w->offset + size + reserve_bytes > w->bytes)
		return -ENOSPC;
	sectors = malloc(size);
	if (!sectors)
		return -ENOMEM;
	frame_encode(&f, sectors);
	if (size > FRAME_SECTOR_BYTES)
		ret = write_at(w->fd, sectors + FRAME_SECTOR_BYTES,
			size - FRAME_SECTOR_BYTES, w->offset + FRAME_SECTOR_BYTES);
	if (ret == 0)
		ret = write_at(w->fd, sectors, FRAME_SECTOR_BYTES, w->offset);
	free(sectors);
	if (ret < 0)
		return ret;
	w->offset += size;
	w->sequence++;
	return 0;
}

int channel_send(
	struct channel_writer *w, enum frame_type type, const void *data, size_t bytes)
{
	return send_frame(w, type, data, bytes, END_RESERVE_BYTES);
}

int channel_send_text(struct channel_writer *w, enum frame_type type, const char *text)
{
	return channel_send(w, type, text, strlen(text));
}

int channel_send_file(
	struct channel_writer *w, const char *name, const void *data, size_t bytes)
{
	size_t name_bytes = strlen(name) + 1;
	char *payload;
	int ret;

	if (bytes > w->bytes)
		return -ENOSPC;
	payload = malloc(name_bytes + bytes);
	if (!payload)
		return -ENOMEM;
	memcpy(payload, name, name_bytes);
	if (bytes)
		memcpy(payload + name_bytes, data, bytes);
	ret = channel_send(w, FRAME_FILE, payload, name_bytes + bytes);
	free(payload);
	return ret;
}

int channel_begin(int fd, uint64_t bytes, const char *run_id, struct channel_writer *ret)
{
	struct channel_writer w = { .fd = fd, .bytes = bytes };
	int code = channel_send_text(&w, FRAME_BEGIN, run_id);

	if (code < 0)
		return code;
	*ret = w;
	return 0;
}

int channel_finish(struct channel_writer *w, const struct channel_end *end)
{
	unsigned char payload[END_HEADER_BYTES + REASON_MAX_BYTES];
	size_t reason_bytes = strnlen(end->reason, REASON_MAX_BYTES);

	frame_put_u32(payload, w->sequence);
	frame_put_u32(payload + 4, end->cause);
	frame_put_u32(payload + 8, end->status);
	memcpy(payload + END_HEADER_BYTES, end->reason, reason_bytes);
	return send_frame(w, FRAME_END, payload, END_HEADER_BYTES + reason_bytes, 0);
}
