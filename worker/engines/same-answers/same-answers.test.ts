// Both engines answer alike: the queries over Chinook, and up to two thousand made from seeds. What differs is explained by an option that one
// of the two builds has, and shown to be: with the option's effect written into the query, the answers are the same.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { createNativeEngine } from '../native/native-engine.ts';
import { answer, firstDifference, openOnBoth, rowCountOf, rowsInAnyOrder } from './both-engines.test-suite.ts';
import type { Answer, BothEngines } from './both-engines.test-suite.ts';
import { CHINOOK_ADDITIONS, CHINOOK_QUERIES } from './chinook-queries.test-suite.ts';
import { generatedDatabase } from './generated-database.test-suite.ts';
import { generatedQuery } from './generated-queries.test-suite.ts';
import {
  EXPLANATIONS,
  NOT_UTF8,
  ONE_SIDED,
  PLAIN,
  PLAN_OPTION,
  WITHOUT_EFFECT,
} from './option-differences.test-suite.ts';
import type { Dialect, Explanation } from './option-differences.test-suite.ts';

const CHINOOK = resolve(import.meta.dirname, '../../../../shared/data/chinook.sqlite');
const GENERATED = seedCount(2_000);
/** A test of its own for each so many. */
const BLOCK = 200;
/** Rows at a time that are stepped through. */
const FEW = 50;
const FIRST_SEED = 20_261;

const folder = mkdtempSync(join(tmpdir(), 'sidelite-answers-'));
const opened: BothEngines[] = [];
const engine = await createNativeEngine();

async function bothOn(name: string, script: string, from?: string): Promise<BothEngines> {
  const path = join(folder, name);
  if (from !== undefined) copyFileSync(from, path);
  const connection = engine.open(path, { durability: 'balanced', create: true });
  const statements = connection.script(script);
  for (let statement = statements.next(); statement; statement = statements.next()) while (statement.step());
  connection.close();
  const both = await openOnBoth(path);
  opened.push(both);
  return both;
}

afterAll(() => {
  for (const both of opened) both.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the two builds', async () => {
  const both = await bothOn('options.db', 'CREATE TABLE t(a)');
  const options = [both.wasm, both.native].map(
    (connection) => new Set(connection.all('PRAGMA compile_options').map(([option]) => String(option))),
  );
  const name = (option: string): string => option.split('=', 1)[0]!;
  const differing = new Set(
    options.flatMap((own, at) => [...own].filter((option) => !options[1 - at]!.has(option))).map(name),
  );

  it('are of the same source', () => {
    const source = 'SELECT sqlite_source_id()';
    expect(both.native.one(source)).toEqual(both.wasm.one(source));
  });

  it('differ by the options that are listed with a reason, and by no other', () => {
    const listed = [
      ...EXPLANATIONS.map(({ option }) => option),
      ...ONE_SIDED.map(({ option }) => option),
      PLAN_OPTION,
      ...Object.keys(WITHOUT_EFFECT),
    ];
    expect([...differing].toSorted()).toEqual(listed.toSorted());
  });

  it.each(ONE_SIDED)('$option: only one of them answers', ({ sql }) => {
    const answered = [both.wasm, both.native].filter((connection) => !('error' in answer(connection, sql)));
    expect(answered).toHaveLength(1);
  });

  it('LIKE_DOESNT_MATCH_BLOBS and COMPILER are seen where they are said to be', () => {
    const differs = (sql: string): boolean =>
      firstDifference(answer(both.wasm, sql), answer(both.native, sql)) !== null;
    expect(differs("SELECT x'61' LIKE 'a'")).toBe(true);
    expect(
      differs('WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200) SELECT log10(i) FROM n'),
    ).toBe(true);
    expect(differs('SELECT sqrt(2), 10 / 4.0, round(2.675, 2)')).toBe(false);
  });
});

describe.runIf(existsSync(CHINOOK))('Chinook', async () => {
  const both = existsSync(CHINOOK) ? await bothOn('chinook.db', CHINOOK_ADDITIONS, CHINOOK) : null;

  it.each(CHINOOK_QUERIES)('%s', (sql) => {
    const [wasm, native] = [answer(both!.wasm, sql), answer(both!.native, sql)];
    expect(wasm).not.toHaveProperty('error');
    expect(rowCountOf(wasm)).toBeGreaterThan(0);
    expect(firstDifference(wasm, native)).toBeNull();
    expect(firstDifference(native, answer(both!.native, sql, FEW))).toBeNull();
  });
});

describe('generated queries', async () => {
  const databases = [
    await bothOn('plain.db', generatedDatabase(1, false)),
    await bothOn('analyzed.db', generatedDatabase(2, true)),
  ];
  const on = (seed: number): BothEngines => databases[seed % databases.length]!;
  const blocks = Array.from({ length: Math.ceil(GENERATED / BLOCK) }, (_, block) => FIRST_SEED + block * BLOCK);

  it.for(blocks)(`are answered alike (${BLOCK} from seed %i on)`, (first, { annotate }) => {
    const counts = { rows: 0, errors: 0 };
    const explained = new Map<string, number>();
    const unexplained: string[] = [];
    for (let seed = first; seed < first + BLOCK; seed++) {
      const sql = generatedQuery(seed, PLAIN);
      const { wasm, native } = on(seed);
      const [mine, theirs] = [answer(wasm, sql), answer(native, sql)];
      counts.rows += rowCountOf(mine);
      if ('error' in mine) counts.errors++;
      const inPieces = seed % 4 === 0 ? firstDifference(theirs, answer(native, sql, FEW)) : null;
      if (inPieces !== null) unexplained.push(`seed ${seed}, a few rows at a time: ${inPieces}\n${sql}`);
      const difference = firstDifference(mine, theirs);
      if (difference === null) continue;
      const option = explain(on(seed), seed);
      if (option === null) unexplained.push(`seed ${seed}: ${difference}\n${sql}`);
      else explained.set(option, (explained.get(option) ?? 0) + 1);
    }
    const reasons = [...explained].map(([option, times]) => `${option} ${times}`).join(', ');
    void annotate(`${BLOCK} queries, ${counts.rows} rows, ${counts.errors} errors; explained: ${reasons || 'none'}`);
    expect(unexplained.slice(0, 5).join('\n\n')).toBe('');
    // Most queries must say something, or their being the same says nothing.
    expect(counts.errors).toBeLessThan(BLOCK / 5);
    expect(counts.rows).toBeGreaterThan(BLOCK * 10);
  });
});

/** Reason for the difference of this query; null if none of the listed reasons applies. */
function explain({ wasm, native }: BothEngines, seed: number): string | null {
  const ask = (dialect: Dialect): readonly [Answer, Answer] => {
    const sql = generatedQuery(seed, dialect);
    return [answer(wasm, sql), answer(native, sql)];
  };
  const combinations: readonly (readonly Explanation[])[] = [[], ...EXPLANATIONS.map((one) => [one]), EXPLANATIONS];
  for (const text of ['exact', 'as-string'] as const) {
    for (const reasons of combinations) {
      const dialect = { ...PLAIN, ...Object.assign({}, ...reasons.map(({ levelled }) => levelled)) } as Dialect;
      if (firstDifference(...ask(dialect), text) !== null) continue;
      return [...reasons.map(({ option }) => option), ...(text === 'exact' ? [] : [NOT_UTF8])].join(' + ');
    }
  }
  const sql = generatedQuery(seed, PLAIN);
  const plans = [wasm, native].map((connection) => JSON.stringify(connection.all(`EXPLAIN QUERY PLAN ${sql}`)));
  const [mine, theirs] = ask(PLAIN);
  return plans[0] !== plans[1] && rowsInAnyOrder(mine) === rowsInAnyOrder(theirs) ? PLAN_OPTION : null;
}
