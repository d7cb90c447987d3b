// Compares the rows of two tables by any columns: those of the first are looked up in the second, a private copy with an index for it.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { valuesOf, walkRows, type CompareStep } from '../library/source/compare-databases.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { sameRow } from '../sql/same-value.ts';
import type { NotCompared, TablePair } from './table-pairs.ts';

/** Receives each row that differs. Values are in the order of the compared columns. */
export interface DifferenceSink {
  /** @param rowid of the row in the first table; null for an inserted row, and where there is none */
  add(
    kind: 'inserted' | 'updated' | 'deleted',
    key: readonly Value[],
    before: readonly Value[] | null,
    after: readonly Value[] | null,
    rowid: Value,
  ): void;
}

/** Smaller than every row id. */
const BEFORE_ALL = { real: -1e19 };

/** Two rows of the second table with the same key belong to two of the first, in the order in which they are found. */
export function* compareTables(
  pair: TablePair,
  mine: Connection,
  theirs: Connection,
  sink: DifferenceSink,
): Generator<CompareStep, NotCompared | null, undefined> {
  const { from, to, columns, key } = pair;
  if (to.key.kind !== 'rowid')
    return { why: 'the second is a WITHOUT ROWID table whose columns differ from the first.' };
  const ownRowid = from.key.kind === 'rowid' ? from.key.name : null;
  const [keyHere, keyThere] = key
    ? [key.map((column) => column.from), key.map((column) => column.to)]
    : [[ownRowid!], [to.key.name]];
  theirs.run('CREATE TEMP TABLE IF NOT EXISTS sidelite_met (id INTEGER PRIMARY KEY)');
  theirs.run('DELETE FROM temp.sidelite_met');
  if (key) theirs.run(`CREATE INDEX main."sidelite_compared_${to.name.replaceAll('"', '""')}" ON ${quoteName(to.name)} (${quoteNames(keyThere)})`); // prettier-ignore
  const rowid = `t.${quoteName(to.key.name)}`;
  const second: SecondTable = {
    rowid,
    table: `main.${quoteName(to.name)} AS t`,
    key: keyThere.map((name) => `t.${quoteName(name)}`),
    // A virtual table finds a row by `=` alone, and a row id is never NULL.
    sameKey: key ? 'IS' : '=',
    columns: columns.map((column) => `t.${quoteName(column.to)}`),
    isNew: `NOT EXISTS (SELECT 1 FROM temp.sidelite_met AS m WHERE m.id = ${rowid})`,
  };
  const listHere = quoteNames([...keyHere, ...columns.map((column) => column.from)]);
  // Rows of the same key one after another, so that each is looked up from where the one before was found.
  const order = pair.isUnique || !key ? '' : ` ORDER BY ${quoteNames(keyHere)}`;
  const rowsHere = `SELECT ${ownRowid === null ? 'NULL' : quoteName(ownRowid)}, ${listHere} FROM main.${quoteName(from.name)}${order}`;
  yield* lookUpRows(rowsHere, mine, theirs, second, sink);
  yield* addInserted(theirs, second, sink);
  return null;
}

/** Names for the second table in statements, whose alias is `t`. */
interface SecondTable {
  readonly table: string;
  readonly rowid: string;
  readonly key: readonly string[];
  readonly sameKey: 'IS' | '=';
  readonly columns: readonly string[];
  /** Condition: no row of the first table has been matched with it. */
  readonly isNew: string;
}

/** @param rowsHere a query of the first table: rowid or NULL, key, columns */
function* lookUpRows(
  rowsHere: string,
  mine: Connection,
  theirs: Connection,
  { table, rowid, key, sameKey, columns, isNew }: SecondTable,
  sink: DifferenceSink,
): Generator<CompareStep, void, undefined> {
  const condition = key.map((name, at) => `${name} ${sameKey} ?${at + 1}`).join(' AND ');
  const [keys, width] = [key.length, columns.length];
  const prepared: Statement[] = [];
  const prepare = (sql: string): Statement => {
    prepared.push(theirs.prepare(sql));
    return prepared.at(-1)!;
  };
  try {
    const find = prepare(`SELECT ${[rowid, ...columns].join(', ')} FROM ${table} WHERE ${condition} AND ${rowid} > ?${keys + 1} AND ${isNew} ORDER BY ${rowid} LIMIT 1`); // prettier-ignore
    const note = prepare('INSERT INTO temp.sidelite_met (id) VALUES (?)');
    let last: { readonly key: readonly Value[]; readonly rowid: Value } | null = null;
    yield* walkRows(mine, { sql: rowsHere, readsMine: true, counts: true }, (row) => {
      const [own, keyHere, before] = [row.value(0), valuesOf(row, 1, keys), valuesOf(row, 1 + keys, width)];
      find.bind([...keyHere, last && sameRow(last.key, keyHere) ? last.rowid : BEFORE_ALL]);
      if (!find.step()) return sink.add('deleted', keyHere, before, null, own);
      const [met, after] = [find.value(0), valuesOf(find, 1, width)];
      last = { key: keyHere, rowid: met };
      note.bind([met]);
      note.step();
      if (!sameRow(before, after)) sink.add('updated', keyHere, before, after, own);
      find.reset();
    });
  } finally {
    for (const statement of prepared) statement.finalize();
  }
}

/** The rows of the second table that were not matched by any row of the first. */
function addInserted(
  theirs: Connection,
  { table, key, columns, isNew }: SecondTable,
  sink: DifferenceSink,
): Generator<CompareStep, void, undefined> {
  const sql = `SELECT ${[...key, ...columns].join(', ')} FROM ${table} WHERE ${isNew}`;
  return walkRows(theirs, { sql, readsMine: false, counts: true }, (row) =>
    sink.add('inserted', valuesOf(row, 0, key.length), null, valuesOf(row, key.length, columns.length), null),
  );
}
