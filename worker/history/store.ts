// The side file with the steps of one database: what each did, and what undoes it.
import type { HistoryStep, StepId, StepKind, TableCounts } from '#shared/protocol/history.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RestingConnection } from '../sessions/resting-connection.ts';
import { atomically } from '../engines/transaction.ts';
import { SNAPSHOT_SCHEMA, SnapshotTable } from './snapshot-files.ts';
import type { VirtualTables } from './virtual-tables.ts';
import type { Connection } from '../engines/engine.ts';

/** Position of the database: `at` is the newest step whose changes are in it, 0 for none; `newest` is the newest step at that time. */
export interface HistoryPosition {
  readonly at: StepId;
  readonly newest: StepId;
}

interface NewStep extends Omit<HistoryStep, 'state' | 'sizeBytes'> {
  readonly virtual: VirtualTables;
  /** The commit mark right after it. */
  readonly mark: string;
  readonly undo: Uint8Array | null;
}

/** A step before it gets its number. */
export type StepDraft = Omit<NewStep, 'id'>;

/**
 * A step is one row and no index but its id, so that a commit costs one page. `moves` holds the positions that undo and redo led to: after
 * a power cut, the mark of the database is looked up in both.
 */
const SCHEMA = [
  `CREATE TABLE steps (
     id INTEGER PRIMARY KEY, kind TEXT NOT NULL, at_ms INTEGER NOT NULL, title TEXT NOT NULL, sql TEXT, window TEXT NOT NULL,
     run INTEGER NOT NULL, tables TEXT NOT NULL, virtual TEXT, size INTEGER NOT NULL, why TEXT, mark TEXT NOT NULL, undo BLOB
   ) STRICT`,
  'CREATE TABLE redo (step INTEGER PRIMARY KEY, log BLOB NOT NULL) STRICT',
  'CREATE TABLE moves (id INTEGER PRIMARY KEY, mark TEXT NOT NULL, at INTEGER NOT NULL, newest INTEGER NOT NULL) STRICT',
  SNAPSHOT_SCHEMA,
  'PRAGMA user_version = 1',
];

const SIZE = `size + coalesce((SELECT length(log) FROM redo WHERE step = id), 0)
  + coalesce((SELECT sum(size) FROM snapshots WHERE step = id), 0)`;
const SHOWN = `id, kind, at_ms, title, sql, window, run, tables, ${SIZE}, why`;
/** Size of the row itself, apart from the change data. */
const ROW_BYTES = 200;

export class HistoryStore {
  readonly mergeBases: MergeBaseTable;
  readonly snapshots: SnapshotTable;
  readonly #connection: RestingConnection;

  /** @throws AppError when the file is not a history of Sidelite */
  constructor(connection: RestingConnection) {
    this.#connection = connection;
    if (connection.one('PRAGMA user_version')?.[0] === 0)
      atomically(connection, () => [...SCHEMA, bornNow()].forEach((sql) => connection.run(sql)));
    this.mergeBases = new MergeBaseTable(connection);
    this.snapshots = new SnapshotTable(connection);
  }

  /** Unique per history, because each numbers its steps from 1. */
  get born(): number {
    return Number(this.#connection.one('PRAGMA application_id')![0]);
  }

  /** Returns its size in bytes, as in {@link HistoryStep}. */
  append(step: NewStep): number {
    const text = step.sql?.slice(0, MAX_SQL_LENGTH) ?? null;
    const sizeBytes = ROW_BYTES + (text?.length ?? 0) + (step.undo?.length ?? 0);
    this.#connection.run('INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
      step.id,
      step.kind,
      step.atMs,
      step.title,
      text,
      step.windowTitle,
      step.run,
      JSON.stringify(step.tables),
      Object.keys(step.virtual).length === 0 ? null : JSON.stringify(step.virtual),
      sizeBytes,
      step.why,
      step.mark,
      step.undo,
    ]);
    return sizeBytes;
  }

  /** Extends a snapshot step: more was committed that its snapshot also undoes. */
  extend(step: StepId, tables: readonly TableCounts[], mark: string): void {
    this.#connection.run('UPDATE steps SET tables = ?, mark = ? WHERE id = ?', [JSON.stringify(tables), mark, step]);
  }

  /** Newest first. */
  list(before: StepId, limit: number, position: StepId): HistoryStep[] {
    return this.#connection
      .all(`SELECT ${SHOWN} FROM steps WHERE id < ? ORDER BY id DESC LIMIT ?`, [before, limit])
      .map((row) => toStep(row, position));
  }

  step(id: StepId, position: StepId): HistoryStep | null {
    const row = this.#connection.one(`SELECT ${SHOWN} FROM steps WHERE id = ?`, [id]);
    return row && toStep(row, position);
  }

  /** Newest first. */
  range(from: StepId, to: StepId): { readonly id: StepId; readonly kind: StepKind }[] {
    return this.#connection
      .all('SELECT id, kind FROM steps WHERE id BETWEEN ? AND ? ORDER BY id DESC', [from, to])
      .map(([id, kind]) => ({ id: Number(id), kind: kind as StepKind }));
  }

  hasAny(from: StepId, to: StepId): boolean {
    return this.#connection.one('SELECT 1 FROM steps WHERE id BETWEEN ? AND ? LIMIT 1', [from, to]) !== null;
  }

  count(from: StepId, to: StepId): number {
    return Number(this.#connection.one('SELECT count(*) FROM steps WHERE id BETWEEN ? AND ?', [from, to])![0]);
  }

  /** Steps without a row log up to `to`, newest first. */
  wholeSteps(
    to: StepId,
  ): { readonly id: StepId; readonly kind: StepKind; readonly title: string; readonly why: string }[] {
    return this.#connection
      .all("SELECT id, kind, title, why FROM steps WHERE kind <> 'rows' AND id <= ? ORDER BY id DESC", [to])
      .map(([id, kind, title, why]) => ({
        id: Number(id),
        kind: kind as StepKind,
        title: String(title),
        why: String(why ?? ''),
      }));
  }

  /** The next step to redo. */
  stepAfter(id: StepId, position: StepId): HistoryStep | null {
    const row = this.#connection.one(`SELECT ${SHOWN} FROM steps WHERE id > ? ORDER BY id LIMIT 1`, [id]);
    return row && toStep(row, position);
  }

  undoLog(step: StepId): Uint8Array | null {
    return bytesOf(this.#connection.one('SELECT undo FROM steps WHERE id = ?', [step]));
  }

  redoLog(step: StepId): Uint8Array | null {
    return bytesOf(this.#connection.one('SELECT log FROM redo WHERE step = ?', [step]));
  }

  hasRedoLog(step: StepId): boolean {
    return this.#connection.one('SELECT 1 FROM redo WHERE step = ?', [step]) !== null;
  }

  sizeOf(step: StepId): number {
    return Number(this.#connection.one(`SELECT ${SIZE} FROM steps WHERE id = ?`, [step])?.[0] ?? 0);
  }

  virtualTables(step: StepId): VirtualTables {
    const text = this.#connection.one('SELECT virtual FROM steps WHERE id = ?', [step])?.[0];
    return typeof text === 'string' ? (JSON.parse(text) as VirtualTables) : {};
  }

  /** Notes that the step was undone; `redo` redoes it. */
  undone(step: StepId, redo: Uint8Array | null, mark: string, position: HistoryPosition): void {
    atomically(this.#connection, () => {
      if (redo) this.#connection.run('INSERT OR REPLACE INTO redo VALUES (?, ?)', [step, redo]);
      this.move(mark, position);
    });
  }

  /** Notes that the step was redone; `undo` undoes it. */
  redone(step: StepId, undo: Uint8Array | null, mark: string, position: HistoryPosition): void {
    atomically(this.#connection, () => {
      if (undo)
        this.#connection.run('UPDATE steps SET size = size - coalesce(length(undo), 0) + ?, undo = ? WHERE id = ?', [
          undo.length,
          undo,
          step,
        ]);
      this.move(mark, position);
    });
  }

  move(mark: string, { at, newest }: HistoryPosition): void {
    this.#connection.run('INSERT INTO moves (mark, at, newest) VALUES (?, ?, ?)', [mark, at, newest]);
  }

  /** Keeps the only position to which a power cut could lead back from now on. */
  settle(mark: string, position: HistoryPosition): void {
    atomically(this.#connection, () => {
      this.#connection.run('DELETE FROM moves');
      this.move(mark, position);
    });
  }

  stepWithMark(mark: string, position: StepId): HistoryStep | null {
    const row = this.#connection.one(`SELECT ${SHOWN} FROM steps WHERE mark = ? ORDER BY id DESC LIMIT 1`, [mark]);
    return row && toStep(row, position);
  }

  /** The position of a database with this mark; null when the mark was not recorded. */
  positionOf(mark: string): HistoryPosition | null {
    const moved = this.#connection.one('SELECT at, newest FROM moves WHERE mark = ? ORDER BY id DESC LIMIT 1', [mark]);
    const step = this.#connection.one('SELECT id FROM steps WHERE mark = ? ORDER BY id DESC LIMIT 1', [mark]);
    const [at, newest] = (moved ?? [0, -1]) as [number, number];
    const done = Number(step?.[0] ?? -1);
    if (!moved && !step) return null;
    return done > newest ? { at: done, newest: done } : { at, newest };
  }

  get newest(): StepId {
    return Number(
      this.#connection.one(
        'SELECT max(coalesce((SELECT max(id) FROM steps), 0), coalesce((SELECT max(newest) FROM moves), 0))',
      )![0],
    );
  }

  get isEmpty(): boolean {
    return this.#connection.one('SELECT 1 FROM steps UNION ALL SELECT 1 FROM moves LIMIT 1') === null;
  }

  get totals(): { readonly steps: number; readonly sizeBytes: number } {
    const [steps, sizeBytes] = this.#connection.one(
      `SELECT count(*), coalesce(sum(size), 0) + (SELECT coalesce(sum(length(log)), 0) FROM redo)
         + (SELECT coalesce(sum(size), 0) FROM snapshots) FROM steps`,
    ) as [number, number];
    return { steps, sizeBytes };
  }

  get oldest(): StepId | null {
    const id = this.#connection.one('SELECT min(id) FROM steps')![0];
    return id === null ? null : Number(id);
  }

  /** Forgets the steps from `from` to `to`. The caller has to remove their snapshot files. */
  forget(from: StepId, to: StepId): void {
    atomically(this.#connection, () => {
      for (const [table, column] of [
        ['steps', 'id'],
        ['redo', 'step'],
        ['snapshots', 'step'],
      ] as const)
        this.#connection.run(`DELETE FROM ${table} WHERE ${column} BETWEEN ? AND ?`, [from, to]);
    });
  }

  inTransaction<T>(work: () => T): T {
    return atomically(this.#connection, work);
  }

  checkpoint(): void {
    this.#connection.checkpoint();
  }

  /** Changes whenever something is written. */
  get changes(): number {
    return this.#connection.totalChanges;
  }

  get isResting(): boolean {
    return this.#connection.isResting;
  }

  /** Closes the file until its next use. */
  rest(): void {
    this.#connection.rest();
  }

  close(): void {
    this.#connection.close();
  }
}

const bornNow = (): string => `PRAGMA application_id = ${Date.now() % 2 ** 31}`;

const MAX_SQL_LENGTH = 2000;

function toStep(row: readonly Value[], position: StepId): HistoryStep {
  const [id, kind, atMs, title, sql, windowTitle, run, tables, sizeBytes, why] = row;
  return {
    id: Number(id),
    kind: kind as StepKind,
    atMs: Number(atMs),
    title: String(title),
    sql: sql as string | null,
    windowTitle: String(windowTitle),
    run: Number(run),
    tables: JSON.parse(String(tables)) as TableCounts[],
    state: Number(id) <= position ? 'done' : 'undone',
    sizeBytes: Number(sizeBytes),
    why: why as string | null,
  };
}

function bytesOf(row: readonly Value[] | null): Uint8Array | null {
  return row && row[0] instanceof Uint8Array ? row[0] : null;
}

// Positions in the history that are kept although no step leads to them, each identified by a commit mark, some with rows.

/** The state at `mark` is the one where another file was the same, or where it branched off. */
interface MergeBase {
  readonly mark: string;
  readonly at: StepId;
}

/** `merge_base_rows`: how the other file differed from the database there, an opaque list of bytes. */
const MERGE_BASES = [
  'CREATE TABLE IF NOT EXISTS merge_bases (mark TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS merge_base_rows (mark TEXT NOT NULL, bytes BLOB NOT NULL) STRICT',
];
/** Table names in histories that were begun by earlier versions. */
const EARLIER_NAMES = { anchors: 'merge_bases', anchor_rows: 'merge_base_rows' };

export class MergeBaseTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    const isEarlier = connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'anchors'") !== null;
    atomically(connection, () => {
      if (isEarlier)
        for (const [from, to] of Object.entries(EARLIER_NAMES)) connection.run(`ALTER TABLE ${from} RENAME TO ${to}`);
      for (const sql of MERGE_BASES) connection.run(sql);
    });
  }

  get all(): readonly MergeBase[] {
    return this.#connection
      .all('SELECT mark, at FROM merge_bases')
      .map(([mark, at]) => ({ mark: String(mark), at: Number(at) }));
  }

  put({ mark, at }: MergeBase, rows: Iterable<Uint8Array> = []): void {
    atomically(this.#connection, () => {
      this.remove(mark);
      this.#connection.run('INSERT INTO merge_bases VALUES (?, ?)', [mark, at]);
      for (const bytes of rows) this.#connection.run('INSERT INTO merge_base_rows VALUES (?, ?)', [mark, bytes]);
    });
  }

  remove(mark: string): void {
    this.#connection.run('DELETE FROM merge_bases WHERE mark = ?', [mark]);
    this.#connection.run('DELETE FROM merge_base_rows WHERE mark = ?', [mark]);
  }

  *rowsAt(mark: string): IterableIterator<Uint8Array> {
    const statement = this.#connection.prepare('SELECT bytes FROM merge_base_rows WHERE mark = ? ORDER BY rowid');
    try {
      statement.bind([mark]);
      while (statement.step()) yield statement.value(0) as Uint8Array;
    } finally {
      statement.finalize();
    }
  }
}
