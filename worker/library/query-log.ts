// Log of what was run in SQL tabs: in the catalogue, so that it has its durability and serves all windows, whichever engine ran the text.
import { fail } from '#shared/protocol/errors.ts';
import { QUERY_LOG_LIMITS } from '#shared/protocol/query-log.ts';
import type {
  LoggedParameter,
  LoggedRun,
  NewLoggedRun,
  QueryLogFilter,
  RunEnd,
  WholeLoggedRun,
} from '#shared/protocol/query-log.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';

/** A list must not keep the worker from the windows: 10,000 runs of 3 KB take some 20 ms to search. */
const SLICE_MS = 8;
const BATCH_RUNS = 200;
/** Runs in one reply, whatever is requested. */
const MAX_LISTED = 1_000;
const BEGIN_CHARS = 300;
const MAX_RUNS = 100_000;
/** Deleting a few more than necessary makes deletions rare. */
const SLACK = 0.01;

const COLUMNS = `id, database, database_name, started_at_ms, outcome, time_ms, statements, rows, rows_changed, error,
  substr(sql, 1, ${BEGIN_CHARS}), chars`;

interface LogLimits {
  readonly runs: number;
  readonly bytes: number;
  /** How long one call may search. */
  readonly sliceMs: number;
}

export class QueryLog {
  readonly #connection: Connection;
  #limits: LogLimits;
  /** Runs that have begun and not ended, and their owners. A run without an end that is not listed was interrupted. */
  readonly #running = new Map<number, object>();
  /** Size of what is stored; null until it is known. Nothing else writes the table. */
  #size: { runs: number; bytes: number } | null = null;

  /** @param connection of the catalogue, which makes the table */
  constructor(connection: Connection, limits: Partial<LogLimits> = {}) {
    this.#connection = connection;
    this.#limits = { ...QUERY_LOG_LIMITS, sliceMs: SLICE_MS, ...limits };
  }

  /** @param window whose end is the end of the run */
  begin({ of, sql, chars, parameters }: NewLoggedRun, window: object): number {
    const text = sql.slice(0, QUERY_LOG_LIMITS.textChars);
    const kept = JSON.stringify(Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, cut(one)])));
    const bytes = new TextEncoder().encode(text).length + kept.length;
    const size = this.#knownSize;
    this.#connection.run(
      `INSERT INTO query_runs (database, database_name, started_at_ms, sql, chars, parameters, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [of.id, of.name, Date.now(), text, chars, kept, bytes],
    );
    const id = Number(this.#connection.one('SELECT last_insert_rowid()')![0]);
    this.#running.set(id, window);
    this.#size = { runs: size.runs + 1, bytes: size.bytes + bytes };
    this.#deleteOldest();
    return id;
  }

  /**
   * Does nothing for a run of another window, or one that has ended. A run that began before the engine restarted belongs to no window, but may
   * still run on the other engine.
   * @param window as given to `begin`
   */
  end(id: number, window: object, { outcome, timeMs, statements, rows, rowsChanged, error }: RunEnd): void {
    const runner = this.#running.get(id);
    if (runner !== undefined && runner !== window) return;
    this.#running.delete(id);
    this.#connection.run(
      `UPDATE query_runs SET outcome = ?, time_ms = ?, statements = ?, rows = ?, rows_changed = ?, error = ?
       WHERE id = ? AND outcome IS NULL`,
      [outcome, timeMs, statements, rows, rowsChanged, error?.slice(0, QUERY_LOG_LIMITS.errorChars) ?? null, id],
    );
  }

  /** The window was closed or reloaded: its runs have no end. */
  leave(window: object): void {
    for (const [id, runner] of this.#running) if (runner === window) this.#running.delete(id);
  }

  list(
    filter: QueryLogFilter,
    before: number | null,
    wantedRuns: number,
  ): { readonly runs: readonly LoggedRun[]; readonly next: number | null } {
    const { where, values } = conditionOf(filter);
    // SQLite treats a negative limit as none.
    const limit = Math.min(Math.max(Math.trunc(wantedRuns) || 1, 1), MAX_LISTED);
    const runs: LoggedRun[] = [];
    const until = performance.now() + this.#limits.sliceMs;
    let next: number | null = before ?? Number.MAX_SAFE_INTEGER;
    do {
      const [last]: readonly Value[] = this.#connection.one(
        'SELECT id FROM query_runs WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
        [next, BATCH_RUNS - 1],
      ) ?? [0];
      const wanted = limit - runs.length;
      const found: readonly LoggedRun[] = this.#connection
        .all(`SELECT ${COLUMNS} FROM query_runs WHERE id < ? AND id >= ? ${where} ORDER BY id DESC LIMIT ?`, [
          next,
          last!,
          ...values,
          wanted,
        ])
        .map((row) => this.#toRun(row));
      runs.push(...found);
      next = found.length === wanted ? found.at(-1)!.id : Number(last) || null;
    } while (next !== null && runs.length < limit && performance.now() < until);
    return { runs, next };
  }

  /** @throws AppError `not-found` */
  read(id: number): WholeLoggedRun {
    const row = this.#connection.one(`SELECT ${COLUMNS}, sql, parameters FROM query_runs WHERE id = ?`, [id]);
    if (!row) fail('not-found', 'This run was deleted from the query history.');
    const parameters = JSON.parse(String(row.at(-1))) as NewLoggedRun['parameters'];
    return { ...this.#toRun(row), sql: String(row.at(-2)), parameters };
  }

  /** The texts stay. */
  forgetValues(database: DatabaseId): void {
    this.#connection.run("UPDATE query_runs SET parameters = '{}', error = NULL WHERE database = ?", [database]);
  }

  /** Parameters of the last run of exactly this text that had any. */
  parametersOf(sql: string): NewLoggedRun['parameters'] {
    const row = this.#connection.one(
      `SELECT parameters FROM query_runs WHERE chars = ? AND sql = ? AND parameters <> '{}' ORDER BY id DESC LIMIT 1`,
      [sql.length, sql],
    );
    return row ? (JSON.parse(String(row[0])) as NewLoggedRun['parameters']) : {};
  }

  delete(ids: readonly number[]): void {
    this.#connection.run('DELETE FROM query_runs WHERE id IN (SELECT value FROM temp.json_each(?))', [
      JSON.stringify(ids),
    ]);
    this.#size = null;
  }

  clear(): void {
    this.#connection.run('DELETE FROM query_runs');
    this.#size = null;
  }

  /** Returns whether runs were deleted. @throws AppError `invalid` */
  setLimit(runs: number): boolean {
    if (!Number.isSafeInteger(runs) || runs < 1 || runs > MAX_RUNS)
      fail('invalid', `The query history can keep between 1 and ${MAX_RUNS} runs. Nothing was changed.`);
    const before = this.#knownSize.runs;
    this.#limits = { ...this.#limits, runs };
    this.#deleteOldest();
    return this.#knownSize.runs < before;
  }

  summary(): { readonly runs: number; readonly bytes: number; readonly databases: readonly NewLoggedRun['of'][] } {
    const databases = this.#connection
      .all('SELECT database, database_name, max(id) FROM query_runs GROUP BY database ORDER BY max(id) DESC')
      .map(([id, name]) => ({ id: String(id), name: String(name) }));
    return { ...this.#knownSize, databases };
  }

  get #knownSize(): { readonly runs: number; readonly bytes: number } {
    if (!this.#size) {
      const [runs, bytes] = this.#connection.one('SELECT count(*), coalesce(sum(bytes), 0) FROM query_runs')!;
      this.#size = { runs: Number(runs), bytes: Number(bytes) };
    }
    return this.#size;
  }

  #deleteOldest(): void {
    const { runs, bytes } = this.#knownSize;
    if (runs <= this.#limits.runs && bytes <= this.#limits.bytes) return;
    // A run is deleted if it and those after it are too many; the newest one always stays.
    this.#connection.run(
      `DELETE FROM query_runs WHERE id <= (
         SELECT max(id) FROM (
           SELECT id, row_number() OVER (ORDER BY id DESC) AS place, sum(bytes) OVER (ORDER BY id DESC) AS total
           FROM query_runs) WHERE place > 1 AND (place > ? OR total > ?))`,
      [Math.ceil(this.#limits.runs * (1 - SLACK)), Math.ceil(this.#limits.bytes * (1 - SLACK))],
    );
    this.#size = null;
  }

  #toRun(row: readonly Value[]): LoggedRun {
    const [id, database, name, startedAtMs, outcome, timeMs, statements, rows, rowsChanged, error, begin, chars] = row;
    return {
      id: Number(id),
      of: { id: String(database), name: String(name) },
      startedAtMs: Number(startedAtMs),
      outcome:
        outcome === null ? (this.#running.has(Number(id)) ? 'running' : 'interrupted') : (outcome as RunEnd['outcome']),
      timeMs: millisecondsOf(timeMs ?? null),
      statements: Number(statements),
      rows: rows === null ? null : Number(rows),
      rowsChanged: Number(rowsChanged),
      error: error === null ? null : String(error),
      begin: String(begin),
      chars: Number(chars),
    };
  }
}

/** A REAL: a whole number of milliseconds comes as `{real}`. */
const millisecondsOf = (value: Value): number | null =>
  value === null ? null : isReal(value) ? value.real : Number(value);

function cut({ type, text, isCut }: LoggedParameter): LoggedParameter {
  const kept = text.slice(0, QUERY_LOG_LIMITS.parameterChars);
  return { type, text: kept, ...((isCut || kept.length < text.length) && { isCut: true }) };
}

function conditionOf({ words, database, outcome, sinceMs }: QueryLogFilter): {
  readonly where: string;
  readonly values: readonly Value[];
} {
  const patterns = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const parts: readonly (readonly [string, ...Value[]])[] = [
    ...patterns.map((one) => [`(sql LIKE ? ESCAPE '\\' OR error LIKE ? ESCAPE '\\')`, one, one] as const),
    ...(database === null ? [] : [['database = ?', database] as const]),
    ...(outcome === 'all' ? [] : [[outcome === 'done' ? `outcome = 'done'` : `outcome IS NOT 'done'`] as const]),
    ...(sinceMs === null ? [] : [['started_at_ms >= ?', sinceMs] as const]),
  ];
  return {
    where: parts.map(([sql]) => `AND ${sql}`).join(' '),
    values: parts.flatMap(([, ...values]) => values),
  };
}
