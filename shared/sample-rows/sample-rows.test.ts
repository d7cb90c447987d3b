// The generator of sample rows: values inside of what was asked for, unique keys that are, and rows that depend on nothing but their number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { SAMPLE_TEXTS, SAMPLE_TIMES } from '../protocol/sample-rows.ts';
import type { SampleColumn, SampleSource } from '../protocol/sample-rows.ts';
import { CellRandom } from './cell-random.ts';
import { listText, parseList, parseValue, valueText } from './literals.ts';
import { SampleRows, shuffled } from './make-rows.ts';
import { allowedBy } from './read-checks.ts';
import { sourceProblem, valuesOf } from './source-values.ts';
import { suggestColumns } from './suggest.ts';
import { ANYTHING } from './table-facts.ts';
import type { ColumnFacts, TableFacts } from './table-facts.ts';
import type { SampleValue } from './values.ts';

const column = (name: string, part: Partial<ColumnFacts> = {}): ColumnFacts => ({
  name,
  declaredType: 'TEXT',
  affinity: 'TEXT',
  canBeNull: true,
  isRowid: false,
  allowed: ANYTHING,
  ...part,
});

const facts = (columns: readonly ColumnFacts[], part: Partial<TableFacts> = {}): TableFacts => ({
  name: 't',
  columns,
  unique: [],
  references: [],
  ...part,
});

const NOTHING = { parents: [], largest: new Map<number, number>() };

/** Some values of a source: its first and last ones, and drawn ones. */
function someOf(source: Parameters<typeof valuesOf>[0]): readonly SampleValue[] {
  expect(sourceProblem(source)).toBeNull();
  const values = valuesOf(source);
  const random = new CellRandom();
  const rows = Array.from({ length: 40 }, (_, row) => row);
  if (values.kind === 'open') return rows.map((row) => values.make(random.start(1, 2, row, 0), row));
  const drawn = rows.map((row) => values.at(random.start(1, 2, row, 0).below(values.size)));
  return [values.at(0), values.at(values.size - 1), ...drawn];
}

test('a shuffled list has each number once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer(), (size, key) => {
      const found = new Set(Array.from({ length: size }, (_, index) => shuffled(index, size, key)));
      expect(found.size).toBe(size);
      for (const value of found) if (value < 0 || value >= size) throw new Error(`${value} of ${size}`);
    }),
    { seed: 789, numRuns: seedCount(60) },
  );
  for (const size of [2 ** 31 + 1, 2 ** 40 - 3, 2 ** 52]) {
    const found = new Set(Array.from({ length: 2000 }, (_, index) => shuffled(index, size, 5)));
    expect([found.size, Math.max(...found) < size]).toEqual([2000, true]);
  }
});

test('numbers, days and words stay inside of their bounds, both ends included', () => {
  const ends = fc.tuple(fc.maxSafeInteger(), fc.nat()).map(([from, more]) => ({ from, to: Math.min(from + more, Number.MAX_SAFE_INTEGER) })); // prettier-ignore
  fc.assert(
    fc.property(ends, ({ from, to }) => {
      const values = someOf({ kind: 'integer', from, to }) as number[];
      expect([values[0], values[1]]).toEqual([from, to]);
      for (const value of values) expect(Number.isSafeInteger(value) && value >= from && value <= to).toBe(true);
    }),
    { seed: 790, numRuns: seedCount(100) },
  );
  const amounts = fc.record({ from: fc.integer({ min: -10_000, max: 10_000 }), more: fc.nat(10_000), decimals: fc.integer({ min: 0, max: 6 }) }); // prettier-ignore
  fc.assert(
    fc.property(amounts, ({ from, more, decimals }) => {
      for (const value of someOf({ kind: 'real', from, to: from + more, decimals }) as number[]) {
        expect(value >= from && value <= from + more).toBe(true);
        expect(String(value).split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals);
      }
    }),
    { seed: 789, numRuns: seedCount(100) },
  );
  const day = fc.date({ min: new Date('1600-01-01'), max: new Date('2900-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.nat(4000), fc.constantFrom(...SAMPLE_TIMES), (first, days, as) => {
      const from = first.toISOString().slice(0, 10);
      const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
      const values = someOf({ kind: 'moment', as, from, to });
      for (const value of values) {
        if (as === 'time') expect(value).toMatch(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);
        else if (typeof value === 'number') {
          const ms = as === 'unix' ? value * 1000 : value;
          expect(ms >= Date.parse(from) && ms < Date.parse(to) + 86_400_000).toBe(true);
        } else {
          // The text must match what JavaScript writes for the same moment.
          const text = String(value);
          expect(new Date(`${text.replace(' ', 'T')}${as === 'date' ? '' : 'Z'}`).toISOString().replace('T', ' ').slice(0, text.length)).toBe(text); // prettier-ignore
          expect(text.slice(0, 10) >= from && text.slice(0, 10) <= to).toBe(true);
        }
      }
    }),
    { seed: 790, numRuns: seedCount(100) },
  );
  const counts = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(6));
  fc.assert(
    fc.property(counts, ([from, more]) => {
      for (const text of someOf({ kind: 'words', from, to: from + more })) {
        const { length } = String(text).split(' ');
        expect(length >= from && length <= from + more).toBe(true);
      }
    }),
    { seed: 791, numRuns: seedCount(100) },
  );
});

test('texts of every kind are many, differ, and are made of what can be stored', () => {
  for (const of of SAMPLE_TEXTS) {
    const values = valuesOf({ kind: 'text', of });
    const texts = someOf({ kind: 'text', of }) as string[];
    for (const text of texts) expect(text, `${of}`).toMatch(/^[^\0-\x1f]+$/);
    if (values.kind === 'counted' && values.size < 20_000)
      expect(new Set(Array.from({ length: values.size }, (_, index) => values.at(index))).size, `${of}`).toBe(
        values.size,
      );
    if (of === 'json') for (const text of texts) expect(JSON.parse(text)).toHaveProperty('name');
    if (of === 'uuid') for (const text of texts) expect(text).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/); // prettier-ignore
    if (of === 'email') for (const text of texts) expect(text).toMatch(/^[a-z]+\.[a-z]+\d+@[a-z]+\.(example|com|org|net)$/); // prettier-ignore
  }
  expect(someOf({ kind: 'pattern', pattern: String.raw`A-#\#{x|y}*` })[5]).toMatch(/^[A-Z]-\d#[xy][a-z\d]$/);
  expect((someOf({ kind: 'blob', bytes: 3 }) as Uint8Array[]).every(({ length }) => length === 3)).toBe(true);
});

test('a row depends on its number and nothing else, and unique keys are unique', () => {
  const small = fc.integer({ min: 1, max: 60 });
  const kind: fc.Arbitrary<SampleSource> = fc.oneof(
    small.map((to): SampleSource => ({ kind: 'integer', from: 0, to })),
    small.map((length): SampleSource => ({ kind: 'list', values: Array.from({ length }, (_, at) => `v${at}`) })),
    fc.constant<SampleSource>({ kind: 'moment', as: 'date', from: '2024-01-01', to: '2024-03-01' }),
  );
  fc.assert(
    fc.property(fc.array(kind, { minLength: 2, maxLength: 4 }), fc.nat(2 ** 32 - 1), small, (sources, seed, rows) => {
      const names = sources.map((_, at) => `c${at}`);
      const columns = sources.map((source, at): SampleColumn => ({ name: names[at]!, source, nullPercent: at === 0 ? 0 : 20 })); // prettier-ignore
      const table = facts(names.map((name) => column(name)), { unique: [names.map((_, at) => at)] }); // prettier-ignore
      const plan = { table: 't', rows, seed, columns: columns.map((one) => ({ ...one, nullPercent: 0 })) };
      const made = new SampleRows(plan, table, NOTHING);
      const sizes = sources.map((source) => {
        const values = valuesOf(source as { readonly kind: 'null' });
        return values.kind === 'counted' ? values.size : 0;
      });
      const isEnough = sizes.reduce((product, size) => product * size, 1) >= rows;
      expect(made.problem === null).toBe(isEnough);
      if (!isEnough) return;
      const all = Array.from({ length: rows }, (_, row) => JSON.stringify(made.row(row, 0)));
      expect(new Set(all).size).toBe(rows);
      const other = new SampleRows({ ...plan, columns: plan.columns.toReversed() }, table, NOTHING);
      for (let row = rows - 1; row >= 0; row -= 7) {
        other.row((row * 31) % rows, 3);
        expect(JSON.stringify(other.row(row, 0))).toBe(all[row]);
      }
      // NULLs, where they are allowed, do not change the rest.
      const holes = new SampleRows({ ...plan, columns }, facts(table.columns), NOTHING);
      const free = new SampleRows(plan, facts(table.columns), NOTHING);
      for (let row = 0; row < rows; row++) {
        const values = [...free.row(row, 0)];
        holes.row(row, 0).forEach((value, at) => expect([null, values[at]]).toContain(value));
      }
    }),
    { seed: 791, numRuns: seedCount(200) },
  );
});

test('foreign keys: rows that are there, their own table, several columns, and keys that share one', () => {
  const columns = ['tenant', 'person', 'project', 'id', 'boss'].map((name) => column(name));
  const references = [
    { columns: [0], table: 'tenants', parentColumns: ['id'], isOwn: false, isLikely: false, hasRows: true },
    { columns: [0, 1], table: 'people', parentColumns: ['tenant', 'id'], isOwn: false, isLikely: false, hasRows: true },
    {
      columns: [0, 2],
      table: 'projects',
      parentColumns: ['tenant', 'id'],
      isOwn: false,
      isLikely: false,
      hasRows: true,
    },
    { columns: [4], table: 't', parentColumns: ['id'], isOwn: true, isLikely: false, hasRows: true },
  ];
  const parents = [
    [['a'], ['b'], ['c']],
    [['a', 1], ['b', 2], ['b', 3]],
    [['a', 10], ['b', 20], ['a', 30]],
    [[500], [501]],
  ]; // prettier-ignore
  const table = facts(columns, { references });
  const plan = {
    table: 't',
    rows: 300,
    seed: 9,
    columns: suggestColumns(table).map((one) => ({
      ...one,
      nullPercent: 0,
      ...(one.name === 'id' && { source: { kind: 'sequence', start: null, step: 1 } as const }),
    })),
  };
  const rows = new SampleRows(plan, table, { parents, largest: new Map([[3, 501]]) });
  const bosses = new Set<SampleValue>();
  for (let row = 0; row < 300; row++) {
    const [tenant, person, project, id, boss] = rows.row(row, 0);
    expect(parents[1]).toContainEqual([tenant, person]);
    expect(parents[2]).toContainEqual([tenant, project]);
    expect(id).toBe(502 + row);
    expect(Number(boss) >= 500 && Number(boss) < 502 + row).toBe(true);
    bosses.add(boss!);
  }
  expect(bosses.size).toBeGreaterThan(100);
});

test.each([
  [["status IN ('new', 'it''s', 3, -2.5)"], { list: ['new', "it's", 3, -2.5] }],
  [['"Status" IS NULL OR status IN (\'a\')'], { list: ['a'] }],
  [['status >= 0 AND status < 10'], { least: 0, most: 9 }],
  [['0 < status', 'status <= 5'], { least: 1, most: 5 }],
  [['status BETWEEN 1 AND 5 AND other BETWEEN 7 AND 8'], { least: 1, most: 5 }],
  [['(length(status) = 3)'], { shortest: 3, longest: 3 }],
  [['length(status) > 2 AND length(status) <= 20'], { shortest: 3, longest: 20 }],
  [
    ['status > other', 'status IN (SELECT 1)', 'lower(status) IN (1)', 'status > 0 OR other > 0', 'NOT status IN (1)'],
    {},
  ],
  [["status = 'only'"], { list: ['only'] }],
] as const)('CHECK %j allows %j', (expressions, expected) => {
  expect(allowedBy(expressions, 'status')).toEqual({ ...ANYTHING, ...expected });
});

test('names, types, and constraints decide what is suggested', () => {
  const of = (name: string, part: Partial<ColumnFacts> = {}, unique = false): unknown =>
    suggestColumns(facts([column(name, part)], unique ? { unique: [[0]] } : {}))[0]!.source;
  const int = { declaredType: 'INT', affinity: 'INTEGER' } as const;
  expect(of('CustomerEmail')).toEqual({ kind: 'text', of: 'email' });
  expect(of('first_name')).toEqual({ kind: 'text', of: 'given-name' });
  expect(of('createdAt')).toMatchObject({ kind: 'moment', as: 'datetime' });
  expect(of('created_at', int)).toMatchObject({ kind: 'moment', as: 'unix' });
  expect(of('price', { declaredType: 'DECIMAL(10,2)', affinity: 'NUMERIC' })).toMatchObject({
    kind: 'real',
    decimals: 2,
  });
  expect(of('price', int)).toMatchObject({ kind: 'integer' });
  expect(of('age', { ...int, allowed: { ...ANYTHING, least: 40 } })).toEqual({ kind: 'integer', from: 40, to: 90 });
  expect(of('is_active', int)).toEqual({ kind: 'integer', from: 0, to: 1 });
  expect(of('anything', int, true)).toMatchObject({ kind: 'sequence' });
  expect(of('country', {}, true)).toMatchObject({ kind: 'text', of: 'slug' });
  expect(of('title', { allowed: { ...ANYTHING, longest: 5 } })).toEqual({ kind: 'pattern', pattern: 'aaaaa' });
  expect(of('data', { declaredType: 'BLOB', affinity: 'BLOB' })).toMatchObject({ kind: 'blob' });
});

test('values as people type them come back as they were', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0))); // prettier-ignore
  fc.assert(
    fc.property(value, (one) => {
      expect(parseValue(valueText(one))).toBe(one);
    }),
    { seed: 792, numRuns: seedCount(100) },
  );
  fc.assert(
    fc.property(fc.array(value), (list) => {
      expect(parseList(listText(list))).toEqual(list);
    }),
    { seed: 793, numRuns: seedCount(100) },
  );
  expect(parseList(" a, '1', 007, 7 ,, 'it''s, so' ")).toEqual(['a', '1', '007', 7, "it's, so"]);
});
