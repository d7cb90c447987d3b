// The index lab of one explained statement: the indexes tried for it, the measurements, and the one that is being created.
import { create } from 'zustand';
import { toAppError } from '#shared/protocol/index.ts';
import type {
  DatabaseId,
  IndexCandidate,
  IndexLabReport,
  IndexMeasurement,
  ParameterValues,
  Progress,
} from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { whyReadOnly } from '../../../state/databases.ts';
import { offerUndo } from '../../../workbench/history/history.ts';
import { whyNotWithout } from '../../../workbench/databases/no-transactions.ts';
import type { JobOptions, ShownWork } from '../../../workbench/jobs.ts';
import type { UndoWaiver } from '../../../workbench/history/undo-waiver.ts';

interface LabWork extends ShownWork {
  readonly kind: 'try' | 'own' | 'measure' | 'create';
  /** The CREATE INDEX statement it works on; '' for the search. */
  readonly index: string;
}

export interface IndexLabView {
  readonly isOpen: boolean;
  readonly report: IndexLabReport | null;
  /** Written by the user, newest first. */
  readonly own: readonly IndexCandidate[];
  /** Measurements by CREATE INDEX statement. */
  readonly measured: Readonly<Record<string, IndexMeasurement>>;
  readonly work: LabWork | null;
  readonly failure: { readonly index: string; readonly text: string } | null;
  readonly ownText: string;
}

const CLOSED: IndexLabView = {
  isOpen: false,
  report: null,
  own: [],
  measured: {},
  work: null,
  failure: null,
  ownText: '',
};

interface LabOwner {
  readonly database: DatabaseId;
  readonly sql: string;
  readonly waiver: UndoWaiver;
  /** Null if some are missing, which the tab then asks for. */
  parameters(): ParameterValues | null;
  created(): void;
}

export class IndexLabSession {
  readonly useView = create<IndexLabView>(() => CLOSED);
  readonly #owner: LabOwner;
  #abort: AbortController | null = null;

  constructor(owner: LabOwner) {
    this.#owner = owner;
  }

  toggle(): void {
    if (this.#view.isOpen) {
      this.stop();
      this.#update({ isOpen: false });
    } else this.open();
  }

  /** Looks for indexes the first time. */
  open(): void {
    this.#update({ isOpen: true });
    if (this.#view.report === null) void this.search();
  }

  search(): Promise<void> {
    const { database, sql } = this.#owner;
    return this.#work('try', '', async (options) => {
      const report = await client.call('indexLab.try', { database, sql, indexes: null }, options);
      this.#update({ report });
    });
  }

  write(ownText: string): void {
    this.#update({ ownText, ...(this.#view.failure?.index === this.#view.ownText && { failure: null }) });
  }

  tryOwn(): Promise<void> {
    const { database, sql } = this.#owner;
    const index = this.#view.ownText;
    return this.#work('own', index, async (options) => {
      const { candidates } = await client.call('indexLab.try', { database, sql, indexes: [index] }, options);
      const others = this.#view.own.filter((known) => !candidates.some((each) => each.sql === known.sql));
      this.#update({ own: [...candidates, ...others], ownText: '' });
    });
  }

  measure({ sql: index }: IndexCandidate): Promise<void> {
    const { database, sql } = this.#owner;
    const parameters = this.#owner.parameters();
    if (!parameters) return Promise.resolve();
    return this.#work('measure', index, async (options) => {
      const measured = await client.call('indexLab.measure', { database, sql, parameters, index }, options);
      this.#update({ measured: { ...this.#view.measured, [index]: measured } });
    });
  }

  /** Why no index can be created in the database; null if it can be tried. */
  get whyNotCreated(): string | null {
    const { database } = this.#owner;
    return whyReadOnly(database) ?? whyNotWithout(database, 'index');
  }

  /** One step of the history, unless the database is on a server. */
  create({ sql, name }: IndexCandidate): Promise<void> {
    const { database, waiver } = this.#owner;
    return this.#work('create', sql, async (options) => {
      const changes = [{ kind: 'create', sql } as const];
      const report = await waiver.run((withoutUndo) =>
        client.call('schema.change', { database, changes, keep: true, ...withoutUndo }, options),
      );
      // Something else in the schema does not work: an index changes nothing about that.
      if (!report.kept) await client.call('dryRun.finish', { database, keep: true });
      void offerUndo(database, `Created index ${name}.`);
      this.#owner.created();
    });
  }

  stop(): void {
    const { work } = this.#view;
    if (!work || work.stopping) return;
    this.#update({ work: { ...work, stopping: true } });
    this.#abort?.abort();
  }

  get #view(): IndexLabView {
    return this.useView.getState();
  }

  async #work(kind: LabWork['kind'], index: string, body: (options: JobOptions) => Promise<void>): Promise<void> {
    if (this.#view.work) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#update({
      failure: null,
      work: { kind, index, startedAtMs: performance.now(), progress: null, stopping: false },
    });
    const onChunk = (progress: Progress): void => {
      const { work } = this.#view;
      if (work) this.#update({ work: { ...work, progress } });
    };
    try {
      await body({ signal: abort.signal, onChunk });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code !== 'stopped' && code !== 'not-undoable') this.#update({ failure: { index, text: message } });
    } finally {
      this.#update({ work: null });
    }
  }

  #update(part: Partial<IndexLabView>): void {
    this.useView.setState(part);
  }
}
