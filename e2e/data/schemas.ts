// Schemas for diagrams, from a seed: as many tables and foreign keys as wanted, with clusters as real schemas have them.
import { seeded } from './seeded.ts';

interface SchemaSize {
  readonly tables: number;
  readonly keys: number;
  readonly seed?: number;
}

const WORDS =
  'account address album artist batch booking branch budget campaign card category channel city claim client'.split(
    ' ',
  );
const PART = 20;
const TYPES = ['INTEGER', 'TEXT', 'REAL', 'VARCHAR(80)', 'DECIMAL(10,2)', 'BLOB', 'DATE'];

/** A script that makes them; the same for the same numbers. */
export function randomSchema({ tables, keys, seed = 14 }: SchemaSize): string {
  const next = seeded(seed);
  const below = (limit: number): number => next() % limit;
  const names = Array.from(
    { length: tables },
    (_, at) => `${WORDS[at % WORDS.length]!}${at < WORDS.length ? '' : `_${at}`}`,
  );
  const columns = names.map(() =>
    Array.from(
      { length: 2 + below(9) },
      (_, at) => `value_${at} ${TYPES[below(TYPES.length)]!}${below(3) === 0 ? ' NOT NULL' : ''}`,
    ),
  );
  for (let key = 0; key < keys; key++) {
    const from = below(tables);
    // Most refer to something near, some to the first table of another part, as in a schema that grew.
    const near = Math.max(0, from - 1 - below(6));
    const to = below(12) === 0 ? below(Math.ceil(tables / PART)) * PART : near;
    const actions = below(3) === 0 ? ' ON DELETE CASCADE' : '';
    columns[from]!.push(
      `to_${key} INTEGER${below(2) === 0 ? ' NOT NULL' : ''} REFERENCES ${names[to]!} (id)${actions}`,
    );
  }
  const tablesSql = names.map(
    (name, at) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${columns[at]!.join(', ')});`,
  );
  return ['BEGIN;', ...tablesSql, 'COMMIT;'].join('\n');
}
