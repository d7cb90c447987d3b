// State of a tab that compares schemas, which lives as long as the tab: both schemas, read again when they change, and their differences.
import { create } from 'zustand';
import { compareSchemas, type SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import { NO_RENAMES, type Renames } from '#shared/schema-diff/accepted-renames.ts';
import { toAppError, type Progress, type SchemaText } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { MigrationSession } from './migration-session.ts';
import { RowsSession } from './rows-session.ts';
import { ensureOpen, notifyFailure } from '../../state/databases.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { NO_SIDE, type ComparedSide, type SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import type { JobOptions } from '../../workbench/jobs.ts';

export type SideName = 'from' | 'to';

interface SideView {
  readonly schema: SchemaText | null;
  readonly notes: readonly string[];
  readonly failure: string | null;
  readonly reading: { readonly startedAtMs: number; readonly progress: Progress | null } | null;
}

export interface SchemaCompareView {
  readonly from: SideView;
  readonly to: SideView;
  /** Null until both are read. */
  readonly difference: SchemaDifference | null;
  readonly renames: Renames;
}

const UNREAD: SideView = { schema: null, notes: [], failure: null, reading: null };

export const schemaCompareSessionOf = tabSessions((tab: SchemaCompareTab) => new SchemaCompareSession(tab));

export class SchemaCompareSession {
  readonly migration: MigrationSession;
  readonly rows = new RowsSession();
  readonly useView = create<SchemaCompareView>(() => ({
    from: UNREAD,
    to: UNREAD,
    difference: null,
    renames: NO_RENAMES,
  }));
  readonly #tabId: string;
  readonly #reading: Record<SideName, AbortController | null> = { from: null, to: null };
  readonly #stopListening: readonly (() => void)[];

  constructor(tab: SchemaCompareTab) {
    this.#tabId = tab.id;
    this.migration = new MigrationSession(tab.id);
    const readAgain = (isAffected: (side: ComparedSide) => boolean): void => {
      for (const name of SIDES) if (isAffected(this.#tab[name])) void this.#read(name);
    };
    this.#stopListening = [
      client.on('database.changed', ({ database, schema }) => {
        if (schema) readAgain((side) => side.database === database && !side.before);
      }),
      client.onReconnected(() => readAgain(({ database }) => database !== null)),
    ];
    for (const name of SIDES) void this.#read(name);
  }

  choose(name: SideName, side: ComparedSide): void {
    updateTab<SchemaCompareTab>(this.#tabId, { [name]: side });
    this.useView.setState({ renames: NO_RENAMES });
    void this.#read(name);
  }

  async chooseFile(name: SideName): Promise<void> {
    try {
      const [file] = await shell.chooseFiles('schema');
      if (file) this.choose(name, { ...NO_SIDE, file: { token: file.token, fileName: file.fileName } });
    } catch (thrown) {
      notifyFailure(thrown);
    }
  }

  swap(): void {
    const { from, to } = this.#tab;
    updateTab<SchemaCompareTab>(this.#tabId, { from: to, to: from });
    for (const name of SIDES) this.#giveUp(name);
    const view = this.useView.getState();
    this.useView.setState({ from: view.to, to: view.from, renames: NO_RENAMES });
    this.#compare();
    for (const name of SIDES) {
      const { schema, reading } = this.useView.getState()[name];
      if (!schema || reading) void this.#read(name);
    }
  }

  setMeaningOnly(meaningOnly: boolean): void {
    updateTab<SchemaCompareTab>(this.#tabId, { meaningOnly });
    this.#compare();
  }

  setRenames(renames: Renames): void {
    this.useView.setState({ renames });
    this.#compare();
  }

  refresh(): void {
    for (const name of SIDES) void this.#read(name);
  }

  stop(): void {
    for (const name of SIDES) this.#reading[name]?.abort();
  }

  dispose(): void {
    this.stop();
    this.migration.dispose();
    this.rows.dispose();
    for (const stop of this.#stopListening) stop();
  }

  get #tab(): Pick<SchemaCompareTab, 'from' | 'to' | 'meaningOnly'> {
    const tab = useStore.getState().tabs.find(({ id }) => id === this.#tabId) as SchemaCompareTab | undefined;
    return tab ?? { from: NO_SIDE, to: NO_SIDE, meaningOnly: true };
  }

  async #read(name: SideName): Promise<void> {
    this.#giveUp(name);
    const side = this.#tab[name];
    if (side.database === null && side.file === null) return this.#setSide(name, UNREAD);
    const abort = new AbortController();
    this.#reading[name] = abort;
    const isCurrent = (): boolean => this.#reading[name] === abort;
    this.#patchSide(name, { failure: null, reading: { startedAtMs: performance.now(), progress: null } });
    try {
      const onChunk = (progress: Progress): void => {
        const { reading } = this.useView.getState()[name];
        if (isCurrent() && reading) this.#patchSide(name, { reading: { ...reading, progress } });
      };
      const { schema, notes } = await readSide(side, { signal: abort.signal, onChunk });
      if (isCurrent()) this.#setSide(name, { ...UNREAD, schema, notes });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      const failure = code === 'stopped' ? 'Reading was stopped.' : message;
      if (isCurrent()) this.#setSide(name, { ...UNREAD, failure });
    }
  }

  /** Drops a read in progress: the side has changed its subject. */
  #giveUp(name: SideName): void {
    this.#reading[name]?.abort();
    this.#reading[name] = null;
  }

  #setSide(name: SideName, side: SideView): void {
    this.useView.setState({ [name]: side });
    this.#compare();
  }

  #patchSide(name: SideName, part: Partial<SideView>): void {
    this.useView.setState({ [name]: { ...this.useView.getState()[name], ...part } });
  }

  #compare(): void {
    const { from, to, renames } = this.useView.getState();
    const { meaningOnly, from: side, to: other } = this.#tab;
    const difference =
      from.schema && to.schema ? compareSchemas(from.schema, to.schema, { meaningOnly, renames }) : null;
    this.useView.setState({ difference });
    // Only the current state of a database can be changed.
    const changed = side.before ? null : side.database;
    this.rows.setGoal(
      changed !== null && other.database !== null
        ? { from: changed, to: other.database, toBefore: other.before?.id ?? null }
        : null,
    );
    this.migration.setGoal(
      difference && changed !== null ? { database: changed, from: from.schema!, to: to.schema!, difference } : null,
    );
  }
}

export const SIDES: readonly SideName[] = ['from', 'to'];

async function readSide(
  { database, file, before }: ComparedSide,
  options: JobOptions,
): Promise<{ readonly schema: SchemaText; readonly notes: readonly string[] }> {
  if (database !== null) {
    await ensureOpen(database);
    const params = { database, ...(before && { before: before.id }) };
    const schema = await client.call('schema.text', params, { signal: options.signal });
    return { schema, notes: [] };
  }
  return client.call('schema.textOfFile', { source: { kind: 'file', token: file!.token } }, options);
}
