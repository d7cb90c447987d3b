import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { HistoryBench } from './history-bench.test-suite.ts';
import { HISTORY_FILE } from './history-disks.test-suite.ts';
import { failureOf } from './test-bench.test-suite.ts';

let bench: HistoryBench;
beforeEach(() => {
  bench = new HistoryBench('CREATE TABLE log (what)');
});
afterEach(() => bench.close());

const insert = async (...numbers: number[]): Promise<void> => {
  for (const n of numbers) await bench.run(`INSERT INTO log VALUES (${n})`);
};
const rows = () => bench.connection.all('SELECT what FROM log').flat();
const titles = async () => (await bench.steps()).map(({ title }) => title);
const bytesOf = (name: string): Uint8Array => {
  const file = bench.disk.open(name, false);
  if (file instanceof Error) throw file;
  const bytes = new Uint8Array(file.size);
  file.read(0, bytes);
  return bytes;
};

describe('after a power cut', () => {
  test('steps whose commits were lost are gone with them', async () => {
    bench.durability = 'balanced';
    bench.reopen();
    await insert(1, 2);
    bench.clock.advance(5000); // all is on disk now
    await insert(3, 4);
    await bench.undo();
    const history = { main: bytesOf(HISTORY_FILE), wal: bytesOf(`${HISTORY_FILE}-wal`) };
    bench.disk.turnOff();
    bench.close();
    bench.disk.restart('none');
    // The history was flushed and the database was not: the worst there is.
    bench.disk.put(HISTORY_FILE, 0, history.main);
    bench.disk.put(`${HISTORY_FILE}-wal`, 0, history.wal);
    bench.open();
    expect(rows()).toEqual([1, 2]);
    expect(await titles()).toEqual(['INSERT INTO log VALUES (2)', 'INSERT INTO log VALUES (1)']);
    await bench.undo();
    await bench.undo();
    expect(rows()).toEqual([]);
    await bench.redo();
    expect(rows()).toEqual([1]);
  });

  test('commits that the history lost become a gap', async () => {
    await insert(1);
    bench.clock.advance(5000);
    await insert(2);
    bench.cutPower('none');
    expect(rows()).toEqual([1, 2]);
    const [gap, step] = await bench.steps();
    expect(gap).toMatchObject({ kind: 'gap', why: expect.stringContaining('not in the history') });
    expect(step).toMatchObject({ title: 'INSERT INTO log VALUES (1)' });
    expect(bench.state.undo).toBeNull();
    await insert(3);
    await bench.undo();
    expect(rows()).toEqual([1, 2]);
    expect(bench.state.undo).toBeNull();
  });

  test.each(['all', 'some', 'none'] as const)(
    'what was undone and redone is where it was or where it came from (%s)',
    async (kept) => {
      await insert(1, 2, 3);
      bench.clock.advance(5000);
      await bench.undo();
      await bench.undo();
      await bench.redo();
      bench.cutPower(kept);
      expect(rows()).toEqual([1, 2]);
      // The history may have lost where it stood: then it says so, and never undoes the wrong step.
      if (bench.state.undo) {
        await bench.undo();
        expect(rows()).toEqual([1]);
      } else expect((await bench.steps())[0]).toMatchObject({ kind: 'gap' });
    },
  );
});

describe('a kill', () => {
  test('at any write of a commit, an undo or a snapshot leaves a history that tells the truth', async () => {
    for (let cut = 0; cut < 60; cut++) {
      bench.close();
      bench = new HistoryBench('CREATE TABLE log (what)');
      const states = new Set<string>();
      const note = (): void => void states.add(bench.dump);
      note();
      const work = [
        () => insert(1),
        () => insert(2),
        () => bench.undo(),
        () => bench.run('CREATE TABLE u (v)'),
        () => bench.undo(),
        () => insert(4),
      ];
      bench.disk.cutPowerAfter(cut);
      for (const step of work) await step().then(note, () => undefined);
      bench.cutPower('all');
      const found = bench.dump;
      const isKnown = (): boolean => bench.dump === found || states.has(bench.dump);
      // Whatever can be undone or redone leads to a state that was there, or to the one that was found.
      while (bench.state.undo) {
        await bench.undo();
        expect(isKnown(), `cut ${cut}`).toBe(true);
      }
      while (bench.state.redo) {
        await bench.redo();
        expect(isKnown(), `cut ${cut}`).toBe(true);
      }
      expect(bench.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    }
  });
});

describe('a history that cannot be kept', () => {
  test('when it is damaged a new one begins, with a word about it', async () => {
    await insert(1, 2);
    bench.close();
    bench.disk.put(HISTORY_FILE, 0, new Uint8Array(5000).fill(0x5a));
    bench.open();
    expect(rows()).toEqual([1, 2]);
    expect(await bench.steps()).toMatchObject([{ kind: 'gap', why: expect.stringContaining('damaged') }]);
    await insert(3);
    await bench.undo();
    expect(rows()).toEqual([1, 2]);
  });

  test('when the disk has no room for it the database is used all the same, and the state says so', async () => {
    await insert(1);
    bench.close();
    bench.disk.remove(HISTORY_FILE);
    bench.disk.remove(`${HISTORY_FILE}-wal`);
    bench.disk.slots = bench.disk.names.length;
    bench.open();
    await insert(2);
    expect(rows()).toEqual([1, 2]);
    expect(bench.state).toMatchObject({ undo: null, steps: 0, why: expect.stringContaining('could not be opened') });
    bench.disk.slots = Infinity;
    bench.reopen();
    await insert(3);
    expect(bench.state.undo).toMatchObject({ title: 'INSERT INTO log VALUES (3)' });
  });

  test('what could not be noted is a gap as soon as there is room again, and nothing is undone across it', async () => {
    await insert(1);
    const { store } = bench.history.timeline;
    const append = vi.spyOn(store, 'append').mockImplementation(() => {
      throw new AppError({ code: 'full', message: 'The disk is full.' });
    });
    await insert(2);
    expect(rows()).toEqual([1, 2]);
    expect(bench.state).toMatchObject({ undo: null, why: expect.stringContaining('full') });
    expect((await failureOf(bench.undo())).code).toBe('unavailable');
    expect(await titles()).toEqual(['INSERT INTO log VALUES (1)']);
    append.mockRestore();
    await insert(3);
    expect((await bench.steps())[0]).toMatchObject({ kind: 'gap', why: expect.stringContaining('full') });
    await insert(4);
    await bench.undo();
    expect(rows()).toEqual([1, 2, 3]);
    expect(bench.state).toMatchObject({ undo: null, why: null });
  });

  test('a copy that is gone is no way back, and said so', async () => {
    await bench.run('CREATE TABLE u (v)');
    for (const name of bench.pool.names()) if (name.startsWith('/snapshot-')) bench.disk.remove(name);
    bench.reopen();
    expect(bench.state.undo).toBeNull();
  });

  test('the statistics of ANALYZE and the same values again leave no gap', async () => {
    await insert(1);
    await bench.run('ANALYZE; UPDATE log SET what = 1');
    bench.reopen();
    await bench.run('ANALYZE');
    bench.cutPower('all');
    expect((await titles())[0]).toBe('INSERT INTO log VALUES (1)');
  });
});
