// One run of a text: turns the stream of the worker into results and messages of a view.
import { RUN_LIMITS } from '#shared/protocol/index.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, DatabaseId, ParameterValues, QueryEvent, QueryReply } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { showProblem } from '../../editor/insight.ts';
import type { TabEditor } from '../../workbench/text/tab-editor.ts';
import { PerFrame } from '../../ui/per-frame.ts';
import type { TextRange } from '#shared/split-statements.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { NOT_LIVE, PLAIN_ARRANGEMENT, comparedOf, ofLastRun } from './query-view.ts';
import { carriedOver } from './carried-over.ts';
import type { Message, QueryResult, QueryView } from './query-view.ts';
import type { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { shortSql } from '../../workbench/text/short-sql.ts';
import { ResultSource } from '../../workbench/rows/result-source.ts';

let nextId = 1;

interface RunRequest {
  readonly database: DatabaseId;
  readonly sql: string;
  readonly parameters: ParameterValues;
  /** Where `sql` starts in the editor's text. */
  readonly base: number;
  readonly signal: AbortSignal;
  /** Whether the user agrees to changes that cannot be undone later. */
  readonly waiver: UndoWaiver;
  readonly update: (change: (view: QueryView) => QueryView) => void;
}

export type RunOutcome = { readonly reply: QueryReply } | { readonly error: AppError };

/** Never rejects: a failure is an outcome, and has its message. */
export async function runQuery(request: RunRequest): Promise<RunOutcome> {
  const run = new Run(request);
  // The results so far are what the user saw when pressing Stop.
  request.signal.addEventListener('abort', () => run.events.flush());
  try {
    const reply = await request.waiver.run((withoutUndo) =>
      client.call(
        'query.run',
        {
          database: request.database,
          sql: request.sql,
          parameters: request.parameters,
          showsRows: true,
          ...withoutUndo,
        },
        { signal: request.signal, onChunk: (chunk) => run.events.add(chunk) },
      ),
    );
    run.succeed(reply);
    return { reply };
  } catch (thrown) {
    run.fail(toAppError(thrown));
    return { error: toAppError(thrown) };
  }
}

/** Where in the editor's text it failed: SQLite's own offset, or the whole statement. */
function offsetOfError({ sqlite, detail, code }: AppError, sql: string, base: number): TextRange | null {
  if (code === 'stopped') return null;
  if (sqlite && sqlite.offset >= 0) return { from: base + sqlite.offset, to: base + sqlite.offset };
  const { from, to } = detail ?? {};
  return typeof from === 'number' ? { from: base + from, to: base + (typeof to === 'number' ? to : sql.length) } : null;
}

/** @param base where the SQL that failed begins */
export function markProblem({ view }: TabEditor, error: AppError, sql: string, base: number): void {
  const position = offsetOfError(error, sql, base);
  if (!position || !view) return;
  const { name } = error.detail ?? {};
  showProblem(view, { ...position, message: error.message, name: typeof name === 'string' ? name : null });
}

export function messageOf(error: AppError, sql: string, base: number): Omit<Message, 'id'> {
  const before = Number(error.detail?.['statement'] ?? 0);
  const text =
    before > 0 && error.code !== 'stopped'
      ? `${error.message} ${plural(before, 'statement')} before it ran.`
      : error.message;
  const offset = offsetOfError(error, sql, base)?.from ?? null;
  return { tone: error.code === 'stopped' ? 'info' : 'error', text, sql: '', timeMs: null, offset };
}

/** Shown after a restart of the engine. */
export const GONE: Omit<Message, 'id'> = {
  tone: 'info',
  text: 'The results were lost when the engine restarted. Run the SQL again to see them.',
  sql: '',
  timeMs: null,
  offset: null,
};

export function withMessage(view: QueryView, message: Omit<Message, 'id'>): QueryView {
  return { ...view, messages: [...view.messages, { ...message, id: nextId++ }] };
}

type Began = Extract<QueryEvent, { kind: 'result' }>;
type Ended = Extract<QueryEvent, { kind: 'done' }>;

class Run {
  /** A view is drawn each time it is replaced, and many events fall into one frame. */
  readonly events = new PerFrame<QueryEvent>((events) =>
    this.#update((view) => events.reduce((so, event) => this.#with(so, event), view)),
  );
  readonly #request: RunRequest;
  readonly #resultOfStatement = new Map<number, number>();
  #hasReplaced = false;
  /** Results of the previous run: the user's changes to them are kept. */
  #former: readonly QueryResult[] = [];
  /** Statements whose end has a message. */
  #listed = 0;

  constructor(request: RunRequest) {
    this.#request = request;
  }

  succeed(reply: QueryReply): void {
    this.events.end();
    this.#update((view) => {
      const ended = this.#withAllEnded(view);
      const own = ofLastRun(ended.results);
      const isShown = isComparing(ended) || own.some(({ id }) => id === view.shown);
      const shown = isShown ? view.shown : (own[0]?.id ?? 'messages');
      const counted = this.#withUnlisted({ ...ended, shown }, reply);
      const isTold = reply.statements === 1 && this.#listed === 1;
      return isTold ? counted : withMessage(counted, summaryOf(reply));
    });
  }

  fail(error: AppError): void {
    this.events.end();
    const { sql, base } = this.#request;
    const [statements, results] = [error.detail?.['statement'], error.detail?.['results']].map((n) => Number(n ?? 0));
    this.#update((view) => {
      const counted = this.#withUnlisted(this.#withAllEnded(view), { statements: statements!, results: results! });
      return { ...withMessage(counted, messageOf(error, sql, base)), shown: 'messages' };
    });
  }

  #with(view: QueryView, event: QueryEvent): QueryView {
    switch (event.kind) {
      case 'result':
        return this.#withResult(this.#withoutFormer(view), event);
      case 'rows':
        return this.#patched(view, event.statement, (result) => grown(result, event.rows, false));
      case 'done':
        return this.#withEnd(this.#withoutFormer(view), event);
      case 'progress':
        return view.running ? { ...view, running: { ...view.running, progress: event.progress } } : view;
    }
  }

  #withResult(view: QueryView, { statement, from, sql, reader, reads }: Began): QueryView {
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
      isKept: false,
      arrangement: PLAIN_ARRANGEMENT,
      ...carriedOver(sql, source.columns, this.#former),
    };
    const next = { ...view, results: [...view.results, result] };
    const isFirst = this.#resultOfStatement.size === 1;
    return { ...next, shown: isFirst && !isComparing(next) ? id : view.shown };
  }

  #withEnd(view: QueryView, { statement, from, to, rows, rowsChanged, timeMs }: Ended): QueryView {
    this.#listed++;
    const ended = this.#patched(view, statement, (result) => ({
      ...grown(result, rows ?? result.rows, true),
      timeMs,
      ended: true,
    }));
    const said = [
      rows !== null && plural(rows, 'row'),
      rowsChanged !== null && `${plural(rowsChanged, 'row')} changed`,
    ].filter(Boolean);
    const { sql, base } = this.#request;
    return withMessage(ended, {
      tone: 'success',
      text: said.join(', ') || 'Done',
      sql: shortSql(sql.slice(from, to)),
      timeMs,
      offset: base + from,
    });
  }

  /** Results of the previous run stay visible until this one has something to show. */
  #withoutFormer(view: QueryView): QueryView {
    if (this.#hasReplaced) return view;
    this.#hasReplaced = true;
    this.#former = ofLastRun(view.results);
    for (const { source } of this.#former) source.close();
    return { ...view, results: view.results.filter(({ isKept }) => isKept), messages: [], plan: null };
  }

  #withAllEnded(view: QueryView): QueryView {
    const own = this.#withoutFormer(view);
    return { ...own, results: own.results.map((result) => ({ ...result, ended: true })) };
  }

  /** Says how many statements ran that are not listed. */
  #withUnlisted(view: QueryView, { statements, results }: Pick<QueryReply, 'statements' | 'results'>): QueryView {
    const unlisted = statements - this.#listed;
    if (unlisted <= 0) return view;
    const ran = `${formatCount(unlisted)} more ${unlisted === 1 ? 'statement ran and is' : 'statements ran and are'} not listed.`;
    const kept = `Only the first ${RUN_LIMITS.results} of ${formatCount(results)} results were kept.`;
    const text = results > RUN_LIMITS.results ? `${ran} ${kept}` : ran;
    return withMessage(view, { tone: 'info', text, sql: '', timeMs: null, offset: null });
  }

  #patched(view: QueryView, statement: number, change: (result: QueryResult) => QueryResult): QueryView {
    const id = this.#resultOfStatement.get(statement);
    if (id === undefined) return view;
    return { ...view, results: view.results.map((result) => (result.id === id ? change(result) : result)) };
  }

  #update(change: (view: QueryView) => QueryView): void {
    this.#request.update(change);
  }
}

/** A comparison continues with the first result of the next run. */
const isComparing = (view: QueryView): boolean => view.shown === 'comparison' && comparedOf(view) !== null;

function grown(result: QueryResult, rows: number, exact: boolean): QueryResult {
  result.source.grow({ rows, exact });
  return { ...result, rows };
}

function summaryOf({ statements, rowsChanged, timeMs }: QueryReply): Omit<Message, 'id'> {
  if (statements === 0)
    return { tone: 'info', text: 'There is no statement to run.', sql: '', timeMs: null, offset: null };
  const changed = rowsChanged > 0 ? `, ${plural(rowsChanged, 'row')} changed` : '';
  return { tone: 'success', text: `${plural(statements, 'statement')}${changed}`, sql: '', timeMs, offset: null };
}
