// How long SQLite prepares the triggers of a statement: it looks for each trigger of each table that each of their statements writes to in a
// list of all that the statement may run.
import { foldName } from '#shared/ddl/names.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface TriggerText {
  readonly name: string;
  readonly sql: string;
}

interface Trigger {
  readonly name: string;
  readonly table: string;
  /** Tables that it writes to, once for each statement. */
  readonly targets: readonly string[];
}

/** Takes 0.3 s natively, and two to four times as long in wasm. 200 triggers of 200 statements each that run one another are 800 million. */
const MOST_LOOKUPS = 80_000_000;
const WRITES = /\b(?:insert|replace|update|delete)\b/gi;
const BEFORE_TARGET: ReadonlySet<string> = new Set([
  'INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'OR', 'ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'INTO', 'FROM',
]); // prettier-ignore

/** The first of the triggers that together are too many to be prepared; null if there are none. */
export function heavyTriggers(texts: readonly TriggerText[]): string | null {
  const statements = texts.reduce((sum, { sql }) => sum + (sql.match(WRITES)?.length ?? 0), 0);
  if (statements * texts.length ** 2 <= MOST_LOOKUPS) return null;
  const triggers = texts.map(readTrigger);
  const count = new Map<string, number>();
  for (const { table } of triggers) count.set(table, (count.get(table) ?? 0) + 1);
  const groups = new Groups();
  for (const { table, targets } of triggers)
    for (const target of new Set(targets)) if (count.has(target)) groups.join(table, target);
  const sums = new Map<string, { readonly first: string; triggers: number; calls: number }>();
  for (const { name, table, targets } of triggers) {
    const group = groups.of(table);
    const sum = sums.get(group) ?? { first: name, triggers: 0, calls: 0 };
    sum.triggers++;
    for (const target of targets) sum.calls += count.get(target) ?? 0;
    sums.set(group, sum);
  }
  return [...sums.values()].find((sum) => (sum.calls * sum.triggers) / 2 > MOST_LOOKUPS)?.first ?? null;
}

function readTrigger({ name, sql }: TriggerText): Trigger {
  const scanner = new SqlScanner(sql);
  const targets: string[] = [];
  let [table, isBody, isBeginning] = ['', false, false];
  for (let kind = scanner.next(); kind !== Token.end; kind = scanner.next()) {
    const word = kind === Token.word ? scanner.text.toUpperCase() : '';
    if (!isBody && word === 'ON' && table === '') {
      scanner.next();
      table = foldName(scanner.name);
    } else if (word === 'BEGIN') isBody = isBeginning = true;
    else if (kind === Token.semicolon) isBeginning = true;
    else if (isBody && isBeginning && !BEFORE_TARGET.has(word)) {
      isBeginning = false;
      if (word !== 'SELECT' && word !== 'END') targets.push(foldName(scanner.name));
    }
  }
  return { name, table, targets };
}

/** Tables that lead to each other. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(table: string): string {
    let root = table;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    if (root !== table) this.#parents.set(table, root);
    return root;
  }

  join(a: string, b: string): void {
    const [rootA, rootB] = [this.of(a), this.of(b)];
    if (rootA !== rootB) this.#parents.set(rootA, rootB);
  }
}
