// Edits the arguments in the text of a CREATE VIRTUAL TABLE statement. Each function returns the new text; unchanged parts stay byte for byte.
import { SqlScanner, Token } from '../sql-scanner.ts';
import { insertElement, moveElement, removeElement } from './edit-elements.ts';
import type { ElementList } from './edit-elements.ts';
import { writeName } from './names.ts';
import type { VirtualTableModel } from './object-models.ts';
import { parseObject } from './parse-object.ts';
import { applyEdits } from './text-edits.ts';

export function setModule({ text, module }: VirtualTableModel, to: string): string {
  return module.name.toLowerCase() === to ? text : applyEdits(text, [{ ...module.span, text: to }]);
}

/** Parses the result of an edit, which is always valid input. */
export function parseVirtual(text: string): VirtualTableModel {
  const model = parseObject(text);
  if (!model.understood || model.kind !== 'virtual') throw new Error('An edit broke the statement.');
  return model;
}

function listOf({ text, body, arguments: all }: VirtualTableModel): ElementList {
  return { text, body: body!, elements: all.map((one) => ({ ...one, span: one.part.span })) };
}

/** @param index it gets among the arguments */
export function addArgument(model: VirtualTableModel, index: number, sql: string): string {
  if (model.body === null) return applyEdits(model.text, [{ ...endOf(model), text: ` (${sql})` }]);
  return insertElement(listOf(model), index, { sql });
}

function endOf({ module }: VirtualTableModel): { from: number; to: number } {
  return { from: module.span.to, to: module.span.to };
}

export function dropArgument(model: VirtualTableModel, index: number): string {
  return removeElement(listOf(model), index);
}

export function moveArgument(model: VirtualTableModel, from: number, to: number): string {
  if (from === to) return model.text;
  return moveElement(listOf(model), from, to, (text) => listOf(parseVirtual(text)));
}

export function setArgument({ text, arguments: all }: VirtualTableModel, index: number, sql: string): string {
  return applyEdits(text, [{ ...all[index]!.part.span, text: sql }]);
}

/** The name that an argument begins with, a plus before it included, and what follows it. */
export function nameIn(sql: string): { readonly before: string; readonly name: string; readonly rest: string } | null {
  const scanner = new SqlScanner(sql);
  scanner.next();
  if (scanner.text === '+') scanner.next();
  if (scanner.kind !== Token.word && scanner.kind !== Token.quoted && scanner.kind !== Token.text) return null;
  const { from, to } = scanner;
  return { before: sql.slice(0, from), name: sql.slice(from, to), rest: sql.slice(to) };
}

export function renameArgument(model: VirtualTableModel, index: number, name: string): string {
  const { sql } = model.arguments[index]!.part;
  const parts = nameIn(sql);
  return parts === null ? model.text : setArgument(model, index, parts.before + writeName(name) + parts.rest);
}
