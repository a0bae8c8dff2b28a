// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fuzz.h"
#include "measure/interrupts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct interrupts in = { 0 };
	struct err err = { "" };
	int64_t *deltas;
	int r = interrupts_parse(text, &in, &err);

	if (r == 0) {
		deltas = calloc(in.n_cpus, sizeof(*deltas));
		must(deltas && in.n_cpus > 0 && in.n_rows > 0);
		for (size_t i = 0; i < in.n_rows; i++)
			must(in.rows[i].n_counts == in.n_cpus || in.rows[i].n_counts < 2);
		for (int which = INTERRUPT_TLB; which < INTERRUPT_NOT_IPI; which++) {
			r = interrupts_delta(&in, &in, (enum interrupt_class)which, deltas);
			must(r == 0 || r == -ENODATA || r == -ESTALE);
			for (size_t cpu = 0; cpu < in.n_cpus; cpu++)
				must(deltas[cpu] == 0);
		}
		free(deltas);
	} else {
		must_explain(r, &err);
		must(!in.rows && !in.cpus);
	}
	interrupts_clear(&in);
	free(text);
	return 0;
}
