// Which databases are open: those that a window shows or something needs; the others are closed after a while and opened again when asked.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { historyOf } from '../history/histories.ts';
import { undo } from '../history/undo-redo.ts';
import { readersOf } from '../live/reader-registry.ts';
import { planSelect } from '../live/select.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import { KEEPING_OPEN } from './open-databases.ts';
import { openDatabasesIn, type StartedDatabases } from './open-databases-fixture.test-suite.ts';
import type { Pause } from './session.ts';

const { cacheMs, openMs, atMost } = KEEPING_OPEN;

let lab: FaultLab;
beforeAll(async () => {
  lab = await FaultLab.open();
});

let at: StartedDatabases;
beforeEach(async () => {
  at = openDatabasesIn(lab);
  await at.make('a');
});

/** Long enough for everything that is closed after a while. */
const letTimePass = (): void => {
  for (let passed = 0; passed <= openMs + cacheMs; passed += cacheMs / 2) at.clock.advance(cacheMs / 2);
};

describe('a database that no window shows', () => {
  test('is closed after a while, with its history, and opened again by whatever asks for something of it', async () => {
    const database = at.databases.of(at.one, 'a');
    at.clock.advance(2000); // its log is moved into the file
    const { state, commitMark } = database;
    at.clock.advance(openMs - 2001);
    expect(at.isOpen('a')).toBe(true);
    letTimePass();
    expect([at.isOpen('a'), at.open.size]).toEqual([false, 0]);
    // Repeated requests to all databases open none.
    expect([database.state, database.commitMark]).toEqual([state, commitMark]);
    expect(at.isOpen('a')).toBe(false);
    expect(await at.values('a')).toEqual(['one']);
    await at.run('a', "INSERT INTO t (v) VALUES ('two')");
    expect([at.isOpen('a'), at.open.size]).toEqual([true, 2]);
  });

  test('gives its page cache back before that, and has it again when it is used', async () => {
    const cacheSize = (): Promise<unknown> =>
      at.databases.find('a')!.enqueue({
        window: at.one,
        kind: 'read',
        title: 'cache',
        body: ({ connection }) => connection.one('PRAGMA cache_size')?.[0],
      });
    await at.run('a', 'INSERT INTO t (v) SELECT zeroblob(900000) FROM (SELECT 1 UNION SELECT 2 UNION SELECT 3)');
    await at.values('a', 'SELECT sum(length(hex(v))) FROM t');
    const before = at.databases.find('a')!.memoryBytes!;
    expect(before).toBeGreaterThan(2_000_000);
    expect(await cacheSize()).toBe(-65_536);
    for (let passed = 0; passed <= cacheMs; passed += cacheMs / 4) at.clock.advance(cacheMs / 4);
    expect(at.isOpen('a')).toBe(true);
    expect(at.databases.find('a')!.memoryBytes).toBeLessThan(before / 10);
    expect(await cacheSize()).toBe(-65_536);
  });

  test('stays open while a window shows it, in the background too', async () => {
    at.databases.join(at.two, 'a');
    await at.databases.show(at.one, []);
    await at.databases.show(at.two, ['a']);
    letTimePass();
    expect(at.isOpen('a')).toBe(true);
    at.databases.leaveAll(at.two);
    letTimePass();
    expect(at.isOpen('a')).toBe(false);
    await at.databases.show(at.one, ['a']);
    expect(at.isOpen('a')).toBe(true);
    letTimePass();
    expect(at.isOpen('a')).toBe(true);
  });

  test('a window shows only what it has opened', async () => {
    await at.databases.show(at.two, ['a', 'unknown']);
    letTimePass();
    expect(at.isOpen('a')).toBe(false);
  });
});

describe('stays open although no window shows it', () => {
  test('while a transaction is open', async () => {
    await at.run('a', 'BEGIN');
    await at.run('a', "INSERT INTO t (v) VALUES ('two')");
    letTimePass();
    expect(at.isOpen('a')).toBe(true);
    await at.run('a', 'COMMIT');
    letTimePass();
    expect(at.isOpen('a')).toBe(false);
    expect(await at.values('a')).toEqual(['one', 'two']);
  });

  test('while something runs', async () => {
    let finish!: () => void;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const work = at.databases.of(at.one, 'a').enqueue({
      window: at.one,
      kind: 'read',
      title: 'long',
      *body(turn): Generator<Pause, unknown, undefined> {
        turn.pauseUntil(gate);
        yield 'reading';
        return turn.connection.one('SELECT v FROM t')?.[0];
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    letTimePass();
    expect(at.isOpen('a')).toBe(true);
    finish();
    expect(await work).toBe('one');
  });

  test('while somebody says so, a merge that nobody has decided about', () => {
    let isUndecided = true;
    const forget = at.databases.find('a')!.keepOpenWhile(() => isUndecided);
    letTimePass();
    expect(at.isOpen('a')).toBe(true);
    isUndecided = false;
    letTimePass();
    expect(at.isOpen('a')).toBe(false);
    forget();
  });

  test('for TEMP tables, until they are dropped', async () => {
    const script = (sql: string): Promise<unknown> =>
      at.databases.of(at.one, 'a').enqueue({
        window: at.one,
        kind: 'write',
        title: sql,
        body({ connection }) {
          const statements = connection.script(sql);
          for (let next = statements.next(); next; next = statements.next()) while (next.step());
          statements.dispose();
        },
      });
    await script('CREATE TEMP TABLE mine AS SELECT v FROM t');
    letTimePass();
    expect(await at.values('a', 'SELECT v FROM mine')).toEqual(['one']);
    await script('DROP TABLE temp.mine');
    letTimePass();
    expect(at.isOpen('a')).toBe(false);
  });
});

test('an edit in another database does not wait for work that goes on', async () => {
  await at.make('b');
  let isEdited = false;
  const work = at.databases.of(at.one, 'a').enqueue({
    window: at.one,
    kind: 'write',
    title: 'long',
    *body(): Generator<Pause, boolean, undefined> {
      for (let pauses = 0; !isEdited && pauses < 1000; pauses++) yield 'reading';
      return isEdited;
    },
  });
  await at.run('b', "UPDATE t SET v = 'edited'");
  isEdited = true;
  expect(await work).toBe(true);
  expect(await at.values('b')).toEqual(['edited']);
});

test('undo and redo go on after it was closed and opened again', async () => {
  const database = at.databases.of(at.one, 'a');
  await at.run('a', "UPDATE t SET v = 'changed'");
  const { state, timeline } = historyOf(database);
  const step = timeline.marks.known(database.commitMark)!;
  letTimePass();
  expect([at.isOpen('a'), at.open.size]).toEqual([false, 0]);
  // The check whether a copy still equals its source does this.
  expect(timeline.marks.isDone(step)).toBe(true);
  expect(at.open.size).toBe(1);
  expect(at.databases.find('a')).toBe(database);
  letTimePass();
  expect(at.open.size).toBe(0);
  expect(timeline.marks.isDone(step)).toBe(true);
  expect(at.open.size).toBe(0);
  expect(historyOf(database).state).toEqual(state);
  expect(at.open.size).toBe(0);
  const undoStep = (): Promise<unknown> =>
    database.enqueue({
      window: at.one,
      kind: 'write',
      title: 'Undo',
      body: (turn) => undo(historyOf(database), turn, () => undefined),
    });
  await undoStep();
  expect(await at.values('a')).toEqual(['one']);
  letTimePass();
  await undoStep();
  expect(await at.values('a')).toEqual([]);
  expect(historyOf(database).state.undo?.title).toContain('CREATE TABLE');
});

test('a live result that is not on screen is kept, and follows what is committed after the database was opened again', async () => {
  const database = at.databases.of(at.one, 'a');
  const { query, layout } = await database.enqueue({
    window: at.one,
    kind: 'read',
    title: 'plan',
    body: ({ connection }) => planSelect(connection, 'SELECT v FROM t ORDER BY id', []),
  });
  const { id, reader } = readersOf(at.one).add(
    database,
    (host) =>
      new SpooledReader(host, layout, { title: 'q', query, state: 'live', limitMs: null, whenStopped: 'paused' }),
  );
  await reader.open();
  const { watch } = { watch: readersOf(at.one).watchOf(id) };
  await watch.start({ start: 0, count: 10 });
  letTimePass();
  expect(at.isOpen('a')).toBe(true); // it is watched
  watch.end();
  letTimePass();
  expect(at.isOpen('a')).toBe(false);
  const shown = async (): Promise<unknown[]> => {
    const { rows } = await reader.read(0, 10);
    const cells = new PackedRowsReader(rows);
    return Array.from({ length: rows.rowCount }, (_, row) => cells.value(row, 0));
  };
  expect(await shown()).toEqual(['one']);
  expect(at.isOpen('a')).toBe(false);
  await at.run('a', "INSERT INTO t (v) VALUES ('two')");
  await reader.freshen();
  expect(await shown()).toEqual(['one', 'two']);
  readersOf(at.one).close(id);
});

test('sixty databases opened one after another: few are open at any moment, and each answers when it is asked again', async () => {
  const COUNT = 60;
  const memory: number[] = [];
  let most = 0;
  for (let number = 0; number < COUNT; number++) {
    await at.make(`n${number}`);
    await at.databases.show(at.one, [`n${number}`]);
    at.clock.advance(1);
    most = Math.max(most, at.open.size);
    memory.push(lab.sqlite.heap.bytes.length);
  }
  // Itself and those that are about to be closed, each with the file of its history.
  expect(most).toBeLessThanOrEqual(2 * (1 + atMost + 1));
  expect(memory.at(-1)! - memory[20]!).toBe(0);
  for (const number of [0, 7, 25, 59]) expect(await at.values(`n${number}`)).toEqual(['one']);
  expect(at.open.size).toBeLessThanOrEqual(2 * (1 + atMost + 4));
});
