// Turns a text into a model, the differences in words, and the schema changes that make them.
import { diffTable, followIdentity, identityByName, type NamedColumns } from '#shared/ddl/diff-table.ts';
import type { ColumnIdentity, TableDiff } from '#shared/ddl/changes.ts';
import { renameTable } from '#shared/ddl/edit-table.ts';
import type { VirtualTableModel } from '#shared/ddl/object-models.ts';
import { parseObject, type ObjectModel } from '#shared/ddl/parse-object.ts';
import type { NotUnderstood } from '#shared/ddl/statement-reader.ts';
import { columnsOfVirtual } from '#shared/ddl/virtual-columns.ts';
import type { SchemaChange } from '#shared/protocol/index.ts';
import { KIND_WORDS, type DesignedKind } from '../../workbench/tabs/design.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';
import { objectLabels } from './object-labels.ts';
import { fullTextOf } from '#shared/ddl/full-text.ts';
import { rtreeOf } from '#shared/ddl/rtree.ts';
import { renameObject } from '#shared/ddl/text-edits.ts';
import { visibleName } from '#shared/visible-text.ts';

const quoted = (name: string): string => `“${visibleName(name)}”`;

function virtualLabels(from: VirtualTableModel, to: VirtualTableModel, identity: ColumnIdentity): readonly string[] {
  if (from.text === to.text) return [];
  const words = [
    ...(from.name.name === to.name.name
      ? []
      : [`Renames the table from ${quoted(from.name.name)} to ${quoted(to.name.name)}`]),
    ...columnLabels(columnsOfVirtual(from) ?? [], columnsOfVirtual(to) ?? [], identity),
    ...fullTextLabels(from, to, identity),
    ...rtreeLabels(from, to),
  ];
  return words.length > 0 ? words : ['Changes only comments, white space, or spelling'];
}

function columnLabels(from: readonly string[], to: readonly string[], identity: ColumnIdentity): readonly string[] {
  const kept = identity.filter((index) => index !== null);
  const dropped = from.filter((_, index) => !kept.includes(index));
  const isReordered = kept.some((index, at) => at > 0 && kept[at - 1]! > index);
  return [
    ...dropped.map((name) => `Drops the column ${quoted(name)} with its values`),
    ...to.flatMap((name, at) => {
      const index = identity[at] ?? null;
      if (index === null) return [`Adds the column ${quoted(name)}`];
      return from[index] === name ? [] : [`Renames the column ${quoted(from[index]!)} to ${quoted(name)}`];
    }),
    ...(isReordered ? [`Reorders the columns: ${to.map(quoted).join(', ')}`] : []),
  ];
}

function fullTextLabels(from: VirtualTableModel, to: VirtualTableModel, identity: ColumnIdentity): readonly string[] {
  const [before, after] = [fullTextOf(from), fullTextOf(to)];
  if (!before || !after) return [];
  const searched = after.columns.flatMap(({ name, unindexed }, at) => {
    const was = before.columns[identity[at] ?? -1]?.unindexed ?? unindexed;
    return was === unindexed
      ? []
      : [unindexed ? `${quoted(name)} is no longer searched` : `${quoted(name)} is searched`];
  });
  const options = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])].flatMap((option) => {
    const value = after.options[option];
    if (before.options[option] === value) return [];
    return [value === undefined ? `“${option}” becomes the default` : `“${option}” becomes '${value}'`];
  });
  return [...searched, ...options];
}

function rtreeLabels(from: VirtualTableModel, to: VirtualTableModel): readonly string[] {
  const [before, after] = [rtreeOf(from), rtreeOf(to)];
  if (!before || !after || before.integers === after.integers) return [];
  return [after.integers ? 'Coordinates become integers' : 'Coordinates become floating-point numbers'];
}

/** A text with another kind of object is rejected. */
export function readDesign(object: DesignedKind, text: string): ObjectModel | NotUnderstood {
  const model = parseObject(text);
  if (!model.understood) return model;
  const fail = (reason: string): NotUnderstood => ({ understood: false, reason, span: model.span });
  if (model.kind !== object) return fail(`This is not the statement of ${withArticle(object)}.`);
  if (model.kind === 'virtual' && columnsOfVirtual(model) === null)
    return fail('Only FTS5 and R-Tree tables have a form.');
  if ('temporary' in model && model.temporary) return fail('A temporary object belongs to no database file.');
  const schema = model.schema?.name.toLowerCase() ?? 'main';
  return schema === 'main' ? model : fail(`It would belong to “${model.schema!.name}”, which is another database.`);
}

function withArticle(object: DesignedKind): string {
  return `${object === 'index' ? 'an' : 'a'} ${KIND_WORDS[object]}`;
}

interface Design {
  readonly base: ObjectModel;
  readonly model: ObjectModel;
  /** Maps the columns of a table or virtual table to those of `base`. */
  readonly identity: ColumnIdentity;
}

function diffOf({ base, model, identity }: Design): TableDiff | null {
  return base.kind === 'table' && model.kind === 'table' ? diffTable(base, model, identity) : null;
}

export function wordsOf(design: Design): readonly string[] {
  const diff = diffOf(design);
  if (diff !== null) return diff.changes.map(changeLabel);
  const { base, model, identity } = design;
  if (base.kind === 'virtual' && model.kind === 'virtual') return virtualLabels(base, model, identity);
  return objectLabels(base, model);
}

/** @param name of the object in the database @param asStored restores the line endings of the original statement in a text */
export function changesOf(design: Design, name: string, asStored: (sql: string) => string): readonly SchemaChange[] {
  const { base, model } = design;
  const diff = diffOf(design);
  if (diff !== null) return tableChanges(diff, name, asStored);
  if (base.kind === 'virtual' && model.kind === 'virtual')
    return virtualChanges({ base, model, identity: design.identity }, name, asStored);
  if (base.kind === 'table' || base.kind === 'virtual') throw new Error('Not changed by creating it again.');
  return [{ kind: 'change-object', object: base.kind, name, sql: asStored(model.text) }];
}

function tableChanges(
  { from, to, identity, changes }: TableDiff,
  table: string,
  asStored: (sql: string) => string,
): readonly SchemaChange[] {
  const rename = from.name.name === to.name.name ? [] : [{ kind: 'rename-table' as const, table, to: to.name.name }];
  if (changes.every(({ kind }) => kind === 'rename-table')) return rename;
  const columns = identity.map((index) => (index === null ? null : from.columns[index]!.name.name));
  const sql = asStored(renameTable(to, from.name.name));
  return [{ kind: 'change-table', table, sql, columns }, ...rename];
}

function virtualChanges(
  design: { readonly base: VirtualTableModel; readonly model: VirtualTableModel; readonly identity: ColumnIdentity },
  table: string,
  asStored: (sql: string) => string,
): readonly SchemaChange[] {
  const { base, model, identity } = design;
  const [from, to] = [base.name.name, model.name.name];
  const rename = from === to ? [] : [{ kind: 'rename-table' as const, table, to }];
  const sql = renameObject(model, from);
  if (sql === base.text) return rename;
  const names = columnsOfVirtual(base) ?? [];
  const columns = identity.map((index) => (index === null ? null : names[index]!));
  return [{ kind: 'change-virtual', table, sql: asStored(sql), columns }, ...rename];
}

/** Null if columns have no identity: they are all written again. */
function namedColumns(model: ObjectModel | null): NamedColumns | null {
  if (model?.kind === 'table') return model;
  const names = model?.kind === 'virtual' ? columnsOfVirtual(model) : null;
  return names && { columns: names.map((name) => ({ name: { name } })) };
}

/** Used when nothing is known about what the columns were. */
export function firstIdentity(base: ObjectModel | null, model: ObjectModel): ColumnIdentity {
  const [from, to] = [namedColumns(base), namedColumns(model)];
  if (to === null) return [];
  return from ? identityByName(from, to) : to.columns.map(() => null);
}

/** Identity after an edit of the text. @param known identity of a restored tab, before anything was read */
export function nextIdentity(
  models: { readonly base: ObjectModel | null; readonly before: ObjectModel | null; readonly model: ObjectModel },
  known: ColumnIdentity,
): ColumnIdentity {
  const [before, after] = [namedColumns(models.before), namedColumns(models.model)];
  if (after === null) return [];
  if (before !== null) return followIdentity(before, known, after);
  return known.length === after.columns.length ? known : firstIdentity(models.base, models.model);
}

/**
 * Whether a change cannot lose anything that Undo and the text do not bring back: it reads and copies no rows of existing tables. Such a
 * change is kept at once.
 */
export const losesNothing = (changes: readonly SchemaChange[]): boolean =>
  changes.every(({ kind }) => kind === 'create' || kind === 'change-object' || kind === 'rename-table');
