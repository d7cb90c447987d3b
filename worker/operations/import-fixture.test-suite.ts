// For tests: plans of imports of delimited text, and tables they go into.
import { afterEach, beforeEach } from 'vitest';
import type { ImportColumn, ImportOptions, ImportPlan, ImportTarget } from '#shared/protocol/import.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { HistoryDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

const OPTIONS: ImportOptions = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '',
  skipsBlanks: false,
  hasHeader: true,
  skipLines: 0,
  comment: '',
  decimalComma: false,
  nullTokens: [],
  part: null,
};

export const ORDERS = 'id,customer,total\n1,Ann,1.50\n2,"Bob, Jr.",20\n3,"",3\n';

const SCHEMA = `
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, total REAL, twice AS (total * 2));
  INSERT INTO orders (id, customer, total) VALUES (2, 'Bob', 20), (9, NULL, 9);
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES people (id));
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  INSERT INTO city VALUES (1, 'Oslo');
  CREATE TABLE home (person TEXT, city INTEGER NOT NULL REFERENCES city (id) ON DELETE CASCADE);
  CREATE TABLE strict_one (n INTEGER, a ANY) STRICT;`;

export const column = (name: string, from: number | null, more: Partial<ImportColumn> = {}): ImportColumn => ({
  name,
  from,
  type: '',
  notNull: false,
  primaryKey: false,
  defaultSql: '',
  expression: '',
  ...more,
});

export const append = (table: string): ImportTarget => ({
  kind: 'table',
  table,
  mode: 'append',
  key: [],
  existing: 'skip',
});
export const newTable = (table: string, strict = false): ImportTarget => ({ kind: 'new-table', table, strict });

export const ordersColumns = [column('id', 0), column('customer', 1), column('total', 2)];

export const upsert = (existing: 'skip' | 'overwrite' | 'fill'): ImportTarget => ({
  kind: 'table',
  table: 'orders',
  mode: 'upsert',
  key: ['id'],
  existing,
});

interface More {
  readonly options?: Partial<ImportOptions>;
  readonly maxProblems?: number;
}

export interface Imports {
  plan(text: string, target: ImportTarget, columns: readonly ImportColumn[], more?: More): ImportPlan;
  run(
    text: string,
    target: ImportTarget,
    columns: readonly ImportColumn[],
    more?: More,
  ): Promise<Operations['import.run']['reply']>;
  all(sql: string): readonly (readonly Value[])[];
}

/**
 * Opens a database with the tables above for each test, foreign keys enforced, and closes it after it.
 * @param opened gets it before each test
 */
export function importsOn(disk: HistoryDisk, opened: (fixture: HistoryFixture) => void): Imports {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(SCHEMA, disk);
    fixture.connection.run('PRAGMA foreign_keys = ON');
    opened(fixture);
  });
  afterEach(() => fixture.close());
  const plan: Imports['plan'] = (text, target, columns, { options, maxProblems = 1000 } = {}) => {
    fixture.files.set('orders.csv', new TextEncoder().encode(text));
    return {
      source: { kind: 'file', token: 'orders.csv' },
      options: { ...OPTIONS, ...options },
      target,
      columns,
      maxProblems,
    };
  };
  return {
    plan,
    run: (...args) => fixture.call('import.run', { plan: plan(...args) }),
    all: (sql) => fixture.connection.all(sql),
  };
}
