// Imports as a window requests them: the resulting contents of the table.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ImportTarget } from '#shared/protocol/import.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import {
  append,
  column,
  importsInto,
  newTable,
  ORDERS,
  ordersColumns,
  SCHEMA,
  upsert,
} from './import-fixture.test-suite.ts';

/** A new column without values of the file. */
const stamp = () => column('at', null, { type: 'TEXT', isNew: true, defaultSql: "'now'" });

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(SCHEMA, disk);
    fixture.connection.run('PRAGMA foreign_keys = ON');
  });
  afterEach(() => fixture.close());

  const { plan, run, all } = importsInto(() => fixture);

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

    test('of STRICT keeps what does not fit among the problems', async () => {
      const reply = await run('n\n1\nx\n3\n', newTable('s', true), [column('n', 0, { type: 'INTEGER' })]);
      expect(reply).toMatchObject({ added: 2, problems: 1 });
      const { problems } = await fixture.call('import.problems', { id: reply.id, offset: 0, limit: 10 });
      expect(problems).toEqual([
        { line: 3, reason: '“n” of “s” accepts only INTEGER values, not TEXT.', fields: ['x'] },
      ]);
    });
  });

  describe('into a table that is there', () => {
    test('adds rows and leaves out what the table computes', async () => {
      const text = 'id,customer,total,twice\n5,Eve,5,77\n6,Fay,6,77\n';
      const reply = await run(text, append('ORDERS'), [...ordersColumns, column('twice', 3)]);
      expect(reply).toMatchObject({ table: 'orders', added: 2, problems: 0 });
      expect(reply.notes).toEqual(['“twice”: computed by the table, so values of the file were left out.']);
      expect(all('SELECT id, twice FROM orders WHERE id IN (5, 6)')).toEqual([
        [5, { real: 10 }],
        [6, { real: 12 }],
      ]);
    });

    test('names records with problems by line, and goes on', async () => {
      const text = 'id,customer,total\n1,A,1\n2,taken,2\n"x",B,3\n4,C,4,5,6\n5,D\n6,E,6,\n7,"open,1\n';
      const reply = await run(text, append('orders'), ordersColumns);
      expect(reply).toMatchObject({ added: 3, problems: 4 });
      expect(reply.notes).toEqual(['Line 6: 1 record with fewer than 3 fields: what is missing is NULL.']);
      const { columns, problems } = await fixture.call('import.problems', { id: reply.id, offset: 0, limit: 10 });
      expect(columns).toEqual(['id', 'customer', 'total']);
      expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 8]);
      expect(problems[0]).toEqual({
        line: 3,
        reason: 'Another row of “orders” already has this “id”.',
        fields: ['2', 'taken', '2'],
      });
      expect(problems[2]!.reason).toContain('5 cells');
      expect(all('SELECT id FROM orders ORDER BY id').flat()).toEqual([1, 2, 5, 6, 9]);
    });

    test('keeps a record that could not be read until somebody gives it its fields', async () => {
      const first = await run('id,customer,total\n1,A,1\n3,B,1,x,y\n4,C,2,x,y\n', append('orders'), ordersColumns);
      const problemsOf = async (id: string) =>
        (await fixture.call('import.problems', { id, offset: 0, limit: 9 })).problems;
      const [before] = await problemsOf(first.id);
      expect(before).toMatchObject({ fields: ['3,B,1,x,y'], isUnread: true });
      const again = await fixture.call('import.again', { id: first.id, records: [null, ['4', 'C', '2']] });
      expect(again).toMatchObject({ added: 1, problems: 1 });
      expect(await problemsOf(again.id)).toEqual([{ ...before, line: 1 }]);
      expect(all('SELECT id FROM orders ORDER BY id').flat()).toEqual([1, 2, 4, 9]);
    });

    test('imports mended records as another step', async () => {
      const text = 'id,customer,total\n1,A,1\n2,taken,2\n';
      const first = await run(text, append('orders'), ordersColumns);
      const again = await fixture.call('import.again', {
        id: first.id,
        records: [
          ['22', 'taken', '2'],
          ['9', 'x', ''],
        ],
      });
      expect(again).toMatchObject({ added: 1, problems: 1 });
      expect(all("SELECT id FROM orders WHERE customer = 'taken'")).toEqual([[22]]);
      expect(await fixture.steps()).toHaveLength(2);
      expect((await failureOf(fixture.call('import.again', { id: 'import-0', records: [] }))).code).toBe('not-found');
    });

    test('replaces all rows in one step', async () => {
      const before = fixture.dump;
      const target: ImportTarget = { kind: 'table', table: 'orders', mode: 'replace', key: [], existing: 'skip' };
      const reply = await run(ORDERS, target, ordersColumns);
      expect(reply).toMatchObject({ added: 3, removed: 2, changed: 0, skipped: 0 });
      expect(all('SELECT id FROM orders ORDER BY id').flat()).toEqual([1, 2, 3]);
      expect(await fixture.steps()).toHaveLength(1);
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });

    test('says what replacing all rows does to rows that refer to them, before and after', async () => {
      await fixture.run("INSERT INTO home VALUES ('Ann', 1)");
      const before = fixture.dump;
      const target: ImportTarget = { kind: 'table', table: 'city', mode: 'replace', key: [], existing: 'skip' };
      const columns = [column('id', 0), column('name', 1)];
      const notes = ['Replacing all rows also deletes the rows of “home” that refer to them (ON DELETE CASCADE).'];
      const text = 'id,name\n1,Rome\n';
      expect((await fixture.call('import.preview', { plan: plan(text, target, columns) })).notes).toEqual(notes);
      expect(await run(text, target, columns)).toMatchObject({ added: 1, removed: 1, notes });
      expect(all('SELECT * FROM home')).toEqual([]);
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });

    test.each([
      ['skip', { added: 2, changed: 0, equal: 0, skipped: 2 }, 'Bob', null],
      ['overwrite', { added: 2, changed: 1, equal: 1, skipped: 0 }, 'Bob', 'Ida'],
      ['fill', { added: 2, changed: 1, equal: 0, skipped: 1 }, 'Bob', 'Ida'],
    ] as const)('by key, with rows that are there: %s', async (existing, counts, bob, nine) => {
      const text = 'id,customer,total\n1,Ann,1\n2,Bob,20\n9,Ida,9\n10,Kim,10\n';
      const target = upsert(existing);
      const preview = await fixture.call('import.preview', { plan: plan(text, target, ordersColumns) });
      expect(preview.changes).toEqual(counts);
      const reply = await run(text, target, ordersColumns);
      expect(reply).toMatchObject({ ...counts, problems: 0 });
      expect(all('SELECT customer FROM orders WHERE id IN (2, 9) ORDER BY id').flat()).toEqual([bob, nine]);
    });

    test('by key: overwrites what is there, fills only what is NULL', async () => {
      const text = 'id,customer,total\n2,Robert,21\n9,Ida,99\n';
      await run(text, upsert('fill'), ordersColumns);
      expect(all('SELECT id, customer, total FROM orders ORDER BY id')).toEqual([
        [2, 'Bob', { real: 20 }],
        [9, 'Ida', { real: 9 }],
      ]);
      await run(text, upsert('overwrite'), ordersColumns);
      expect(all('SELECT id, customer, total FROM orders ORDER BY id')).toEqual([
        [2, 'Robert', { real: 21 }],
        [9, 'Ida', { real: 99 }],
      ]);
      const without = { ...upsert('skip'), key: [] } as ImportTarget;
      expect((await failureOf(run(text, without, ordersColumns))).code).toBe('invalid');
    });

    describe('with a column that the table lacks', () => {
      const news = [...ordersColumns, column('Tax', 3, { type: 'REAL', isNew: true }), stamp()];
      const text = 'id,customer,total,tax\n3,Cid,3,0.5\n2,Bob,20,1\n';
      const dated = (rows: string): unknown => all(`SELECT id, Tax, at FROM orders ${rows} ORDER BY id`);

      test.each([
        ['append', append('orders'), [[2, null, 'now'], [3, 0.5, 'now'], [9, null, 'now']], { added: 1, problems: 1 }],
        ['replace', { ...append('orders'), mode: 'replace' } as ImportTarget, [[2, { real: 1 }, 'now'], [3, 0.5, 'now']], { added: 2, removed: 2 }],
        ['fill', upsert('fill'), [[2, { real: 1 }, 'now'], [3, 0.5, 'now'], [9, null, 'now']], { added: 1, changed: 1 }],
        ['overwrite', upsert('overwrite'), [[2, { real: 1 }, 'now'], [3, 0.5, 'now'], [9, null, 'now']], { added: 1, changed: 1 }],
      ] as const)('adds it and its rows in one step: %s', async (_, target, rows, reply) => {
        const before = fixture.dump;
        const notes = ['New in “orders”: “Tax”, “at”.'];
        const preview = await fixture.call('import.preview', { plan: plan(text, target, news) });
        expect(preview).toMatchObject({ rows: [[3, 'Cid', { real: 3 }, 0.5], [2, 'Bob', { real: 20 }, { real: 1 }]], notes });
        expect(preview.problems).toHaveLength('problems' in reply ? 1 : 0);
        expect(fixture.dump).toBe(before);
        expect(await run(text, target, news)).toMatchObject({ ...reply, notes });
        expect(dated('')).toEqual(rows);
        expect(await fixture.steps()).toHaveLength(1);
        const after = fixture.dump;
        await fixture.undo();
        expect(fixture.dump).toBe(before);
        await fixture.redo();
        expect(fixture.dump).toBe(after);
      }); // prettier-ignore

      test('imports mended records into the table that has it by then', async () => {
        const first = await run('id,customer,total,tax\n2,Bob,1,1\n', append('orders'), news);
        const again = await fixture.call('import.again', { id: first.id, records: [['4', 'Bob', '1', '7']] });
        expect(again).toMatchObject({ added: 1, problems: 0 });
        expect(dated('WHERE id = 4')).toEqual([[4, { real: 7 }, 'now']]);
      });

      test('refuses one that is there, or for which SQLite has reasons, with everything as before', async () => {
        const before = fixture.dump;
        const taken = await failureOf(run(text, append('orders'), [column('TOTAL', 3, { isNew: true })]));
        expect(taken.message).toBe('“orders” already has a column “total”. Nothing was changed.');
        const changing = [column('a', 3, { isNew: true, defaultSql: 'random()' })];
        expect((await failureOf(run(text, append('orders'), changing))).code).toBe('sql');
        await fixture.run('CREATE VIRTUAL TABLE found USING fts5(body)');
        const virtual = [column('body', 1), column('more', 2, { isNew: true })];
        expect((await failureOf(run(text, append('found'), virtual))).message).toContain('virtual table');
        await fixture.undo();
        expect(fixture.dump).toBe(before);
      });

      test('of a STRICT table takes only values of its type', async () => {
        const strict = [column('n', 0), column('tax', 3, { type: 'INTEGER', isNew: true })];
        const target = append('strict_one');
        expect((await fixture.call('import.preview', { plan: plan(text, target, strict) })).problems).toHaveLength(1);
        expect(await run(text, target, strict)).toMatchObject({ added: 1, problems: 1 });
        expect(all('SELECT n, tax FROM strict_one')).toEqual([[2, 1]]);
      });
    });

    test('leaves out records that refer to nothing', async () => {
      const reply = await run('person,city\nAnn,1\nBob,7\nCid,1\n', append('home'), [
        column('person', 0),
        column('city', 1),
      ]);
      expect(reply).toMatchObject({ added: 2, problems: 1 });
    });

    test('lets rows refer to later ones, and refuses the whole when one leads nowhere', async () => {
      const columns = [column('id', 0), column('name', 1), column('boss', 2)];
      const good = await run('id,name,boss\n1,Ann,2\n2,Bob,\n', append('people'), columns, {
        options: { nullTokens: [''] },
      });
      expect(good).toMatchObject({ added: 2, problems: 0 });
      const before = fixture.dump;
      const failure = await failureOf(run('id,name,boss\n3,Cid,1\n4,Dan,77\n', append('people'), columns));
      expect(failure.code).toBe('constraint');
      expect(failure.message).toBe(
        'After the import rows would refer to rows that do not exist: people.boss = 77 (not in people). Nothing was changed.',
      );
      expect(fixture.dump).toBe(before);
      expect(fixture.connection.autocommit).toBe(true);
    });

    test('runs triggers, and ends with everything as before for one that rolls back', async () => {
      await fixture.run(`CREATE TABLE log (what);
        CREATE TRIGGER noted AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (new.id); END;
        CREATE TRIGGER guard BEFORE INSERT ON orders WHEN new.customer = 'stop' BEGIN SELECT RAISE(ROLLBACK, 'enough'); END;
        CREATE TRIGGER passed BEFORE INSERT ON orders WHEN new.customer = 'ignore' BEGIN SELECT RAISE(IGNORE); END`);
      const good = await run('id,customer,total\n3,A,1\n4,ignore,1\n5,B,1\n', append('orders'), ordersColumns);
      expect(good).toMatchObject({ added: 2, skipped: 1, problems: 0 });
      expect(all('SELECT what FROM log').flat()).toEqual([3, 5]);
      const before = fixture.dump;
      const failure = await failureOf(run('id,customer,total\n6,A,1\n7,stop,1\n', append('orders'), ordersColumns));
      expect(failure.message).toContain('enough');
      expect(fixture.dump).toBe(before);
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

  describe('what a file holds', () => {
    const analyzed = async (text: string) => {
      fixture.files.set('orders.csv', new TextEncoder().encode(text));
      const source = { kind: 'file', token: 'orders.csv' } as const;
      const { options } = await fixture.call('import.detect', { source, options: {} });
      return { options, ...(await fixture.call('import.analyze', { source, options })) };
    };

    test('is counted over all records, with those that cannot be read', async () => {
      const lines = Array.from({ length: 100_000 }, (_, at) => `${at},${at % 1000 === 7 ? '007' : '12'},x`);
      const { records, columns, problems } = await analyzed(`id,code,note\n${lines.join('\n')}\n1,2,3,4\n5,"6"7,8\n`);
      expect({ records, problems }).toEqual({ records: 100_000, problems: 2 });
      expect(columns.map(({ name, suggested, reason }) => [name, suggested, reason])).toEqual([
        ['id', 'INTEGER', '100,000 integers: INTEGER'],
        ['code', 'TEXT', '99,900 integers, 100 with leading zeros: TEXT, so 007 stays 007'],
        ['note', 'TEXT', '100,000 texts: TEXT'],
      ]);
    });

    test('is told from its names also where these alone are more than is looked at first', async () => {
      const names = Array.from({ length: 2_000 }, (_, at) => `measurement of the sensor number ${at}`);
      const rows = Array.from({ length: 30 }, (_, row) => names.map((_name, at) => row * at).join(','));
      const { options, columns } = await analyzed(`${[names.join(','), ...rows].join('\n')}\n`);
      expect(options.hasHeader).toBe(true);
      expect(columns[1_999]).toMatchObject({ name: names[1_999], suggested: 'INTEGER' });
    });

    test('comes back, imported with the types that are suggested: numbers with their value, all else as it was written', async () => {
      const field = fc.oneof(
        fc.integer().map(String),
        fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
        fc.integer().map((cents) => String(cents / 100)),
        fc.double({ noNaN: true }).map(String),
        fc.constantFrom('007', '-0', '1.0', '1e5', '+1', '0x1', 'x', '""', '2024-01-31', 'true', ' 1'),
      );
      const column1 = fc.oneof(fc.integer().map(String), fc.constantFrom('0', '1'));
      const column2 = fc.integer().map((cents) => String(cents / 8));
      const tables = fc.array(fc.tuple(column1, column2, field), { minLength: 1, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(tables, async (rows) => {
          fixture.connection.run('DROP TABLE IF EXISTS back');
          const text = `a,b,c\n${rows.map((row) => row.join(',')).join('\n')}\n`;
          const { columns, options } = await analyzed(text);
          const typed = columns.map(({ name, suggested: type }, from) => column(name, from, { type }));
          const reply = await run(text, newTable('back'), typed, { options });
          expect(reply.problems).toBe(0);
          const back = all('SELECT CAST(a AS TEXT), CAST(b AS TEXT), CAST(c AS TEXT) FROM back ORDER BY rowid');
          const isNumber = columns.map(({ suggested }) => suggested === 'REAL' || suggested === 'NUMERIC');
          const kept = (text: unknown, at: number) => (isNumber[at] ? Number(text) + 0 : text === '""' ? '' : text);
          expect(back.map((row) => row.map(kept))).toEqual(rows.map((row) => row.map(kept)));
        }),
        { seed: 20267, numRuns: 60 },
      );
    });
  });

  test('any text comes back as it was written', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '',
        '007',
        '1e5',
        '-0',
        'NULL',
        ' x ',
        'a"b',
        'a,b',
        'line\nbreak',
        '\r\n',
        '12345678901234567890',
      ),
    );
    const tables = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 40 });
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        fixture.connection.run('DROP TABLE IF EXISTS back');
        const text = `a,b,c\n${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
        const columns = ['a', 'b', 'c'].map((name, from) => column(name, from, { type: 'TEXT' }));
        const reply = await run(text, newTable('back'), columns);
        expect(reply.problems).toBe(0);
        expect(all('SELECT a, b, c FROM back ORDER BY rowid')).toEqual(rows);
      }),
      { numRuns: 20 },
    );
  });
});
