import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareDigests, differingRows, rowsOnlyHere } from '#shared/comparison/differences.ts';
import type { CompareOperations, CompareRunReply } from '#shared/protocol/compare.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { readersOf } from '../live/reader-registry.ts';
import { useSpoolStorage } from '../readers/spool-storage.ts';
import { temporarySpool } from '../native/spool-files.ts';
import { failureOf, runScript, valuesOf } from '../operations/database-fixture.test-suite.ts';
import { createClock } from '../sessions/clock.ts';
import { OpenDatabase } from '../sessions/database-session.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { sharedCompareHandlers } from './handlers.ts';

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);
`;

useSpoolStorage(temporarySpool);

class Side {
  readonly window = new ClientWindow('w', () => undefined);
  readonly database: OpenDatabase;
  readonly connection: Connection;
  readonly #engine: Engine;
  cancel: (() => void)[] = [];

  constructor(engine: Engine, location: string) {
    this.#engine = engine;
    this.connection = engine.open(location, { durability: 'balanced', create: true });
    runScript(this.connection, SHOP);
    const entry = { id: 'db', name: 'Shop', durability: 'balanced', source: null } as unknown as LibraryEntry;
    const clock = createClock();
    this.database = new OpenDatabase('db', new RestingConnection(() => this.connection), {
      clock,
      monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
      entryOf: () => entry,
      busyElsewhere: () => false,
      onChanges: () => undefined,
      onStateChanged: () => undefined,
    });
    this.database.windows.add(this.window);
  }

  async call<K extends keyof typeof sharedCompareHandlers>(
    op: K,
    params: Omit<CompareOperations[K]['params'], 'database'>,
  ): Promise<CompareOperations[K]['reply']> {
    const handler = sharedCompareHandlers[op] as unknown as (params: unknown, context: unknown) => unknown;
    const context = {
      id: 1,
      session: { window: this.window, engine: this.#engine.info, database: () => this.database },
      emit: () => Promise.resolve(),
      canceled: false,
      onCancel: (listener: () => void) => void this.cancel.push(listener),
    };
    return (await handler({ ...params, database: 'db' }, context)) as CompareOperations[K]['reply'];
  }

  close(): void {
    this.database.leave(this.window);
    this.database.close();
  }
}

let folder: string;
let wasm: Side;
let native: Side;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-compare-'));
  wasm = new Side((await createWasmEngine()).engine, IN_MEMORY);
  native = new Side(await createNativeEngine(), join(folder, 'shop.db'));
});
afterEach(() => {
  wasm.close();
  native.close();
  rmSync(folder, { recursive: true });
});

async function both(sql: string): Promise<readonly [CompareRunReply, CompareRunReply]> {
  return [await wasm.call('compare.run', { sql }), await native.call('compare.run', { sql })];
}

function digests([left, right]: readonly [CompareRunReply, CompareRunReply], statement = 0) {
  const [a, b] = [left.statements[statement]!.result!, right.statements[statement]!.result!];
  return { a, b, ...compareDigests(a, b) };
}

async function differences(runs: readonly [CompareRunReply, CompareRunReply]) {
  const { a, b, verdict, pages, buckets } = digests(runs);
  const sides = [
    [wasm, a],
    [native, b],
  ] as const;
  const hashes = await Promise.all(
    sides.map(async ([side, { reader, rows }]) => ({
      hashes: await side.call('compare.hashes', { reader: reader.reader, pages }),
      rows,
    })),
  );
  const found = await Promise.all(
    sides.map(([side, { reader }]) => side.call('compare.find', { reader: reader.reader, buckets, limit: 1000 })),
  );
  return {
    verdict,
    rows: differingRows(pages, hashes[0]!, hashes[1]!),
    only: rowsOnlyHere(found[0]!, found[1]!),
  };
}

describe('both engines', () => {
  test('say the same of every kind of value', async () => {
    const runs =
      await both(`SELECT 1, 1.0, 2.5, 9007199254740993, 'é', x'00ff', NULL, '', x'', -0.0, 1e300, hex(zeroblob(70000));
      SELECT * FROM item ORDER BY id; WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x, x * 1.5, 'n' || x FROM c`);
    for (const statement of [0, 1, 2]) expect(digests(runs, statement).verdict).toBe('identical');
    expect(digests(runs, 2).a.rows).toBe(5000);
    expect(runs[0].statements[1]!.plan).toEqual(runs[1].statements[1]!.plan);
    expect(runs[0].statements[1]!.plan[0]!.detail).toContain('SCAN item');
  });

  test('are told apart by what differs, however many rows are the same', async () => {
    const rows = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000)';
    const other = `iif(x % 7000 = 0, sqlite_compileoption_used('ENABLE_GEOPOLY'), x)`;
    const runs = await both(`${rows} SELECT x, ${other} AS y FROM c`);
    expect(await differences(runs)).toEqual({
      verdict: 'content',
      rows: [6999, 13999],
      only: { left: [6999, 13999], right: [6999, 13999] },
    });
  });

  test('may bring the same rows in another order', async () => {
    const geopoly = `sqlite_compileoption_used('ENABLE_GEOPOLY')`;
    const runs = await both(`SELECT id, name FROM item ORDER BY iif(${geopoly}, id, -id)`);
    expect(await differences(runs)).toEqual({ verdict: 'order', rows: [0, 2], only: { left: [], right: [] } });
  });

  test('a long value differs behind what is kept of it', async () => {
    const runs = await both(`SELECT hex(zeroblob(100000)) || sqlite_compileoption_used('ENABLE_GEOPOLY') AS long`);
    const { verdict, rows } = await differences(runs);
    expect({ verdict, rows }).toEqual({ verdict: 'content', rows: [0] });
  });

  test('an error of one of them is its answer, with its place', async () => {
    const sql = `SELECT 1; SELECT soundex('Sidelite'); SELECT 2`;
    const runs = await both(sql);
    const [left, right] = runs;
    expect(left.statements[1]).toMatchObject({ from: 10, to: 37, error: { code: 'sql' }, result: null });
    expect(left.statements[1]!.error!.message).toContain('soundex');
    expect(right.statements.map(({ error }) => error)).toEqual([null, null, null]);
    expect(digests(runs, 2).verdict).toBe('identical');
  });

  test('writes are counted and taken back', async () => {
    const sql = `BEGIN; UPDATE item SET price = price + 1 WHERE id < 3; DELETE FROM item WHERE id = 3; CREATE TABLE more (x); SELECT * FROM item; COMMIT;`;
    const before = [wasm, native].map(({ connection }) => connection.commitMark);
    const runs = await both(sql);
    for (const run of runs) {
      expect(run.wrote).toBe(true);
      expect(run.statements.map(({ rowsChanged }) => rowsChanged)).toEqual([2, 1, 0, null]);
      expect(run.mark).not.toBeNull();
    }
    expect(digests(runs, 3)).toMatchObject({ verdict: 'identical', a: { rows: 2 } });
    for (const { connection } of [wasm, native]) {
      expect(connection.all('SELECT count(*), sum(price) FROM item')).toEqual([[3, 6.5]]);
      expect(connection.autocommit).toBe(true);
    }
    expect([wasm, native].map(({ connection }) => connection.commitMark)).toEqual(before);
  });

  test('a long script is told statement by statement as far as somebody would look', async () => {
    const insert = `INSERT INTO item (name) VALUES ('x');`;
    const runs = await both(`${insert.repeat(1000)} SELECT count(*) FROM item`);
    for (const { statements } of runs) {
      expect(statements).toHaveLength(201);
      expect(statements.reduce((sum, { rowsChanged }) => sum + (rowsChanged ?? 0), 0)).toBe(1000);
      expect(statements[199]).toMatchObject({ from: insert.length * 199, to: insert.length * 1000 });
    }
    expect(digests(runs, 200).verdict).toBe('identical');
  });

  test('nothing is run any more once a statement has ended the transaction', async () => {
    const sql = `INSERT OR ROLLBACK INTO item (id, name) VALUES (1, 'taken'); DELETE FROM item;`;
    for (const { statements } of await both(sql))
      expect(statements.map(({ error }) => error?.code)).toEqual(['constraint']);
    for (const { connection } of [wasm, native]) expect(connection.one('SELECT count(*) FROM item')).toEqual([3]);
  });

  test.each(['VACUUM', 'ROLLBACK', "ATTACH ':memory:' AS x", 'PRAGMA cache_size = 5', 'PRAGMA foreign_keys(0)'])(
    '%s is refused before anything is run',
    async (sql) => {
      const error = await failureOf(wasm.call('compare.run', { sql: `DELETE FROM item; ${sql}` }));
      expect(error.code).toBe('invalid');
      expect(wasm.connection.one('SELECT count(*) FROM item')).toEqual([3]);
    },
  );

  test('a pragma that asks is none that sets', async () => {
    const runs = await both('PRAGMA table_info(item); PRAGMA main.index_list(item); PRAGMA encoding');
    expect(digests(runs).verdict).toBe('identical');
    expect(runs[0].wrote).toBe(false);
  });

  test('a run that is stopped keeps nothing', async () => {
    const sql = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
    const running = native.call('compare.run', { sql });
    while (native.cancel.length === 0) await new Promise((resolve) => setImmediate(resolve));
    setTimeout(() => native.cancel.forEach((stop) => stop()), 50);
    expect((await failureOf(running)).code).toBe('stopped');
    // Numbers of readers only rise: the next one is the first that exists.
    const { statements } = await native.call('compare.run', { sql: 'SELECT 1' });
    const { reader } = statements[0]!.result!.reader;
    expect(() => readersOf(native.window).get(reader - 1)).toThrow('no longer kept');
  });

  test('are timed alike, and send the first rows', async () => {
    const sql = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 9000) SELECT x FROM c';
    for (const side of [wasm, native]) {
      const { engineMs, rowCount, rows } = await side.call('compare.time', { sql });
      expect(rowCount).toBe(9000);
      expect(valuesOf(rows).slice(0, 2)).toEqual([[1], [2]]);
      expect(rows.rowCount).toBeLessThanOrEqual(2000);
      expect(engineMs).toBeGreaterThan(0);
    }
    await wasm.call('compare.time', { sql: 'DELETE FROM item' });
    expect(wasm.connection.one('SELECT count(*) FROM item')).toEqual([3]);
  });

  test('say what they are', async () => {
    const [left, right] = [await wasm.call('compare.facts', {}), await native.call('compare.facts', {})];
    expect(left.engine.sqliteSourceId).toBe(right.engine.sqliteSourceId);
    expect(right.compileOptions).toContain('SOUNDEX');
    expect(left.compileOptions).not.toContain('SOUNDEX');
    expect(left.pragmas).toMatchObject({ foreign_keys: '1', page_size: '8192' });
  });
});
