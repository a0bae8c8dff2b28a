# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v column=NAME -f tests/column.awk: that column of a CSV with a header.
BEGIN { FS = "," }
{ gsub(/"[^"]*"/, "quoted") } # the columns asked for are numbers
NR == 1 {
	for (i = 1; i <= NF; i++)
		if ($i == column)
			at = i
	next
}
$at != "" { print $at }
