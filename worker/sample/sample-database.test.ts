import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Progress } from '#shared/protocol/library.ts';
import { isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { buildSample, SAMPLE_ROWS } from './sample-database.ts';

const bindable = (value: Value): unknown => (isReal(value) ? value.real : typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);

/** The part of a connection that the sample needs, on the driver of the tool chain. */
function connectionTo(db: Database.Database): Connection {
  const connection = {
    prepare(sql: string) {
      const statement = db.prepare(sql);
      let params: unknown[] = [];
      return {
        bind: (values: readonly Value[]) => void (params = values.map(bindable)),
        step: () => void statement.run(...params),
        reset: () => undefined,
        finalize: () => undefined,
      };
    },
    script(sql: string) {
      let text: string | null = sql;
      return {
        next: () => (text === null ? null : { step: () => (db.exec(text!), (text = null), false) }),
        dispose: () => undefined,
      };
    },
    run: (sql: string) => void db.exec(sql),
    get autocommit() {
      return !db.inTransaction;
    },
  };
  return connection as unknown as Connection;
}

function build(): { db: Database.Database; progress: Progress[]; pauses: number } {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = on');
  const progress: Progress[] = [];
  let pauses = 0;
  for (const pause of buildSample(connectionTo(db), (value) => progress.push(value))) {
    expect(pause).toBe('between');
    expect(db.inTransaction).toBe(false);
    pauses++;
  }
  return { db, progress, pauses };
}

const ORDINARY_TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`;

function contentHash(db: Database.Database): string {
  const hash = createHash('sha256');
  for (const name of db.prepare(ORDINARY_TABLES).pluck().all()) {
    const rows = db.prepare(`SELECT * FROM "${String(name)}"`).raw().safeIntegers();
    for (const row of rows.iterate()) for (const value of row as unknown[]) hash.update(value instanceof Buffer ? value : `${typeof value} ${String(value)}\n`);
  }
  return hash.digest('hex');
}

describe('buildSample', () => {
  let db: Database.Database;
  let progress: Progress[];
  let pauses: number;
  beforeAll(() => ({ db, progress, pauses } = build()));

  const one = (sql: string): unknown => db.prepare(sql).pluck().get();

  it('fills twelve tables with 100,000 rows', () => {
    const tables = db.prepare(ORDINARY_TABLES).pluck().all() as string[];
    const counts = Object.fromEntries(tables.map((name) => [name, one(`SELECT count(*) FROM "${name}"`) as number]));
    expect(tables).toHaveLength(12);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(SAMPLE_ROWS);
    expect(counts['stock_log']).toBeGreaterThan(1000);
  });

  it('is sound: no integrity error, no dangling reference, full text index in step', () => {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(() => db.exec(`INSERT INTO review_search (review_search, rank) VALUES ('integrity-check', 1)`)).not.toThrow();
  });

  it('shows one of everything: kinds of tables, generated columns, big integers, NULLs, triggers, views', () => {
    expect(one(`SELECT group_concat(name) FROM pragma_table_list WHERE wr AND name NOT LIKE 'review%'`)).toBe('order_line,stock');
    expect(one('SELECT name FROM pragma_table_list WHERE strict')).toBe('payment');
    expect(one('SELECT group_concat(DISTINCT hidden) FROM pragma_table_xinfo(?1)'.replace('?1', "'order_line'"))).toContain('3');
    expect(one('SELECT count(*) FROM product WHERE weight_g IS NULL OR margin_cents <= 0')).toBe(0);
    expect(one('SELECT min(id) > 9007199254740991 FROM payment')).toBe(1);
    expect(one('SELECT count(DISTINCT typeof(receipt)) FROM payment')).toBe(3);
    expect(one('SELECT count(*) FROM customer WHERE born_on IS NULL')).toBeGreaterThan(500);
    expect(one(`SELECT count(*) FROM customer WHERE country = 'JP'`)).toBeGreaterThan(300);
    expect(one(`SELECT count(*) FROM review_search WHERE review_search MATCH 'Lofoten AND zip'`)).toBeGreaterThan(0);
    for (const view of ['order_total', 'revenue_by_month', 'low_stock', 'product_rating']) expect(one(`SELECT count(*) FROM ${view}`)).toBeGreaterThan(10);
  });

  it('logs what its triggers should', () => {
    db.exec('SAVEPOINT look');
    const before = one('SELECT count(*) FROM stock_log') as number;
    db.exec('UPDATE stock SET quantity = quantity + 1 WHERE product_id = 7');
    expect(one('SELECT count(*) FROM stock_log')).toBe(before + 6);
    db.exec('DELETE FROM "order" WHERE id = (SELECT order_id FROM review WHERE order_id IS NOT NULL LIMIT 1)');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.exec('ROLLBACK TO look; RELEASE look');
  });

  it('reports progress that only grows and pauses often', () => {
    const done = progress.map((value) => value.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ phase: 'Stock log', done: SAMPLE_ROWS, total: SAMPLE_ROWS, unit: 'rows' });
    expect(pauses).toBeGreaterThan(40);
  });

  it('is the same every time', () => {
    expect(contentHash(build().db)).toBe(contentHash(db));
  });
});
