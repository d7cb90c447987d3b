// The findings of one check: no more than a user can look at.
import type { Finding, FindingFact, Mend } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';

/** Limit per kind: a generated schema has the same fault in all of its tables. */
const MAX_OF_A_KIND = 200;

export class Findings {
  readonly all: Finding[] = [];
  more = 0;
  readonly #counts = new Map<string, number>();

  add(fact: FindingFact, where: string | null = null, mends: readonly Mend[] = []): void {
    const count = (this.#counts.get(fact.kind) ?? 0) + 1;
    this.#counts.set(fact.kind, count);
    if (count > MAX_OF_A_KIND) this.more++;
    else this.all.push({ ...fact, where, mends });
  }
}

/** Tables with their own rows that a user created, in the order of the schema. */
export function plainTables(connection: Connection): readonly string[] {
  const plain = new Set(listTables(connection).flatMap(({ name, kind }) => (kind === 'table' ? [name] : [])));
  return connection
    .all("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .map(([name]) => name as string)
    .filter((name) => plain.has(name));
}
