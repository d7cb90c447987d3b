// Tests what becomes of the columns of a file: by name, by order, by hand, by what was counted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import type { Column, ColumnFacts } from '../protocol/index.ts';
import {
  choicesByName,
  choicesByOrder,
  choicesForNewTable,
  inTable,
  keepingAdded,
  mapped,
  movedBy,
  nameProblems,
  newColumnName,
  plainChoice,
  planColumns,
  tableNameFor,
  unfilled,
  withAdded,
  withFacts,
  writable,
} from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';

const names = (choices: readonly { readonly name: string | null }[]): readonly (string | null)[] =>
  choices.map(({ name }) => name);
const suggesting = (suggested: ColumnFacts['suggested']): ColumnFacts => ({ suggested }) as ColumnFacts;

describe('matching the columns of a table', () => {
  it('prefers the same name to the letter, then the same but for case, spaces and underscores', () => {
    const choices = choicesByName(['Order ID', 'name', 'Name', 'extra'], ['name', 'NAME', 'order_id']);
    expect(names(choices)).toEqual(['order_id', 'name', 'NAME', null]);
  });

  it('goes by order as far as both sides have columns', () => {
    expect(names(choicesByOrder(['x', 'y', 'z'], ['a', 'b']))).toEqual(['a', 'b', null]);
    expect(names(choicesByOrder(['x'], ['a', 'b']))).toEqual(['a']);
  });

  it('never fills a column twice, whatever the names are and whoever changes what by hand', () => {
    const name = fc.constantFrom('a', 'A', 'a_', ' a', 'b', 'B', 'c', 'd');
    const sources = fc.uniqueArray(name, { maxLength: 8 });
    const steps = fc.array(fc.tuple(fc.nat(7), fc.option(name)), { maxLength: 6 });
    fc.assert(
      fc.property(sources, sources, fc.boolean(), steps, (from, to, byName, changes) => {
        let choices = (byName ? choicesByName : choicesByOrder)(from, to);
        for (const [at, wanted] of changes)
          if (at < from.length && (wanted === null || to.includes(wanted))) {
            choices = mapped(choices, at, wanted);
            expect(choices[at]!.name).toBe(wanted);
          }
        const filled = names(choices).filter((each) => each !== null);
        expect(new Set(filled).size).toBe(filled.length);
        expect([...filled, ...unfilled(choices, to)].sort()).toEqual([...to].sort());
      }),
      { seed: 597, numRuns: seedCount(100) },
    );
  });

  it('gives whoever had the column before what the other one had', () => {
    const choices = mapped(choicesByOrder(['x', 'y'], ['a', 'b']), 0, 'b');
    expect(names(choices)).toEqual(['b', 'a']);
  });

  it('leaves out columns that SQLite computes', () => {
    const column = (name: string, generated: Column['generated']): Column => ({ name, generated }) as Column;
    expect(writable([column('a', 'no'), column('b', 'stored'), column('c', 'virtual')])).toEqual(['a']);
  });
});

describe('types', () => {
  it('come from what was counted, unless a person has chosen them', () => {
    const [code, price] = choicesForNewTable(['code', 'price']);
    const choices = withFacts(
      [code!, { ...price!, type: 'NUMERIC', isTypeChosen: true }],
      [suggesting('TEXT'), suggesting('REAL')],
      { kind: 'new-table', isStrict: false },
    );
    expect(choices.map(({ type }) => type)).toEqual(['TEXT', 'NUMERIC']);
  });

  it('are ones that a STRICT table has, and come back', () => {
    const choice = { ...plainChoice('a', 'a'), type: 'NUMERIC' };
    expect(inTable(choice, true).type).toBe('ANY');
    expect(inTable(inTable(choice, true), false).type).toBe('NUMERIC');
    expect(inTable({ ...choice, type: 'TEXT' }, true).type).toBe('TEXT');
  });
});

describe('names', () => {
  it('that are empty or taken are a problem of their column; what is left out is none', () => {
    const choices = ['a', 'A', ' ', null, null].map((name, at) => plainChoice(String(at), name));
    expect([...nameProblems(choices).keys()]).toEqual([1, 2]);
  });

  it('differ for SQLite beyond ASCII', () => {
    expect(nameProblems([plainChoice('1', 'Ä'), plainChoice('2', 'ä')]).size).toBe(0);
  });

  it('of a new table come from the file, and are free', () => {
    expect(tableNameFor('sales 2026-05.csv', [])).toBe('sales_2026_05');
    expect(tableNameFor('sales.csv', ['SALES', 'sales_2'])).toBe('sales_3');
    expect(tableNameFor('…/.csv', [])).toBe('imported');
    expect(tableNameFor('sqlite_stat.csv', [])).toBe('my_sqlite_stat');
    expect(tableNameFor('Ärzte.tsv', [])).toBe('Ärzte');
  });
});

it('a plan has the columns that are imported, each with its place in the file', () => {
  const choices = [
    plainChoice('a', 'x'),
    plainChoice('b', null),
    { ...plainChoice('c', 'z'), expression: 'trim(value)' },
  ];
  expect(planColumns(choices, 'new-table').map(({ name, from, expression }) => [name, from, expression])).toEqual([
    ['x', 0, ''],
    ['z', 2, 'trim(value)'],
  ]);
});

describe('added columns and the order of a new table', () => {
  const namesOf = (choices: readonly ColumnChoice[]): readonly string[] =>
    planColumns(choices, 'new-table').map(({ name }) => name);

  it('an added column gets its value from no cell, and stands where it is moved to', () => {
    const choices = withAdded(choicesForNewTable(['a', 'b']), 'day');
    expect(planColumns(choices, 'new-table').map(({ name, from }) => [name, from])).toEqual([
      ['a', 0],
      ['b', 1],
      ['day', null],
    ]);
    const moved = movedBy(choices, 2, -1);
    expect(planColumns(moved, 'new-table').map(({ name, from }) => [name, from])).toEqual([
      ['a', 0],
      ['day', null],
      ['b', 1],
    ]);
  });

  it('moving keeps every column, and goes as far as there are any', () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: -6, max: 6 })), { maxLength: 8 });
    fc.assert(
      fc.property(steps, fc.subarray([0, 1, 2, 3]), (moves, left) => {
        let choices = withAdded(choicesForNewTable(['a', 'b', 'c', 'd']), 'e').map((choice, at) =>
          left.includes(at) ? { ...choice, name: null } : choice,
        );
        const order = [...namesOf(choices)];
        for (const [at, by] of moves) {
          const name = choices[at]!.name;
          choices = [...movedBy(choices, at, by)];
          if (name === null) continue;
          const from = order.indexOf(name);
          order.splice(Math.max(0, Math.min(order.length - 1, from + by)), 0, ...order.splice(from, 1));
        }
        expect(namesOf(choices)).toEqual(order);
      }),
      { seed: 598, numRuns: seedCount(100) },
    );
  });

  it('stay when the file is read anew, as far as their names are free', () => {
    const before = withAdded(withAdded(choicesForNewTable(['a']), 'day'), 'b');
    expect(namesOf(keepingAdded(choicesByName(['b', 'c'], ['b', 'c', 'day']), before, ['b', 'c', 'day']))).toEqual([
      'b',
      'c',
      'day',
    ]);
    expect(newColumnName(['column', 'Column_2'])).toBe('column_3');
  });
});
