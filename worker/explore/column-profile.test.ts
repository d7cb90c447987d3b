import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ColumnProfile, ColumnProfileChunk } from '#shared/protocol/explore.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { Scan } from '../readers/scan.ts';
import { testTurn } from './test-turn.test-suite.ts';
import { profileColumn, compareStored } from './column-profile.ts';
import type { ProfileRequest } from './column-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelite-explore-'));
const options = { durability: 'full', create: true } as const;
const wasm = (await createWasmEngine()).engine.open(IN_MEMORY, options);
const native = (await createNativeEngine()).open(join(folder, 'a.db'), options);
afterAll(() => {
  native.close();
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly profile: ColumnProfile;
  readonly chunks: readonly ColumnProfileChunk[];
  readonly pauses: number;
}

function run(connection: Connection, request: Partial<ProfileRequest>, stopAfter = Infinity): Run {
  let pauses = 0;
  const turn = testTurn(connection, () => pauses >= stopAfter);
  const chunks: ColumnProfileChunk[] = [];
  const body = profileColumn(
    new Scan(turn, () => undefined),
    { table: 't', column: 'c', filter: [], ...request },
    (chunk) => chunks.push(chunk),
  );
  for (;;) {
    const step = body.next();
    if (step.done) return { profile: step.value, chunks, pauses };
    pauses++;
  }
}

describe.each([
  ['wasm', wasm],
  ['native', native],
] as const)('on the %s engine', (name, connection) => {
  const fill = (ddl: string, values: readonly Value[]): void => {
    connection.run('DROP TABLE IF EXISTS t');
    connection.run(ddl);
    connection.run('BEGIN');
    for (const value of values) connection.run('INSERT INTO t(c) VALUES (?)', [value]);
    connection.run('COMMIT');
  };

  it('counts classes, values, lengths, and the mean', () => {
    fill('CREATE TABLE t(c)', [1, 1, 2, { real: 2 }, 'b', 'a', 'a', 'a', null, new Uint8Array([1, 2])]);
    const { profile } = run(connection, {});
    expect(profile).toMatchObject({
      rows: 10,
      classes: { null: 1, integer: 3, real: 1, text: 4, blob: 1 },
      distinct: { count: 6, isExact: true },
      least: 1,
      greatest: new Uint8Array([1, 2]),
      mean: 1.5,
      lengths: { least: 1, greatest: 2, mean: 1.2 },
    });
    expect(profile.top.slice(0, 3)).toEqual([
      { value: 'a', rows: 3 },
      { value: 1, rows: 2 },
      { value: null, rows: 1 },
    ]);
  });

  it('agrees with SQLite on random values, in a table with and without row ids, and in a view', () => {
    const value: fc.Arbitrary<Value> = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true }).map((real): Value => (Number.isInteger(real) ? { real } : real)),
      fc.string({ maxLength: 2, unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 2 }),
      fc.constant(null),
    );
    const shapes = ['CREATE TABLE t(c)', 'CREATE TABLE t(id INTEGER, c, PRIMARY KEY(id, c)) WITHOUT ROWID'];
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), fc.constantFrom(0, 1, 2), (values, way) => {
        connection.run('DROP VIEW IF EXISTS v');
        connection.run('DROP TABLE IF EXISTS t');
        connection.run(shapes[way === 1 ? 1 : 0]!);
        values.forEach((each, at) => {
          // A key without row ids cannot be NULL.
          if (way === 1 && each !== null) connection.run('INSERT INTO t VALUES (?, ?)', [at, each]);
          if (way !== 1) connection.run('INSERT INTO t(c) VALUES (?)', [each]);
        });
        connection.run('CREATE VIEW v AS SELECT c FROM t');
        const { profile } = run(connection, { table: way === 2 ? 'v' : 't' });
        const truth = connection.one(
          `SELECT count(*), min(c), max(c), (SELECT count(*) FROM (SELECT DISTINCT typeof(c), c FROM t WHERE c IS NOT NULL)),
             sum(c IS NULL), min(iif(typeof(c) IN ('text', 'blob'), length(c), NULL)) FROM t`,
        )!;
        expect([profile.rows, profile.distinct.count, profile.classes.null]).toEqual([
          truth[0],
          truth[3],
          truth[4] ?? 0,
        ]);
        expect(compareStored(profile.least, truth[1]!)).toBe(0);
        expect(compareStored(profile.greatest, truth[2]!)).toBe(0);
        expect(profile.lengths?.least ?? null).toBe(truth[5]);
        expect(profile.top.reduce((sum, { rows }) => sum + rows, 0)).toBe(profile.rows);
        const inBuckets = profile.histogram.reduce((sum, { rows }) => sum + rows, 0);
        if (profile.histogram.length > 0) expect(inBuckets).toBe(profile.classes.integer + countFinite(values, way));
      }),
      { numRuns: seedCount(150), seed: 15 },
    );
  });

  it('counts only what the filter leaves', () => {
    fill('CREATE TABLE t(id INTEGER PRIMARY KEY, c)', ['a', 'b', 'b', 'c']);
    const { profile } = run(connection, {
      filter: [{ column: 'c', operator: '>', value: 'a' }],
      where: "c <> 'c'",
    });
    expect(profile.top).toEqual([{ value: 'b', rows: 2 }]);
  });

  it('reads in slices that pause, and stops between two', () => {
    connection.run('DROP TABLE IF EXISTS t');
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, c)');
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i * 1000, i % 7 FROM n',
    );
    const { profile, pauses } = run(connection, {});
    expect(profile.rows).toBe(20_000);
    expect(pauses).toBeGreaterThan(5);
    expect(() => run(connection, {}, 3)).toThrow(expect.objectContaining({ code: 'stopped' }));
  });

  it('does not keep long values, and says that it cannot tell them apart', () => {
    fill('CREATE TABLE t(c)', ['x'.repeat(5000), `${'x'.repeat(4999)}y`, 'z']);
    const { profile } = run(connection, {});
    expect(profile.distinct.isExact).toBe(false);
    expect(profile.top).toEqual([{ value: 'z', rows: 1 }]);
    expect(profile.lengths).toMatchObject({ least: 1, greatest: 5000 });
    expect((profile.least as string).length).toBe(1000);
  });

  it('names a column that does not exist', () => {
    fill('CREATE TABLE t(c)', []);
    expect(() => run(connection, { column: `nope on ${name}` })).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    );
  });
});

const countFinite = (values: readonly Value[], way: number): number =>
  values.filter((value) => {
    if (value === null && way === 1) return false;
    const real = typeof value === 'object' && value !== null && 'real' in value ? value.real : value;
    return typeof real === 'number' && Number.isFinite(real) && !(Number.isSafeInteger(value) && !Object.is(value, -0));
  }).length;
