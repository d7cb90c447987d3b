// Rows of a SELECT as a React hook, kept up to date while they are shown.
import { toAppError } from '#shared/protocol/errors.ts';
import { useEffect, useRef, useState } from 'react';
import type {
  DatabaseId,
  LiveState,
  ReaderId,
  ReaderInfo,
  ResultColumn,
  RowsPatch,
  Value,
  WatchedRange,
} from '#shared/protocol/index.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { RowWatch } from '../../grid/rows/row-watch.ts';
import { client } from '../../connection/database-client.ts';
import { stringifyState } from '../../state/state-json.ts';

export class LiveRow {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #row: CachedRow;

  constructor(columns: ReadonlyMap<string, number>, row: CachedRow) {
    this.#columns = columns;
    this.#row = row;
  }

  get packed(): CachedRow {
    return this.#row;
  }

  /** Returns only the beginning of a long text or blob. */
  value(column: string): Value {
    return this.#row.rows.value(this.#row.index, this.#indexOf(column));
  }

  text(column: string): string {
    return this.#row.rows.text(this.#row.index, this.#indexOf(column));
  }

  /** NaN if the value is not a number. */
  number(column: string): number {
    const { rows, index } = this.#row;
    const columnIndex = this.#indexOf(column);
    const storageClass = rows.storageClass(index, columnIndex);
    return storageClass === 'integer' || storageClass === 'real' ? rows.number(index, columnIndex) : NaN;
  }

  #indexOf(column: string): number {
    const columnIndex = this.#columns.get(column);
    if (columnIndex === undefined) throw new Error(`The query has no column ${column}.`);
    return columnIndex;
  }
}

export interface LiveQueryResult {
  readonly status: 'opening' | LiveState;
  readonly columns: readonly ResultColumn[];
  /** The first 128 rows at most. */
  readonly rows: readonly LiveRow[];
  /** False until the rows have been read for the first time. */
  readonly isRead: boolean;
  /** Reason shown to the user, when `failed`. */
  readonly why: string | null;
}

/** Whether the query is done: its rows are there, or the reason why not. */
export const isSettled = ({ isRead, status }: LiveQueryResult): boolean =>
  isRead || (status !== 'opening' && status !== 'live');

interface LiveQueryOptions {
  /** Time limit of a run; past it the query is no longer run (`too-slow`). Null: no limit. */
  readonly limitMs?: number | null;
}

const DEFAULT_LIMIT_MS = 200;
const OPENING: LiveQueryResult = { status: 'opening', columns: [], rows: [], isRead: false, why: null };

/**
 * The first rows of one SELECT, updated whenever a commit changes them. `sql` null: no query. Costs nothing while the window is hidden,
 * survives a restart of the worker, and is released on unmount.
 */
export function useLiveQuery(
  database: DatabaseId,
  sql: string | null,
  params: readonly Value[] = [],
  { limitMs = DEFAULT_LIMIT_MS }: LiveQueryOptions = {},
): LiveQueryResult {
  const key = stringifyState([database, sql, params, limitMs]);
  const [known, setKnown] = useState({ key, result: OPENING });
  const request = useRef<LiveRequest | null>(null);
  request.current = sql === null ? null : { database, sql, params, limitMs };
  useEffect(() => {
    const asked = request.current;
    if (!asked) return;
    const open = (): LiveQuery => new LiveQuery(asked, (result) => setKnown({ key, result }));
    let query = open();
    const stopReconnect = client.onReconnected(() => {
      query.close();
      query = open();
    });
    return () => {
      stopReconnect();
      query.close();
    };
  }, [key]);
  return known.key === key ? known.result : OPENING;
}

interface LiveRequest {
  readonly database: DatabaseId;
  readonly sql: string;
  readonly params: readonly Value[];
  readonly limitMs: number | null;
}

/** One opened query: a reader in the worker, its first rows, and a callback for changes. */
export class LiveQuery {
  readonly #onResult: (result: LiveQueryResult) => void;
  readonly #stopListening: readonly (() => void)[];
  #info: ReaderInfo | null = null;
  #places: ReadonlyMap<string, number> = new Map();
  #watch: RowWatch | null = null;
  #result = OPENING;
  #isClosed = false;

  constructor(request: LiveRequest, onResult: (result: LiveQueryResult) => void) {
    this.#onResult = onResult;
    const onVisibility = (): void => this.#look();
    document.addEventListener('visibilitychange', onVisibility);
    this.#stopListening = [
      () => document.removeEventListener('visibilitychange', onVisibility),
      client.on('rows.patched', (patch) => this.#isMine(patch.reader) && this.#patch(patch)),
      client.on(
        'live.stateChanged',
        ({ reader, state, why }) => this.#isMine(reader) && this.#tell({ status: state, why }),
      ),
    ];
    this.#open(request).catch((thrown: unknown) => this.#tell({ status: 'failed', why: toAppError(thrown).message }));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    if (this.#info) letGo(this.#info.reader);
  }

  async #open(request: LiveRequest): Promise<void> {
    const info = await client.call('live.open', request);
    if (this.#isClosed) return letGo(info.reader);
    this.#info = info;
    this.#places = new Map(info.columns.map(({ name }, columnIndex) => [name, columnIndex]));
    const watch = (range: WatchedRange | null) => client.call('rows.watch', { reader: info.reader, range });
    this.#watch = new RowWatch({ keyColumns: [], watch }, ({ rows }) => this.#show(rows));
    this.#tell({ status: 'live', columns: info.columns });
    this.#look();
  }

  /** Keeps rows up to date only while they are visible. */
  #look(): void {
    this.#watch?.rest(0, document.hidden ? -1 : 0);
  }

  #patch(patch: RowsPatch): void {
    const patched = this.#watch?.patch(patch);
    if (patched) this.#show(patched.change.after);
  }

  #show(rows: readonly CachedRow[]): void {
    this.#tell({ isRead: true, rows: rows.map((row) => new LiveRow(this.#places, row)) });
  }

  #isMine(reader: ReaderId): boolean {
    return reader === this.#info?.reader;
  }

  #tell(news: Partial<LiveQueryResult>): void {
    if (this.#isClosed) return;
    this.#result = { ...this.#result, ...news };
    this.#onResult(this.#result);
  }
}

/** After a lost connection the reader is already closed. */
const letGo = (reader: ReaderId): void => void client.call('rows.close', { reader }).catch(() => undefined);
