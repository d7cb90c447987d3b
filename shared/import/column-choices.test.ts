// What becomes of the columns of a file: by name, by order, by hand, by what was counted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Column, ColumnFacts } from '../protocol/index.ts';
import {
  choicesByName,
  choicesByOrder,
  choicesForNewTable,
  inTable,
  mapped,
  nameProblems,
  planColumns,
  plainChoice,
  tableNameFor,
  unfilled,
  withFacts,
  writable,
} from './column-choices.ts';

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
      false,
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
  expect(planColumns(choices).map(({ name, from, expression }) => [name, from, expression])).toEqual([
    ['x', 0, ''],
    ['z', 2, 'trim(value)'],
  ]);
});
