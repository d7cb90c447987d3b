// A change of the schema that does not come to its end, wherever that is: the old object is there or the new one, whole, never something in
// between. Every kind of object.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { LONG, sampled } from '#shared/seed-count.test-suite.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { memoryFolder } from '../engines/memory-folder.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { canHappenTo, EFFECTS } from '../engines/wasm/faults/fault.test-suite.ts';
import type { Effect, Kept, Operation } from '../engines/wasm/faults/fault.test-suite.ts';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { changeSchema } from './change.ts';
import { endlessTurn, finish } from './engines.test-suite.ts';
import { Work } from './work.ts';

/** Many more pages than the cache holds, so that most of a change is written before its end. */
const ROWS = LONG ? 4000 : 1200;
const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, boss REFERENCES t (id) ON DELETE CASCADE)';
const SETUP = [
  TABLE,
  'CREATE TABLE child (t REFERENCES t (id) ON DELETE CASCADE)',
  'CREATE INDEX by_a ON t (a)',
  'CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO child VALUES (old.id); END',
  'CREATE VIEW v AS SELECT a FROM t',
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
   INSERT INTO t SELECT i, printf('%0200d', i), nullif(i - 1, 0) FROM n`,
  'INSERT INTO child SELECT id FROM t WHERE id % 7 = 0',
];

interface Case {
  readonly name: string;
  readonly setup: readonly string[];
  readonly change: SchemaChange;
  /** Minimum number of writes, flushes and truncations of the change. */
  readonly operations: number;
}

const WORDS = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)`;

const REBUILD: Case = {
  name: 'a table that is rebuilt',
  setup: SETUP,
  change: {
    kind: 'change-table',
    table: 't',
    sql: TABLE.replace('a TEXT', 'a TEXT CHECK (length(a) > 0)'),
    columns: ['id', 'a', 'boss'],
  },
  operations: LONG ? 30 : 20,
};

const OTHERS: readonly Case[] = [
  {
    name: 'a view with its triggers',
    setup: [...SETUP, 'CREATE TRIGGER put INSTEAD OF INSERT ON v BEGIN INSERT INTO t (a) VALUES (new.a); END'],
    change: { kind: 'change-object', object: 'view', name: 'v', sql: 'CREATE VIEW v AS SELECT a, id FROM t' },
    operations: 2,
  },
  {
    name: 'a trigger that others follow',
    setup: [...SETUP, 'CREATE TRIGGER later AFTER DELETE ON t BEGIN INSERT INTO child VALUES (NULL); END'],
    change: {
      kind: 'change-object',
      object: 'trigger',
      name: 'noted',
      sql: 'CREATE TRIGGER noted AFTER DELETE ON t WHEN old.id > 7 BEGIN INSERT INTO child VALUES (old.id); END',
    },
    operations: 2,
  },
  {
    name: 'an index',
    setup: [...SETUP, `${WORDS} INSERT INTO t (a) SELECT printf('%0300d', i + 1000) FROM n`],
    change: { kind: 'change-object', object: 'index', name: 'by_a', sql: 'CREATE UNIQUE INDEX by_a ON t (a DESC, id)' },
    operations: 2,
  },
  {
    name: 'a renamed table beside a broken trigger and a broken view',
    setup: [
      ...SETUP,
      'CREATE VIEW broken AS SELECT missing FROM t',
      'CREATE TRIGGER lost AFTER DELETE ON t BEGIN INSERT INTO nowhere VALUES (1); END',
    ],
    change: { kind: 'rename-table', table: 't', to: 'u' },
    operations: 2,
  },
  {
    name: 'an FTS5 table',
    setup: [
      'CREATE VIRTUAL TABLE found USING fts5 (title, body)',
      `${WORDS} INSERT INTO found SELECT 'fishes ' || i, printf('%01400d', i) FROM n`,
      'CREATE VIEW titles AS SELECT title FROM found',
    ],
    change: {
      kind: 'change-virtual',
      table: 'found',
      sql: "CREATE VIRTUAL TABLE found USING fts5 (body, title, tokenize = 'porter')",
      columns: ['body', 'title'],
    },
    operations: 15,
  },
  {
    name: 'an FTS5 table of the text of a table',
    setup: [
      'CREATE TABLE texts (id INTEGER PRIMARY KEY, title)',
      `${WORDS} INSERT INTO texts SELECT i, printf('%x %o %d fishes', i * 7919, i * 104729, i * 1299709) FROM n`,
      "CREATE VIRTUAL TABLE found USING fts5 (title, content='texts', content_rowid='id')",
      "INSERT INTO found (found) VALUES ('rebuild')",
    ],
    change: {
      kind: 'change-virtual',
      table: 'found',
      sql: "CREATE VIRTUAL TABLE found USING fts5 (title, tokenize = 'porter', content='texts', content_rowid='id')",
      columns: ['title'],
    },
    operations: 2,
  },
  {
    name: 'an R-Tree table',
    setup: [
      'CREATE VIRTUAL TABLE places USING rtree (id, x0, x1, +note)',
      `${WORDS} INSERT INTO places SELECT i, i / 4.0, i / 4.0 + 1.5, printf('%060d', i) FROM n`,
    ],
    change: {
      kind: 'change-virtual',
      table: 'places',
      sql: 'CREATE VIRTUAL TABLE places USING rtree_i32 (id, x0, x1, y0, y1, +note)',
      columns: ['id', 'x0', 'x1', null, null, 'note'],
    },
    operations: 30,
  },
];

function setUp(connection: Connection, { setup }: Case): void {
  connection.run('PRAGMA cache_size = 10'); // Much is written before the end.
  for (const sql of setup) connection.run(sql);
}

function perform(connection: Connection, { change }: Case): void {
  finish(changeSchema(new Work(endlessTurn(connection), () => undefined), [change]));
  connection.run('COMMIT');
}

const lab = await FaultLab.open();

function rehearse(given: Case): {
  readonly before: string;
  readonly after: string;
  readonly from: number;
  readonly operations: readonly Operation[];
} {
  lab.disk.start(null, 0);
  const connection = lab.connect('full');
  setUp(connection, given);
  const before = dumpDatabase(connection);
  const from = lab.disk.history.length;
  perform(connection, given);
  const after = dumpDatabase(connection);
  const operations = [...lab.disk.history];
  connection.close();
  return { before, after, from, operations };
}

/** Returns the contents afterward. */
function strike(given: Case, at: number, effect: Effect, kept: Kept, before: string): string {
  lab.disk.start({ at, effect }, at);
  const connection = lab.connect('full');
  setUp(connection, given);
  let error: unknown = null;
  try {
    perform(connection, given);
  } catch (thrown) {
    error = thrown;
  }
  if (lab.disk.off) {
    try {
      connection.close();
    } catch {
      // The disk is gone.
    }
    lab.disk.restart(kept);
    const again = lab.connect('full');
    const found = dumpDatabase(again);
    expect(again.all('PRAGMA integrity_check')).toEqual([['ok']]);
    again.close();
    return found;
  }
  lab.disk.repair();
  if (error !== null) {
    expect(error).toBeInstanceOf(AppError);
    if (!connection.autocommit) connection.run('ROLLBACK');
    expect([connection.one('PRAGMA foreign_keys'), connection.one('PRAGMA legacy_alter_table')]).toEqual([[1], [0]]);
    expect(dumpDatabase(connection)).toBe(before);
  }
  const found = dumpDatabase(connection);
  connection.close();
  return found;
}

/** Returns how often it struck, and how often the change was there afterward. */
function strikeEverywhere(given: Case): { readonly struck: number; readonly news: number } {
  const { before, after, from, operations } = rehearse(given);
  expect(before).not.toBe(after);
  expect(operations.length - from).toBeGreaterThanOrEqual(given.operations);
  const kept: readonly Kept[] = ['all', 'some', 'none'];
  let struck = 0;
  let news = 0;
  const faults = operations.slice(from).flatMap(
    (operation, index) =>
    EFFECTS.filter((effect) => canHappenTo(effect, operation)).map((effect, number) => ({ at: from + index, effect, number })), // prettier-ignore
  );
  for (const { at, effect, number } of sampled(faults, 15)) {
    const found = strike(given, at, effect, kept[(at + number) % kept.length]!, before);
    expect([before, after], `${effect} at ${at}`).toContain(found);
    struck++;
    if (found === after) news++;
  }
  return { struck, news };
}

test('a disk that fails, fills up, tears writes or loses power at any moment leaves the old table or the new one', () => {
  const { struck, news } = strikeEverywhere(REBUILD);
  expect(struck).toBeGreaterThan(LONG ? 150 : 7);
  expect(news).toBeLessThan(struck / 2);
});

test.each(OTHERS)('the same holds for $name', (given) => {
  const { struck, news } = strikeEverywhere(given);
  expect(struck).toBeGreaterThan(LONG ? 10 : 0);
  expect(news).toBeLessThan(LONG ? struck : struck + 1);
});

const native = await createNativeEngine();
const folder = memoryFolder();

let files = 0;

test.each(
  [REBUILD, ...OTHERS].flatMap((given) => [
    { ...given, given, mode: 'wal' },
    { ...given, given, mode: 'delete' },
  ]),
)(
  'a process that ends after any step leaves the file in place as it was: $name, journal mode $mode',
  ({ given, mode }) => {
    const file = join(folder, `${++files}.db`);
    const connection = native.open(file, { durability: 'full', create: true });
    connection.run(`PRAGMA journal_mode = ${mode}`);
    setUp(connection, given);
    const before = dumpDatabase(connection);
    let steps = 0;
    /** Simulates what would be found after a crash: everything that is written. */
    const look = (): string => {
      const copy = `${file}-${++steps}`;
      mkdirSync(copy);
      for (const part of ['', '-wal', '-journal'])
        if (existsSync(file + part)) copyFileSync(file + part, join(copy, `file.db${part}`));
      const found = native.open(join(copy, 'file.db'), { durability: 'full' });
      try {
        return dumpDatabase(found);
      } finally {
        found.close();
      }
    };
    const watched = new Proxy(connection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, args);
          if (name === 'run' && args[0] !== 'COMMIT')
            expect({ after: args[0], found: look() }).toEqual({ after: args[0], found: before });
          return result;
        };
      },
    });
    perform(watched, given);
    expect(steps).toBeGreaterThan(1);
    const after = dumpDatabase(connection);
    expect(after).not.toBe(before);
    expect(look()).toBe(after);
    connection.close();
  },
);
