// Words of a command line that ask for a command, which needs no window. Main checks this before anything else.

export const COMMAND_NAMES = [
  'import',
  'export',
  'run',
  'query',
  'schema',
  'dump',
  'diff',
  'merge',
  'git-setup',
  'mcp',
  'completion',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

/** Options of Chromium and of the app as a whole: they may be anywhere. */
const OF_THE_APP = [/^--no-sandbox$/, /^--disable-gpu$/, /^--ozone-platform=/, /^--user-data-dir=/];

export const isHelp = (word: string): boolean => word === '--help' || word === '-h' || word === 'help';
export const isVersion = (word: string): boolean => word === '--version';

/** @param words the words after the program name */
export function asksForCommand(words: readonly string[]): boolean {
  const [first] = withoutSwitches(words);
  return first !== undefined && (COMMAND_NAMES.some((name) => name === first) || isHelp(first) || isVersion(first));
}

export const withoutSwitches = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !OF_THE_APP.some((pattern) => pattern.test(word)));

/** Returns it as written. */
export const profileIn = (words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
