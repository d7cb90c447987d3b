// For tests: random databases around one table, and a random change of it. Everything follows from a seed.
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { quoteName } from '../sql/quote.ts';

const NAMES = [
  't', 'T able', 'sel"ect', "o'clock", 'ünï', 'rowid', '_rowid_', 'oid', 'order', 'a.b', '[x]', 'x;y', '-- c', '/* c', 'window',
  '%', '日本', 'a`b', '1st', 'temp', 'main', 'new', 'a,b', '(', 'e\u0301', '😀', 'WITHOUT', 'check', 'key', 'id', 'b', 'c', 'd',
]; // prettier-ignore
const TYPES = ['', 'INTEGER', 'INT', 'TEXT', 'REAL', 'BLOB', 'NUMERIC', 'VARCHAR(10)', 'DATETIME', 'unsigned big  int'];
const STRICT_TYPES = ['INTEGER', 'INT', 'TEXT', 'REAL', 'BLOB', 'ANY'];
const COLLATIONS = ['', '', '', 'BINARY', 'NOCASE', 'RTRIM'];
const VALUES = [
  'NULL', '1', '2', '-3', '2.5', '2.0', "'007'", "'1e3'", "'two'", "'TWO'", "'two '", "'é'", "x'00ff'", "''", '9007199254740993', '-0.0',
  '-9223372036854775808', "'a' || char(0) || 'b'", "x''", '1e300',
]; // prettier-ignore
const COMMENTS = ['', '', '', '', ' ', '\n  ', ' /* a comment */ ', ' -- to the end\n', "/* it's */", '\t'];
/** Checks in which the column is named with its table. */
const OF_OWN_TABLE = ['IS NOT 77', 'IS NOT 1'];
const DEFAULTS = ['', '', '', '0', "'x'", '(1 + 1)', 'CURRENT_TIMESTAMP', 'NULL', "(x'00' || 'a')"];

interface RandomColumn {
  readonly name: string;
  /** Name before the change; null for a new one. */
  readonly from: string | null;
  readonly type: string;
  readonly collation: string;
  readonly isNotNull: boolean;
  readonly isUnique: boolean;
  readonly defaultSql: string;
  readonly check: string;
  /** The column a generated one is computed from. */
  readonly of: string | null;
  readonly isStored: boolean;
}

type Key = 'none' | 'rowid' | 'autoincrement' | 'column' | 'columns';

interface RandomTable {
  readonly name: string;
  readonly columns: readonly RandomColumn[];
  readonly key: Key;
  readonly isStrict: boolean;
  readonly isWithoutRowid: boolean;
  /** ON DELETE of a key from the last column to the first. */
  readonly refersToItself: string | null;
}

export interface RandomCase {
  readonly table: string;
  /** Each may fail: then the object is missing. */
  readonly setup: readonly string[];
  readonly changes: readonly SchemaChange[];
  readonly sql: string;
  readonly columns: readonly (string | null)[];
  /** Pairs whose values must be the same: stored, of one type, and not made or unmade the row id. */
  readonly same: readonly (readonly [before: string, after: string])[];
  /** SQLite writes new names of columns into whatever mentions them. */
  readonly renames: boolean;
  /** Columns are only added or moved, so everything that depends on the table still works. */
  readonly keepsColumns: boolean;
  readonly countsOn: boolean;
  readonly keep: boolean;
}

export function randomCase(seed: number): RandomCase {
  const random = createRandom(seed);
  const names = shuffled(random, NAMES);
  const before = randomTable(random, names);
  const after = changed(random, before, names);
  const comments = random.chance(0.4) ? [''] : COMMENTS;
  const sql = textOf(random, after, comments);
  const dropped = before.columns
    .map(({ name }) => name)
    .filter((name) => !after.columns.some(({ from }) => from === name));
  const objects = objectsOn(random, before, names);
  const drops = objects.indexes
    .filter(({ columns }) => columns.some((column) => dropped.includes(column)))
    .map(({ name }): SchemaChange => ({ kind: 'drop', object: 'index', name }));
  const columns = after.columns.map(({ from }) => from);
  return {
    table: before.name,
    setup: [textOf(random, before, comments), ...rowsOf(random, before), ...objects.sql],
    changes: [{ kind: 'change-table', table: before.name, sql, columns }, ...drops],
    sql,
    columns,
    same: sameColumns(before, after),
    renames: after.columns.some(({ from, name }) => from !== null && from !== name),
    keepsColumns: dropped.length === 0,
    countsOn: before.key === 'autoincrement' && after.key === 'autoincrement',
    keep: random.chance(0.5),
  };
}

function randomTable(random: Random, names: string[]): RandomTable {
  const isStrict = random.chance(0.2);
  const name = names.pop()!;
  const columns: RandomColumn[] = [];
  for (let at = random.between(2, 6); at > 0; at--) columns.push(randomColumn(random, names.pop()!, columns, isStrict));
  const key = random.pick<Key>(['none', 'rowid', 'rowid', 'autoincrement', 'column', 'columns']);
  return {
    name,
    columns,
    key,
    isStrict,
    isWithoutRowid: (key === 'column' || key === 'columns') && random.chance(0.6),
    refersToItself: random.chance(0.2) ? random.pick(['CASCADE', 'SET NULL', 'NO ACTION']) : null,
  };
}

function randomColumn(random: Random, name: string, before: readonly RandomColumn[], isStrict: boolean): RandomColumn {
  const stored = before.filter((column) => column.of === null);
  const isGenerated = stored.length > 1 && random.chance(0.15);
  return {
    name,
    from: null,
    type: random.pick(isStrict ? STRICT_TYPES : TYPES),
    collation: random.pick(COLLATIONS),
    isNotNull: random.chance(0.1),
    isUnique: random.chance(0.1),
    defaultSql: isGenerated ? '' : random.pick(DEFAULTS),
    check: random.chance(0.1) ? random.pick(['IS NOT 77', "<> 'two' OR 1", 'IS NOT NULL OR 1 = 1']) : '',
    of: isGenerated ? random.pick(stored).name : null,
    isStored: random.chance(0.5),
  };
}

/** Changes that a designer can make to a table, one to three. */
function changed(random: Random, table: RandomTable, names: string[]): RandomTable {
  let after: RandomTable = { ...table, columns: table.columns.map((column) => ({ ...column, from: column.name })) };
  for (let times = random.between(1, 3); times > 0; times--) after = changedOnce(random, after, names);
  return after;
}

function changedOnce(random: Random, table: RandomTable, names: string[]): RandomTable {
  const { columns, isStrict } = table;
  const at = random.between(0, columns.length - 1);
  const column = columns[at]!;
  const withColumn = (other: Partial<RandomColumn>): RandomTable => ({
    ...table,
    columns: columns.map((one, index) => (index === at ? { ...one, ...other } : one)),
  });
  const added = (): RandomTable => {
    const made = randomColumn(random, names.pop()!, columns, isStrict);
    return { ...table, columns: columns.toSpliced(random.between(1, columns.length), 0, made) };
  };
  const dropped = (): RandomTable => {
    const isUsed = columns.length < 3 || at === 0 || columns.some(({ of }) => of === column.name);
    return isUsed ? table : { ...table, columns: columns.toSpliced(at, 1) };
  };
  const renamed = (): RandomTable => {
    const name = names.pop()!;
    const others = columns.map((one) => (one.of === column.name ? { ...one, of: name } : one));
    return { ...table, columns: others.map((one) => (one.name === column.name ? { ...one, name } : one)) };
  };
  const kinds: readonly (() => RandomTable)[] = [
    added,
    dropped,
    renamed,
    () => ({ ...table, columns: [columns[0]!, ...shuffled(random, columns.slice(1))] }),
    () => withColumn({ type: random.pick(isStrict ? STRICT_TYPES : TYPES) }),
    () => withColumn({ isNotNull: !column.isNotNull }),
    () => withColumn({ isUnique: !column.isUnique }),
    () => withColumn({ collation: random.pick(COLLATIONS) }),
    () => withColumn({ check: random.pick(['', 'IS NOT 1', 'IS NOT 78']) }),
    () => (column.of === null ? withColumn({ defaultSql: random.pick(DEFAULTS) }) : table),
    () => ({ ...table, isStrict: !isStrict }),
    () => ({ ...table, isWithoutRowid: !table.isWithoutRowid && (table.key === 'column' || table.key === 'columns') }),
    () => ({
      ...table,
      key: random.pick<Key>(['none', 'rowid', 'autoincrement', 'column', 'columns']),
      isWithoutRowid: false,
    }),
    () => ({ ...table, refersToItself: table.refersToItself === null ? 'CASCADE' : null }),
    () => table,
  ];
  return random.pick(kinds)();
}

/** Text as SQLite stores it: nothing between `CREATE TABLE` and the name. */
function textOf(random: Random, table: RandomTable, comments: readonly string[]): string {
  const space = (): string => random.pick(comments);
  const first = table.columns[0]!;
  const parts = table.columns.map((column) => {
    const isKey = column.name === first.name;
    const words = [quoteName(column.name)];
    if (isKey && (table.key === 'rowid' || table.key === 'autoincrement')) {
      words.push('INTEGER PRIMARY KEY');
      if (table.key === 'autoincrement') words.push('AUTOINCREMENT');
      return `${space()}${words.join(` ${space()}`)}${space()}`;
    }
    const isTyped = table.isStrict ? STRICT_TYPES.includes(column.type) : true;
    words.push(isTyped ? column.type : 'ANY');
    if (isKey && table.key === 'column') words.push('PRIMARY KEY');
    if (column.of !== null) words.push(`AS (${quoteName(column.of)} || 'g') ${column.isStored ? 'STORED' : ''}`);
    if (column.isNotNull) words.push('NOT NULL ON CONFLICT REPLACE');
    if (column.isUnique && column.of === null) words.push('UNIQUE ON CONFLICT REPLACE');
    if (column.defaultSql !== '') words.push(`DEFAULT ${column.defaultSql}`);
    if (column.collation !== '') words.push(`COLLATE ${column.collation}`);
    const owner = OF_OWN_TABLE.includes(column.check) ? `${quoteName(table.name)}.` : '';
    if (column.check !== '') words.push(`CHECK (${owner}${quoteName(column.name)} ${column.check})`);
    return `${space()}${words.filter((word) => word !== '').join(` ${space()}`)}${space()}`;
  });
  const last = table.columns.findLast(({ of }) => of === null)!;
  if (table.key === 'columns')
    parts.push(`PRIMARY KEY (${quoteName(last.name)}${space()} DESC, ${quoteName(first.name)})`);
  if (table.refersToItself !== null)
    parts.push(
      `CONSTRAINT "self" FOREIGN KEY (${quoteName(last.name)}) REFERENCES ${quoteName(table.name)} (${quoteName(first.name)}) ON DELETE ${table.refersToItself}`,
    );
  const options = [...(table.isStrict ? ['STRICT'] : []), ...(table.isWithoutRowid ? ['WITHOUT ROWID'] : [])];
  return `CREATE TABLE ${quoteName(table.name)}${space()}(${parts.join(',')}${space()})${options.join(`${space()},`)}`;
}

function rowsOf(random: Random, table: RandomTable): readonly string[] {
  const columns = table.columns.filter(({ of }) => of === null).map(({ name }) => quoteName(name));
  const rows = Array.from(
    { length: random.between(0, 8) },
    () =>
      `INSERT OR IGNORE INTO ${quoteName(table.name)} (${columns.join(', ')}) VALUES (${columns.map(() => random.pick(VALUES)).join(', ')})`,
  );
  return random.chance(0.3) ? [...rows, `DELETE FROM ${quoteName(table.name)} WHERE rowid > 1`] : rows;
}

interface RandomObjects {
  readonly sql: readonly string[];
  readonly indexes: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

function objectsOn(random: Random, table: RandomTable, names: string[]): RandomObjects {
  const t = quoteName(table.name);
  const column = (): string => random.pick(table.columns).name;
  const first = quoteName(table.columns[0]!.name);
  const indexes = Array.from({ length: random.between(0, 3) }, () => {
    const name = names.pop()!;
    const [a, b] = [column(), column()];
    const sql = random.pick([
      `CREATE INDEX ${quoteName(name)} ON ${t} (${quoteName(a)} DESC, ${quoteName(b)} COLLATE NOCASE)`,
      `CREATE INDEX ${quoteName(name)} ON ${t} (lower(${quoteName(a)})) WHERE ${quoteName(b)} IS NOT NULL /* c */`,
      `CREATE UNIQUE INDEX ${quoteName(name)} ON ${t} (${quoteName(a)}, ${quoteName(b)})`,
    ]);
    return { name, columns: [a, b], sql };
  });
  const any = (): string => quoteName(column());
  const optional: readonly string[] = [
    `CREATE VIEW ${quoteName(names.pop()!)} AS SELECT ${any()}, ${any()} FROM ${t}`,
    `CREATE VIEW "a view" AS SELECT count(*), max(${first}) AS m FROM ${t}`,
    'CREATE VIEW "on a view" AS SELECT m FROM "a view" -- its own comment',
    `CREATE VIEW "broken view" AS SELECT missing FROM ${t}`,
    `CREATE TRIGGER "after insert" AFTER INSERT ON ${t} BEGIN INSERT INTO "the log" VALUES (new.${first}); END`,
    `CREATE TRIGGER "before update" BEFORE UPDATE OF ${any()} ON ${t} WHEN new.${first} = 5 BEGIN SELECT RAISE(IGNORE); END`,
    `CREATE TRIGGER "after delete" AFTER DELETE ON ${t} BEGIN INSERT INTO "the log" SELECT count(*) FROM ${t}; END`,
    `CREATE TRIGGER "writes it" AFTER INSERT ON "the log" WHEN new.what = 'x' BEGIN DELETE FROM ${t}; END`,
    `CREATE TRIGGER "instead" INSTEAD OF DELETE ON "a view" BEGIN DELETE FROM ${t}; END`,
    `CREATE TEMP TRIGGER "for now" AFTER DELETE ON main.${t} BEGIN SELECT RAISE(ABORT, 'no'); END`,
    `CREATE TABLE "child" (id INTEGER PRIMARY KEY, p REFERENCES ${t} (${first}) ON DELETE CASCADE ON UPDATE SET NULL)`,
    `INSERT INTO "child" (p) SELECT ${first} FROM ${t}`,
    'INSERT INTO "child" (p) VALUES (4711)',
    `CREATE VIRTUAL TABLE "found" USING fts5 (${any()}, content=${t})`,
    'ANALYZE',
  ];
  const chosen = optional.filter((sql) => random.chance(sql.includes('VIRTUAL') ? 0.1 : 0.4));
  return { sql: ['CREATE TABLE "the log" (what)', ...indexes.map(({ sql }) => sql), ...chosen], indexes };
}

function sameColumns(before: RandomTable, after: RandomTable): readonly (readonly [string, string])[] {
  const isRowid = (table: RandomTable, name: string): boolean =>
    (table.key === 'rowid' ||
      table.key === 'autoincrement' ||
      (table.key === 'column' && table.columns[0]!.type === 'INTEGER')) &&
    table.columns[0]!.name === name;
  return after.columns.flatMap(({ name, from, type, of }) => {
    const old = before.columns.find((column) => column.name === from);
    if (old === undefined || of !== null || old.of !== null || old.type !== type || before.isStrict !== after.isStrict)
      return [];
    return isRowid(before, old.name) || isRowid(after, name) ? [] : [[old.name, name] as const];
  });
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.between(0, left.length - 1), 1)[0]!);
}
