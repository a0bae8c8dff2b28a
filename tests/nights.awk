# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the nights of one machine, as a nightly job would; needs TZ=UTC and
#   dir      the machine's folder, which exists
#   n        nights, from 2024-01-01 on; night i has the commit "c<i>"
# and takes
#   step     "AT=FACTOR ...": from night AT on, tonight's time is FACTOR times the
#            reference's; count likewise, of the events that tonight's kernel counts
#   odd      "AT=FACTOR ...": that night's first measurement only
#   again    nights that were measured twice
#   missing  nights without results
#   cpu      "AT=NAME ...": from night AT on, this is the CPU's model
#   noise    of one night (0.01); seed

function uniform() {
	state = (state * 16807) % 2147483647
	return state / 2147483647
}

function normal(   i, sum) {
	sum = -6
	for (i = 0; i < 12; i++)
		sum += uniform()
	return sum
}

function has(list, night) { return index(" " list " ", " " night " ") > 0 }

# The value of "AT=VALUE ..." at that night; of that night only where only is 1.
function value(list, night, only, otherwise,   parts, part, i, count) {
	count = split(list, parts, " ")
	for (i = 1; i <= count; i++) {
		split(parts[i], part, "=")
		if (only ? part[1] + 0 == night : part[1] + 0 <= night)
			otherwise = part[2]
	}
	return otherwise
}

function result(file, night, ns, events, commit) {
	print "{\"schema\": \"shootdown-result-1\", \"complete\": true," > file
	print " \"identity\": {\"cpu_model\": \"" value(cpu, night, 0, "Test CPU") "\"}," > file
	print " \"subject\": {\"kernel_release\": \"6.12-" commit "\", \"commit\": \"" commit "\"}," > file
	print " \"state\": {}, \"runs\": [{\"workload\": \"swap\", \"revision\": 1," > file
	print "  \"unit\": \"page\", \"status\": \"ok\", \"params\": {\"size\": 4096, \"threads\": 1}," > file
	print "  \"samples\": {\"block\": [1, 2], \"boot\": [1, 2], \"process\": [0, 0]," > file
	print "   \"iteration\": [0, 0], \"warmup\": [0, 0]}, \"work\": [100, 100], \"metrics\": [" > file
	printf "  {\"name\": \"ns_per_page\", \"unit\": \"ns/page\", \"source\": \"clock\",\n" > file
	printf "   \"better\": \"lower\", \"kind\": \"sample\", \"per_unit\": true, \"values\": [%d, %d]},\n", \
		ns, ns * 1.02 > file
	printf "  {\"name\": \"tlb_shootdowns_per_page\", \"unit\": \"interrupts/page\",\n" > file
	printf "   \"source\": \"irq\", \"better\": \"lower\", \"kind\": \"exact\", \"per_unit\": true,\n" > file
	printf "   \"values\": [%d, %d]}]}]}\n", events, events > file
	close(file)
}

function pair(folder, suffix, night, factor,   events) {
	events = 100 * value(count, night, 0, 1)
	result(folder "/reference" suffix ".json", night, 200000, 100, "base")
	result(folder "/tonight" suffix ".json", night,
		200000 * factor * exp(noise * normal()), events, "c" night)
}

BEGIN {
	noise = noise == "" ? 0.01 : noise
	state = seed == "" ? 1 : seed
	for (i = 0; i < 50; i++)
		uniform()
	for (night = 1; night <= n; night++) {
		level = value(step, night, 0, 1)
		if (has(missing, night))
			continue
		folder = dir "/" strftime("%Y-%m-%d", mktime("2024 01 01 12 00 00") + (night - 1) * 86400)
		system("mkdir -p " folder)
		pair(folder, "", night, level * value(odd, night, 1, 1))
		if (has(again, night))
			pair(folder, "-confirm", night, level)
	}
}
