// The comparison of the rows of both sides: what is compared, the result, and making the first like the second.
import { create } from 'zustand';
import { AppError, capabilitiesOf, engineOf, toAppError } from '#shared/protocol/index.ts';
import type { ComparedTables, DatabaseId, Progress, RowChoice, RowComparison, StepId } from '#shared/protocol/index.ts';
import { client, processClients } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import { whyNotUnencrypted } from '../../workbench/databases/not-encrypted.ts';
import { comparisonCopiesOf, type PrepareOptions } from '../../workbench/databases/comparison-copies.ts';
import type { EngineKind } from '../../workbench/databases/comparison-sides.ts';
import { copyFromServer, type ServerCopy } from '../../workbench/databases/server-copies.ts';
import { applyWithAnswers, tellApplied } from '../../workbench/history/history.ts';
import { runJob } from '../../workbench/jobs.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';
import type { PatchFormat } from '../../workbench/history/patch-formats.ts';
import { asChoice, EVERY_ROW, type ChosenRows } from './rows-choice.ts';

export interface RowsGoal {
  readonly from: DatabaseId;
  readonly to: DatabaseId;
  /** The second database right before this step; null: its current state. */
  readonly toBefore: StepId | null;
}

export interface RowsView {
  readonly goal: RowsGoal | null;
  readonly running: {
    readonly title: string;
    readonly startedAtMs: number;
    readonly progress: Progress | null;
  } | null;
  readonly result: RowComparison | null;
  readonly chosen: ChosenRows;
  /** One of the databases has changed since. */
  readonly isStale: boolean;
  readonly failure: string | null;
}

const NOTHING: RowsView = {
  ...{ goal: null, running: null, result: null, isStale: false, failure: null },
  chosen: EVERY_ROW,
};

export class RowsSession {
  readonly useView = create<RowsView>(() => NOTHING);
  readonly #stopListening: readonly (() => void)[];
  #abort: AbortController | null = null;
  /** The result that the engine keeps. */
  #compared: Compared | null = null;

  constructor() {
    this.#stopListening = [
      client.on('database.changed', ({ database }) => {
        const { goal, result } = this.#view;
        if (result && (goal?.from === database || goal?.to === database)) this.#update({ isStale: true });
      }),
      // The engine has discarded it.
      client.onReconnected(() => {
        this.#forget();
        this.#update({ result: null });
      }),
    ];
  }

  setGoal(goal: RowsGoal | null): void {
    const { goal: before } = this.#view;
    if (before?.from === goal?.from && before?.to === goal?.to && before?.toBefore === goal?.toBefore) return;
    this.#drop();
    this.#update({ ...NOTHING, goal });
  }

  /** @param tables null: all that have the same name in both @param names of the tables on both sides, of which a server's are read */
  async compare(tables: readonly ComparedTables[] | null, names: TableNames): Promise<void> {
    const { goal } = this.#view;
    if (!goal) return;
    await this.#run('Comparing rows', async (options) => {
      const copies: ServerCopy[] = [];
      const copied = async (database: DatabaseId, of: readonly string[], engine: EngineKind): Promise<DatabaseId> => {
        copies.push(await copyFromServer(database, of, engine, options));
        return copies.at(-1)!.database;
      };
      try {
        const whyNot = goal.from === goal.to ? null : whyNotBoth(goal);
        if (whyNot !== null) throw AppError.unavailable(whyNot);
        const engine = commonEngine(goal);
        const from = comparesHere(goal.from) ? goal.from : await copied(goal.from, names.from, engine);
        const to = comparesHere(goal.to)
          ? await inEngine(engine, goal, options)
          : await copied(goal.to, names.to, engine);
        options.onPhase('Comparing rows');
        const params = { database: from, to, tables, ...(goal.toBefore !== null && { toBefore: goal.toBefore }) };
        const found = await client.call('comparison.rows', params, {
          signal: options.signal,
          onChunk: options.onProgress,
        });
        const result = { ...found, notes: [...copies.flatMap(({ notes }) => notes), ...found.notes] };
        // The second was only read.
        const compared: Compared = { database: from, id: found.id, copy: from === goal.from ? null : copies.shift()! };
        // A stop is only a wish: it may have been compared before it arrived.
        if (options.signal.aborted) return end(compared);
        this.#forget();
        this.#compared = compared;
        this.#update({ result, chosen: EVERY_ROW, isStale: false });
      } finally {
        for (const copy of copies) void copy.release();
      }
    });
  }

  /**
   * The user is asked about rows that have changed since. On a server all rows are changed in one batch, or none if one of them has changed
   * since.
   */
  async apply(name: string): Promise<void> {
    const { goal, result, chosen } = this.#view;
    if (!goal || !result) return;
    const [database, { id }, rows] = [goal.from, result, asChoice(chosen)];
    if (!comparesHere(database)) return this.#applyOnServer(database, { id, rows }, name);
    await applyWithAnswers(database, `Applying rows of ${name}`, `Applied rows of ${name}`, (choices, options) =>
      client.call('comparison.apply', { database, id, rows, ...(choices && { choices }) }, options),
    );
  }

  choose(chosen: ChosenRows): void {
    this.#update({ chosen });
  }

  async #applyOnServer(
    database: DatabaseId,
    of: { readonly id: string; readonly rows: RowChoice },
    name: string,
  ): Promise<void> {
    const copy = this.#compared?.database;
    if (copy === undefined) return;
    const title = `Apply rows of ${name}`;
    try {
      const { rowsChanged } = await runJob(`Applying rows of ${name}`, async ({ signal }) => {
        const changes = await client.call('comparison.changes', { database: copy, ...of }, { signal });
        return client.call('edit.applyMade', { database, title, changes }, { signal });
      });
      tellApplied(database, `Applied rows of ${name} (${plural(rowsChanged, 'row')} changed).`, rowsChanged);
    } catch (thrown) {
      const { code } = toAppError(thrown);
      if (code === 'conflict' || code === 'not-found') this.#update({ isStale: true });
      notifyFailure(thrown);
    }
  }

  async save(format: PatchFormat, name: string): Promise<void> {
    const { result, chosen } = this.#view;
    if (!this.#compared || !result) return;
    try {
      const target = await chooseExportTarget(format, name, 'patch');
      if (!target) return;
      const { sizeBytes, notes } = await client.call('comparison.save', {
        database: this.#compared.database,
        id: result.id,
        rows: asChoice(chosen),
        format: format.id,
        sink: target.token,
      });
      const text = [`The patch was saved to ${target.fileName} (${formatBytes(sizeBytes)}).`, ...notes].join(' ');
      notify({ tone: notes.length > 0 ? 'warning' : 'success', text });
    } catch (thrown) {
      notifyFailure(thrown);
    }
  }

  stop(): void {
    this.#abort?.abort();
  }

  dispose(): void {
    this.#drop();
    for (const stop of this.#stopListening) stop();
  }

  get #view(): RowsView {
    return this.useView.getState();
  }

  #update(part: Partial<RowsView>): void {
    this.useView.setState(part);
  }

  #forget(): void {
    if (this.#compared) end(this.#compared);
    this.#compared = null;
  }

  /** Results of pending work are ignored. */
  #drop(): void {
    this.stop();
    this.#abort = null;
    this.#forget();
  }

  async #run(
    title: string,
    work: (options: {
      readonly signal: AbortSignal;
      readonly onPhase: (title: string) => void;
      readonly onProgress: (progress: Progress) => void;
    }) => Promise<void>,
  ): Promise<void> {
    if (this.#view.running) return;
    const abort = new AbortController();
    this.#abort = abort;
    const update = (part: Partial<RowsView>): void => {
      if (this.#abort === abort) this.#update(part);
    };
    const startedAtMs = performance.now();
    this.#update({ failure: null, running: { title, startedAtMs, progress: null } });
    try {
      await work({
        signal: abort.signal,
        onPhase: (phase) => update({ running: { title: phase, startedAtMs, progress: null } }),
        onProgress: (progress) => update({ running: { title: progress.phase, startedAtMs, progress } }),
      });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'stopped') notify({ tone: 'info', text: 'Stopped. Nothing was changed.' });
      else update({ failure: message });
    } finally {
      update({ running: null });
      if (this.#abort === abort) this.#abort = null;
    }
  }
}

export interface TableNames {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

interface Compared {
  /** The first one, or the copy of it that was compared. */
  readonly database: DatabaseId;
  readonly id: string;
  readonly copy: ServerCopy | null;
}

function end({ database, id, copy }: Compared): void {
  const release = (): void => void copy?.release();
  void client.call('comparison.end', { database, id }).then(release, release);
}

const comparesHere = (database: DatabaseId): boolean => capabilitiesOf(database).comparesRows;

const whyNotBoth = ({ from, to }: RowsGoal): string | null =>
  whyNotUnencrypted(from, 'rows') ?? whyNotUnencrypted(to, 'rows') ?? whyApart(from) ?? whyApart(to);

const whyApart = (database: DatabaseId): string | null =>
  processClients.isApart(database)
    ? 'This database has extensions, so it has a process of its own, and rows of two databases are compared in one. Remove its extensions first.'
    : null;

/** The engine that compares the rows. The first side is changed in place; of a database on a server there is only a copy. */
function commonEngine({ from, to }: RowsGoal): EngineKind {
  const own = [from, to].find(comparesHere);
  return own === undefined || engineOf(own) === 'native' ? 'native' : 'wasm';
}

/** The second database, or a copy of it for the other engine. */
async function inEngine(
  engine: EngineKind,
  { from, to, toBefore }: RowsGoal,
  options: PrepareOptions,
): Promise<DatabaseId> {
  if (engineOf(to) === engine || to === from) return to;
  if (toBefore !== null)
    throw AppError.unavailable(
      'An earlier version cannot be compared with a database on the other engine. Choose the database it is a version of as the first side.',
    );
  const sides = await comparisonCopiesOf(to).prepare(options);
  const side = sides[engine];
  if ('why' in side) throw AppError.unavailable(side.why);
  return side.database;
}
