// Labels for changes of an index, view or trigger, and for what was saved.
import type { IndexModel, TriggerModel, ViewModel } from '#shared/ddl/object-models.ts';
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import { sameName, writeName } from '#shared/ddl/names.ts';
import type { SchemaChangeReport } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { plural } from '../../ui/format.ts';
import { KIND_WORDS, type DesignedKind } from '../../workbench/tabs/design.ts';

const quoted = (name: string): string => `“${visibleName(name)}”`;

/** A change that was kept at once. @param before name of the object before; null: it is new */
export function doneText(object: DesignedKind, before: string | null, name: string): string {
  const kind = KIND_WORDS[object];
  if (before === null) return `Created ${kind} ${quoted(name)}.`;
  return before === name || object !== 'table'
    ? `Changed ${kind} ${quoted(name)}.`
    : `Renamed table ${quoted(before)} to ${quoted(name)}.`;
}

/** A change that a server has kept at once. */
export function savedText(what: string, { tables }: Pick<SchemaChangeReport, 'tables'>): string {
  const rows = tables.reduce((sum, { rowsAfter }) => sum + rowsAfter, 0);
  return `Saved ${visibleName(what)} on the server.${tables.length > 0 ? ` Every value of ${plural(rows, 'row')} was compared.` : ''}`;
}

export function objectLabels(from: ObjectModel, to: ObjectModel): readonly string[] {
  if (from.text === to.text) return [];
  const renamed =
    from.name.name === to.name.name ? [] : [`Renames it from ${quoted(from.name.name)} to ${quoted(to.name.name)}`];
  const words = [...renamed, ...partsOf(from, to)];
  return words.length > 0 ? words : ['Changes only comments, white space, or spelling'];
}

function partsOf(from: ObjectModel, to: ObjectModel): readonly string[] {
  if (from.kind === 'index' && to.kind === 'index') return indexLabels(from, to);
  if (from.kind === 'view' && to.kind === 'view') return viewLabels(from, to);
  return from.kind === 'trigger' && to.kind === 'trigger' ? triggerLabels(from, to) : [];
}

function indexLabels(from: IndexModel, to: IndexModel): readonly string[] {
  const columns = ({ columns: list }: IndexModel): string =>
    list
      .map(({ column, expression, collation, order }) =>
        [
          column === null ? expression.sql : writeName(column.name),
          ...(collation === null ? [] : [`COLLATE ${collation.name.toUpperCase()}`]),
          ...(order === 'DESC' ? ['DESC'] : []),
        ].join(' '),
      )
      .join(', ');
  const where = to.where?.sql ?? null;
  return [
    ...tableLabels(from, to),
    ...((from.unique === null) === (to.unique === null)
      ? []
      : [to.unique === null ? 'The index is no longer UNIQUE' : 'The index becomes UNIQUE']),
    ...(columns(from) === columns(to) ? [] : [`Its columns become ${columns(to)}`]),
    ...((from.where?.sql ?? null) === where
      ? []
      : [where === null ? 'It covers every row' : `It covers only rows where ${where}`]),
  ];
}

function tableLabels(from: IndexModel | TriggerModel, to: IndexModel | TriggerModel): readonly string[] {
  return sameName(from.table.name, to.table.name) ? [] : [`It belongs to ${quoted(to.table.name)}`];
}

function viewLabels(from: ViewModel, to: ViewModel): readonly string[] {
  const names = ({ columns }: ViewModel): string => (columns ?? []).map(({ name }) => quoted(name)).join(', ');
  return [
    ...(names(from) === names(to)
      ? []
      : [to.columns === null ? 'The query names its columns' : `Its columns are named ${names(to)}`]),
    ...(from.query.sql === to.query.sql ? [] : ['Its query changes']),
  ];
}

function triggerLabels(from: TriggerModel, to: TriggerModel): readonly string[] {
  const event = ({ timing, event: what, columns }: TriggerModel): string =>
    `${timing} ${what}${columns.length > 0 ? ` OF ${columns.map(({ name }) => quoted(name)).join(', ')}` : ''}`;
  const when = to.when?.sql ?? null;
  return [
    ...tableLabels(from, to),
    ...(event(from) === event(to) ? [] : [`It runs ${event(to)}`]),
    ...((from.when?.sql ?? null) === when
      ? []
      : [when === null ? 'It runs for every row' : `It runs only when ${when}`]),
    ...(from.body.sql === to.body.sql ? [] : ['Its statements change']),
  ];
}
