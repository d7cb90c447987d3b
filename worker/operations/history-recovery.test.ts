import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { HISTORY_FILE } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

let fixture: HistoryFixture;
beforeEach(() => {
  fixture = new HistoryFixture('CREATE TABLE log (what)');
});
afterEach(() => fixture.close());

const insert = async (...numbers: number[]): Promise<void> => {
  for (const n of numbers) await fixture.run(`INSERT INTO log VALUES (${n})`);
};
const rows = () => fixture.connection.all('SELECT what FROM log').flat();
const titles = async () => (await fixture.steps()).map(({ title }) => title);
const bytesOf = (name: string): Uint8Array => {
  const file = fixture.disk.open(name, false);
  if (file instanceof Error) throw file;
  const bytes = new Uint8Array(file.size);
  file.read(0, bytes);
  return bytes;
};

describe('after a power cut', () => {
  test('steps whose commits were lost are gone with them', async () => {
    fixture.durability = 'balanced';
    fixture.reopen();
    await insert(1, 2);
    fixture.clock.advance(5000); // everything is on disk now
    await insert(3, 4);
    await fixture.undo();
    const history = { main: bytesOf(HISTORY_FILE), wal: bytesOf(`${HISTORY_FILE}-wal`) };
    fixture.disk.turnOff();
    fixture.close();
    fixture.disk.restart('none');
    // The history was flushed and the database was not: the worst case.
    fixture.disk.put(HISTORY_FILE, 0, history.main);
    fixture.disk.put(`${HISTORY_FILE}-wal`, 0, history.wal);
    fixture.open();
    expect(rows()).toEqual([1, 2]);
    expect(await titles()).toEqual(['INSERT INTO log VALUES (2)', 'INSERT INTO log VALUES (1)']);
    await fixture.undo();
    await fixture.undo();
    expect(rows()).toEqual([]);
    await fixture.redo();
    expect(rows()).toEqual([1]);
  });

  test('commits that the history lost become a gap', async () => {
    await insert(1);
    fixture.clock.advance(5000);
    await insert(2);
    fixture.cutPower('none');
    expect(rows()).toEqual([1, 2]);
    const [gap, step] = await fixture.steps();
    expect(gap).toMatchObject({ kind: 'gap', why: expect.stringContaining('not in the history') });
    expect(step).toMatchObject({ title: 'INSERT INTO log VALUES (1)' });
    expect(fixture.state.undo).toBeNull();
    await insert(3);
    await fixture.undo();
    expect(rows()).toEqual([1, 2]);
    expect(fixture.state.undo).toBeNull();
  });

  test.each(['all', 'some', 'none'] as const)(
    'what was undone and redone is where it was or where it came from (%s)',
    async (kept) => {
      await insert(1, 2, 3);
      fixture.clock.advance(5000);
      await fixture.undo();
      await fixture.undo();
      await fixture.redo();
      fixture.cutPower(kept);
      expect(rows()).toEqual([1, 2]);
      // The history may have lost its position: then it says so, and never undoes the wrong step.
      if (fixture.state.undo) {
        await fixture.undo();
        expect(rows()).toEqual([1]);
      } else expect((await fixture.steps())[0]).toMatchObject({ kind: 'gap' });
    },
  );
});

describe('a kill', () => {
  test('at any write of a commit, an undo or a snapshot leaves a history that tells the truth', async () => {
    for (let cut = 0; cut < 60; cut++) {
      fixture.close();
      fixture = new HistoryFixture('CREATE TABLE log (what)');
      const states = new Set<string>();
      const note = (): void => void states.add(fixture.dump);
      note();
      const work = [
        () => insert(1),
        () => insert(2),
        () => fixture.undo(),
        () => fixture.run('CREATE TABLE u (v)'),
        () => fixture.undo(),
        () => insert(4),
      ];
      fixture.disk.cutPowerAfter(cut);
      for (const step of work) await step().then(note, () => undefined);
      fixture.cutPower('all');
      const found = fixture.dump;
      const isKnown = (): boolean => fixture.dump === found || states.has(fixture.dump);
      // Every undo or redo leads to a state that existed, or to the one that was found.
      while (fixture.state.undo) {
        await fixture.undo();
        expect(isKnown(), `cut ${cut}`).toBe(true);
      }
      while (fixture.state.redo) {
        await fixture.redo();
        expect(isKnown(), `cut ${cut}`).toBe(true);
      }
      expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    }
  });
});

describe('a history that cannot be kept', () => {
  test('when it is damaged a new one begins, with a word about it', async () => {
    await insert(1, 2);
    fixture.close();
    fixture.disk.put(HISTORY_FILE, 0, new Uint8Array(5000).fill(0x5a));
    fixture.open();
    expect(rows()).toEqual([1, 2]);
    expect(await fixture.steps()).toMatchObject([{ kind: 'gap', why: expect.stringContaining('damaged') }]);
    await insert(3);
    await fixture.undo();
    expect(rows()).toEqual([1, 2]);
  });

  test('when the disk has no room for it the database is used all the same, and the state says so', async () => {
    await insert(1);
    fixture.close();
    fixture.disk.remove(HISTORY_FILE);
    fixture.disk.remove(`${HISTORY_FILE}-wal`);
    fixture.disk.slots = fixture.disk.names.length;
    fixture.open();
    await insert(2);
    expect(rows()).toEqual([1, 2]);
    expect(fixture.state).toMatchObject({ undo: null, steps: 0, why: expect.stringContaining('could not be opened') });
    fixture.disk.slots = Infinity;
    fixture.reopen();
    await insert(3);
    expect(fixture.state.undo).toMatchObject({ title: 'INSERT INTO log VALUES (3)' });
  });

  test('what could not be noted is a gap as soon as there is room again, and nothing is undone across it', async () => {
    await insert(1);
    const { store } = fixture.history.timeline;
    const append = vi.spyOn(store, 'append').mockImplementation(() => {
      throw new AppError({ code: 'full', message: 'The disk is full.' });
    });
    await insert(2);
    expect(rows()).toEqual([1, 2]);
    expect(fixture.state).toMatchObject({ undo: null, why: expect.stringContaining('full') });
    expect((await failureOf(fixture.undo())).code).toBe('unavailable');
    expect(await titles()).toEqual(['INSERT INTO log VALUES (1)']);
    append.mockRestore();
    await insert(3);
    expect((await fixture.steps())[0]).toMatchObject({ kind: 'gap', why: expect.stringContaining('full') });
    await insert(4);
    await fixture.undo();
    expect(rows()).toEqual([1, 2, 3]);
    expect(fixture.state).toMatchObject({ undo: null, why: null });
  });

  test('a copy that is gone is no way back, and said so', async () => {
    await fixture.run('CREATE TABLE u (v)');
    for (const name of fixture.pool.names()) if (name.startsWith('/snapshot-')) fixture.disk.remove(name);
    fixture.reopen();
    expect(fixture.state.undo).toBeNull();
  });

  test('the statistics of ANALYZE and the same values again leave no gap', async () => {
    await insert(1);
    await fixture.run('ANALYZE; UPDATE log SET what = 1');
    fixture.reopen();
    await fixture.run('ANALYZE');
    fixture.cutPower('all');
    expect((await titles())[0]).toBe('INSERT INTO log VALUES (1)');
  });
});
