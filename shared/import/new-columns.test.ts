// Tests what becomes of the columns of a file that an existing table does not have.
import { describe, expect, it } from 'vitest';
import type { Column, ColumnFacts } from '../protocol/index.ts';
import { choicesByName, named, planColumns, withFacts } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';
import { asNewColumn, choicesForTable, missingIn, withExpression, withNewColumns } from './new-columns.ts';

const TABLE = ['id', 'name', 'stock'];
const columns = TABLE.map((name) => ({ name, generated: 'no' }) as Column);
const choices = choicesByName(['id', 'Tax', 'Name', 'Due date'], TABLE);
const short = (all: readonly ColumnChoice[]): readonly string[] =>
  all.map(({ name, isNew }) => `${name ?? '-'}${isNew ? ' new' : ''}`);

describe('a column that the table lacks', () => {
  it('can be added, alone or with all others, and the plan says so', () => {
    expect(missingIn(choices, TABLE)).toEqual([1, 3]);
    expect(short(asNewColumn(choices, 3, TABLE))).toEqual(['id', '-', 'name', 'Due date new']);
    const all = withNewColumns(choices, TABLE);
    expect(short(all)).toEqual(['id', 'Tax new', 'name', 'Due date new']);
    expect(planColumns(all, 'table').map(({ name, isNew = false }) => [name, isNew])).toEqual([
      ['id', false],
      ['Tax', true],
      ['name', false],
      ['Due date', true],
    ]);
    expect(planColumns(all, 'new-table').some(({ isNew }) => isNew)).toBe(false);
  });

  it('gets another name where its own is taken', () => {
    const byHand = named(choices, 1, 'stock', TABLE);
    expect(short(asNewColumn(byHand, 0, TABLE))).toEqual(['id_2 new', 'stock', 'name', '-']);
  });

  it('is renamed, is an ordinary one once it has the name of one, and is left out again', () => {
    const added = withNewColumns(choices, TABLE);
    expect(short(named(added, 1, 'vat', TABLE))).toEqual(['id', 'vat new', 'name', 'Due date new']);
    expect(short(named(added, 1, 'STOCK', TABLE))).toEqual(['id', 'stock', 'name', 'Due date new']);
    // Who had the column before does not get one that nobody has made.
    expect(short(named(added, 1, 'name', TABLE))).toEqual(['id', 'name', '-', 'Due date new']);
    expect(short(named(added, 1, null, TABLE))).toEqual(['id', '-', 'name', 'Due date new']);
  });

  it('alone gets its type from the file', () => {
    const facts = ['INTEGER', 'REAL', 'NUMERIC', 'NUMERIC'].map((suggested) => ({ suggested }) as ColumnFacts);
    const types = (isStrict: boolean) =>
      withFacts(withNewColumns(choices, TABLE), facts, { kind: 'table', isStrict }).map(({ type }) => type);
    expect(types(false)).toEqual(['TEXT', 'REAL', 'TEXT', 'NUMERIC']);
    expect(types(true)).toEqual(['TEXT', 'REAL', 'TEXT', 'ANY']);
  });

  it('is an ordinary one the next time, and new again where the table has lost it', () => {
    const kept = withNewColumns(choices, TABLE);
    const next = [...columns, { name: 'tax', generated: 'no' } as Column].filter(({ name }) => name !== 'name');
    expect(short(choicesForTable(kept, next))).toEqual(['id', 'tax', '-', 'Due date new']);
  });
});

it('an expression goes into the first column without values, or into a new one', () => {
  const once = withExpression(choices, columns);
  expect(short(once)).toEqual(['id', '-', 'name', '-', 'stock']);
  expect(short(withExpression(once, columns))).toEqual(['id', '-', 'name', '-', 'stock', 'column new']);
});
