// State of a health page, which lives as long as the page, shown or not: its figures, and the one task it runs at a time.
import { create } from 'zustand';
import { toAppError } from '#shared/protocol/index.ts';
import type { ChangeablePragma, CheckReply, Finding, Mend, Progress, TreeSize } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notify } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { HealthTab } from '../../workbench/tabs/health.ts';
import { isUndoable, stepBackOrForth } from '../../workbench/history/history.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { EMPTY_VIEW, isStale } from './health-view.ts';
import type { CheckState, HealthView, PageCheck, PageWork, UpkeepKind } from './health-view.ts';
import { CHECK_TITLES, mendDone } from './finding-labels.ts';
import { UPKEEP, upkeepSql } from './upkeep.ts';

export const healthSessionOf = tabSessions((tab: HealthTab) => new HealthSession(tab));

/** Counting that takes less is repeated after each of the user's own changes. */
const QUICK_MS = 1000;

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export class HealthSession {
  readonly #database: string;
  readonly #waiver = new UndoWaiver();
  readonly #offs: readonly (() => void)[];
  readonly useView = create<HealthView>(() => EMPTY_VIEW);
  #abort: AbortController | null = null;
  /** The current task, to wait for. */
  #current: Promise<unknown> = Promise.resolve();

  constructor({ database }: HealthTab) {
    this.#database = database;
    this.#offs = [
      client.on('database.changed', (event) => {
        if (event.database === database) void this.#lookForChanges();
      }),
      client.onReconnected(({ states }) => {
        if (states.some(({ entry }) => entry.id === database)) void this.refresh();
      }),
    ];
    void this.#begin();
  }

  get #view(): HealthView {
    return this.useView.getState();
  }

  async refresh(): Promise<void> {
    await this.#stopAndWait();
    const again = (Object.keys(this.#view.checks) as PageCheck[]).filter(
      (check) => check !== 'structure' && this.#view.checks[check].state === 'done',
    );
    await this.#begin();
    for (const check of again) if (this.#view.sizes.state === 'done') await this.check(check);
  }

  stop(): void {
    const { running } = this.#view;
    if (running && !running.stopping) this.#patch({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  async countSizes(): Promise<void> {
    const sizes = { ...this.#view.sizes, reply: null, counted: new Map<string, TreeSize>(), problem: null };
    this.#patch({ sizes: { ...sizes, state: 'none' } });
    const counted = new Map<string, TreeSize>();
    await this.#run('sizes', 'Counting pages', async ({ signal, onProgress }) => {
      try {
        const reply = await client.call(
          'health.sizes',
          { database: this.#database },
          {
            signal,
            onChunk: ({ progress, trees }) => {
              for (const tree of trees) counted.set(tree.name, tree);
              this.#patch({ sizes: { ...this.#view.sizes, counted: new Map(counted) } });
              onProgress(progress);
            },
          },
        );
        const all = new Map(reply.trees.map((tree) => [tree.name, tree]));
        this.#patch({ sizes: { state: 'done', reply, counted: all, problem: null } });
      } catch (thrown) {
        this.#patch({ sizes: { ...this.#view.sizes, ...endOf(thrown) } });
      }
    });
  }

  async check(check: PageCheck): Promise<void> {
    const note = (state: CheckState): void => this.#patch({ checks: { ...this.#view.checks, [check]: state } });
    await this.#run(check, CHECK_TITLES[check], async ({ signal, onProgress }) => {
      try {
        note({ state: 'done', reply: await this.#ask(check, { signal, onProgress }), problem: null });
      } catch (thrown) {
        note({ reply: this.#view.checks[check].reply, ...endOf(thrown) });
      }
    });
  }

  /** Runs the statement as one step that can be undone, and checks again. */
  async mend(check: PageCheck, finding: Finding, mend: Mend): Promise<void> {
    const isDone = await this.#change('mend', mendDone(finding, mend), async (params) => {
      await client.call('query.run', { database: this.#database, sql: mend.sql, ...params });
    });
    if (isDone && check !== 'structure') await this.check(check);
    else if (isDone && isStale(this.#view)) await this.check(check);
  }

  /** @param label the value as the page names it */
  async setPragma(name: ChangeablePragma, value: number, label: string): Promise<void> {
    await this.#change('setting', `PRAGMA ${name} is now ${label}.`, (params) =>
      client.call('health.setPragma', { database: this.#database, name, value, ...params }),
    );
  }

  async runUpkeep(kind: UpkeepKind): Promise<void> {
    await this.#stopAndWait();
    const { overview: before } = this.#view;
    if (!before) return;
    this.#patch({ upkeep: null, problem: null });
    const sql = upkeepSql(kind, before);
    await this.#run('upkeep', UPKEEP[kind].running, async ({ signal, onProgress }) => {
      let done = 0;
      try {
        const reply = await this.#waiver.run((params) =>
          client.call(
            'query.run',
            { database: this.#database, sql: sql.join(';\n'), ...params },
            {
              signal,
              onChunk: (events) => {
                done += events.filter((event) => event.kind === 'done').length;
                if (sql.length > 1)
                  onProgress({ phase: UPKEEP[kind].running, done, total: sql.length, unit: 'statements' });
              },
            },
          ),
        );
        const after = await client.call('health.overview', { database: this.#database });
        this.#patch({ overview: after, mark: after.mark, upkeep: { kind, timeMs: reply.timeMs, before, after } });
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        if (code !== 'not-undoable') this.#patch({ problem: message });
      }
    });
    if (this.#view.upkeep) await this.refresh();
  }

  dispose(): void {
    this.#offs.forEach((off) => off());
    // Maintenance that has started continues: the status bar shows it.
    if (this.#view.running?.work !== 'upkeep') this.#abort?.abort();
  }

  async #begin(): Promise<void> {
    if (await this.#readOverview()) await this.#lookAgain();
  }

  /** Repeats the checks that are cheap. */
  async #lookAgain(): Promise<void> {
    await this.check('structure');
    if (this.#view.checks.structure.state !== 'stopped') await this.countSizes();
  }

  async #lookForChanges(): Promise<void> {
    // The user has been told already.
    if (isStale(this.#view) || this.#view.overview === null) return;
    const mark = await client.call('health.mark', { database: this.#database }).catch(() => null);
    if (mark !== null) this.#patch({ mark });
  }

  async #readOverview(): Promise<boolean> {
    try {
      const overview = await client.call('health.overview', { database: this.#database });
      this.#patch({ overview, failure: null, mark: overview.mark });
      return true;
    } catch (thrown) {
      this.#patch({ failure: toAppError(thrown).message });
      return false;
    }
  }

  async #ask(check: PageCheck, { signal, onProgress }: Options): Promise<CheckReply> {
    const database = this.#database;
    if (check !== 'integrity')
      return await client.call('health.check', { database, check }, { signal, onChunk: onProgress });
    const started = performance.now();
    const mark = await client.call('health.mark', { database });
    const params = { database, kind: 'integrity' } as const;
    const { messages, unchecked } = await client.call('database.check', params, { signal, onChunk: onProgress });
    const rest = { where: null, mends: [] } as const;
    const findings = [
      ...messages.map((message): Finding => ({ kind: 'damage', message, ...rest })),
      ...unchecked.map(({ table, reason }): Finding => ({ kind: 'unreadable', table, message: reason, ...rest })),
    ];
    return { mark, findings, more: 0, timeMs: performance.now() - started };
  }

  async #change(
    work: PageWork,
    text: string,
    change: (params: { readonly withoutUndo?: true }) => Promise<unknown>,
  ): Promise<boolean> {
    await this.#stopAndWait();
    let isDone = false;
    await this.#run(work, 'Saving the change', async () => {
      try {
        await this.#waiver.run(change);
        isDone = true;
        const undo = { label: 'Undo', run: () => void stepBackOrForth('undo', this.#database) };
        const isStep = work === 'mend' && isUndoable(this.#database);
        notify({ tone: 'success', topic: 'health', text, ...(isStep && { action: undo }) });
      } catch (thrown) {
        const { code, message } = toAppError(thrown);
        if (code !== 'not-undoable') notify({ tone: 'error', topic: 'health', text: message });
      }
    });
    await this.#readOverview();
    const isQuick = (this.#view.sizes.reply?.timeMs ?? Infinity) < QUICK_MS;
    if (isDone && isQuick && isStale(this.#view)) await this.#lookAgain();
    return isDone;
  }

  /** Waits for the current task. */
  async #run(work: PageWork, title: string, body: (options: Options) => Promise<void>): Promise<void> {
    const before = this.#current;
    const run = async (): Promise<void> => {
      await before;
      const abort = new AbortController();
      this.#abort = abort;
      this.#patch({ running: { work, title, startedAtMs: performance.now(), progress: null, stopping: false } });
      await body({
        signal: abort.signal,
        onProgress: (progress) => this.#view.running && this.#patch({ running: { ...this.#view.running, progress } }),
      });
      this.#abort = null;
      this.#patch({ running: null });
    };
    await (this.#current = run());
  }

  async #stopAndWait(): Promise<void> {
    this.stop();
    await this.#current;
  }

  #patch(part: Partial<HealthView>): void {
    this.useView.setState(part);
  }
}

function endOf(thrown: unknown): Pick<CheckState, 'state' | 'problem'> {
  const { code, message } = toAppError(thrown);
  return code === 'stopped' ? { state: 'stopped', problem: null } : { state: 'failed', problem: message };
}
