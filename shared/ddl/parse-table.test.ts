// The model of a CREATE TABLE statement against what SQLite itself says of the table it makes.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import { pragmasOf, modelAsPragmas } from './pragma-facts.test-suite.ts';
import { parseTable } from './parse-table.ts';
import { randomTable } from './random-table.test-suite.ts';
import type { TableModel } from './table-model.ts';

function understood(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(`${model.reason} at ${model.span.from} of ${sql}`);
  return model;
}

test('random tables: the model says what table_xinfo, index_xinfo and foreign_key_list say', () => {
  let accepted = 0;
  for (let seed = 0; seed < seedCount(2000); seed += 1) {
    const { sql } = randomTable(createRandom(seed));
    const db = new Database(':memory:');
    try {
      db.exec(sql);
    } catch {
      db.close();
      continue;
    }
    accepted += 1;
    try {
      const model = understood(sql);
      expect(modelAsPragmas(model)).toEqual(pragmasOf(db, model.name.name));
      // The text that SQLite keeps is understood in the same way.
      const stored = db.prepare('SELECT sql FROM sqlite_schema WHERE type = ?').pluck().get('table') as string;
      expect(modelAsPragmas(understood(stored))).toEqual(modelAsPragmas(model));
      expectSpansInOrder(model);
    } catch (error) {
      throw new Error(`seed ${seed}: ${sql}`, { cause: error });
    } finally {
      db.close();
    }
  }
  expect(accepted).toBeGreaterThan(seedCount(2000) * 0.6);
});

/** Elements follow each other, and what lies between them is white space, comments and commas. */
function expectSpansInOrder({ text, body, columns, constraints }: TableModel): void {
  let at = body.from;
  for (const { span, name } of [...columns, ...constraints.map(({ span: own }) => ({ span: own, name: null }))]) {
    expect(
      text
        .slice(at, span.from)
        .replace(/--[^\n]*|\/\*[^]*?\*\//g, '')
        .replace(',', '')
        .trim(),
    ).toBe('');
    if (name) expect(name.span.from).toBe(span.from);
    at = span.to;
  }
  expect(
    text
      .slice(at, body.to)
      .replace(/--[^\n]*|\/\*[^]*?\*\//g, '')
      .trim(),
  ).toBe('');
  expect(text[body.to]).toBe(')');
}
