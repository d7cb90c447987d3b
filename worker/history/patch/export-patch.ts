// A step as a patch: its changes, forward, as a changeset or as SQL to read.
import { groupBy } from '#shared/group-by.ts';
import { counted } from '#shared/counted.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { HistoryStep } from '#shared/protocol/history.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { openRowLog } from '../../engines/row-log/reader.ts';
import type { LoggedTable } from '../../engines/row-log/row-log.ts';
import type { History } from '../history.ts';
import { MergeTarget } from '../merge-target.ts';
import { netChanges, type NetChange } from '../net-changes.ts';
import { isHidden, type VirtualTables } from '../virtual-tables.ts';
import { movesKey, writeChangeset, type ChangesetTable } from './write-changeset.ts';
import { writeSql } from './write-sql.ts';

interface Patch {
  readonly bytes: Uint8Array;
  /** Omissions, with reasons. */
  readonly notes: readonly string[];
}

/** @throws AppError `invalid` when the step was not kept row by row, or not with the values after it */
export function exportPatch(history: History, step: HistoryStep, format: 'changeset' | 'sql'): Patch {
  const { store } = history.timeline;
  const log = step.state === 'done' ? store.undoLog(step.id) : null;
  if (!log)
    fail(
      'invalid',
      step.state === 'undone'
        ? 'This step is undone. Redo it first: a patch describes what a step does.'
        : 'This step was not kept row by row, so there is no patch of it.',
    );
  const virtual = store.virtualTables(step.id);
  const completion = new Completion(history.connection, virtual, step.id === history.timeline.position.at);
  const changes = netChanges(openRowLog(log).forwards())
    .filter(({ table }) => !isHidden(table.name, virtual))
    .map((change) => completion.withValuesAfter(change));
  if (format === 'sql') return { bytes: writeSql(step, changes, virtual), notes: notesOnVirtual(virtual) };
  const tables = byTable(changes).map((group) => changesetTable(history.connection, completion, group, virtual));
  const notes = tables.flatMap(({ notes: found }) => found);
  return { bytes: writeChangeset(tables), notes: [...notes, ...notesOnVirtual(virtual)] };
}

interface Group {
  readonly table: LoggedTable;
  readonly changes: readonly NetChange[];
}

function byTable(changes: readonly NetChange[]): Group[] {
  const groups = groupBy(changes, ({ table }) => table.name);
  return [...groups.values()].map((group) => ({ table: group[0]!.table, changes: group }));
}

function changesetTable(
  connection: Connection,
  completion: Completion,
  { table, changes }: Group,
  virtual: VirtualTables,
): ChangesetTable & { readonly notes: readonly string[] } {
  const { name } = table;
  const primaryKey = virtual[name] ? [] : primaryKeyOf(connection, table);
  if (!primaryKey.some((place) => place > 0)) {
    const why = virtual[name] ? 'is a virtual table' : 'has no primary key';
    const note = `Not in the patch: ${counted(changes.length, 'changed row')} of “${virtual[name]?.owner ?? name}”, because the table ${why}. Changesets name rows by primary key; the SQL form has them.`;
    return { name, primaryKey, changes: [], notes: [note] };
  }
  const whole: NetChange[] = [];
  let left = 0;
  for (const change of changes) {
    const named = completion.withPrimaryKey(change, primaryKey);
    if (named) whole.push(named);
    else left++;
  }
  const note = `Not in the patch: ${counted(left, 'changed row')} of “${name}”, because the primary key is NULL or no longer known. The SQL form has them.`;
  return { name, primaryKey, changes: whole, notes: left > 0 ? [note] : [] };
}

function primaryKeyOf(connection: Connection, table: LoggedTable): number[] {
  const places = new Map(
    connection
      .all('SELECT name, pk FROM temp.pragma_table_xinfo(?)', [table.name])
      .map(([name, place]) => [String(name), Number(place)]),
  );
  return table.columns.map((name) => places.get(name) ?? 0);
}

/** Fills in what the log leaves out, from the rows as they are now. */
class Completion {
  readonly #connection: Connection;
  readonly #virtual: VirtualTables;
  readonly #isNewest: boolean;
  readonly #targets = new Map<string, MergeTarget>();

  constructor(connection: Connection, virtual: VirtualTables, isNewest: boolean) {
    this.#connection = connection;
    this.#virtual = virtual;
    this.#isNewest = isNewest;
  }

  /** Completes values after the change: for many rows only the values before are kept. */
  withValuesAfter(change: NetChange): NetChange {
    const { kind, before, after } = change;
    const isMissing = (place: number): boolean =>
      after![place] === undefined && (kind === 'insert' || before![place] !== undefined);
    const missing = after ? [...after.keys()].filter(isMissing) : [];
    if (missing.length === 0) return change;
    const row = this.#isNewest ? this.#target(change.table).read(change.keyAfter!) : null;
    if (!row)
      fail(
        'invalid',
        'So many rows were changed that only their previous values are kept, and newer steps have followed. A patch can only be made while the step is the newest.',
      );
    return { ...change, after: after!.map((value, place) => (missing.includes(place) ? row[place] : value)) };
  }

  /** Adds old values of the primary key, and of the whole row when the key changes; null when they are unavailable. */
  withPrimaryKey(change: NetChange, primaryKey: readonly number[]): NetChange | null {
    const row = change.kind === 'update' ? this.#completeBefore(change, primaryKey) : change;
    const known = row?.before ?? row?.after;
    const isKnown = primaryKey.every((place, index) => place === 0 || (known![index] ?? null) !== null);
    return row && isKnown ? row : null;
  }

  #completeBefore(change: NetChange, primaryKey: readonly number[]): NetChange | null {
    const before = [...change.before!];
    const after = [...change.after!];
    // The row id column is not logged: the keys contain it.
    const { key } = change.table;
    if (key.kind === 'rowid' && key.columnIndex !== null) {
      before[key.columnIndex] = change.keyBefore![0]!;
      if (change.keyBefore![0] !== change.keyAfter![0]) after[key.columnIndex] = change.keyAfter![0]!;
    }
    const wholeRow = movesKey(before, after, primaryKey);
    for (const [place, value] of keyBefore(change)) before[place] ??= value ?? undefined;
    const missing = [...before.keys()].filter(
      (place) => before[place] === undefined && (wholeRow || primaryKey[place]! > 0),
    );
    if (missing.length === 0) return { ...change, before, after };
    // Later steps may have changed the row that has this key now, or it is another one.
    const now = this.#isNewest ? this.#target(change.table).read(change.keyAfter!) : null;
    if (!now) return null;
    for (const place of missing) before[place] = now[place];
    return { ...change, before, after };
  }

  #target(table: LoggedTable): MergeTarget {
    let target = this.#targets.get(table.name);
    if (!target) this.#targets.set(table.name, (target = new MergeTarget(this.#connection, table, this.#virtual)));
    return target;
  }
}

/** Columns of the primary key with their values before the step, as far as the log has them; null for a long text, which it leaves out. */
function keyBefore({
  table,
  keyBefore: key,
  nameBefore,
}: NetChange): readonly (readonly [number, Value | undefined])[] {
  if (table.key.kind === 'primary-key')
    return table.key.columns.map((name, index) => [table.columns.indexOf(name), key![index]] as const);
  return (table.declaredKey ?? []).map((place, index) => [place, nameBefore?.[index]] as const);
}

function notesOnVirtual(virtual: VirtualTables): string[] {
  const told = new Set<string>();
  for (const { owner } of Object.values(virtual)) told.add(owner);
  for (const { owner, content } of Object.values(virtual)) if (content) told.delete(owner);
  return [...told].map((owner) => `What changed inside the virtual table “${owner}” is not in the patch.`);
}
