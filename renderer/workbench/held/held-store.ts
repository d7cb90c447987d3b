// Holding changes back: whether a database holds its changes back, which changes it holds, and the state of their rows. The library keeps
// them, for all windows.
import { create } from 'zustand';
import * as v from 'valibot';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { ChangeState, EditReply, RowChange } from '#shared/protocol/edit.ts';
import { AppError, toAppError, type DatabaseId, type HeldState, type TableDetail } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { useStore } from '../../state/store.ts';
import { afterDryRun } from '../text/dry-run.ts';
import { readHistory } from '../history/history-state.ts';
import { noteSavedRows } from '../rows/saved-rows.ts';
import { keepPreview } from '../tabs/table.ts';
import { asHeld, heldTables, pendingChanges } from './held-changes.ts';
import type { HeldChange, HeldTables, PendingChange } from './held-changes.ts';

export interface Held extends Pick<HeldState, 'isOn' | 'interruptedAt' | 'undone' | 'renames'> {
  readonly steps: readonly { readonly id: number; readonly changes: readonly HeldChange[] }[];
  readonly tables: HeldTables;
  readonly pending: readonly PendingChange[];
  /** States by name of the pending change; missing until known. */
  readonly states: ReadonlyMap<string, ChangeState>;
}

/** Held changes by database; missing until they have been read. */
export const useHeld = create<Readonly<Record<DatabaseId, Held>>>()(() => ({}));

export const heldOf = (database: DatabaseId): Held | null => useHeld.getState()[database] ?? null;

const NO_STATES: ReadonlyMap<string, ChangeState> = new Map();

/** Reads the held changes of each database that is opened, and again when they change in any window. Call once. */
export function startHeldChanges(): void {
  const follow = (now: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>): void => {
    for (const database of Object.keys(now)) if (!before[database]) readHeld(database).catch(notifyFailure);
    for (const database of Object.keys(before)) if (!now[database]) put(database, null);
  };
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases !== before.openDatabases) follow(openDatabases, before.openDatabases);
  });
  follow(useStore.getState().openDatabases, {});
  client.on('held.changed', ({ database }) => {
    if (useStore.getState().openDatabases[database]) readHeld(database).catch(notifyFailure);
  });
  client.on('database.changed', ({ database, tables, schema }) => {
    const held = heldOf(database);
    const isTouched = (table: string): boolean => schema || tables === null || tables.includes(table);
    if (held && [...held.tables.keys()].some(isTouched)) void checkHeld(database);
  });
  client.onReconnected(() => {
    for (const database of Object.keys(useStore.getState().openDatabases)) readHeld(database).catch(notifyFailure);
  });
}

export async function isHolding(database: DatabaseId): Promise<boolean> {
  return (heldOf(database) ?? (await readHeld(database))).isOn;
}

/** Call before changes that are made immediately or not at all. @throws AppError `refused` while changes are held */
export async function assertNotHolding(database: DatabaseId): Promise<void> {
  if (!(await isHolding(database))) return;
  throw AppError.refused(
    'Changes to this database are being held, and this kind of change cannot be. Nothing was changed. Save the held changes, turn off Hold Changes, and try again.',
  );
}

export interface SavedChanges extends EditReply {
  /** True if the changes wait to be saved; `keys` is empty then. */
  readonly isHeld: boolean;
}

/** Saves changes of rows, or holds them back. @throws AppError as `edit.apply`, `too-big` */
export async function saveChanges(
  database: DatabaseId,
  table: string,
  changes: readonly RowChange[],
): Promise<SavedChanges> {
  return untilHeld(database, saveOrHold(database, table, changes));
}

const underWay = new Map<Promise<unknown>, DatabaseId>();

/** Saving, and Undo, wait until `work` ends. */
export async function untilHeld<T>(database: DatabaseId, work: Promise<T>): Promise<T> {
  underWay.set(work, database);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}

/** Resolves when edits that have begun are held. */
export async function afterHolding(database: DatabaseId): Promise<void> {
  // Work caused by the loss of the focus has begun in the next task.
  await new Promise((resolve) => setTimeout(resolve));
  await whenNoneUnderWay(database);
}

async function whenNoneUnderWay(database: DatabaseId): Promise<void> {
  for (;;) {
    const works = [...underWay].flatMap(([work, of]) => (of === database ? [work] : []));
    if (works.length === 0) return;
    await Promise.allSettled(works);
  }
}

async function saveOrHold(database: DatabaseId, table: string, changes: readonly RowChange[]): Promise<SavedChanges> {
  await afterDryRun(database);
  if (!(await isHolding(database))) {
    const reply = await client.call('edit.apply', { database, table, changes });
    keepPreview(database, table);
    noteSavedRows({ database, table, keys: reply.keys.filter((key) => key !== null) });
    return { ...reply, isHeld: false };
  }
  await hold(database, asHeld(table, changes, newRowId));
  return { keys: [], rowsChanged: changes.length, isHeld: true };
}

export const newRowId = (): string => crypto.randomUUID();

/** Holds the changes as one step that can be undone. Resolves when it is on disk and shown. */
export async function hold(database: DatabaseId, changes: readonly HeldChange[]): Promise<void> {
  await client.call('held.add', { of: database, text: stringifyState(changes) });
  for (const { table } of changes) keepPreview(database, table);
  // An engine that is busy answers late, and nothing here needs it before Undo.
  storedThen.set(database, newestStored(database));
  await readHeld(database);
}

/** The newest step of the history when this window held a change last: later steps are undone first. */
const storedThen = new Map<DatabaseId, Promise<number | null>>();

const newestStored = async (database: DatabaseId): Promise<number | null> =>
  (await readHistory(database))?.undo?.step ?? null;

export async function turnHolding(database: DatabaseId, isOn: boolean): Promise<void> {
  await client.call('held.turn', { of: database, isOn });
  await readHeld(database);
}

/** Whether Undo or Redo is about held changes now. Once holding is turned off, changes are stored again, and come before those discarded then. */
export async function hasHeldStep(direction: 'undo' | 'redo', database: DatabaseId): Promise<boolean> {
  await whenNoneUnderWay(database);
  const held = heldOf(database);
  const hasOne = held !== null && (direction === 'undo' ? held.steps.length > 0 : held.undone > 0);
  return hasOne && (held.isOn || (await storedThen.get(database)) === (await newestStored(database)));
}

export async function stepHeld(direction: 'undo' | 'redo', database: DatabaseId): Promise<void> {
  await client.call(direction === 'undo' ? 'held.undo' : 'held.redo', { of: database });
  const { isOn, pending } = await readHeld(database);
  // A change that returns after holding was turned off is held again, and so are the changes that follow it.
  if (!isOn && pending.length > 0) await turnHolding(database, true);
}

/** Reads the held changes. The newest reading is the one that is shown. */
export async function readHeld(database: DatabaseId): Promise<Held> {
  const { isOn, interruptedAt, undone, renames, steps: texts } = await client.call('held.read', { of: database });
  const before = heldOf(database);
  const readBefore = before?.renames === renames ? before.steps : [];
  const known = new Map(readBefore.map((step) => [step.id, step]));
  const steps = texts.map(({ id, text }) => known.get(id) ?? { id, changes: changesIn(text) });
  const isSame = before !== null && before.steps.length === steps.length && steps.every((step) => known.has(step.id));
  const tables = isSame ? before.tables : heldTables(steps.map(({ changes }) => changes));
  const pending = isSame ? before.pending : pendingChanges(tables);
  const held: Held = {
    isOn,
    interruptedAt,
    undone,
    renames,
    steps,
    tables,
    pending,
    states: before?.states ?? NO_STATES,
  };
  if (useStore.getState().openDatabases[database]) put(database, held);
  if (!isSame || interruptedAt !== null) void checkHeld(database);
  return held;
}

/** All held changes, and the state of their rows now. @throws AppError */
export async function readChecked(database: DatabaseId): Promise<Held> {
  for (;;) {
    const held = await readHeld(database);
    const checked = await check(database);
    if (checked) return checked;
    if (!heldOf(database)) return held;
  }
}

/** Asks for the state of the rows of held changes. A lost connection is not reported: the next connection asks again. */
export const checkHeld = (database: DatabaseId): Promise<Held | null> => check(database).catch(() => null);

let checks = 0;

/** Returns null if a newer request was made in the meantime. @throws AppError */
async function check(database: DatabaseId): Promise<Held | null> {
  const number = ++checks;
  const { pending } = heldOf(database) ?? { pending: [] };
  const changes = pending.map(({ change }) => change);
  const states = changes.length === 0 ? [] : await client.call('edit.check', { database, changes });
  const now = heldOf(database);
  if (now === null || now.pending !== pending) return null;
  const checked = { ...now, states: new Map(pending.map(({ name }, at) => [name, states[at]!])) };
  if (number === checks || !hasSameStates(now, checked)) put(database, checked);
  if (checked.interruptedAt !== null) await settleInterrupted(database, checked, checked.interruptedAt);
  return checked;
}

/**
 * Sidelite ended between saving the changes and noting that. It was one transaction: either all changed rows are as they should be, or none.
 * A new row looks like any other, so where there are only new rows, the person is asked before they are saved again.
 */
async function settleInterrupted(database: DatabaseId, { steps }: Held, last: number): Promise<void> {
  // Changes held later were not part of that transaction.
  const begun = steps.filter(({ id }) => id <= last).map(({ changes }) => changes);
  const changes = pendingChanges(heldTables(begun)).flatMap(({ id, change }) => (id === null ? [change] : []));
  try {
    const states = changes.length === 0 ? [] : await client.call('edit.check', { database, changes });
    const done = states.filter(({ kind }) => kind === 'done').length;
    if (states.length === 0 || (done > 0 && done < states.length)) return;
    if (done > 0) await client.call('held.clear', { of: database, last });
    else await client.call('held.saving', { of: database, last: null });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'disconnected') notifyFailure(thrown);
    return; // the next connection asks again
  }
  await readHeld(database);
}

const hasSameStates = (one: Held, other: Held): boolean =>
  stringifyState([...one.states]) === stringifyState([...other.states]);

function put(database: DatabaseId, held: Held | null): void {
  const { [database]: _before, ...others } = useHeld.getState();
  useHeld.setState(held ? { ...others, [database]: held } : others, true);
}

const record = v.record(v.string(), v.unknown());
const HELD_CHANGE = v.variant('kind', [
  v.looseObject({ kind: v.literal('update'), table: v.string(), key: v.array(v.unknown()), set: record, base: record }),
  v.looseObject({ kind: v.literal('delete'), table: v.string(), key: v.array(v.unknown()) }),
  v.looseObject({ kind: v.literal('insert'), table: v.string(), id: v.string(), set: record }),
  v.looseObject({ kind: v.literal('fill'), table: v.string(), id: v.string(), set: record }),
  v.looseObject({ kind: v.literal('drop'), table: v.string(), id: v.string() }),
  v.looseObject({
    kind: v.literal('leave'),
    table: v.string(),
    key: v.array(v.unknown()),
    columns: v.nullable(v.array(v.string())),
  }),
  v.looseObject({ kind: v.literal('rebase'), table: v.string(), key: v.array(v.unknown()), base: record }),
]);

/** Invalid changes are left out, and stay stored. */
function changesIn(text: string): readonly HeldChange[] {
  const parsed = parseState(text);
  if (!Array.isArray(parsed)) return [];
  return (parsed as readonly unknown[]).filter((change) => v.is(HELD_CHANGE, change)) as unknown as HeldChange[];
}

/** Names by which SQL finds a row, in the order of its key. */
export function keyNamesInSql({ columns, withoutRowid }: TableDetail): readonly string[] {
  const primary = primaryKeyOf(columns);
  if (withoutRowid) return primary.map(({ name }) => name);
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((alias) => !taken.has(alias));
  return [
    primary.length === 1 && primary[0]!.declaredType.toUpperCase() === 'INTEGER' ? primary[0]!.name : (free ?? 'rowid'),
  ];
}
