// One run of a text: turns the stream of the worker into results and messages of a view.
import type { AppError, DatabaseId, QueryChunk, QueryReply } from '#shared/protocol/index.ts';
import { client } from '../../client/database-client.ts';
import type { TextRange } from '../../editor/editor-host.ts';
import { plural } from '../../ui/format.ts';
import { NOT_LIVE, shortSql } from './query-view.ts';
import type { Message, QueryResult, QueryView } from './query-view.ts';
import type { UndoWaiver } from '../../client/undo-waiver.ts';
import { ResultSource } from '../../client/result-source.ts';

const KEPT_MESSAGES = 500;

let nextId = 1;

export interface RunRequest {
  readonly database: DatabaseId;
  readonly sql: string;
  /** Where `sql` starts in the editor's text. */
  readonly base: number;
  readonly signal: AbortSignal;
  /** Whether the person agrees to what can not be taken back later. */
  readonly waiver: UndoWaiver;
  readonly update: (change: (view: QueryView) => QueryView) => void;
}

export type RunOutcome = { readonly reply: QueryReply } | { readonly error: AppError };

/** Never rejects: a failure is an outcome, and has its message. */
export async function runQuery(request: RunRequest): Promise<RunOutcome> {
  const run = new Run(request);
  try {
    const reply = await request.waiver.run((withoutUndo) =>
      client.call(
        'query.run',
        { database: request.database, sql: request.sql, ...withoutUndo },
        { signal: request.signal, onChunk: (chunk) => run.take(chunk) },
      ),
    );
    run.succeed(reply);
    return { reply };
  } catch (thrown) {
    run.fail(thrown as AppError);
    return { error: thrown as AppError };
  }
}

/** Where in the editor's text it failed: SQLite's own offset, or the whole statement. */
export function placeOfError({ sqlite, detail, code }: AppError, sql: string, base: number): TextRange | null {
  if (code === 'stopped') return null;
  if (sqlite && sqlite.offset >= 0) return { from: base + sqlite.offset, to: base + sqlite.offset };
  const { from, to } = detail ?? {};
  return typeof from === 'number' ? { from: base + from, to: base + (typeof to === 'number' ? to : sql.length) } : null;
}

/** What is said of a failure. */
export function messageOf(error: AppError, sql: string, base: number): Omit<Message, 'id'> {
  const before = Number(error.detail?.['statement'] ?? 0);
  const text =
    before > 0 && error.code !== 'stopped'
      ? `${error.message} ${plural(before, 'statement')} before it ran.`
      : error.message;
  const offset = placeOfError(error, sql, base)?.from ?? null;
  return { tone: error.code === 'stopped' ? 'info' : 'error', text, sql: '', timeMs: null, offset };
}

export function withMessage(view: QueryView, message: Omit<Message, 'id'>): QueryView {
  return { ...view, messages: [...view.messages, { ...message, id: nextId++ }].slice(-KEPT_MESSAGES) };
}

class Run {
  readonly #request: RunRequest;
  #replaced: readonly QueryResult[] | null = null;
  #resultOfStatement = new Map<number, number>();
  #hadStatementMessages = false;

  constructor(request: RunRequest) {
    this.#request = request;
    request.update((view) => {
      this.#replaced = view.results;
      return view;
    });
  }

  take(chunk: QueryChunk): void {
    switch (chunk.kind) {
      case 'result':
        return this.#begin(chunk);
      case 'rows':
        return this.#patch(chunk.statement, (result) => {
          result.source.grow({ rows: chunk.rows, exact: false });
          return { ...result, rows: chunk.rows };
        });
      case 'done':
        return this.#end(chunk);
      case 'progress':
        return this.#request.update((view) =>
          view.running ? { ...view, running: { ...view.running, progress: chunk.progress } } : view,
        );
    }
  }

  succeed(reply: QueryReply): void {
    this.#replaceFormer();
    this.#request.update((view) => {
      const results = view.results.map((result) => ({ ...result, ended: true }));
      return { ...view, results, shown: this.#chooseShown({ ...view, results }) };
    });
    if (reply.statements !== 1 || !this.#hadStatementMessages) this.#summarize(reply);
  }

  fail(error: AppError): void {
    this.#replaceFormer();
    const { sql: ran, base } = this.#request;
    this.#request.update((view) => ({
      ...view,
      results: view.results.map((result) => ({ ...result, ended: true })),
      shown: 'messages',
    }));
    this.#request.update((view) => withMessage(view, messageOf(error, ran, base)));
  }

  #begin({ statement, from, sql, reader, reads }: Extract<QueryChunk, { kind: 'result' }>): void {
    this.#replaceFormer();
    const id = nextId++;
    this.#resultOfStatement.set(statement, id);
    const source = new ResultSource(this.#request.database, reader);
    const result: QueryResult = {
      id,
      sql,
      from: this.#request.base + from,
      source,
      rows: reader.extent.rows,
      ended: false,
      timeMs: null,
      reads,
      live: NOT_LIVE,
    };
    this.#request.update((view) => ({
      ...view,
      results: [...view.results, result],
      shown: view.results.length === 0 ? id : view.shown,
    }));
  }

  #end({ statement, from, to, rows, rowsChanged, timeMs }: Extract<QueryChunk, { kind: 'done' }>): void {
    this.#replaceFormer();
    this.#patch(statement, (result) => {
      const exactRows = rows ?? result.rows;
      result.source.grow({ rows: exactRows, exact: true });
      return { ...result, rows: exactRows, timeMs, ended: true };
    });
    this.#hadStatementMessages = true;
    const said = [
      rows !== null && plural(rows, 'row'),
      rowsChanged !== null && `${plural(rowsChanged, 'row')} changed`,
    ].filter(Boolean);
    const { sql, base } = this.#request;
    this.#say({
      tone: 'success',
      text: said.join(', ') || 'Done',
      sql: shortSql(sql.slice(from, to)),
      timeMs,
      offset: base + from,
    });
  }

  /** What the former run left stays in view until this one has something to show. */
  #replaceFormer(): void {
    const former = this.#replaced;
    if (!former) return;
    this.#replaced = null;
    for (const { source } of former) source.close();
    this.#request.update((view) => ({ ...view, results: [], messages: [] }));
  }

  #summarize({ statements, rowsChanged, timeMs }: QueryReply): void {
    if (statements === 0)
      return this.#say({ tone: 'info', text: 'There is no statement to run.', sql: '', timeMs: null, offset: null });
    const changed = rowsChanged > 0 ? `, ${plural(rowsChanged, 'row')} changed` : '';
    const text = `${plural(statements, 'statement')}${changed}`;
    this.#say({ tone: 'success', text, sql: '', timeMs, offset: null });
  }

  #chooseShown({ results, shown }: QueryView): QueryView['shown'] {
    return results.some(({ id }) => id === shown) ? shown : (results[0]?.id ?? 'messages');
  }

  #patch(statement: number, change: (result: QueryResult) => QueryResult): void {
    const id = this.#resultOfStatement.get(statement);
    if (id === undefined) return;
    this.#request.update((view) => ({
      ...view,
      results: view.results.map((result) => (result.id === id ? change(result) : result)),
    }));
  }

  #say(message: Omit<Message, 'id'>): void {
    this.#request.update((view) => withMessage(view, message));
  }
}
