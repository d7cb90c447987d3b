// Edits of a CREATE TABLE statement that affect more than one column. Each function returns the new text.
import { addColumnConstraint, dropColumnConstraints, replacing } from './edit-columns.ts';
import { insertElement, moveElement, removeElement } from './edit-elements.ts';
import type { ElementList, Piece } from './edit-elements.ts';
import { asInside, mentionsColumn, renameInExpression } from './expressions.ts';
import { sameName } from './names.ts';
import { parseTable } from './parse-table.ts';
import { applyEdits, insertBehind, replaceName } from './text-edits.ts';
import {
  conflict,
  joined,
  writeColumnPrimaryKey,
  writeForeignKey,
  writePrimaryKey,
  writeReferences,
  writeUnique,
} from './write-constraint.ts';
import type { ForeignKeyDefinition, PrimaryKeyDefinition, UniqueDefinition } from './write-constraint.ts';
import type { ColumnConstraint, Name, SqlPart, TableConstraint, TableModel } from './table-model.ts';

/** The location of a constraint: in the list of a column, or of the table if null. */
export interface ConstraintPosition {
  readonly column: number | null;
  readonly index: number;
}

/** Parses the result of an edit, which is always valid input. */
function parse(text: string): TableModel {
  const model = parseTable(text);
  if (!model.understood) throw new Error(`An edit broke the statement: ${model.reason}`);
  return model;
}

/** Columns first, then constraints, in the order of their indexes. */
function listOf({ text, body, columns, constraints }: TableModel): ElementList {
  return { text, body, elements: [...columns, ...constraints] };
}

/** Also renames the table where it refers to itself: in foreign keys, and as a qualifier in expressions. */
export function renameTable(model: TableModel, name: string): string {
  const old = model.name.name;
  if (old === name) return model.text;
  const self = keysTo(model, old).map(({ table }) => replaceName(model.text, table.span, name));
  const inside = expressionsOf(model).flatMap((part) => renameInExpression(part, 'table', old, name));
  return applyEdits(model.text, [replaceName(model.text, model.name.span, name), ...self, ...inside]);
}

/** Also renames it in keys, checks and generated columns. References outside the statement are not changed. */
export function renameColumn(model: TableModel, index: number, name: string): string {
  const { name: old } = model.columns[index]!.name;
  if (old === name) return model.text;
  const names = [model.columns[index]!.name, ...mentionsInKeys(model)].filter((mention) => sameName(mention.name, old));
  const inside = expressionsOf(model).flatMap((part) => renameInExpression(part, 'column', old, name));
  return applyEdits(model.text, [...names.map(({ span }) => replaceName(model.text, span, name)), ...inside]);
}

/** All constraints, of columns and of the table. */
export function constraintsOf(model: TableModel): readonly ColumnConstraint[] {
  return [
    ...model.columns.flatMap(({ constraints }) => constraints),
    ...model.constraints.map(({ constraint }) => constraint),
  ];
}

function expressionsOf(model: TableModel): SqlPart[] {
  return constraintsOf(model).flatMap((constraint) =>
    constraint.kind === 'check' || constraint.kind === 'generated' ? [constraint.expression] : [],
  );
}

function keysTo(
  model: TableModel,
  table: string,
): { readonly table: Name; readonly referencedColumns: readonly Name[] }[] {
  return constraintsOf(model).filter(
    (constraint) => constraint.kind === 'foreign-key' && sameName(constraint.table.name, table),
  ) as never;
}

/** Column names in table constraints, and in foreign keys that refer to the table itself. */
function mentionsInKeys(model: TableModel): Name[] {
  const own = model.constraints.flatMap(({ constraint }) => namedColumns(constraint));
  return [...own, ...keysTo(model, model.name.name).flatMap(({ referencedColumns }) => referencedColumns)];
}

function namedColumns(constraint: TableConstraint): readonly Name[] {
  if (constraint.kind === 'check') return [];
  if (constraint.kind === 'foreign-key') return constraint.columns;
  return constraint.columns.flatMap(({ column }) => (column ? [column] : []));
}

/** @param index of the new column; columns always come before constraints */
export function addColumn(model: TableModel, index: number, piece: Piece): string {
  return insertElement(listOf(model), index, piece);
}

/**
 * Also drops the column's own constraints and the table constraints that name it, because a key or check without one of its columns would
 * be a different one. A generated column that reads it stays, and SQLite refuses the table.
 */
export function dropColumn(model: TableModel, index: number): string {
  const { name } = model.columns[index]!.name;
  let rest = model;
  for (let at = model.constraints.length - 1; at >= 0; at -= 1) {
    const { constraint } = model.constraints[at]!;
    const names =
      constraint.kind === 'check'
        ? mentionsColumn(constraint.expression, name)
        : namedColumns(constraint).some((column) => sameName(column.name, name));
    if (names) rest = parse(removeElement(listOf(rest), model.columns.length + at));
  }
  rest.columns.forEach((column, at) => {
    const isGone = (constraint: ColumnConstraint): boolean =>
      constraint.kind === 'check' && at !== index && mentionsColumn(constraint.expression, name);
    if (column.constraints.some(isGone)) rest = parse(dropColumnConstraints(rest, at, isGone));
  });
  return removeElement(listOf(rest), index);
}

export function moveColumn(model: TableModel, from: number, to: number): string {
  return from === to ? model.text : moveElement(listOf(model), from, to, (text) => listOf(parse(text)));
}

export function constraintAt(model: TableModel, { column, index }: ConstraintPosition): ColumnConstraint {
  return column === null ? model.constraints[index]!.constraint : model.columns[column]!.constraints[index]!;
}

export function dropConstraint(model: TableModel, position: ConstraintPosition): string {
  if (position.column === null) return removeElement(listOf(model), model.columns.length + position.index);
  const dropped = constraintAt(model, position);
  return dropColumnConstraints(model, position.column, (constraint) => constraint === dropped);
}

/** @param sql of a whole constraint of the table */
function addTableConstraint(model: TableModel, sql: string): string {
  return insertElement(listOf(model), model.columns.length + model.constraints.length, { sql });
}

/** @param position null: a new constraint of the table */
export function setCheck(model: TableModel, position: ConstraintPosition | null, expression: string): string {
  if (!position) return addTableConstraint(model, `CHECK (${asInside(expression)})`);
  const old = constraintAt(model, position);
  if (old.kind !== 'check' || old.expression.sql === expression.trim()) return model.text;
  return applyEdits(model.text, [{ ...old.expression.span, text: asInside(expression) }]);
}

/** Written with its column if it has only one. @param position null: a new one */
export function setForeignKey(
  model: TableModel,
  position: ConstraintPosition | null,
  key: ForeignKeyDefinition,
): string {
  const wanted = key.columns.length === 1 ? indexOfColumn(model, key.columns[0]!) : null;
  if (position && (position.column === null || position.column === wanted)) {
    const sql = position.column === null ? writeForeignKey(key) : writeReferences(key);
    return applyEdits(model.text, [replacing(constraintAt(model, position), sql)]);
  }
  const rest = position ? parse(dropConstraint(model, position)) : model;
  if (wanted === null) return addTableConstraint(rest, writeForeignKey(key));
  return addColumnConstraint(rest, wanted, 'foreign-key', writeReferences(key));
}

/** The same for UNIQUE. */
export function setUnique(model: TableModel, position: ConstraintPosition | null, key: UniqueDefinition): string {
  const [first] = key.columns;
  const isPlain = key.columns.length === 1 && !first!.collation && !first!.order;
  const wanted = isPlain ? indexOfColumn(model, first!.name) : null;
  const sql = joined('UNIQUE', conflict(key.onConflict));
  if (position && (position.column === null || position.column === wanted)) {
    const written = position.column === null ? writeUnique(key) : sql;
    return applyEdits(model.text, [replacing(constraintAt(model, position), written)]);
  }
  const rest = position ? parse(dropConstraint(model, position)) : model;
  if (wanted === null) return addTableConstraint(rest, writeUnique(key));
  return addColumnConstraint(rest, wanted, 'unique', sql);
}

/** @param key null: none */
export function setPrimaryKey(model: TableModel, key: PrimaryKeyDefinition | null): string {
  const position = positionOfPrimaryKey(model);
  const isAlone = key?.columns.length === 1 && !key.columns[0]!.collation;
  const wanted = isAlone ? indexOfColumn(model, key.columns[0]!.name) : null;
  if (key && position && position.column === null)
    return applyEdits(model.text, [replacing(constraintAt(model, position), writePrimaryKey(key))]);
  if (key && position && position.column === wanted)
    return applyEdits(model.text, [replacing(constraintAt(model, position), writeColumnPrimaryKey(key))]);
  const rest = position ? parse(dropConstraint(model, position)) : model;
  if (!key) return rest.text;
  if (wanted === null) return addTableConstraint(rest, writePrimaryKey(key));
  return addColumnConstraint(rest, wanted, 'primary-key', writeColumnPrimaryKey(key));
}

export function positionOfPrimaryKey({ columns, constraints }: TableModel): ConstraintPosition | null {
  const index = constraints.findIndex(({ constraint }) => constraint.kind === 'primary-key');
  if (index >= 0) return { column: null, index };
  for (const [column, { constraints: own }] of columns.entries()) {
    const at = own.findIndex(({ kind }) => kind === 'primary-key');
    if (at >= 0) return { column, index: at };
  }
  return null;
}

/** Null if there is no column with this name. */
function indexOfColumn({ columns }: TableModel, name: string): number | null {
  const index = columns.findIndex((column) => sameName(column.name.name, name));
  return index < 0 ? null : index;
}

export function setOption(model: TableModel, kind: 'strict' | 'without-rowid', isOn: boolean): string {
  const { text, options, body } = model;
  const index = options.findIndex((option) => option.kind === kind);
  if (index >= 0 === isOn) return text;
  const words = kind === 'strict' ? 'STRICT' : 'WITHOUT ROWID';
  if (isOn) {
    const last = options.at(-1)?.span.to;
    const edit =
      last === undefined ? insertBehind(text, body.to + 1, words) : { from: last, to: last, text: `, ${words}` };
    return applyEdits(text, [edit]);
  }
  const rest = options.filter((option) => option.kind !== kind).map(({ span }) => text.slice(span.from, span.to));
  const from = rest.length > 0 ? options[0]!.span.from : body.to + 1;
  return applyEdits(text, [{ from, to: options.at(-1)!.span.to, text: rest.join(', ') }]);
}
