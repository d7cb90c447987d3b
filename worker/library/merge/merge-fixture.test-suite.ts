// For tests: a library copy and its source on a disk in memory, merged through the real library, sessions and history.
import { StandIns } from '../../engines/stand-ins/stand-ins.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { MergeChoices, MergePlan, MergeQuestion, MergeReply, SourceState } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import { dumpDatabase } from '../../engines/contract/dump.test-suite.ts';
import type { Connection } from '../../engines/engine.ts';
import { FaultLab } from '../../engines/wasm/faults/lab.test-suite.ts';
import { Histories, historyOf } from '../../history/histories.ts';
import { redo, undo } from '../../history/undo-redo.ts';
import { createClock } from '../../sessions/clock.ts';
import { newRun, type Turn } from '../../sessions/session.ts';
import { InspectorThread } from '../../inspector/inspector-thread.test-suite.ts';
import { OpenDatabases } from '../../sessions/open-databases.ts';
import { ClientWindow } from '../../sessions/window-session.ts';
import { WorkMonitor } from '../../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../../threads/work-status-buffer.ts';
import { Catalogue } from '../catalogue.ts';
import type { LibraryContext } from '../context.ts';
import type { FileClient } from '../files.ts';
import { importFile } from '../import.ts';
import { reloadSource } from '../source/reload-source.ts';
import { sourceState, marksOf } from '../source/baseline.ts';
import { applyMerge, beginMerge, endMerge, mergeQuestions } from './merge-source.ts';

const SOURCE = '/their-file.sqlite3';
/** SQL of two tables, one of them without row ids. */
export const NOTES = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, n);
  CREATE TABLE tag (name TEXT COLLATE NOCASE PRIMARY KEY, used INTEGER) WITHOUT ROWID;
  INSERT INTO note VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (4, 'four', 4), (5, 'five', 5);
  INSERT INTO tag VALUES ('a', 1), ('b', 2)`;
export const NO_CHOICES: MergeChoices = { rows: {}, tables: {} };
export const all = (choice: NonNullable<MergeChoices['all']>): MergeChoices => ({ ...NO_CHOICES, all: choice });

const lab = await FaultLab.open();
Object.assign(globalThis, { Worker: InspectorThread });

export class MergeFixture {
  readonly #theirs: Connection;
  readonly #window = new ClientWindow('1', () => undefined);
  #context!: LibraryContext;
  #id = '';
  /** Notes of the import. */
  notes: readonly string[] = [];
  #touched = 0;
  #canceled = false;

  static async open(sql: string): Promise<MergeFixture> {
    lab.disk.start(null, 0);
    const fixture = new MergeFixture();
    await fixture.theirs(sql);
    await fixture.#import();
    return fixture;
  }

  private constructor() {
    this.#theirs = lab.connectFreely(SOURCE);
    this.#window.introduce('Window 1');
    this.start();
  }

  /** Starts the app again after the previous one ended. */
  start(): void {
    const clock = createClock();
    const catalogue = new Catalogue(
      lab.engine.open('/catalogue.sqlite3', { durability: 'full', create: true, untrusted: false }),
    );
    const keptMarks = (id: string): ReturnType<typeof marksOf> => marksOf(catalogue.baselines.get(id));
    const histories = new Histories({ engine: lab.engine, pool: lab.pool, clock, settings: catalogue, keptMarks });
    const monitor = new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined);
    const databases = new OpenDatabases(
      {
        clock,
        monitor,
        entryOf: (id) => catalogue.entry(id),
        onChanges: () => undefined,
        onStateChanged: () => undefined,
        journal: histories.journalOf,
      },
      (id) => lab.engine.open(catalogue.file(id), { durability: 'full' }),
    );
    const files = this.#files();
    const engine = lab.engine as LibraryContext['engine'];
    const standIns = new StandIns();
    this.#context = { engine, pool: lab.pool, catalogue, databases, histories, files, monitor, clock, standIns };
    if (this.#id) databases.join(this.#window, this.#id);
  }

  restart(): void {
    endMerge(this.#window, this.#id);
    this.#context.databases.closeAll();
    this.start();
  }

  close(): void {
    endMerge(this.#window, this.#id);
    this.#context.databases.closeAll();
    this.#theirs.close();
  }

  get context(): LibraryContext {
    return this.#context;
  }

  get id(): string {
    return this.#id;
  }

  /** Files left over from merges. */
  get spareFiles(): readonly string[] {
    return lab.pool.names().filter((name) => /^\/(merge|source)-[^.]*\.sqlite3$/.test(name));
  }

  async mine(sql: string): Promise<void> {
    await this.turn(({ connection }) => runAll(connection, sql));
  }

  async theirs(sql: string): Promise<void> {
    runAll(this.#theirs, sql);
    this.#theirs.checkpoint();
    this.#touched++;
  }

  turn<T>(body: (turn: Turn) => T): Promise<T> {
    const origin = { title: 'Change', sql: null, run: newRun(), withoutUndo: false };
    return this.#database.enqueue({ window: this.#window, kind: 'write', title: 'Change', origin, body });
  }

  undo(): Promise<unknown> {
    return this.turn((turn) => undo(historyOf(this.#database), turn, () => undefined));
  }

  redo(): Promise<unknown> {
    return this.turn((turn) => redo(historyOf(this.#database), turn, () => undefined));
  }

  clearHistory(): void {
    historyOf(this.#database).clear();
  }

  begin(): Promise<MergePlan> {
    return beginMerge(this.#context, this.#window, this.#id, this.#call);
  }

  async questions(count = 1000): Promise<readonly MergeQuestion[]> {
    return mergeQuestions(this.#context, this.#window, { database: this.#id, start: 0, count });
  }

  apply(choices: MergeChoices = NO_CHOICES, withoutUndo = false): Promise<MergeReply> {
    return applyMerge(this.#context, this.#window, { database: this.#id, choices, withoutUndo }, this.#call);
  }

  async merge(choices: MergeChoices = NO_CHOICES): Promise<MergePlan> {
    const plan = await this.begin();
    const reply = await this.apply(choices);
    if (!reply.applied) throw new Error(`Not applied: ${JSON.stringify(await this.questions())}`);
    return plan;
  }

  reload(withoutUndo = false): Promise<unknown> {
    const request = { database: this.#id, withoutUndo };
    return reloadSource(this.#context, this.#window, request, this.#call);
  }

  get state(): Promise<SourceState | null> {
    return sourceState(this.#context, this.#id);
  }

  rows(sql: string, side: 'mine' | 'theirs' = 'mine'): readonly (readonly Value[])[] {
    return side === 'mine' ? historyOf(this.#database).connection.all(sql) : this.#theirs.all(sql);
  }

  dump(side: 'mine' | 'theirs' = 'mine'): string {
    return dumpDatabase(side === 'mine' ? historyOf(this.#database).connection : this.#theirs);
  }

  get steps(): number {
    return historyOf(this.#database).state.steps;
  }

  stopNext(): void {
    this.#canceled = true;
  }

  get #database() {
    return this.#context.databases.of(this.#window, this.#id);
  }

  get #call() {
    const canceled = this.#canceled;
    this.#canceled = false;
    return {
      id: 1,
      emit: async () => undefined,
      canceled,
      onCancel: (listener: () => void) => (canceled ? listener() : undefined),
    };
  }

  async #import(): Promise<LibraryEntry> {
    const { entry, notes } = await importFile(this.#context, this.#window, { source: 't' }, this.#call);
    this.notes = notes;
    this.#id = entry.id;
    this.#context.databases.join(this.#window, entry.id);
    return entry;
  }

  #files(): FileClient {
    const facts = () => ({ sizeBytes: this.#theirs.fileSizeBytes, modifiedAtMs: this.#touched, walSizeBytes: 0 });
    const operations: Record<string, (params: { offset: number; length: number }) => unknown> = {
      'file.info': () => ({
        ...facts(),
        fileName: 'their.db',
        displayPath: '/their.db',
        locationId: 's',
        journalSizeBytes: 0,
      }),
      'file.read': ({ offset, length }) => this.#theirs.readFile(offset, length),
      'file.close': () => ({ backup: null }),
      'source.open': () => ({ token: 't' }),
      'source.stat': () => ({
        found: 'file',
        print: { ...facts(), fileId: '1', walModifiedAtMs: 0, content: String(this.#touched) },
      }),
    };
    return { call: async (name: string, params: never) => operations[name]!(params) } as unknown as FileClient;
  }
}

/** Rows of the table `note`. */
export const bodies = (fixture: MergeFixture): unknown =>
  fixture.rows('SELECT id, body FROM note ORDER BY id').map((row) => row.join(' '));

function runAll(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  script.dispose();
}
