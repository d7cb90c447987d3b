// Tests what an engine without hooks still has to publish: of the tables that a transaction changed, never less than was changed.
import { describe, expect, it } from 'vitest';
import { CHANGE_CASES, CHANGE_SCHEMA, SCHEMA_CASES } from './change-cases.test-suite.ts';
import { runScript } from './row-log-fixture.test-suite.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { TransactionChanges } from '../transaction-changes.ts';

const VIRTUAL = /VIRTUAL TABLE|INTO f/;
/** Leaves out what only a connection of its own can have. */
const SCHEMA = CHANGE_SCHEMA.split('\n').filter((line) => !/TEMP|ATTACH|beside|PRAGMA/.test(line));

const CHANGING = CHANGE_CASES.flatMap(([name, sql, expected]) =>
  expected === null ? [] : [{ name, sql, tables: Object.keys(expected), schema: false }],
);
const DEFINING = SCHEMA_CASES.map(([name, sql, tables]) => ({
  name,
  sql,
  // An index and a trigger change no rows.
  tables: / (?:INDEX|TRIGGER)$/.test(name) ? [] : (tables ?? ['a']),
  schema: true,
}));
type Case = (typeof CHANGING)[number] | (typeof DEFINING)[number];

const isOfRTree = ({ sql }: Case): boolean => /\br\b/.test(sql);
const inTransaction = ({ sql }: Case): boolean => /BEGIN|SAVEPOINT/.test(sql.split('TRIGGER')[0]!);
const isPlain = (one: Case): boolean => !isOfRTree(one) && !inTransaction(one);
/** Virtual tables are made only where they are needed, because each is several tables. */
const schemaFor = ({ sql }: Case): string =>
  SCHEMA.filter(
    (line) =>
      !VIRTUAL.test(line) || (/ f/.test(sql) && !/rtree/.test(line)) || (/ r\b/.test(sql) && /rtree/.test(line)),
  ).join('\n');

export function describeChangedTables(get: GetConnection): void {
  describe('changed tables', () => {
    const isPublished = (one: Case): void => {
      const { sql, tables, schema } = one;
      runScript(get(), schemaFor(one));
      const published: TransactionChanges[] = [];
      get().onCommit((changes) => published.push(changes));
      runScript(get(), sql);
      const named = published.flatMap((changes) => (changes.tables === null ? tables : [...changes.tables.keys()]));
      expect(named).toEqual(expect.arrayContaining([...tables]));
      if (schema) expect(published.map((changes) => changes.schema)).toContain(true);
    };

    const all = [...CHANGING, ...DEFINING];
    it.for(all.filter(isPlain))('are all published: $name', isPublished);
    it.for(all.filter(isOfRTree))('are all published: $name', needs('R-Tree'), isPublished);
    it.for(all.filter(inTransaction))('are all published: $name', needs('transactions'), isPublished);
  });
}
