// What the designer makes of a text: its model, the differences in words, and the changes of the schema they lead to.
import { diffTable, identityByName } from '#shared/ddl/diff-table.ts';
import type { ColumnIdentity, TableDiff } from '#shared/ddl/changes.ts';
import { renameTable } from '#shared/ddl/edit-table.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import type { NotUnderstood } from '#shared/ddl/statement-reader.ts';
import type { SchemaChange } from '#shared/protocol/index.ts';
import { KIND_WORDS } from '../../workbench/design-tabs.ts';
import type { DesignedKind } from '../../workbench/design-tabs.ts';
import { changeWords } from '../../workbench/table-change-words.ts';
import { objectWords } from './object-words.ts';

/** A text of another kind of object is not understood. */
export function readDesign(object: DesignedKind, text: string): ObjectModel | NotUnderstood {
  const model = parseObject(text);
  if (!model.understood) return model;
  const fail = (reason: string): NotUnderstood => ({ understood: false, reason, span: model.span });
  if (model.kind !== object) return fail(`This is not the statement of ${withArticle(object)}.`);
  if ('temporary' in model && model.temporary) return fail('A temporary object belongs to no database file.');
  const schema = model.schema?.name.toLowerCase() ?? 'main';
  return schema === 'main' ? model : fail(`It would belong to “${model.schema!.name}”, which is another database.`);
}

export function withArticle(object: DesignedKind): string {
  return `${object === 'index' ? 'an' : 'a'} ${KIND_WORDS[object]}`;
}

export interface Design {
  readonly base: ObjectModel;
  readonly model: ObjectModel;
  /** Of the columns of a table. */
  readonly identity: ColumnIdentity;
}

export function diffOf({ base, model, identity }: Design): TableDiff | null {
  return base.kind === 'table' && model.kind === 'table' ? diffTable(base, model, identity) : null;
}

/** What would be changed, each difference in a sentence. */
export function wordsOf(design: Design): readonly string[] {
  const diff = diffOf(design);
  return diff === null ? objectWords(design.base, design.model) : diff.changes.map(changeWords);
}

/** @param name of the object in the database @param asStored gives a text the line ends of the statement it began with */
export function changesOf(design: Design, name: string, asStored: (sql: string) => string): readonly SchemaChange[] {
  const { base, model } = design;
  const diff = diffOf(design);
  if (diff !== null) return tableChanges(diff, name, asStored);
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

/** Where nothing is known of what the columns were. */
export function firstIdentity(base: ObjectModel | null, model: ObjectModel): ColumnIdentity {
  if (model.kind !== 'table') return [];
  return base?.kind === 'table' ? identityByName(base, model) : model.columns.map(() => null);
}
