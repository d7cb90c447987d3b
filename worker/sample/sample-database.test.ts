import { createHash } from 'node:crypto';
import type { Progress } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { buildSample, SAMPLE_ROWS } from './sample-database.ts';

function build(engine: Engine): { db: Connection; progress: Progress[]; pauses: number } {
  const db = engine.open(IN_MEMORY, { durability: 'full', create: true });
  db.run('PRAGMA foreign_keys = on');
  const progress: Progress[] = [];
  let pauses = 0;
  for (const pause of buildSample(db, (value) => progress.push(value))) {
    expect(pause).toBe('between');
    expect(db.autocommit).toBe(true);
    pauses++;
  }
  return { db, progress, pauses };
}

const ORDINARY_TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`;

function tableNames(db: Connection): string[] {
  return db.all(ORDINARY_TABLES).map(([name]) => String(name));
}

function contentHash(db: Connection): string {
  const hash = createHash('sha256');
  for (const name of tableNames(db)) {
    for (const row of db.all(`SELECT * FROM "${name}"`)) {
      for (const value of row)
        hash.update(value instanceof Uint8Array ? value : `${typeof value} ${JSON.stringify(value, bigAsText)}\n`);
    }
  }
  return hash.digest('hex');
}

const bigAsText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('buildSample', () => {
  let engine: Engine;
  let db: Connection;
  let progress: Progress[];
  let pauses: number;
  beforeAll(async () => {
    ({ engine } = await createWasmEngine());
    ({ db, progress, pauses } = build(engine));
  });

  const one = (sql: string): Value => db.one(sql)![0]!;

  it('fills twelve tables with 100,000 rows', () => {
    const tables = tableNames(db);
    const counts = Object.fromEntries(tables.map((name) => [name, one(`SELECT count(*) FROM "${name}"`) as number]));
    expect(tables).toHaveLength(12);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(SAMPLE_ROWS);
    expect(counts['stock_log']).toBeGreaterThan(1000);
  });

  it('is sound: no integrity error, no dangling reference, full text index in step', () => {
    expect(one('PRAGMA integrity_check')).toBe('ok');
    expect(db.all('PRAGMA foreign_key_check')).toEqual([]);
    expect(() => db.run(`INSERT INTO review_search (review_search, rank) VALUES ('integrity-check', 1)`)).not.toThrow();
  });

  it('shows one of everything: kinds of tables, generated columns, big integers, NULLs, triggers, views', () => {
    expect(one(`SELECT group_concat(name) FROM pragma_table_list WHERE wr AND name NOT LIKE 'review%'`)).toBe(
      'order_line,stock',
    );
    expect(one('SELECT name FROM pragma_table_list WHERE strict')).toBe('payment');
    expect(one(`SELECT group_concat(DISTINCT hidden) FROM pragma_table_xinfo('order_line')`)).toContain('3');
    expect(one('SELECT count(*) FROM product WHERE weight_g IS NULL OR margin_cents <= 0')).toBe(0);
    expect(one('SELECT min(id) > 9007199254740991 FROM payment')).toBe(1);
    expect(one('SELECT count(DISTINCT typeof(receipt)) FROM payment')).toBe(3);
    expect(one('SELECT count(*) FROM customer WHERE born_on IS NULL')).toBeGreaterThan(500);
    expect(one(`SELECT count(*) FROM customer WHERE country = 'JP'`)).toBeGreaterThan(300);
    expect(one(`SELECT count(*) FROM review_search WHERE review_search MATCH 'Lofoten AND zip'`)).toBeGreaterThan(0);
    for (const view of ['order_total', 'revenue_by_month', 'low_stock', 'product_rating'])
      expect(one(`SELECT count(*) FROM ${view}`)).toBeGreaterThan(10);
  });

  it('logs what its triggers should', () => {
    db.run('SAVEPOINT look');
    const before = one('SELECT count(*) FROM stock_log') as number;
    db.run('UPDATE stock SET quantity = quantity + 1 WHERE product_id = 7');
    expect(one('SELECT count(*) FROM stock_log')).toBe(before + 6);
    db.run('DELETE FROM "order" WHERE id = (SELECT order_id FROM review WHERE order_id IS NOT NULL LIMIT 1)');
    expect(db.all('PRAGMA foreign_key_check')).toEqual([]);
    db.run('ROLLBACK TO look');
    db.run('RELEASE look');
  });

  it('reports progress that only grows and pauses often', () => {
    const done = progress.map((value) => value.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ phase: 'Stock log', done: SAMPLE_ROWS, total: SAMPLE_ROWS, unit: 'rows' });
    expect(pauses).toBeGreaterThan(40);
  });

  it.runIf(LONG)('is the same every time', () => {
    expect(contentHash(build(engine).db)).toBe(contentHash(db));
  });
});
