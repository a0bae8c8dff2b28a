// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

static void take_dynamic(
	Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct elf_needs *n)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; data && i < count && gelf_getdyn(data, (int)i, &dyn); i++) {
		const char *text = NULL;

		if (dyn.d_tag == DT_NEEDED || dyn.d_tag == DT_RUNPATH ||
			dyn.d_tag == DT_RPATH)
			text = elf_strptr(elf, header->sh_link, dyn.d_un.d_val);
		if (!text)
			continue;
		if (dyn.d_tag == DT_NEEDED) {
			n->names = mem_resize(n->names, n->n_names + 1, sizeof(*n->names));
			n->names[n->n_names++] = mem_text(text);
		} else if (!n->runpath || dyn.d_tag == DT_RUNPATH) {
			free(n->runpath);
			n->runpath = mem_text(text);
		}
	}
}

static int take_loader(Elf *elf, struct elf_needs *n)
{
	size_t count, file_bytes;
	const char *file = elf_rawfile(elf, &file_bytes);
	GElf_Phdr header;

	if (!file || elf_getphdrnum(elf, &count) < 0)
		return -ENOEXEC;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
		if (header.p_type != PT_INTERP)
			continue;
		if (header.p_offset >= file_bytes ||
			!memchr(file + header.p_offset, '\0', file_bytes - header.p_offset))
			return -ENOEXEC;
		free(n->loader);
		n->loader = mem_text(file + header.p_offset);
	}
	return 0;
}

static int read_elf(int fd, struct elf_needs *n)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	GElf_Shdr section_header;
	int ret = -ENOEXEC;

	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header)) {
		n->elf_class = (unsigned int)gelf_getclass(elf);
		n->machine = header.e_machine;
		ret = take_loader(elf, n);
		while (ret == 0 && (section = elf_nextscn(elf, section)) != NULL) {
			if (gelf_getshdr(section, &section_header) &&
				section_header.sh_type == SHT_DYNAMIC)
				take_dynamic(elf, section, &section_header, n);
		}
	}
	elf_end(elf);
	return ret;
}

int elf_read_needs(const char *path, struct elf_needs *ret, struct err *err)
{
	struct elf_needs needs = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;

	if (fd < 0)
		return err_set(err, -errno, "%s: %m", path);
	elf_version(EV_CURRENT);
	code = read_elf(fd, &needs);
	close(fd);
	if (code < 0) {
		elf_needs_clear(&needs);
		return err_set(err, code, "%s: no ELF program", path);
	}
	*ret = needs;
	return 0;
}

void elf_needs_clear(struct elf_needs *n)
{
	for (size_t i = 0; i < n->n_names; i++)
		free(n->names[i]);
	free(n->names);
	free(n->loader);
	free(n->runpath);
	*n = (struct elf_needs){ 0 };
}
