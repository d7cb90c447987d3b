// Edits the text of a CREATE INDEX statement. Each function returns the new text; unchanged parts stay byte for byte.
import { SqlScanner, Token } from '../sql-scanner.ts';
import { insertElement, moveElement, removeElement } from './edit-elements.ts';
import type { ElementList } from './edit-elements.ts';
import { asInside } from './expressions.ts';
import { writeName } from './names.ts';
import type { IndexModel } from './object-models.ts';
import { parseIndex } from './parse-object.ts';
import { applyEdits, insertBehind } from './text-edits.ts';
import { joined } from './write-constraint.ts';
import type { SortOrder } from './table-model.ts';

export interface IndexColumnDefinition {
  /** A column name, or the SQL of an expression. */
  readonly column?: string;
  readonly expression?: string;
  readonly collation?: string | null;
  readonly order?: SortOrder | null;
}

function writeIndexColumn({ column, expression = '', collation, order }: IndexColumnDefinition): string {
  const isOneOperand = collation == null || /^\w+(\([^()]*\))?$/.test(expression.trim()) || isEnclosed(expression);
  const written = isOneOperand ? expression.trim() : `(${asInside(expression)})`;
  const what = column === undefined ? written : writeName(column);
  return joined(what, collation != null && `COLLATE ${writeName(collation)}`, order);
}

/** Whether one pair of parentheses holds the whole expression. */
function isEnclosed(expression: string): boolean {
  const text = expression.trim();
  const scanner = new SqlScanner(text);
  let depth = 0;
  do {
    scanner.next();
    if (scanner.kind === Token.end) return false;
    if (scanner.text === '(') depth += 1;
    if (scanner.text === ')') depth -= 1;
  } while (depth > 0);
  return scanner.text === ')' && scanner.to === text.length;
}

function listOf({ text, body, columns }: IndexModel): ElementList {
  return { text, body, elements: columns };
}

export function setIndexUnique({ text, unique, span }: IndexModel, isUnique: boolean): string {
  if ((unique !== null) === isUnique) return text;
  if (!unique) return applyEdits(text, [insertBehind(text, span.from + 'CREATE'.length, 'UNIQUE')]);
  const blank = /^\s*/.exec(text.slice(unique.to))![0];
  return applyEdits(text, [{ from: unique.from, to: unique.to + blank.length, text: '' }]);
}

export function addIndexColumn(model: IndexModel, index: number, column: IndexColumnDefinition): string {
  return insertElement(listOf(model), index, { sql: writeIndexColumn(column) });
}

export function dropIndexColumn(model: IndexModel, index: number): string {
  return removeElement(listOf(model), index);
}

export function moveIndexColumn(model: IndexModel, from: number, to: number): string {
  if (from === to) return model.text;
  return moveElement(listOf(model), from, to, (text) => {
    const rest = parseIndex(text);
    if (!rest.understood) throw new Error(`An edit broke the statement: ${rest.reason}`);
    return listOf(rest);
  });
}

export function setIndexColumn(model: IndexModel, index: number, column: IndexColumnDefinition): string {
  return applyEdits(model.text, [{ ...model.columns[index]!.span, text: writeIndexColumn(column) }]);
}

/** @param condition null or empty: an index over all rows */
export function setIndexWhere({ text, where, body, span }: IndexModel, condition: string | null): string {
  const wanted = condition?.trim() ?? '';
  if (wanted === (where?.sql ?? '')) return text;

  if (wanted === '') return applyEdits(text, [{ from: body.to + 1, to: span.to, text: '' }]);
  if (where) return applyEdits(text, [{ ...where.span, text: asInside(wanted) }]);
  return applyEdits(text, [insertBehind(text, body.to + 1, `WHERE ${asInside(wanted)}`)]);
}
