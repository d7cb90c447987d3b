// Keeps the store up to date with the files that open databases came from: after commits, when main reports a change, and on focus.
import { capabilitiesOf, type DatabaseId, type DatabaseState, type SourceState } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { putSource, useStore } from '../../state/store.ts';

/** A script may commit a thousand times a second; one check after the last commit is enough. */
const LOOK_AFTER_MS = 250;

type Listener = (database: DatabaseId, now: SourceState, before: SourceState | null) => void;

const listeners = new Set<Listener>();
const planned = new Map<DatabaseId, ReturnType<typeof setTimeout>>();

export function startSources(): void {
  client.on('database.changed', ({ database }) => plan(database));
  client.on('library.changed', () => lookAtAll());
  client.onReconnected(() => lookAtAll());
  window.addEventListener('focus', () => lookAtAll());
  shell.onSourceTouched((locationId) => {
    for (const { entry } of opened()) if (entry.source?.locationId === locationId) void lookAtSource(entry.id);
  });
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases !== before.openDatabases) follow(openDatabases, before.openDatabases);
  });
  follow(useStore.getState().openDatabases, {});
}

/** Called when the state of a source changes. Returns a function that removes the listener. */
export function onSourceState(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Resolves when the store has the current state. */
export async function lookAtSource(database: DatabaseId): Promise<void> {
  if (!capabilitiesOf(database).sourceFile) return;
  const state = await client.call('source.state', { database }).catch((): SourceState | null => null);
  const { openDatabases, sources } = useStore.getState();
  if (!openDatabases[database]) return;
  const before = sources[database] ?? null;
  if (JSON.stringify(state) === JSON.stringify(before)) return;
  putSource(database, state);
  if (state) for (const listener of listeners) listener(database, state, before);
}

function follow(now: Readonly<Record<string, DatabaseState>>, before: Readonly<Record<string, DatabaseState>>): void {
  const added = Object.keys(now).filter((database) => !before[database]);
  const removed = Object.keys(before).filter((database) => !now[database]);
  if (added.length + removed.length === 0) return;
  const followed = Object.values(now).flatMap(({ entry }) =>
    capabilitiesOf(entry.id).sourceFile ? (entry.source?.locationId ?? []) : [],
  );
  shell.followSources(followed).catch(notifyFailure);
  for (const database of added) void lookAtSource(database);
  for (const database of removed) putSource(database, null);
}

function lookAtAll(): void {
  for (const { entry } of opened()) plan(entry.id);
}

function plan(database: DatabaseId): void {
  if (planned.has(database) || !useStore.getState().openDatabases[database]?.entry.source?.locationId) return;
  const look = (): void => {
    planned.delete(database);
    void lookAtSource(database);
  };
  planned.set(database, setTimeout(look, LOOK_AFTER_MS));
}

const opened = (): readonly DatabaseState[] => Object.values(useStore.getState().openDatabases);
