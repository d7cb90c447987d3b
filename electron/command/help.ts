// Writes the output of `--help`.
import { COMMANDS, type CommandSpec, type OptionSpec } from './options.ts';

const WIDTH = 26;

export function helpOf(command: CommandSpec | null): string {
  if (!command) return OVERVIEW;
  const { usage, about, options } = command;
  return `Usage: ${usage}\n\n${about}\n\nOptions:\n${options.map(lineOf).join('\n')}\n`;
}

function lineOf({ name, short, value, help }: OptionSpec): string {
  const left = `  ${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`;
  return left.length < WIDTH + 4 ? `${left.padEnd(WIDTH + 4)}${help}` : `${left}\n${' '.repeat(WIDTH + 4)}${help}`;
}

const OVERVIEW = `Usage: sidelite [FILE…]
       sidelite FILE [--table NAME [--where SQL]] [--read-only]
${COMMANDS.map(({ usage }) => `       ${usage}`).join('\n')}

Without a command, a window opens with FILE in it.

  --table NAME    opens this table or view of FILE, in place
  --where SQL     shows only the rows for which this is true
  --read-only     opens FILE so that nothing can be written to it

Commands:
${COMMANDS.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')}

“sidelite COMMAND --help” lists the options of a command.
Exit codes: 0 done, 1 failed, different, or in conflict, 2 invalid command line, 3 some records were not imported, 4 file or table not found,
5 locked by another program, 6 damaged or not a database, 7 disk full, 130 stopped by Ctrl+C, 141 output closed.
`;
