// Reads the facts about a table to be filled: from SQLite's pragmas, and from the text of its CHECK constraints.
import { affinityOf } from '#shared/ddl/affinity.ts';
import { sameName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { allowedBy } from '#shared/sample-rows/read-checks.ts';
import type { AllowedValues, ColumnFacts, ReferenceFacts, TableFacts } from '#shared/sample-rows/table-facts.ts';
import type { Connection } from '../engines/engine.ts';
import { readDiagram } from '../schema/diagram.ts';
import { describeTable, REFERRED_TABLE, type TableShape } from '../schema/table-shape.ts';
import { uniqueKeysOf } from '../schema/unique-keys.ts';
import { quoteName } from '../sql/quote.ts';

export interface FilledTable {
  readonly shape: TableShape;
  readonly facts: TableFacts;
}

/** @throws AppError `not-found`; `invalid` for anything but a table */
export function readFacts(connection: Connection, table: string): FilledTable {
  const shape = describeTable(connection, table);
  if (shape.kind !== 'table' || /^sqlite_/i.test(shape.name))
    throw AppError.invalid(
      inParts(`“${shape.name}” is not a table that can be filled with sample rows.`, 'Nothing was changed.'),
    );
  const checks = checksOf(connection, shape.name);
  const stored = shape.columns.filter(({ generated }) => generated === 'no');
  const columns = stored.map(({ name, declaredType, notNull, primaryKeyIndex }): ColumnFacts => ({
    name,
    declaredType,
    affinity: affinityOf(declaredType, shape.strict),
    canBeNull: !notNull && primaryKeyIndex === 0,
    isRowid: name === shape.rowidColumn,
    allowed: withDeclaredLength(allowedBy(checks, name), declaredType),
  }));
  const placeOf = (name: string): number => columns.findIndex((column) => sameName(column.name, name));
  const primary = stored.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0).map(({ name }) => placeOf(name));
  const unique = [primary, ...uniqueKeysOf(connection, shape.name).map((key) => key.columns.map(placeOf))];
  return {
    shape,
    facts: {
      name: shape.name,
      columns,
      unique: unique.filter((places) => places.length > 0 && !places.includes(-1)),
      references: [...referencesOf(connection, shape.name, placeOf), ...likelyReferences(connection, shape, placeOf)],
    },
  };
}

function checksOf(connection: Connection, table: string): readonly string[] {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [table]);
  const model = typeof row?.[0] === 'string' ? parseTable(row[0]) : null;
  if (!model?.understood) return [];
  const constraints = [
    ...model.columns.flatMap((column) => column.constraints),
    ...model.constraints.map(({ constraint }) => constraint),
  ];
  return constraints.flatMap((constraint) => (constraint.kind === 'check' ? [constraint.expression.sql] : []));
}

/** No type is longer; names of a hostile file may be. */
const MAX_TYPE_LENGTH = 200;

/** SQLite does not enforce `VARCHAR(20)`, but the rows should look as if it did. */
function withDeclaredLength(allowed: AllowedValues, declaredType: string): AllowedValues {
  const length = /(?:CHAR\w*|TEXT|CLOB)\s*\(\s*(\d+)\s*\)/i.exec(declaredType.slice(0, MAX_TYPE_LENGTH))?.[1];
  if (length === undefined || Number(length) === 0) return allowed;
  return { ...allowed, longest: Math.min(Number(length), allowed.longest ?? Infinity) };
}

function referencesOf(
  connection: Connection,
  table: string,
  placeOf: (name: string) => number,
): readonly ReferenceFacts[] {
  const rows = connection.all(
    `SELECT id, "from", "table", coalesce("to", (SELECT name FROM temp.pragma_table_info(${REFERRED_TABLE}) WHERE pk = f.seq + 1))
     FROM temp.pragma_foreign_key_list(?) f ORDER BY id DESC, seq`,
    [table],
  ) as [number, string, string, string | null][];
  const keys = new Map<number, { table: string; columns: number[]; parentColumns: (string | null)[] }>();
  for (const [id, from, parent, to] of rows) {
    const key = keys.get(id) ?? { table: parent, columns: [], parentColumns: [] };
    keys.set(id, key);
    key.columns.push(placeOf(from));
    key.parentColumns.push(to);
  }
  return [...keys.values()].flatMap(({ columns, parentColumns, table: parent }) => {
    // A generated column, or a key that refers to nothing.
    if (columns.includes(-1) || parentColumns.includes(null)) return [];
    return [
      {
        columns,
        table: parent,
        parentColumns: parentColumns as string[],
        isOwn: sameName(parent, table),
        isLikely: false,
        hasRows: hasRows(connection, parent),
      },
    ];
  });
}

/** Keys that are meant but not declared, as the diagram shows them. */
function likelyReferences(
  connection: Connection,
  { name, columns }: TableShape,
  placeOf: (name: string) => number,
): readonly ReferenceFacts[] {
  // All tables have to be read to find them.
  if (columns.every(({ references, primaryKeyIndex }) => references !== null || primaryKeyIndex > 0)) return [];
  const steps = readDiagram({ connection, deadlineMs: Infinity });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value.relations.flatMap(({ origin, table, columns: from, target, targetColumns }) => {
    const places = from.map(placeOf);
    if (origin !== 'likely' || !sameName(table, name) || places.includes(-1)) return [];
    const isOwn = sameName(target, name);
    const facts = { columns: places, table: target, parentColumns: targetColumns, isOwn };
    return [{ ...facts, isLikely: true, hasRows: hasRows(connection, target) }];
  });
}

function hasRows(connection: Connection, table: string): boolean {
  const isThere =
    connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [table]) !==
    null;
  return isThere && connection.one(`SELECT 1 FROM main.${quoteName(table)} LIMIT 1`) !== null;
}
