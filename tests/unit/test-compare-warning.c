// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/compare_verdict.h"

Test(compare_warning, what_changes_a_flush)
{
	static const struct {
		const char *key, *base, *cand, *part; /* NULL: no warning */
	} cases[] = {
		{ "errata", "none", "ARM errata 1286807, 2441009", "repeat each TLBI" },
		{ "mitigations", "meltdown=Mitigation: PTI", "none needed",
			"two address spaces" },
		{ "mitigations", "spectre_v2=Mitigation: IBRS", "none needed", NULL },
		{ "mitigations", "meltdown=Mitigation: PTI",
			"meltdown=Mitigation: PTI; mds=Vulnerable", NULL },
		{ "broadcast_tlb_flush", "not recorded", "invlpgb",
			"without interrupting" },
		{ "microcode", "0x1", "0x2", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct compare_key key = { (char *)cases[i].key,
			(char *)cases[i].base, (char *)cases[i].cand, true };
		char *text = compare_flush_warning(&key);

		if (cases[i].part)
			cr_expect(text && strstr(text, cases[i].part), "case %zu", i);
		else
			cr_expect_null(text, "case %zu: %s", i, text);
		free(text);
	}
}

Test(compare_warning, stands_among_the_notes)
{
	static const double ns[] = { 100 };
	struct record *sides[2] = { record_new(), record_new() };
	struct comparison *c;

	for (int i = 0; i < 2; i++) {
		fields_set_text(
			&sides[i]->identity, "errata", i ? "none" : "ARM erratum 1");
		arm_metric(arm_run(sides[i], "swap", 1, 1, 1), "ns_per_page", "ns/page",
			KIND_SAMPLE, ns);
	}
	cr_assert_eq(compare_records(sides[0], sides[1],
			     &(struct compare_options){ .allow_mismatch = "errata" }, &c),
		0);
	cr_expect(c->comparable);
	cr_expect(c->n_notes > 0 && strstr(c->notes[0], "errata differs"), "%s",
		c->n_notes ? c->notes[0] : "none");
	comparison_free(c);
	record_free(sides[0]);
	record_free(sides[1]);
}
