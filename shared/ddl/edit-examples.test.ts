// Examples of edits: styles of lists, comments and their owners, names in quotes.
import { expect, test } from 'vitest';
import { diffTable, followIdentity, identityByName } from './diff-table.ts';
import { setComment, setDefault, setNotNull, setType } from './edit-columns.ts';
import {
  addColumn,
  dropColumn,
  dropConstraint,
  moveColumn,
  renameColumn,
  setForeignKey,
  setOption,
  setPrimaryKey,
  setUnique,
} from './edit-table.ts';
import { expressionProblem } from './expressions.ts';
import { parseTable } from './parse-table.ts';
import type { TableModel } from './table-model.ts';
import { writeColumn } from './write-constraint.ts';

function read(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(model.reason);
  return model;
}

const COMMENTED = `CREATE TABLE orders ( -- every order
  id INTEGER PRIMARY KEY, -- its number
  -- what it costs,
  -- in cents
  amount INT NOT NULL,
  state TEXT /* open, paid */ CHECK (state IN ('open', 'paid')),

  -- who ordered

  customer INT REFERENCES customers(id), -- may be empty
  UNIQUE (customer, id) -- once each
  -- nothing else
)`;

test('a comment belongs to what it stands behind, or to what follows right below it', () => {
  const { columns, constraints } = read(COMMENTED);
  expect(columns.map(({ comment }) => comment?.text ?? null)).toEqual([
    'its number', 'what it costs,\nin cents', null, 'may be empty',
  ]); // prettier-ignore
  expect(constraints[0]!.comment?.text).toBe('once each');
});

test('a column goes with its comments and its keys, and others keep theirs', () => {
  expect(dropColumn(read(COMMENTED), 1)).toBe(
    COMMENTED.replace('  -- what it costs,\n  -- in cents\n  amount INT NOT NULL,\n', ''),
  );
  expect(dropColumn(read(COMMENTED), 3)).toBe(
    COMMENTED.replace(/,\n\n {2}-- who ordered\n\n.*\n.*each\n/, '\n\n  -- who ordered\n\n'),
  );
});

test('a column moves with its comments', () => {
  expect(moveColumn(read(COMMENTED), 1, 0)).toBe(
    COMMENTED.replace('  -- what it costs,\n  -- in cents\n  amount INT NOT NULL,\n', '').replace(
      '  id INTEGER',
      '  -- what it costs,\n  -- in cents\n  amount INT NOT NULL,\n  id INTEGER',
    ),
  );
});

test('new columns follow the style of the list', () => {
  const piece = { sql: 'c INT' };
  const styles = [
    [
      'CREATE TABLE t(a, b)',
      'CREATE TABLE t(a, b, c INT)',
      'CREATE TABLE t(c INT, a, b)',
      'CREATE TABLE t(a, c INT, b)',
    ],
    ['CREATE TABLE t(a,b)', 'CREATE TABLE t(a,b, c INT)', 'CREATE TABLE t(c INT, a,b)', 'CREATE TABLE t(a, c INT,b)'],
    [
      'CREATE TABLE t(\n  a, -- A\n  b -- B\n)',
      'CREATE TABLE t(\n  a, -- A\n  b, -- B\n  c INT\n)',
      'CREATE TABLE t(\n  c INT,\n  a, -- A\n  b -- B\n)',
      'CREATE TABLE t(\n  a, -- A\n  c INT,\n  b -- B\n)',
    ],
    [
      'CREATE TABLE t\n( a\n, b -- B\n)',
      'CREATE TABLE t\n( a\n, b -- B\n, c INT\n)',
      'CREATE TABLE t\n( c INT\n, a\n, b -- B\n)',
      'CREATE TABLE t\n( a\n, c INT\n, b -- B\n)',
    ],
    [
      'CREATE TABLE t(a, b -- B\n, UNIQUE (a))',
      'CREATE TABLE t(a, b -- B\n, c INT\n, UNIQUE (a))',
      'CREATE TABLE t(c INT, a, b -- B\n, UNIQUE (a))',
      'CREATE TABLE t(a, c INT, b -- B\n, UNIQUE (a))',
    ],
  ] as const;
  for (const [before, last, first, middle] of styles) {
    expect([2, 0, 1].map((index) => addColumn(read(before), index, piece))).toEqual([last, first, middle]);
  }
});

test('names are in quotes when they must be, and only then', () => {
  const model = read(
    'CREATE TABLE t(a, "b c", CHECK(a>[b c]AND length(a)), UNIQUE(a), FOREIGN KEY (a) REFERENCES t(a))',
  );
  expect(renameColumn(model, 0, 'order')).toBe(
    'CREATE TABLE t("order", "b c", CHECK("order">[b c]AND length("order")), UNIQUE("order"), FOREIGN KEY ("order") REFERENCES t("order"))',
  );
  // Unquoted, it would merge with AND.
  expect(renameColumn(model, 1, 'b')).toContain('CREATE TABLE t(a, b, CHECK(a>"b"AND length(a))');
});

test('a word is a column only where SQLite takes it for one', () => {
  const sql = `CREATE TABLE t("end" INT, x, CHECK (CASE WHEN end THEN "end" ELSE CAST(x AS end) END = 'end' AND end(x) COLLATE end))`;
  expect(renameColumn(read(sql), 0, 'stop')).toBe(
    `CREATE TABLE t(stop INT, x, CHECK (CASE WHEN stop THEN stop ELSE CAST(x AS end) END = 'end' AND end(x) COLLATE end))`,
  );
});

test('constraints of a column come and go without a trace', () => {
  const plain = 'CREATE TABLE t(a INT /* x */, b)';
  const made = setDefault(read(setNotNull(read(plain), 0, true)), 0, '0');
  expect(made).toBe('CREATE TABLE t(a INT NOT NULL DEFAULT 0 /* x */, b)');
  expect(setNotNull(read(setDefault(read(made), 0, null)), 0, false)).toBe(plain);
  expect(setType(read('CREATE TABLE t([a]CHECK(1))'), 0, 'INT')).toBe('CREATE TABLE t([a] INT CHECK(1))');
  expect(setNotNull(read('CREATE TABLE t(a -- x\nNOT NULL)'), 0, false)).toBe('CREATE TABLE t(a -- x\n)');
  expect(setNotNull(read('CREATE TABLE t(a INT NOT NULL/* x */CHECK(1))'), 0, false)).toBe(
    'CREATE TABLE t(a INT /* x */CHECK(1))',
  );
});

test('comments are written where they are read', () => {
  expect(setComment(read('CREATE TABLE t(\n  a,\n  b\n)'), 0, 'A')).toBe('CREATE TABLE t(\n  a, -- A\n  b\n)');
  expect(setComment(read('CREATE TABLE t(\n  a,\n  b\n)'), 1, 'B')).toBe('CREATE TABLE t(\n  a,\n  b -- B\n)');
  expect(setComment(read('CREATE TABLE t(a, b)'), 0, 'A')).toBe('CREATE TABLE t(a /* A */, b)');
  expect(setComment(read(COMMENTED), 1, 'the price')).toContain('number\n  -- the price\n  amount');
  expect(setComment(read(COMMENTED), 0, null)).toBe(COMMENTED.replace(' -- its number', ''));
});

test('keys and options', () => {
  const model = read('CREATE TABLE t(a INTEGER, b TEXT)');
  expect(setPrimaryKey(model, { columns: [{ name: 'A' }], autoincrement: true })).toContain(
    'a INTEGER PRIMARY KEY AUTOINCREMENT, b',
  );
  const both = setPrimaryKey(model, { columns: [{ name: 'b' }, { name: 'a', order: 'DESC' }] });
  expect(both).toBe('CREATE TABLE t(a INTEGER, b TEXT, PRIMARY KEY (b, a DESC))');
  expect(setOption(read(setOption(read(both), 'without-rowid', true)), 'strict', true)).toBe(
    `${both} WITHOUT ROWID, STRICT`,
  );
  expect(setOption(read(`${both} WITHOUT ROWID, STRICT`), 'without-rowid', false)).toBe(`${both} STRICT`);
  const unique = setUnique(model, null, { columns: [{ name: 'b' }] });
  expect(unique).toBe('CREATE TABLE t(a INTEGER, b TEXT UNIQUE)');
  expect(setUnique(read(unique), { column: 1, index: 0 }, { columns: [{ name: 'a' }, { name: 'b' }] })).toBe(
    'CREATE TABLE t(a INTEGER, b TEXT, UNIQUE (a, b))',
  );
  const key = {
    columns: ['a'],
    table: 'other',
    referencedColumns: ['id'],
    onDelete: 'CASCADE',
    deferred: true,
  } as const;
  const named = setForeignKey(model, null, key).replace('REFERENCES', 'CONSTRAINT "to other" REFERENCES');
  expect(named).toContain(
    'a INTEGER CONSTRAINT "to other" REFERENCES other (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, b',
  );
  expect(dropConstraint(read(named), { column: 0, index: 0 })).toBe(model.text);
});

test('a new column as it is written', () => {
  const column = { name: 'group', type: 'TEXT', notNull: true, defaultSql: "'x'", collation: 'NOCASE' };
  expect(writeColumn(column)).toBe(`"group" TEXT NOT NULL COLLATE NOCASE DEFAULT 'x'`);
  expect(writeColumn({ name: 'plain' })).toBe('plain');
});

test('what only looks different is no other table', () => {
  const one = read('CREATE TABLE t(a int not null, b, check (A > 1 and "b" is NULL))');
  const other = read('CREATE TABLE t(\n  "a" INT NOT NULL, -- x\n  [b],\n  CHECK (a>1 AND b IS null)\n)');
  expect(diffTable(one, other, identityByName(one, other)).changes).toEqual([{ kind: 'set-text' }]);
});

test('what cannot be an expression is told in words', () => {
  for (const sql of ['a > 1', "')' = x -- (", '(a)', '"a;"', '/* ) */ 1'])
    expect([sql, expressionProblem(sql)]).toEqual([sql, null]);
  for (const sql of ['', 'a)', '(a', 'a; b', 'a, b', "'x", '/* x', '-- x', 'a\0b'])
    expect([sql, expressionProblem(sql)]).not.toEqual([sql, null]);
});

test('a name that is typed over in its place is the same column, an added one is another', () => {
  const before = read('CREATE TABLE t(a, b, c)');
  const follow = (sql: string) => followIdentity(before, [0, null, 2], read(sql));
  expect(follow('CREATE TABLE t(a, b, other)')).toEqual([0, null, 2]);
  expect(follow('CREATE TABLE t(c, b, a)')).toEqual([2, null, 0]);
  expect(follow('CREATE TABLE t(a, other, b, c)')).toEqual([0, null, null, 2]);
  expect(follow('CREATE TABLE t(other, c)')).toEqual([null, 2]);
});
