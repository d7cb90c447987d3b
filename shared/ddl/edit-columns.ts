// Edits one column in the text of a CREATE TABLE statement. Each function returns the new text; unchanged parts stay byte for byte.
import { commaIn } from './comments.ts';
import { indentAt } from './edit-elements.ts';
import { asInside, normalizeExpression } from './expressions.ts';
import { sameName, writeName } from './names.ts';
import { applyEdits, cutBehind, cutPieces, insertBehind } from './text-edits.ts';
import type { TextEdit } from './text-edits.ts';
import type { ColumnConstraint, ColumnModel, GeneratedConstraint, TableModel } from './table-model.ts';

type Kind = ColumnConstraint['kind'];

/** The order in which column constraints are written. */
const RANKS: Readonly<Record<Kind, number>> = {
  'primary-key': 0,
  null: 1,
  'not-null': 1,
  unique: 2,
  collate: 3,
  default: 4,
  generated: 5,
  check: 6,
  'foreign-key': 7,
};

/** @param type as to be written; empty: none */
export function setType(model: TableModel, index: number, type: string): string {
  return setTypes(model, [{ index, type }]);
}

interface ColumnType {
  /** Index of the column in the table. */
  readonly index: number;
  readonly type: string;
}

/** See {@link setType}. */
export function setTypes(model: TableModel, types: readonly ColumnType[]): string {
  const edits = types.flatMap(({ index, type }) => typeEdit(model, index, type.trim()) ?? []);
  return applyEdits(model.text, edits);
}

function typeEdit({ text, columns }: TableModel, index: number, type: string): TextEdit | null {
  const { name, type: old } = columns[index]!;
  if (type === (old?.sql ?? '')) return null;
  if (!old) return insertBehind(text, name.span.to, type);
  return type === '' ? cutBehind(text, name.span.to, old.span) : { ...old.span, text: type };
}

export function setNotNull(model: TableModel, index: number, notNull: boolean): string {
  const { constraints } = model.columns[index]!;
  const has = constraints.some(({ kind }) => kind === 'not-null');
  if (has === notNull) return model.text;
  return notNull
    ? addColumnConstraint(model, index, 'not-null', 'NOT NULL')
    : dropColumnConstraints(model, index, ({ kind }) => kind === 'not-null');
}

/** @param value its SQL, with the parentheses of an expression; null: none */
export function setDefault(model: TableModel, index: number, value: string | null): string {
  // If there are several, the last one applies.
  const old = model.columns[index]!.constraints.filter((constraint) => constraint.kind === 'default').at(-1);
  if (value === null) return dropColumnConstraints(model, index, ({ kind }) => kind === 'default');
  if (!old) return addColumnConstraint(model, index, 'default', `DEFAULT ${value.trim()}`);
  return applyEdits(model.text, value.trim() === old.value.sql ? [] : [{ ...old.value.span, text: value.trim() }]);
}

export function setCollation(model: TableModel, index: number, collation: string | null): string {
  const old = model.columns[index]!.constraints.filter((constraint) => constraint.kind === 'collate').at(-1);
  if (collation === null) return dropColumnConstraints(model, index, ({ kind }) => kind === 'collate');
  if (!old) return addColumnConstraint(model, index, 'collate', `COLLATE ${writeName(collation)}`);
  if (sameName(old.collation.name, collation)) return model.text;
  return applyEdits(model.text, [{ ...old.collation.span, text: writeName(collation) }]);
}

/** @param generated null: an ordinary column */
export function setGenerated(
  model: TableModel,
  index: number,
  generated: { readonly expression: string; readonly storage: GeneratedConstraint['storage'] } | null,
): string {
  const old = model.columns[index]!.constraints.find((constraint) => constraint.kind === 'generated');
  if (!generated) return dropColumnConstraints(model, index, ({ kind }) => kind === 'generated');
  const { expression, storage } = generated;
  const sql = `GENERATED ALWAYS AS (${asInside(expression)}) ${storage.toUpperCase()}`;
  if (!old) return addColumnConstraint(model, index, 'generated', sql);
  if (old.storage !== storage) return applyEdits(model.text, [replacing(old, sql)]);
  if (normalizeExpression(old.expression.sql) === normalizeExpression(expression)) return model.text;
  return applyEdits(model.text, [{ ...old.expression.span, text: asInside(expression) }]);
}

/** Replaces the whole constraint except its name. */
export function replacing(constraint: ColumnConstraint, sql: string): TextEdit {
  const { name, span } = constraint;
  return name ? { from: name.span.to, to: span.to, text: ` ${sql}` } : { ...span, text: sql };
}

/** Inserts a constraint after those that are usually written before it. */
export function addColumnConstraint(model: TableModel, index: number, kind: Kind, sql: string): string {
  const column = model.columns[index]!;
  const before = column.constraints.filter((constraint) => RANKS[constraint.kind] <= RANKS[kind]).at(-1);
  const at = before?.span.to ?? column.type?.span.to ?? column.name.span.to;
  return applyEdits(model.text, [insertBehind(model.text, at, sql)]);
}

export function dropColumnConstraints(
  model: TableModel,
  index: number,
  isDropped: (constraint: ColumnConstraint) => boolean,
): string {
  const column = model.columns[index]!;
  const { text } = model;
  const edits: TextEdit[] = [];
  let end = column.type?.span.to ?? column.name.span.to;
  for (const constraint of column.constraints) {
    if (isDropped(constraint)) edits.push(cutBehind(text, end, constraint.span));
    end = constraint.span.to;
  }
  return applyEdits(text, edits);
}

/** @param comment without its marks; null or empty: none */
export function setComment(model: TableModel, index: number, comment: string | null): string {
  const { text } = model;
  const column = model.columns[index]!;
  const wanted = comment?.trim() ?? '';
  if (wanted === (column.comment?.text ?? '')) return text;
  if (column.comment) {
    const { span } = column.comment;
    if (wanted === '') return applyEdits(text, cutPieces(text, [span]));
    const isLine = text.startsWith('--', span.from);
    const isAlone = column.behind.length === 0;
    return applyEdits(text, [{ ...span, text: marked(wanted, isLine, isAlone ? indentAt(text, span.from) : null) }]);
  }
  const at = commentPosition(model, column, index);
  const endsLine = /^[ \t\r]*\n/.test(text.slice(at, at + 1000));
  return applyEdits(text, [{ from: at, to: at, text: ` ${marked(wanted, endsLine, null)}` }]);
}

/** Position after the comma if it ends the line, otherwise after the column. */
function commentPosition(
  { text, columns, constraints, body }: TableModel,
  { span }: ColumnModel,
  index: number,
): number {
  const next = [...columns, ...constraints][index + 1];
  const comma = commaIn(text, { from: span.to, to: next?.span.from ?? body.to });
  const isNear = comma >= 0 && /^[ \t]*$/.test(text.slice(span.to, comma));
  return isNear && /^[ \t\r]*\n/.test(text.slice(comma + 1, comma + 1000)) ? comma + 1 : span.to;
}

/** @param indent of a comment on lines of its own; null for a comment after an element, which has only one line */
function marked(comment: string, isLine: boolean, indent: string | null): string {
  const lines = comment.split(/\r?\n/);
  if (isLine && (lines.length === 1 || indent !== null))
    return lines.map((line) => `-- ${line}`.trimEnd()).join(`\n${indent ?? ''}`);
  return `/* ${comment.replaceAll('*/', '* /')} */`;
}
