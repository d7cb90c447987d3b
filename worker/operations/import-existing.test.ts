// Imports into a table that is there: which rows are added, replaced, changed by key or refused, and columns that it lacks.
import { describe, expect, test } from 'vitest';
import type { ImportTarget } from '#shared/protocol/import.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, column, importsOn, ORDERS, ordersColumns, upsert } from './import-fixture.test-suite.ts';

/** A new column without values of the file. */
const stamp = () => column('at', null, { type: 'TEXT', isNew: true, defaultSql: "'now'" });

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { plan, run, all } = importsOn(disk, (opened) => (fixture = opened));

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

    test('says which numbers a column with a type of numbers stores in another way', async () => {
      await fixture.run('CREATE TABLE odd (i INTEGER, r REAL, t TEXT)');
      const text =
        'i,r,t\n007,1.50,007\n+4,9007199254740993,+4\n" 5",0.1,x\n12345678901234567890,0.12345678901234567,y\nx,,z\n';
      const reply = await run(text, append('odd'), [column('i', 0), column('r', 1), column('t', 2)]);
      expect(reply).toMatchObject({ added: 5, problems: 0 });
      expect(reply.notes).toEqual([
        'A number in “i” (INTEGER), so it is written differently: 3 values, such as 007 in line 2.',
        'A number in “i” (INTEGER), so digits are lost: 1 value, such as 12345678901234567890 in line 5.',
        'A number in “r” (REAL), so digits are lost: 2 values, such as 9007199254740993 in line 3.',
      ]);
    });

    test('says which texts of a format with types become numbers that are written differently', async () => {
      await fixture.run('CREATE TABLE typed (i NUMERIC, r REAL, t TEXT)');
      const rows = [
        { i: '1.10', r: '1.0', t: '1.10' },
        { i: '1.0', r: '5', t: '5' },
        { i: '5', r: '0.500', t: 'x' },
        { i: 'x', r: '0.25', t: '' },
        { i: 1.5, r: 2.5, t: '' },
      ];
      const given = plan('', append('typed'), [column('i', 0), column('r', 1), column('t', 2)]);
      const source = { kind: 'text', name: 'typed.json', text: JSON.stringify(rows) } as const;
      const options = { ...given.options, format: 'json' } as const;
      const reply = await fixture.call('import.run', { plan: { ...given, source, options } });
      expect(reply.notes).toEqual([
        'A number in “i” (NUMERIC), so it is written differently: 2 values, such as 1.10 in row 1.',
        'A number in “r” (REAL), so it is written differently: 2 values, such as 5 in row 2.',
      ]);
    });

    test('adds nothing of a file that has names of its columns and no row', async () => {
      const given = plan('total,ID\n', append('orders'), ordersColumns.slice(0, 2));
      const into = { ...given, options: { ...given.options, hasHeader: false } };
      const preview = await fixture.call('import.preview', { plan: into });
      expect(preview).toMatchObject({ rows: [], notes: [expect.stringContaining('names of columns')] });
      const reply = await fixture.call('import.run', { plan: into });
      expect(reply).toMatchObject({ added: 0, problems: 0, notes: [expect.stringContaining('names of columns')] });
      const rows = { ...into, source: { kind: 'text', name: 'orders.csv', text: '7,id\ntotal,8\n' } as const };
      expect(await fixture.call('import.run', { plan: rows })).toMatchObject({ added: 1, problems: 1 });
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

    test('finds rows by columns that are not a key of the table, and leaves its schema as it is', async () => {
      await fixture.run(
        "CREATE TABLE plain (id INTEGER, name TEXT); INSERT INTO plain VALUES (1, 'a'), (2, 'b'), (NULL, 'c'); CREATE TABLE other (a); CREATE INDEX Sidelite_Import_Key_1 ON other (a)",
      );
      const before = fixture.dump;
      const target = { ...upsert('overwrite'), table: 'plain', key: ['ID'] } as ImportTarget;
      const columns = [column('id', 0), column('name', 1)];
      const text = 'id,name\n2,B\n3,x\n3,C\n';
      const preview = await fixture.call('import.preview', { plan: plan(text, target, columns) });
      expect(preview.changes).toMatchObject({ added: 1, changed: 2 });
      expect(fixture.dump).toBe(before);
      expect(await run(text, target, columns)).toMatchObject({ added: 1, changed: 2, problems: 0 });
      expect(all('SELECT id, name FROM plain ORDER BY id')).toEqual([[null, 'c'], [1, 'a'], [2, 'B'], [3, 'C']]); // prettier-ignore
      expect(all("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'plain'")).toEqual([[1]]);
      await fixture.undo();
      expect(fixture.dump).toBe(before);

      const phases: unknown[] = [];
      const importing = fixture.call('import.run', { plan: plan(text, target, columns) }, undefined, (chunk) => {
        phases.push((chunk as { phase: string }).phase);
        fixture.cancelAll();
      });
      expect((await failureOf(importing)).code).toBe('stopped');
      expect(phases).toEqual(['Indexing the key']);
      expect(fixture.dump).toBe(before);

      await fixture.run("INSERT INTO plain VALUES (2, 'bb')");
      const refused = await failureOf(run(text, target, columns));
      expect(refused.message).toBe(
        '“plain” has several rows with the same “ID”, so rows cannot be found by it. Nothing was changed. Choose more columns for the key.',
      );
      expect((await failureOf(fixture.call('import.preview', { plan: plan(text, target, columns) }))).message).toBe(
        refused.message,
      );
      expect(fixture.connection.autocommit).toBe(true);
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

      test('that may not be NULL needs a default, unless all rows are replaced', async () => {
        const tax = column('tax', 3, { type: 'REAL', isNew: true, notNull: true });
        const [bare, filled] = [
          [...ordersColumns, tax],
          [...ordersColumns, { ...tax, defaultSql: '-1' }],
        ];
        const before = fixture.dump;
        const refused = await failureOf(run(text, append('orders'), bare));
        expect(refused.message).toBe(
          '“tax” is NOT NULL, but the rows that are in “orders” already have no value for it. Give it a default. Nothing was changed.',
        );
        const asked = fixture.call('import.preview', { plan: plan(text, append('orders'), bare) });
        expect((await failureOf(asked)).message).toBe(refused.message);
        expect(fixture.dump).toBe(before);
        expect(await run(text, upsert('overwrite'), filled)).toMatchObject({ added: 1, changed: 1 });
        expect(all('SELECT id, tax FROM orders ORDER BY id')).toEqual([[2, { real: 1 }], [3, 0.5], [9, { real: -1 }]]); // prettier-ignore
        await fixture.undo();
        const replaced = await run(text, { ...append('orders'), mode: 'replace' } as ImportTarget, bare);
        expect(replaced).toMatchObject({ added: 2, problems: 0 });
        expect(all("SELECT \"notnull\" FROM pragma_table_info('orders') WHERE name = 'tax'")).toEqual([[1]]);
      });

      test('says what becomes of the rows of a large table, too', async () => {
        fixture.connection.run(
          "INSERT INTO orders (id, customer) WITH RECURSIVE n (i) AS (SELECT 101 UNION ALL SELECT i + 1 FROM n LIMIT 60000) SELECT i, 'x' FROM n",
        );
        const preview = await fixture.call('import.preview', { plan: plan(text, upsert('overwrite'), news) });
        expect(preview.changes).toMatchObject({ added: 1, changed: 1 });
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
});
