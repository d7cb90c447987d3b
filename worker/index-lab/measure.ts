// The time of a statement without and with an index, and the size of that, in a private copy of a database.
import type { IndexMeasurement } from '#shared/protocol/index-lab.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Connection, Script } from '../engines/engine.ts';
import { readIndexSql } from './index-parts.ts';

/** The first run is not counted: it fills the page cache. */
const RUNS = 5;
/** A slow statement is run less often. */
const ENOUGH_MS = 2000;
/** A browser's clock resolves tenths of a millisecond: faster statements are run several times for one measurement. */
const MEASURABLE_MS = 10;
const SHORTEST_MS = 0.01;
const MOST_TIMES = 1000;

interface Measured {
  readonly sql: string;
  readonly parameters: ParameterValues;
  readonly index: string;
}

/** Yields the name of the next step before each; the caller may pause there. @throws AppError `sql`, `stopped` */
export function* measureIndex(
  connection: Connection,
  { sql, parameters, index }: Measured,
): Generator<string, IndexMeasurement> {
  const { name, sql: create } = readIndexSql(index);
  yield 'Running without the index';
  const beforeMs = yield* timesOf(connection, sql, parameters);
  yield 'Building the index';
  const buildMs = timed(() => connection.run(create));
  yield 'Running with the index';
  const afterMs = yield* timesOf(connection, sql, parameters);
  const [bytes] = connection.one(
    "SELECT sum(pgsize) FROM temp.dbstat WHERE schema = 'main' AND name = ? AND aggregate = 1",
    [name],
  )!;
  return { beforeMs, afterMs, buildMs, bytes: Number(bytes) };
}

function* timesOf(
  connection: Connection,
  sql: string,
  parameters: ParameterValues,
): Generator<string, readonly number[]> {
  const { ms: firstMs } = runTimes(connection, { sql, parameters, times: 1 });
  if (firstMs > ENOUGH_MS) return [firstMs];
  const times = Math.min(MOST_TIMES, Math.max(1, Math.ceil(MEASURABLE_MS / Math.max(firstMs, SHORTEST_MS))));
  const samples: number[] = [];
  let spentMs = firstMs;
  for (let run = 0; run < RUNS && spentMs <= ENOUGH_MS; run++) {
    yield 'Running';
    const { ms, count } = runTimes(connection, { sql, parameters, times });
    spentMs += ms;
    samples.push(ms / count);
  }
  return samples;
}

interface Runs {
  readonly sql: string;
  readonly parameters: ParameterValues;
  readonly times: number;
}

interface Ran {
  readonly count: number;
  /** Time that all of these runs took. */
  readonly ms: number;
}

/** Each time is measured to the last row. Writes are rolled back, so a writing statement runs only once. */
function runTimes(connection: Connection, { sql, parameters, times }: Runs): Ran {
  connection.run('BEGIN');
  let script: Script | null = null;
  try {
    script = connection.script(sql, parameters);
    const statement = script.next();
    if (statement === null) return { count: 1, ms: 0 };
    const count = statement.readonly ? times : 1;
    const ms = timed(() => {
      for (let run = 0; run < count; run++) {
        while (statement.step());
        if (run < count - 1) statement.reset();
      }
    });
    return { count, ms };
  } finally {
    script?.dispose();
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

function timed(body: () => void): number {
  const began = performance.now();
  body();
  return performance.now() - began;
}
