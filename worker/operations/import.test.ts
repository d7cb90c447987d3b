// Imports as a window requests them: new tables, the preview, the transaction and the step of undo.
import { describe, expect, test } from 'vitest';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, column, importsOn, newTable, ORDERS, ordersColumns } from './import-fixture.test-suite.ts';

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { plan, run, all } = importsOn(disk, (opened) => (fixture = opened));

  describe('into a new table', () => {
    const columns = [
      column('id', 0, { type: 'INTEGER', primaryKey: true }),
      column('customer', 1, { type: 'TEXT', notNull: true }),
      column('total', 2, { type: 'REAL', expression: 'value * 10' }),
      column('state', null, { type: 'TEXT', defaultSql: "'new'" }),
    ];

    test('makes it as it was planned, in one step that undo and redo take as a whole', async () => {
      const before = fixture.dump;
      const reply = await run(ORDERS, newTable('imported'), columns);
      expect(reply).toMatchObject({ table: 'imported', added: 3, problems: 0, notes: [] });
      expect(all('SELECT * FROM imported')).toEqual([
        [1, 'Ann', { real: 15 }, 'new'],
        [2, 'Bob, Jr.', { real: 200 }, 'new'],
        [3, '', { real: 30 }, 'new'],
      ]);
      expect((await fixture.steps()).map(({ title }) => title)).toEqual(['Import orders.csv into imported']);
      const after = fixture.dump;
      await fixture.undo();
      expect(fixture.dump).toBe(before);
      await fixture.redo();
      expect(fixture.dump).toBe(after);
    });

    test('refuses a name that is taken, and SQL that is none, with everything as before', async () => {
      const before = fixture.dump;
      expect((await failureOf(run(ORDERS, newTable('Orders'), columns))).code).toBe('exists');
      const broken = [column('a', 0, { type: 'TEXT', defaultSql: '1 +' })];
      expect((await failureOf(run(ORDERS, newTable('x'), broken))).code).toBe('sql');
      const expression = [column('a', 0, { type: 'TEXT', expression: 'no_such(value)' })];
      expect((await failureOf(run(ORDERS, newTable('x'), expression))).code).toBe('sql');
      expect(fixture.dump).toBe(before);
      expect(await fixture.steps()).toEqual([]);
      expect(fixture.connection.autocommit).toBe(true);
    });

    test.each([
      ['a type that replaces rows', { type: 'TEXT UNIQUE ON CONFLICT REPLACE' }, 'is not the name of a type'],
      ['a type that is computed', { type: 'INTEGER GENERATED ALWAYS AS (1)' }, 'is not the name of a type'],
      [
        'a default that is another column',
        { defaultSql: '1), hidden TEXT UNIQUE ON CONFLICT IGNORE DEFAULT (2' },
        'The default of “a”',
      ],
      ['a default that ends the statement', { defaultSql: '1)); DROP TABLE t; --' }, 'The default of “a”'],
      ['an expression that is two', { expression: 'value), (SELECT 2' }, 'The expression of “a”'],
    ])('of a recipe with %s is refused', async (_what, change, why) => {
      const before = fixture.dump;
      const columns = [column('a', 0, { type: 'TEXT', ...change })];
      expect(await failureOf(run(ORDERS, newTable('x'), columns))).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(why),
      });
      expect(fixture.dump).toBe(before);
    });

    test('of STRICT keeps what does not fit among the problems', async () => {
      const reply = await run('n\n1\nx\n3\n', newTable('s', true), [column('n', 0, { type: 'INTEGER' })]);
      expect(reply).toMatchObject({ added: 2, problems: 1 });
      const { problems } = await fixture.call('import.problems', { id: reply.id, offset: 0, limit: 10 });
      expect(problems).toEqual([
        { line: 3, reason: '“n” of “s” accepts only INTEGER values, not TEXT.', fields: ['x'] },
      ]);
    });
  });

  describe('the preview', () => {
    test('shows the rows as they will be stored, and leaves nothing behind', async () => {
      const before = fixture.dump;
      const columns = [
        column('id', 0, { type: 'INTEGER', primaryKey: true }),
        column('customer', 1, { type: 'TEXT', expression: 'upper(value)' }),
        column('total', 2, { type: 'REAL' }),
        column('made', null, { type: 'TEXT', defaultSql: "'now'" }),
      ];
      const text = 'id,customer,total\n7,Ann,1\n3,Bob,x\n7,Cid,2\n';
      const preview = await fixture.call('import.preview', { plan: plan(text, newTable('n'), columns) });
      expect(preview.rows).toEqual([
        [7, 'ANN', { real: 1 }, 'now'],
        [3, 'BOB', 'x', 'now'],
      ]);
      expect(preview.problems).toMatchObject([{ line: 4, fields: ['7', 'Cid', '2'] }]);
      expect(fixture.dump).toBe(before);
      expect(await fixture.steps()).toEqual([]);
      expect(all("SELECT count(*) FROM temp.sqlite_schema WHERE type = 'table'")).toEqual([[0]]);
    });

    test('of a table that is there tells what it would say', async () => {
      const before = fixture.dump;
      const text = 'id,customer,total\n1,Ann,1\n2,Bob,2\n';
      const preview = await fixture.call('import.preview', { plan: plan(text, append('orders'), ordersColumns) });
      expect(preview.rows).toEqual([
        [1, 'Ann', { real: 1 }],
        [2, 'Bob', { real: 2 }],
      ]);
      expect(preview.problems).toMatchObject([{ line: 3 }]);
      expect(fixture.dump).toBe(before);
      await fixture.run("UPDATE orders SET customer = 'later' WHERE id = 2");
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });
  });

  test('waits for a transaction that is open, and says whose', async () => {
    const other = fixture.newWindow('Window 2');
    await fixture.run("BEGIN; INSERT INTO city VALUES (5, 'Rome')", other);
    expect((await failureOf(run(ORDERS, newTable('n'), [column('id', 0)]))).code).toBe('transaction-elsewhere');
    await fixture.run('ROLLBACK', other);
  });

  test('many rows are one step with little to keep, which undo takes back', async () => {
    const before = fixture.dump;
    const rows = Array.from({ length: 30_000 }, (_, row) => `${row + 100},name ${row},${row}`).join('\n');
    const reply = await run(`id,customer,total\n${rows}\n`, append('orders'), ordersColumns);
    expect(reply.added).toBe(30_000);
    const [step] = await fixture.steps();
    expect(step).toMatchObject({ kind: 'rows', tables: [{ table: 'orders', inserted: 30_000 }] });
    const after = fixture.dump;
    await fixture.undo();
    expect(fixture.dump).toBe(before);
    await fixture.redo();
    expect(fixture.dump).toBe(after);
  });

  test('what could not be undone is refused before anything is changed, unless that was agreed to', async () => {
    fixture.settings.set('history.limits', JSON.stringify({ totalBytes: 5e6, stepBytes: 1e6 }));
    await fixture.call('history.setLimits', { totalBytes: 5e6, stepBytes: 1e6 } as never);
    await fixture.run('CREATE TABLE big (a)');
    await fixture.run('INSERT INTO big VALUES (zeroblob(900000)), (zeroblob(900000))');
    const before = fixture.dump;
    const columns = [column('id', 0, { type: 'INTEGER' })];
    const failure = await failureOf(run(ORDERS, newTable('imported'), columns));
    expect(failure.code).toBe('not-undoable');
    expect(fixture.dump).toBe(before);
    const agreed = await fixture.call('import.run', {
      plan: plan(ORDERS, newTable('imported'), columns),
      withoutUndo: true,
    });
    expect(agreed.added).toBe(3);
    expect((await fixture.steps())[0]).toMatchObject({ kind: 'gap', title: 'Import orders.csv into imported' });
  });

  test('pasted text is imported like a file', async () => {
    const source = { kind: 'text', text: ORDERS, name: 'Clipboard' } as const;
    const reply = await fixture.call('import.run', {
      plan: { ...plan('', newTable('pasted'), [column('a', 1, { type: 'TEXT' })]), source },
    });
    expect(reply.added).toBe(3);
    expect((await fixture.steps())[0]!.title).toBe('Import Clipboard into pasted');
  });
});
