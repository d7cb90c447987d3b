// What an import finds in a file, and that values come back as they were written.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { column, importsOn, newTable } from './import-fixture.test-suite.ts';

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { run, all } = importsOn(disk, (opened) => (fixture = opened));

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
        { seed: 20267, numRuns: seedCount(60) },
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
      { seed: 992, numRuns: seedCount(20) },
    );
  });
});
