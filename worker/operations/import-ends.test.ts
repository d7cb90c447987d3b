// Tests imports and the work beside them. An import that ends early leaves everything as before.
import { describe, expect, test } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks, libraryDisk } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, column, importsOn, newTable, ORDERS, ordersColumns } from './import-fixture.test-suite.ts';

const RUNNING_ROWS = LONG ? 120_000 : 50_000;
/** Fewer and wider ones are as many pages to move, and take less time. */
const MOVED_ROWS = LONG ? 200_000 : 60_000;

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { plan, run, all } = importsOn(disk, (opened) => (fixture = opened));

  describe('ends with everything as before', () => {
    const long = (rows: number): string =>
      `id,customer,total\n${Array.from({ length: rows }, (_, row) => `${row + 100},name ${row},${row}.5`).join('\n')}\n`;

    test('when it is stopped', async () => {
      const before = fixture.dump;
      const running = run(long(LONG ? 200_000 : 80_000), append('orders'), ordersColumns);
      const failure = failureOf(running);
      await expect.poll(() => fixture.connection.autocommit, { interval: 1, timeout: 30_000 }).toBe(false);
      fixture.cancelAll();
      expect(await failure).toMatchObject({ code: 'stopped' });
      expect(fixture.dump).toBe(before);
      expect(await fixture.steps()).toEqual([]);
    });

    test('when it is stopped while the file does not answer', async () => {
      const before = fixture.dump;
      fixture.filesAnswerTo = 1_000_000;
      const failure = failureOf(run(long(LONG ? 100_000 : 60_000), append('orders'), ordersColumns));
      await expect.poll(() => fixture.connection.autocommit, { interval: 1, timeout: 30_000 }).toBe(false);
      fixture.cancelAll();
      expect(await failure).toMatchObject({ code: 'stopped' });
      expect(fixture.dump).toBe(before);
    });

    test('when its window is closed', async () => {
      const before = fixture.dump;
      const other = fixture.newWindow('Window 2');
      const failure = failureOf(
        fixture.call(
          'import.run',
          { plan: plan(long(LONG ? 200_000 : 80_000), append('orders'), ordersColumns) },
          other,
        ),
      );
      await expect.poll(() => fixture.connection.autocommit, { interval: 1, timeout: 30_000 }).toBe(false);
      fixture.leave(other);
      expect((await failure).code).toBe('disconnected');
      expect(fixture.dump).toBe(before);
    });

    test('when nearly everything is bad', async () => {
      const before = fixture.dump;
      const text = `id,customer,total\n${'1,x,1\n'.repeat(5000)}`;
      const failure = await failureOf(run(text, append('orders'), ordersColumns, { maxProblems: 100 }));
      expect(failure).toMatchObject({ code: 'invalid' });
      expect(fixture.dump).toBe(before);
      const id = String(failure.detail!['import']);
      const { problems } = await fixture.call('import.problems', { id, offset: 0, limit: 3 });
      expect(problems.map(({ line }) => line)).toEqual([3, 4, 5]);
    });

    test('when the file changes or ends while it is read', async () => {
      const before = fixture.dump;
      const reading = run(long(LONG ? 200_000 : 80_000), append('orders'), ordersColumns);
      const failure = failureOf(reading);
      await expect.poll(() => fixture.connection.autocommit, { interval: 1, timeout: 30_000 }).toBe(false);
      fixture.files.set('orders.csv', new TextEncoder().encode(ORDERS));
      expect((await failure).code).toBe('io');
      expect(fixture.dump).toBe(before);
    });
  });

  describe('while it runs', () => {
    const textOf = (rows: number): string =>
      `id,customer,total\n${Array.from({ length: rows }, (_, row) => `${row + 100},name ${row},${row}`).join('\n')}\n`;
    const text = textOf(RUNNING_ROWS);
    const isRunning = async () => {
      await expect.poll(() => fixture.connection.autocommit, { interval: 1, timeout: 30_000 }).toBe(false);
    };

    test('other windows read, and their edits come after it', async () => {
      const other = fixture.newWindow('Window 2');
      const ended: string[] = [];
      const importing = run(text, append('orders'), ordersColumns).then(() => ended.push('import'));
      await isRunning();
      const reading = fixture.run('SELECT count(*) FROM city', other).then(() => ended.push('read'));
      const editing = fixture
        .call('edit.apply', { table: 'city', changes: [{ kind: 'insert', set: { id: 2, name: 'Rome' } }] }, other)
        .then(() => ended.push('edit'));
      await Promise.all([importing, reading, editing]);
      expect(ended).toEqual(['read', 'import', 'edit']);
      expect((await fixture.steps()).map(({ title }) => title)).toEqual([
        'Add row to city',
        'Import orders.csv into orders',
      ]);
    });

    test.each([
      { what: 'a new table without a key gets few pages of the cache', key: false },
      { what: 'a new table with a key gets all of the cache', key: true },
    ])('$what, and what comes after it has its share again', async ({ key }) => {
      const cacheSize = () => fixture.connection.one('PRAGMA cache_size')![0];
      const whole = cacheSize();
      const columns = [column('id', 0, { type: 'TEXT', primaryKey: key }), column('customer', 1)];
      const imported = run(text, newTable('made'), columns);
      await isRunning();
      expect(cacheSize()).toBe(key ? whole : -4096);
      expect((await imported).added).toBe(RUNNING_ROWS);
      expect(cacheSize()).toBe(whole);
      const stopped = failureOf(run(text, newTable('stopped'), columns));
      await isRunning();
      fixture.cancelAll();
      expect((await stopped).code).toBe('stopped');
      expect(cacheSize()).toBe(whole);
    });

    test.runIf(disk === libraryDisk)(
      'Stop comes too late while its rows are moved into the file, and others read and write',
      async () => {
        const padded = `id,customer,total\n${Array.from({ length: MOVED_ROWS }, (_, row) => `${row + 100},${'name '.repeat(LONG ? 20 : 80)},${row}`).join('\n')}\n`;
        const other = fixture.newWindow('Window 2');
        const ended: string[] = [];
        const beside: Promise<unknown>[] = [];
        const importing = fixture.call(
          'import.run',
          { plan: plan(padded, append('orders'), ordersColumns) },
          undefined,
          (chunk) => {
            if (beside.length > 0 || !(chunk as { phase: string }).phase.startsWith('Moving')) return;
            fixture.cancelAll();
            beside.push(fixture.run('SELECT count(*) FROM orders', other).then(() => ended.push('read')));
            beside.push(
              fixture
                .call(
                  'edit.apply',
                  { table: 'city', changes: [{ kind: 'insert', set: { id: 2, name: 'Rome' } }] },
                  other,
                )
                .then(() => ended.push('edit')),
            );
          },
        );
        expect(await importing).toMatchObject({ added: MOVED_ROWS });
        await Promise.all(beside);
        expect(ended.toSorted()).toEqual(['edit', 'read']);
        expect((await fixture.steps())[1]!.title).toBe('Import orders.csv into orders');
        expect(all('SELECT count(*) FROM orders')).toEqual([[MOVED_ROWS + 2]]);
        expect(all('PRAGMA integrity_check')).toEqual([['ok']]);
      },
    );

    test('it says how far it is, in rows and bytes', async () => {
      const told: { phase: string; done: number; total: number | null; unit: string }[] = [];
      // Long enough to be told about on a fast machine, too, every 100 ms; and no more than one commit takes, so no rows are moved later.
      const many = textOf(200_000);
      await fixture.call('import.run', { plan: plan(many, append('orders'), ordersColumns) }, undefined, (chunk) =>
        told.push(chunk as (typeof told)[number]),
      );
      expect(told.length).toBeGreaterThan(0);
      for (const { phase, done, total, unit } of told) {
        expect(phase).toMatch(/^[\d,]+ rows$/);
        expect(unit).toBe('bytes');
        expect(total).toBe(many.length);
        expect(done).toBeLessThanOrEqual(many.length);
      }
    });
  });
});
