/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands as a person types them into a shell. Pure. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

/*
 * Appends words to a command, each on a line of its own and quoted where a shell
 * would take it apart. *command is NULL at first, and freed by the caller.
 */
void quote_add(char **command, const char *word);

#endif
