// Every command, once: feeds the native menu, the command palette, the key map and the help.
import { DATABASE_COMMANDS } from './commands/database-commands.ts';
import { EDIT_COMMANDS } from './commands/edit-commands.ts';
import { FILE_COMMANDS } from './commands/file-commands.ts';
import { QUERY_COMMANDS } from './commands/query-commands.ts';
import { VIEW_COMMANDS } from './commands/view-commands.ts';

/** All commands in the order of the menus, and within each menu in its order. */
export const COMMANDS = [
  ...FILE_COMMANDS,
  ...EDIT_COMMANDS,
  ...VIEW_COMMANDS,
  ...DATABASE_COMMANDS,
  ...QUERY_COMMANDS,
] as const;

export type CommandId = (typeof COMMANDS)[number]['id'];
