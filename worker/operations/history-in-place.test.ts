// Tests the history of a file that other programs write to as well. A second connection, unknown to the product, plays them.
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createClock } from '../sessions/clock.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { failureOf, runScript } from './database-fixture.test-suite.ts';

const MIB = 2 ** 20;
const elsewhere = await createNativeEngine();

describe.each([new FileDisk('wal'), new FileDisk('delete')])('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one'), (2, 'two')",
      disk,
    );
  });
  afterEach(() => fixture.close());

  const otherProgram = (sql: string): void => {
    const other = elsewhere.open(disk.file, { durability: 'full' });
    runScript(other, sql);
    other.close();
  };
  const rows = () => fixture.connection.all('SELECT a FROM t ORDER BY id').flat();
  const kinds = async () => (await fixture.steps()).map(({ kind }) => kind);

  test('nothing of it lies beside the file, and nobody else may read it', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    const beside = readdirSync(dirname(disk.file)).filter((name) => name.startsWith('file.db'));
    expect(beside.filter((name) => !/^file\.db(-wal|-shm)?$/.test(name))).toEqual([]);
    expect(statSync(disk.historyFolder).mode & 0o077).toBe(0);
    expect(disk.historyFiles()).toContain('/history-file+0123456789abcdef.sqlite3');
  });

  test('what another program commits in between is a gap, once, and undo ends there', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    otherProgram("INSERT INTO t VALUES (3, 'three')");
    otherProgram("INSERT INTO t VALUES (4, 'four')");
    await fixture.run("UPDATE t SET a = 'due' WHERE id = 2");
    expect(await kinds()).toEqual(['rows', 'gap', 'rows']);
    expect((await fixture.steps())[1]).toMatchObject({ title: 'Changes of another program' });
    await fixture.undo();
    expect(rows()).toEqual(['uno', 'two', 'three', 'four']);
    expect(fixture.state.undo).toBeNull();
    const failure = await failureOf(fixture.undo());
    expect(failure.message).toContain('Another program wrote to this file');
    await fixture.redo();
    expect(rows()).toEqual(['uno', 'due', 'three', 'four']);
  });

  test('one step from before that is taken back alone where its rows are as it left them', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    const [step] = await fixture.steps();
    otherProgram("UPDATE t SET a = 'zwei' WHERE id = 2");
    expect(await fixture.call('history.revert', { step: step!.id })).toMatchObject({ applied: true, rowsChanged: 1 });
    expect(rows()).toEqual(['one', 'zwei']);
    expect(await kinds()).toEqual(['rows', 'gap', 'rows']);
    await fixture.undo();
    otherProgram("UPDATE t SET a = 'eins' WHERE id = 1");
    expect(await fixture.call('history.revert', { step: step!.id })).toMatchObject({
      applied: false,
      conflicts: [{ reason: 'differs', current: [1, 'eins'] }],
    });
    expect(rows()).toEqual(['eins', 'zwei']);
  });

  test('an undo that another program is faster than changes nothing, and says so', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    const { connection } = fixture;
    const replay = connection.replay.bind(connection);
    connection.replay = (body) => {
      otherProgram("UPDATE t SET a = 'eins' WHERE id = 1");
      return replay(body);
    };
    expect(await failureOf(fixture.undo())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('program'),
    });
    expect(rows()).toEqual(['eins', 'two']);
    expect(await kinds()).toEqual(['gap', 'rows']);
  });

  test('nor does one that would put a copy in the place of what another program has just written', async () => {
    await fixture.run('CREATE TABLE u (v)');
    const { connection } = fixture;
    const restore = connection.restoreFrom.bind(connection);
    connection.restoreFrom = (...args) => {
      otherProgram("INSERT INTO t VALUES (3, 'three')");
      restore(...args);
    };
    expect(await failureOf(fixture.undo())).toMatchObject({ code: 'conflict' });
    expect(rows()).toEqual(['one', 'two', 'three']);
    connection.restoreFrom = restore;
    expect(fixture.state.undo).toBeNull();
    expect(await kinds()).toEqual(['gap', 'snapshot']);
  });

  test('rows are looked at, whatever the file says of itself', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    await fixture.run('DELETE FROM t WHERE id = 2');
    const version = fixture.connection.dataVersion;
    vi.spyOn(fixture.connection, 'dataVersion', 'get').mockReturnValue(version);
    otherProgram("UPDATE t SET a = 'eins' WHERE id = 1; INSERT INTO t VALUES (2, 'back')");
    expect((await failureOf(fixture.undo())).message).toContain('not as this step left it');
    expect(rows()).toEqual(['eins', 'back']);
    otherProgram('DELETE FROM t WHERE id = 2');
    await fixture.undo();
    expect((await failureOf(fixture.undo())).code).toBe('conflict');
    expect(rows()).toEqual(['eins', 'two']);
  });

  test('a copy that was taken while another program wrote is no way back', async () => {
    const { connection } = fixture;
    const copy = connection.copyCommitted.bind(connection);
    connection.copyCommitted = function* () {
      yield* copy();
      otherProgram("INSERT INTO t VALUES (3, 'three')");
    };
    await fixture.run('CREATE TABLE u (v)');
    const [step] = await fixture.steps();
    expect(step).toMatchObject({ kind: 'gap', why: expect.stringContaining('at the same time') });
    expect(disk.historyFiles().filter((name) => name.startsWith('/snapshot'))).toEqual([]);
  });

  test('after closing it goes on where it was; what came in between is a gap', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    await fixture.run('CREATE TABLE u (v)');
    fixture.reopen();
    await fixture.undo();
    await fixture.undo();
    expect(rows()).toEqual(['one', 'two']);
    fixture.reopen();
    await fixture.redo();
    expect(rows()).toEqual(['uno', 'two']);
    fixture.close();
    otherProgram('PRAGMA user_version');
    fixture.open();
    expect(fixture.state.undo).not.toBeNull();
    fixture.close();
    otherProgram("UPDATE t SET a = 'due' WHERE id = 2");
    fixture.open();
    expect(fixture.state.undo).toBeNull();
    expect((await kinds())[0]).toBe('gap');
    fixture.close();
    otherProgram("UPDATE t SET a = 'zwei' WHERE id = 2");
    fixture.open();
    expect(await kinds()).toEqual(['gap', 'snapshot', 'rows']);
  });

  test('where nothing was done here, what others do is nothing to tell', async () => {
    otherProgram('DELETE FROM t');
    await fixture.run('SELECT 1');
    fixture.reopen();
    expect(await kinds()).toEqual([]);
    await fixture.run("INSERT INTO t VALUES (9, 'nine')");
    await fixture.undo();
    expect(rows()).toEqual([]);
  });

  test('a change of the journal mode is none of the data', async () => {
    await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
    await fixture.run('PRAGMA journal_mode = wal');
    await fixture.run('PRAGMA journal_mode = delete');
    expect(await kinds()).toEqual(['rows']);
    fixture.reopen();
    await fixture.undo();
    expect(rows()).toEqual(['one', 'two']);
  });

  test('a virtual table is written with a copy, or asked about before', async () => {
    await fixture.run(`CREATE VIRTUAL TABLE f USING fts5 (text); INSERT INTO f VALUES ('first')`);
    const before = fixture.dump;
    await fixture.run("INSERT INTO f VALUES ('second')");
    await fixture.undo();
    expect(fixture.dump).toBe(before);
    await fixture.run(
      'WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) INSERT INTO t (a) SELECT randomblob(1000) FROM n',
    );
    await fixture.call('history.setLimits', { stepBytes: MIB, totalBytes: 512 * MIB });
    const failure = await failureOf(fixture.run("INSERT INTO f VALUES ('third')"));
    expect(failure).toMatchObject({ code: 'not-undoable', message: expect.stringContaining('Nothing was changed') });
    expect(fixture.connection.one('SELECT count(*) FROM f')).toEqual([1]);
    await fixture.call('query.run', { sql: "INSERT INTO f VALUES ('third')", withoutUndo: true });
    expect((await kinds())[0]).toBe('gap');
  });

  test('text that is not UTF-8 is kept in a copy, taken while the statement runs', async () => {
    const before = fixture.dump;
    await fixture.run("INSERT INTO t VALUES (5, CAST(x'ff61' AS TEXT))");
    expect(await kinds()).toEqual(['snapshot']);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
    await fixture.redo();
    expect(fixture.connection.one('SELECT hex(a) FROM t WHERE id = 5')).toEqual(['FF61']);
  });
});

type Move = 'edit' | 'insert' | 'schema' | 'undo' | 'redo' | 'revert' | 'reopen' | 'theirs';
const move = fc.constantFrom<Move>(
  'edit',
  'edit',
  'insert',
  'schema',
  'undo',
  'undo',
  'redo',
  'revert',
  'reopen',
  'theirs',
);

describe.each([new FileDisk('wal'), new FileDisk('delete')])('$name, at random', (disk) => {
  test('nothing another program has written is ever undone, and what is undone is exactly what was done', async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 25 }), async (moves) => {
        const fixture = new HistoryFixture(
          `CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 0), (2, 0); CREATE TABLE theirs (n);
           CREATE TABLE log (a); CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END`,
          disk,
        );
        let [theirs, made] = [0, 0];
        /** Contents by the newest completed step, since the last commit of the other program. */
        const known = new Map<number, string>();
        const perform: Record<Move, () => unknown> = {
          edit: () => fixture.run(`UPDATE t SET a = ${++made} WHERE id = ${1 + (made % 2)}`),
          insert: () => fixture.run(`BEGIN; INSERT INTO t (a) VALUES (${++made}); DELETE FROM log; COMMIT`),
          schema: () => fixture.run(`CREATE TABLE s${++made} AS SELECT * FROM t`),
          undo: () => fixture.state.undo && (undone++, fixture.undo()),
          redo: () => fixture.state.redo && fixture.redo(),
          revert: async () => {
            const step = (await fixture.steps()).find(({ kind, state }) => kind === 'rows' && state === 'done');
            if (step) await fixture.call('history.revert', { step: step.id, choices: { rows: {}, all: 'mine' } });
          },
          reopen: () => fixture.reopen(),
          theirs: () => {
            const other = elsewhere.open(disk.file, { durability: 'full' });
            runScript(
              other,
              `BEGIN; INSERT INTO theirs VALUES (${++theirs}); UPDATE t SET a = -a WHERE id = 1; COMMIT`,
            );
            other.close();
            known.clear();
          },
        };
        try {
          for (const kind of moves) {
            await perform[kind]();
            expect(fixture.connection.one('SELECT count(*) FROM theirs')).toEqual([theirs]);
            if (kind === 'theirs' || kind === 'reopen') fixture.history.othersCommitted();
            const { at } = fixture.history.timeline.position;
            const dump = fixture.dump;
            if (kind === 'undo' || kind === 'redo') expect(dump).toBe(known.get(at) ?? dump);
            known.set(at, dump);
          }
          expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
        } finally {
          fixture.close();
        }
      }),
      { numRuns: seedCount(60), seed: 77 },
    );
    expect(undone).toBeGreaterThan(seedCount(60) / 1.5);
  });
});

describe('the folder of histories', () => {
  const disk = new FileDisk('delete');

  test('keeps its limits, and lets go of the histories that were not used for the longest time', () => {
    disk.start();
    mkdirSync(disk.historyFolder, { recursive: true });
    const fill = (id: string, age: number): void => {
      for (const name of [`history-file+${id}.sqlite3`, `snapshot-file+${id}-1-before`]) {
        writeFileSync(join(disk.historyFolder, name), new Uint8Array(MIB));
        utimesSync(join(disk.historyFolder, name), 1e9 - age, 1e9 - age);
      }
    };
    const histories = disk.openHistories(createClock());
    histories.setLimits({ totalBytes: MIB, stepBytes: MIB });
    for (const [age, id] of ['aa', 'bb', 'cc'].entries()) fill(id, age);
    expect(disk.openHistories(createClock()).limits).toEqual({ totalBytes: MIB, stepBytes: MIB });
    expect([...disk.historyFiles()].sort()).toEqual([
      '/history-file+aa.sqlite3',
      '/history-file+bb.sqlite3',
      '/settings.json',
      '/snapshot-file+aa-1-before',
      '/snapshot-file+bb-1-before',
    ]);
  });
});
