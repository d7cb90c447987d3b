// One comparison: the same text on both sides, paired statement by statement.
import { compareDigests, differingRows, rowsOnlyHere, type OnlyHere } from '#shared/comparison/differences.ts';
import { toAppError, type ComparedResult, type DatabaseId, type EngineFacts } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { ResultSource } from '../../workbench/rows/result-source.ts';
import { LinkedGrids } from './linked-grids.ts';
import { columnDifferences } from './column-differences.ts';
import type { Comparison, Outcome, RowsComparison, SideRun, StatementPair } from './compare-view.ts';
import { forBoth, SIDE_OF } from './sides.ts';
import type { Both, EngineKind, Side, Sides } from '../../workbench/databases/comparison-sides.ts';
import { comparisonCopiesOf, type PrepareOptions } from '../../workbench/databases/comparison-copies.ts';

/** Number of pages whose rows are checked one by one: a hundred thousand rows. */
const MAX_PAGES = 400;
const MAX_FOUND = 20_000;
/** If another connection writes in the meantime, the comparison is repeated. */
const TRIES = 3;

let lastId = 0;

interface CompareRequest {
  readonly database: DatabaseId;
  readonly sql: string;
  /** Where `sql` begins in the text of the editor. */
  readonly offset: number;
}

/** @throws AppError `stopped`, `invalid`, and errors that prevent the own side from running at all */
export async function runComparison(request: CompareRequest, options: PrepareOptions): Promise<Comparison> {
  for (let tries = 1; ; tries++) {
    const sides = await comparisonCopiesOf(request.database).prepare(options);
    const runs = await forBoth((engine) => runSide(sides[engine], engine, request.sql, options));
    const settled = isSettled(sides, runs);
    if (!settled && tries < TRIES) {
      closeRuns(runs);
      continue;
    }
    return set(request, sides, runs, settled);
  }
}

export function closeComparison({ pairs }: Comparison): void {
  for (const pair of pairs)
    for (const outcome of [pair.wasm, pair.native]) if (outcome.kind === 'ran') outcome.source?.close();
}

async function runSide(
  side: Side,
  engine: EngineKind,
  sql: string,
  { signal, onPhase, onProgress }: PrepareOptions,
): Promise<SideRun> {
  if ('why' in side) return { kind: 'missing', why: side.why };
  onPhase(`Running on ${engine}`);
  try {
    const { database } = side;
    const reply = await client.call('compare.run', { database, sql }, { signal, onChunk: onProgress });
    return { kind: 'ran', reply };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'disconnected' && side.isComparisonCopy === false) throw error;
    if (error.code === 'stopped' || error.code === 'invalid') throw error;
    return { kind: 'missing', why: error.code === 'disconnected' ? ENDED : error.message };
  }
}

const ENDED = 'This engine ended while it ran the SQL, and was restarted. Committed changes are safe. Compare again.';

/** Whether both sides ran on the same data. */
function isSettled(sides: Sides, runs: Both<SideRun>): boolean {
  return (['wasm', 'native'] as const).every((engine) => {
    const [side, run] = [sides[engine], runs[engine]];
    if (run.kind === 'missing' || 'why' in side) return true;
    return side.isComparisonCopy ? run.reply.mark !== null : run.reply.mark === sides.mark;
  });
}

function closeRuns(runs: Both<SideRun>): void {
  for (const run of [runs.wasm, runs.native]) {
    if (run.kind === 'missing') continue;
    for (const { result } of run.reply.statements)
      if (result) client.call('rows.close', { reader: result.reader.reader }).catch(() => undefined);
  }
}

async function set(
  { sql, offset }: CompareRequest,
  sides: Sides,
  runs: Both<SideRun>,
  settled: boolean,
): Promise<Comparison> {
  const outcomes = { wasm: outcomesOf(sides.wasm, runs.wasm), native: outcomesOf(sides.native, runs.native) };
  const count = Math.max(outcomes.wasm.length, outcomes.native.length);
  const pairs: StatementPair[] = [];
  for (let index = 0; index < count; index++) {
    const pair = { wasm: outcomes.wasm[index] ?? NOT_RUN, native: outcomes.native[index] ?? NOT_RUN };
    const { from, to } = placeOf(runs, index);
    pairs.push({
      ...pair,
      sql: sql.slice(from, to),
      offset: offset + from,
      ...(await rowsOf(pair)),
    });
  }
  const facts = await forBoth((engine) => factsOf(sides[engine]));
  const wrote = [runs.wasm, runs.native].some((run) => run.kind === 'ran' && run.reply.wrote);
  const { mark, committedOnly } = sides;
  return {
    id: ++lastId,
    sql,
    runs,
    pairs,
    facts,
    timed: timedOf(sides, runs),
    mark,
    wrote,
    committedOnly,
    unsettled: !settled,
  };
}

/** Databases on which it can be timed: on both sides, or not at all. */
function timedOf({ wasm, native }: Sides, runs: Both<SideRun>): Both<DatabaseId> | null {
  if ('why' in wasm || 'why' in native) return null;
  const ranThrough = (run: SideRun): boolean =>
    run.kind === 'ran' && run.reply.statements.every(({ error }) => error === null);
  return ranThrough(runs.wasm) && ranThrough(runs.native) ? { wasm: wasm.database, native: native.database } : null;
}

const NOT_RUN: Outcome = { kind: 'not-run' };

function outcomesOf(side: Side, run: SideRun): readonly Outcome[] {
  if (run.kind === 'missing' || 'why' in side) return [];
  return run.reply.statements.map((statement): Outcome => {
    if (statement.error) return { kind: 'failed', error: statement.error };
    const source = statement.result && new ResultSource(side.database, statement.result.reader);
    return { kind: 'ran', statement, source };
  });
}

function placeOf(runs: Both<SideRun>, index: number): { readonly from: number; readonly to: number } {
  for (const run of [runs.wasm, runs.native]) {
    if (run.kind === 'missing') continue;
    const position = run.reply.statements[index];
    if (position) return position;
  }
  return { from: 0, to: 0 };
}

async function factsOf(side: Side): Promise<EngineFacts | null> {
  if ('why' in side) return null;
  return client.call('compare.facts', { database: side.database }).catch(() => null);
}

async function rowsOf(pair: Both<Outcome>): Promise<Pick<StatementPair, 'rows' | 'grids'>> {
  const [wasm, native] = [resultOf(pair.wasm), resultOf(pair.native)];
  if (!wasm || !native) return { rows: null, grids: null };
  const rows = await compareRows({ wasm, native });
  const only = rows.only && { left: new Set(rows.only.left), right: new Set(rows.only.right) };
  const grids = new LinkedGrids({
    isElsewhere: (side, row) => rows.verdict === 'order' || (only !== null && !only[side].has(row)),
    rows: { [SIDE_OF.wasm]: wasm.rows, [SIDE_OF.native]: native.rows } as Record<'left' | 'right', number>,
  });
  return { rows, grids };
}

const resultOf = (outcome: Outcome): ComparedResult | null =>
  outcome.kind === 'ran' ? outcome.statement.result : null;

async function compareRows(results: Both<ComparedResult>): Promise<RowsComparison> {
  const { wasm, native } = results;
  const compared = compareDigests(wasm, native);
  const columns = columnDifferences(wasm.reader.columns, native.reader.columns);
  const pages = compared.pages.slice(0, MAX_PAGES);
  const all = pages.length === compared.pages.length;
  if (compared.verdict === 'identical')
    return { ...compared, columns, positions: [], all, only: { left: [], right: [] } };
  const hashes = await forBoth((engine) =>
    client.call('compare.hashes', { reader: results[engine].reader.reader, pages }),
  );
  const positions = differingRows(
    pages,
    { hashes: hashes.wasm, rows: wasm.rows },
    { hashes: hashes.native, rows: native.rows },
  );
  return { ...compared, columns, positions, all, only: await onlyHere(results, compared.buckets) };
}

async function onlyHere(results: Both<ComparedResult>, buckets: readonly number[]): Promise<OnlyHere | null> {
  if (buckets.length === 0) return { left: [], right: [] };
  const found = await forBoth((engine) =>
    client.call('compare.find', { reader: results[engine].reader.reader, buckets, limit: MAX_FOUND }),
  );
  return found.wasm.complete && found.native.complete ? rowsOnlyHere(found.wasm, found.native) : null;
}
