// Times of one text on both engines: a first run, then warm ones in turn, until there are enough or it has taken long enough.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { PaintProbe } from '../../grid/paint/paint-probe.ts';
import type { Both, EngineKind } from '../../workbench/databases/comparison-sides.ts';

/** The parts of a run, in milliseconds. */
export interface RunTimes {
  readonly engine: number;
  /** The request, transferring the first rows, and everything in between. */
  readonly transport: number;
  readonly paint: number;
}

export interface Timing {
  /** Time in the engine, for the run whose rows are shown. */
  readonly first: Both<number | null>;
  readonly warm: Both<readonly RunTimes[]>;
  readonly state: 'waiting' | 'running' | 'done' | 'stopped';
  readonly estimateMs: number;
  readonly why: string | null;
}

export const LEAST_RUNS = 5;
const MOST_RUNS = 21;
/** Once there are enough runs, no new one begins after this. */
const ENOUGH_MS = 1500;
/** Past this, five runs take too long to wait for. */
const LIMIT_MS = 60_000;
/** Anything shorter is timed without asking. */
export const UNASKED_MS = 2500;

/** @param report called for each round: A B, then B A, and so on */
export async function timeBoth(
  databases: Both<DatabaseId>,
  sql: string,
  signal: AbortSignal,
  report: (warm: Both<readonly RunTimes[]>) => void,
): Promise<void> {
  const probe = new PaintProbe();
  const warm: Record<EngineKind, RunTimes[]> = { wasm: [], native: [] };
  const began = performance.now();
  for (let round = 0; round < MOST_RUNS; round++) {
    const order: readonly EngineKind[] = round % 2 === 0 ? ['wasm', 'native'] : ['native', 'wasm'];
    for (const engine of order) warm[engine].push(await timeOne(databases[engine], sql, signal, probe));
    report({ wasm: [...warm.wasm], native: [...warm.native] });
    const tookMs = performance.now() - began;
    if ((round + 1 >= LEAST_RUNS && tookMs > ENOUGH_MS) || tookMs > LIMIT_MS) return;
  }
}

async function timeOne(database: DatabaseId, sql: string, signal: AbortSignal, probe: PaintProbe): Promise<RunTimes> {
  const began = performance.now();
  const { engineMs, rows } = await client.call('compare.time', { database, sql }, { signal });
  const transport = Math.max(0, performance.now() - began - engineMs);
  return { engine: engineMs, transport, paint: probe.paint(rows) };
}
