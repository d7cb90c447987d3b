// Random edits and scripts, undone and redone through the real operations, across closing and opening: every state comes back to the byte.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { RowChange } from '#shared/protocol/edit.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks, libraryDisk } from './history-disks.test-suite.ts';

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b TEXT UNIQUE, g AS (a || '!') STORED);
  CREATE TABLE plain (v, w);
  CREATE TABLE w (k TEXT, l INTEGER, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
  CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE log (what);
  CREATE TRIGGER t_i AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); INSERT INTO child (t) VALUES (new.id); END;
  CREATE TRIGGER t_u AFTER UPDATE ON t BEGIN UPDATE plain SET w = new.a WHERE v = old.a; END;
  CREATE VIRTUAL TABLE f USING fts5 (text);
  CREATE VIRTUAL TABLE r USING rtree (id, x0, x1);
  INSERT INTO t (a, b) VALUES (1, 'p'), ('two', 'q'), (NULL, NULL);
  INSERT INTO plain VALUES (1, 2), ('two', x'00');
  INSERT INTO w VALUES ('a', 1, 'first'), ('b', 2, NULL);`;

const value = fc.constantFrom('NULL', '1', '2.5', "'two'", "'é'", "x'00ff'", '9007199254740993', "''", '-0.0');
const id = fc.integer({ min: 1, max: 6 });
const letter = fc.constantFrom('p', 'q', 'x', 'y');

const statement = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(value, letter).map(([a, b]) => `INSERT OR REPLACE INTO t (a, b) VALUES (${a}, '${b}')`),
  },
  fc.tuple(id, id).map(([from, to]) => `UPDATE OR IGNORE t SET id = ${to} WHERE id = ${from}`),
  fc.tuple(value, id).map(([a, n]) => `UPDATE t SET a = ${a} WHERE id > ${n}`),
  id.map((n) => `DELETE FROM t WHERE id = ${n}`),
  fc.tuple(value, value).map(([v, w]) => `INSERT INTO plain VALUES (${v}, ${w})`),
  fc.constantFrom('DELETE FROM plain', 'DELETE FROM log', 'UPDATE plain SET rowid = rowid + 10', 'DELETE FROM t'),
  fc
    .tuple(letter, id, value)
    .map(
      ([k, l, v]) => `INSERT INTO w VALUES ('${k}', ${l}, ${v}) ON CONFLICT DO UPDATE SET v = excluded.v, l = l + 1`,
    ),
  letter.map((k) => `UPDATE OR REPLACE w SET k = '${k}', l = l % 2`),
  fc.tuple(letter, letter).map(([a, b]) => `INSERT INTO f VALUES ('${a} ${b}${b}')`),
  fc.constantFrom(
    'DELETE FROM f WHERE rowid % 2',
    "UPDATE f SET text = text || ' more'",
    "INSERT INTO f (f) VALUES ('optimize')",
  ),
  id.map((n) => `INSERT OR REPLACE INTO r VALUES (${n}, ${n}, ${n + 1})`),
  id.map((n) => `DELETE FROM r WHERE id <= ${n}`),
  id.map(
    (n) =>
      `SAVEPOINT s; DELETE FROM t WHERE id > ${n}; INSERT INTO plain VALUES (${n}, 0); ROLLBACK TO s; INSERT INTO log VALUES (${n}); RELEASE s`,
  ),
);
const schemaChange = fc.constantFrom(
  'CREATE TABLE IF NOT EXISTS extra (v); INSERT INTO extra VALUES (1)',
  'DROP TABLE IF EXISTS extra',
  'CREATE INDEX IF NOT EXISTS i ON plain (v)',
  'DROP INDEX IF EXISTS i',
  'VACUUM',
);
const edit = fc.tuple(id, letter).map(([n, text]): RowChange[] => [
  { kind: 'insert', set: { a: text, b: `${text}${n}` } },
  { kind: 'update', key: [n], set: { a: text }, base: {} },
]);

type Action =
  | { readonly kind: 'script'; readonly sql: string }
  | { readonly kind: 'edit'; readonly changes: RowChange[] }
  | { readonly kind: 'undo' | 'redo' | 'reopen' | 'cut' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(statement, { minLength: 1, maxLength: 3 })
      .map((all): Action => ({ kind: 'script', sql: all.join(';') })),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(statement, { minLength: 1, maxLength: 5 })
      .map((all): Action => ({ kind: 'script', sql: `BEGIN;${all.join(';')};COMMIT` })),
  },
  { weight: 1, arbitrary: schemaChange.map((sql): Action => ({ kind: 'script', sql })) },
  { weight: 3, arbitrary: edit.map((changes): Action => ({ kind: 'edit', changes })) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Action>(
      { kind: 'undo' },
      { kind: 'undo' },
      { kind: 'redo' },
      { kind: 'reopen' },
      { kind: 'cut' },
    ),
  },
);

/** SQL that does not fit the current rows fails as a user's would: whatever it left is part of the state. */
async function perform(fixture: HistoryFixture, todo: Action): Promise<void> {
  try {
    if (todo.kind === 'script') await fixture.run(todo.sql);
    else if (todo.kind === 'edit') await fixture.call('edit.apply', { table: 't', changes: todo.changes });
    else if (todo.kind === 'reopen') fixture.reopen();
    else if (todo.kind === 'cut') fixture.on === libraryDisk ? fixture.cutPower('all') : fixture.reopen();
    else if (fixture.state[todo.kind]) await fixture[todo.kind]();
  } catch (error) {
    if (!(error instanceof AppError) || !['constraint', 'not-found', 'sql', 'conflict'].includes(error.code))
      throw error;
  }
  if (!fixture.connection.autocommit) await fixture.run('ROLLBACK');
  fixture.clock.advance(3000);
}

test.each(disks)(
  'random work is undone to the start and redone to the end, byte for byte: $name',
  { timeout: 120_000 },
  async (disk) => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
        const fixture = new HistoryFixture(SCHEMA, disk);
        try {
          const start = fixture.dump;
          for (const todo of actions) await perform(fixture, todo);
          expect((await fixture.steps()).filter(({ kind }) => kind === 'gap')).toEqual([]);
          while (fixture.state.redo) await fixture.redo();
          const end = fixture.dump;
          const passed: string[] = [end];
          for (; fixture.state.undo; undone++) {
            await fixture.undo();
            passed.push(fixture.dump);
            if (passed.length % 3 === 0) fixture.reopen();
          }
          expect(fixture.dump).toBe(start);
          while (fixture.state.redo) {
            passed.pop();
            await fixture.redo();
            expect(fixture.dump).toBe(passed.at(-1));
          }
          expect(fixture.dump).toBe(end);
          expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
        } finally {
          fixture.close();
        }
      }),
      { numRuns: seedCount(40), seed: 411 },
    );
    expect(undone).toBeGreaterThan(seedCount(40) * 2);
  },
);
