// Names that new indexes and triggers get from what they are for, until a person chooses another.
import { foldName, sameName } from './names.ts';
import type { IndexModel, TriggerModel } from './object-models.ts';
import { parseObject } from './parse-object.ts';
import { renameObject } from './text-edits.ts';
import { freeName } from '../free-name.ts';

/** @param parts names of columns, or SQL of expressions */
export const indexName = (table: string, parts: readonly string[]): string =>
  [table, ...parts.flatMap((part) => part.match(/[\p{L}\p{N}_]+/gu) ?? [])].join('_');

export const triggerName = (table: string): string => `${table}_trigger`;

/** The name, or the first of “name_2”, “name_3”, … that is free. */
export function freeObjectName(name: string, taken: readonly string[]): string {
  const folded = new Set(taken.map(foldName));
  return freeName(name, (candidate) => folded.has(foldName(candidate)), '_');
}

/**
 * The text of a new index or trigger after a change in its form: its name follows its table and columns as long as the name is the one
 * that was suggested.
 *
 * @param taken names of all objects
 */
export function followName(before: IndexModel | TriggerModel, text: string, taken: readonly string[]): string {
  const model = parseObject(text);
  if (!model.understood || (model.kind !== 'index' && model.kind !== 'trigger')) return text;
  if (!sameName(model.name.name, before.name.name) || !isSuggested(before)) return text;
  const name = freeObjectName(suggested(model), taken);
  return renameObject(model, name);
}

function isSuggested(model: IndexModel | TriggerModel): boolean {
  const [name, own] = [suggested(model), model.name.name];
  return sameName(own.slice(0, name.length), name) && /^(?:_\d+)?$/.test(own.slice(name.length));
}

function suggested(model: IndexModel | TriggerModel): string {
  if (model.kind === 'trigger') return triggerName(model.table.name);
  return indexName(
    model.table.name,
    model.columns.map(({ column, expression }) => column?.name ?? expression.sql),
  );
}
