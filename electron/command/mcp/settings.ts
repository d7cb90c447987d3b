// What an assistant is given: databases by name, and what it may do with them.
import { basename, extname } from 'node:path';
import type { GuardRules } from '#shared/protocol/guarded.ts';
import { UsageError, type Options } from '../parse.ts';

export interface McpSettings {
  /** Paths by the names that the assistant uses. */
  readonly databases: ReadonlyMap<string, string>;
  /** Null: everything is visible. */
  readonly rules: GuardRules | null;
  /** Statements that would write can be tried. */
  readonly mayPropose: boolean;
  /** For each call. */
  readonly limitMs: number;
}

const LIMIT_S = 30;
const MOST_LIMIT_S = 3600;
const NAME = /^[\w.-]{1,64}$/;

const nameOf = (file: string): string => basename(file, extname(file)).replaceAll(' ', '_');

/** Words for a file whatever its name. @param path absolute */
export const wordsForFile = (path: string): readonly string[] =>
  NAME.test(nameOf(path)) ? [path] : ['--name', `database=${path}`];

/** @throws UsageError */
export function mcpSettings(
  options: Options,
  operands: readonly string[],
  pathOf: (name: string) => string,
): McpSettings {
  const databases = new Map<string, string>();
  const add = (name: string, file: string): void => {
    if (!NAME.test(name))
      throw new UsageError(
        `“${name}” cannot be the name of a database for an assistant. Give it one of at most 64 letters, digits, _, ., and -: --name NAME=${file}`,
      );
    if (databases.has(name))
      throw new UsageError(`Two databases are called “${name}”. Give one another name: --name NAME=${file}`);
    if (file === '-') throw new UsageError('Standard input has the messages of the assistant, so it is no database.');
    databases.set(name, pathOf(file));
  };
  for (const text of options.texts('name')) {
    const at = text.indexOf('=');
    if (at < 1 || at === text.length - 1)
      throw new UsageError('--name takes a name and a file, as in --name shop=shop.db.');
    add(text.slice(0, at), text.slice(at + 1));
  }
  for (const file of operands) add(nameOf(file), file);
  if (databases.size === 0) throw new UsageError('“mcp” needs DB, or --name NAME=DB.');
  const [tables, hiddenColumns] = [options.texts('tables'), options.texts('hide-columns')];
  const rules = tables.length + hiddenColumns.length > 0 ? { tables, hiddenColumns } : null;
  const write = options.text('write') ?? 'off';
  if (write !== 'off' && write !== 'ask') throw new UsageError(`--write takes off or ask, not “${write}”.`);
  if (write === 'ask' && rules !== null)
    throw new UsageError(
      '--write ask cannot be used with --tables or --hide-columns: what a statement would change can show what they hide.',
    );
  const limitS = options.count('timeout', LIMIT_S);
  if (limitS < 1 || limitS > MOST_LIMIT_S) throw new UsageError(`--timeout takes 1 to ${MOST_LIMIT_S} seconds.`);
  return { databases, rules, mayPropose: write === 'ask', limitMs: 1000 * limitS };
}
