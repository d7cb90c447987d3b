// Pages of random tables on a real server against their rows in order: keys of several columns, directions and collations, values of any
// storage class, NULL, text that is not UTF-8; and rows that others insert and delete between two pages.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { planReader } from './open-reader.ts';
import type { Reader } from './reader.ts';
import { hostOf } from './reader-host.test-suite.ts';

const SEED = 16_0716;

/** Literals: each storage class, and neighbors that compare equal or nearly so. */
const LITERALS = [
  'NULL', '0', '-0.0', '1', '1.0', '1.5', '-7', '9007199254740993', '9223372036854775807', '9.2e18', '9e999', '-9e999',
  "''", "'a'", "'A'", "'b'", "'B '", "'10'", "'9'", "'ä'", "x''", "x'61'", "x'ff'", "CAST(x'61ff' AS TEXT)", "CAST(x'ff' AS TEXT)",
]; // prettier-ignore
const literal = fc.constantFrom(...LITERALS);

const KEYS = ['a, b', 'a DESC, b', 'a COLLATE NOCASE, b DESC', 'b, a', 'b COLLATE RTRIM DESC, a COLLATE NOCASE DESC'];

interface Table {
  /** Null: a table with row ids. */
  readonly key: string | null;
  readonly types: string;
  readonly rows: readonly (readonly string[])[];
  readonly sort: readonly SortTerm[];
  readonly page: number;
}

const column = fc.constantFrom('a', 'b', 'v');
const anyTable: fc.Arbitrary<Table> = fc.record({
  key: fc.option(fc.constantFrom(...KEYS)),
  types: fc.constantFrom('a, b, v', 'a TEXT, b INTEGER, v REAL', 'a TEXT COLLATE NOCASE, b, v BLOB'),
  rows: fc.array(fc.tuple(literal, literal, literal), { maxLength: 40 }),
  sort: fc.uniqueArray(fc.record({ column, descending: fc.boolean() }), {
    maxLength: 2,
    selector: (term) => term.column,
  }),
  page: fc.integer({ min: 1, max: 13 }),
});

/** Equal exactly if storage class and bits are. */
const exact = (value: Value): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value instanceof Uint8Array ? [...value] : value, (_name, part: unknown) =>
        part instanceof Uint8Array ? [...part] : Object.is(part, -0) ? '-0' : part,
      )
    : `${typeof value} ${String(value)}`;

const server = await startTestServer();

describe.skipIf('why' in server)('random tables on a server', () => {
  const { url, end } = server as TestServer;
  let connection: RemoteConnection;
  let other: RemoteConnection;
  beforeAll(async () => {
    const engine = await serverEngine(url);
    connection = engine.open('random', { durability: 'full' }) as RemoteConnection;
    other = engine.open('random', { durability: 'full' }) as RemoteConnection;
  });
  afterAll(async () => {
    connection.close();
    other.close();
    await end();
  });

  function make({ key, types, rows }: Table): void {
    connection.run('DROP TABLE IF EXISTS t');
    connection.run(
      key === null ? `CREATE TABLE t(${types})` : `CREATE TABLE t(${types}, PRIMARY KEY (${key})) WITHOUT ROWID`,
    );
    connection.run('BEGIN');
    for (const row of rows) connection.run(`INSERT OR IGNORE INTO t VALUES (${row.join(', ')})`);
    connection.run('COMMIT');
  }

  const open = ({ sort }: Table): Reader =>
    planReader(connection, { table: 't', sort: [...sort], filter: [], mayScan: true })(hostOf(connection));

  /** Rows of a page as texts that distinguish any two values, without the row ids that may precede them. */
  async function pageOf(reader: Reader, start: number, count: number): Promise<readonly string[]> {
    const { rows } = await reader.read(start, count);
    const cells = new PackedRowsReader(rows);
    const from = rows.columnCount - 3;
    return Array.from({ length: rows.rowCount }, (_, row) =>
      [0, 1, 2].map((at) => exact(cells.value(row, from + at))).join(' | '),
    );
  }

  async function allOf(reader: Reader, count: number, between: (page: readonly string[]) => void = () => undefined) {
    const all: string[] = [];
    for (let page = await pageOf(reader, 0, count); page.length > 0; page = await pageOf(reader, all.length, count)) {
      all.push(...page);
      between(page);
    }
    return all;
  }

  const stored = (): string[] => other.all('SELECT * FROM t').map((row) => row.map(exact).join(' | '));

  it('pages are the rows in order, each once, wherever a page begins', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.array(fc.nat(45), { maxLength: 4 }), async (table, starts) => {
        make(table);
        const reader = open(table);
        await reader.open?.();
        const all = await allOf(reader, table.page);
        // SQLite reads a table in the order of its key.
        if (table.sort.length === 0) expect(all).toEqual(stored());
        else expect(all.toSorted()).toEqual(stored().toSorted());
        for (const start of starts)
          expect(await pageOf(reader, start, table.page)).toEqual(all.slice(start, start + table.page));
        reader.dispose();
      }),
      { seed: SEED, numRuns: seedCount(25), interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
    );
  });

  it('rows that stay are shown once, although others insert and delete between two pages', async () => {
    const change = fc.oneof(
      fc.record({ remove: fc.nat(40) }),
      fc.record({ insert: fc.tuple(literal, literal, literal) }),
    );
    await fc.assert(
      fc.asyncProperty(anyTable, fc.array(fc.array(change, { maxLength: 3 })), async (table, rounds) => {
        make(table);
        const reader = open({ ...table, sort: [] });
        const before = stored();
        const gone = new Set<string>();
        let round = 0;
        const all = await allOf(reader, table.page, (page) => {
          for (const each of rounds[round++] ?? []) {
            if ('insert' in each) {
              other.run(`INSERT OR IGNORE INTO t VALUES (${each.insert.join(', ')})`);
              continue;
            }
            // Often the very row after which the next page begins.
            const rows = stored();
            const at = each.remove % 2 === 0 ? rows.lastIndexOf(page.at(-1)!) : each.remove % Math.max(1, rows.length);
            if (rows[at] === undefined) continue;
            gone.add(rows[at]);
            other.run(
              `DELETE FROM t WHERE ${table.key === null ? 'rowid' : '(a, b)'} IN (SELECT ${table.key === null ? 'rowid' : 'a, b'} FROM t LIMIT 1 OFFSET ${at})`,
            );
          }
        });
        const kept = before.filter((row) => !gone.has(row));
        const copies = (rows: readonly string[], row: string): number => rows.filter((each) => each === row).length;
        for (const row of kept) {
          expect(copies(all, row)).toBeGreaterThanOrEqual(copies(before, row));
          if (table.key !== null) expect(copies(all, row)).toBe(1);
        }
        reader.dispose();
      }),
      { seed: SEED, numRuns: seedCount(25), interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
    );
  });
});
