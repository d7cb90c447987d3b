// Completion in a PRAGMA statement: its name, then the values it takes.
import type { Completion } from '@codemirror/autocomplete';
import { tableOption } from './completion-options.ts';
import type { SchemaColumns } from './scope/names.ts';
import type { SqlToken } from './scope/statement-tokens.ts';
import { PRAGMAS } from './sql-pragmas.ts';

const names: readonly Completion[] = PRAGMAS.map(({ name, text }) => ({ label: name, type: 'function', info: text }));

/** @param before the tokens of the statement before the cursor. @returns null outside of a PRAGMA statement */
export function pragmaOptions(before: readonly SqlToken[], schema: SchemaColumns): readonly Completion[] | null {
  if (before[0]?.word !== 'pragma') return null;
  const at = before[2]?.word === '.' ? 3 : 1;
  const name = before[at];
  if (!name) return names;
  const sign = before[at + 1]?.word;
  if (before.length !== at + 2 || (sign !== '=' && sign !== '(')) return [];
  const values = PRAGMAS.find((pragma) => pragma.name === name.word)?.values ?? [];
  if (values === 'table') return schema.map(({ table }) => tableOption(table, 'table', 0));
  if (typeof values === 'string') return [];
  return values.map((label) => ({ label, type: 'keyword' }));
}
