import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { setStatements, statementAt, statementGutter, statementsOf } from './statements.ts';

const SQL = 'SELECT 1; SELECT 2;\n\nSELECT\n  3;\n-- end\n';
const PLACES = ['SELECT 1;', 'SELECT 2;', 'SELECT\n  3;'].map((text) => ({
  from: SQL.indexOf(text),
  to: SQL.indexOf(text) + text.length,
}));
const doc = EditorState.create({ doc: SQL }).doc;

const textAt = (position: number): string | null => {
  const place = statementAt(doc, PLACES, position);
  return place && SQL.slice(place.from, place.to);
};

describe('statementAt', () => {
  it.each([
    ['inside a statement', SQL.indexOf('2'), 'SELECT 2;'],
    ['at its start', SQL.indexOf('SELECT 2'), 'SELECT 2;'],
    ['right behind its semicolon', SQL.indexOf(' SELECT 2'), 'SELECT 1;'],
    ['at the end of its line', SQL.indexOf('\n'), 'SELECT 2;'],
    ['on an empty line before the next', SQL.indexOf('\n') + 1, 'SELECT\n  3;'],
    ['in the middle of several lines', SQL.indexOf('3') - 1, 'SELECT\n  3;'],
    ['behind the last', SQL.length, 'SELECT\n  3;'],
    ['at the very beginning', 0, 'SELECT 1;'],
  ])('%s', (_where, position, expected) => {
    expect(textAt(position)).toBe(expected);
  });

  it('answers null when there is none', () => {
    expect(statementAt(doc, [], 0)).toBeNull();
  });
});

describe('statements of a text', () => {
  const known = EditorState.create({ doc: SQL, extensions: statementGutter }).update({
    effects: setStatements.of(PLACES),
  }).state;

  it('are those of exactly this text', () => {
    const moved = PLACES.map(({ from, to }) => ({ from: from + 1, to: to + 1 }));
    expect(statementsOf(known)).toBe(PLACES);
    expect(statementsOf(known.update({ changes: { from: 0, insert: ' ' } }).state)).toEqual(moved);
    expect(statementsOf(EditorState.create({ doc: SQL }))).toEqual(PLACES);
  });
});
