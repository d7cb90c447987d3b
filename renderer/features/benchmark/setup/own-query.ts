// The user's own query for a run: checked before anything is copied, then given to every engine with a copy of the database.
import type { OwnQuery } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { runJob } from '../../../workbench/jobs.ts';

/** @throws AppError `invalid` with what is wrong with the SQL, `too-big` */
export async function ownQuery(database: string, sql: string): Promise<OwnQuery> {
  const statements = await client.call('query.split', { database, sql });
  if (statements.length === 0) throw invalid('There is no statement in it, so there is nothing to measure.');
  const [problem] = await client.call('query.check', { database, sql });
  if (problem) throw invalid(`This SQL would fail on every engine: ${problem.message}`);
  const file = await runJob('Copying the database for the benchmark', (options) =>
    client.call('benchmark.databaseFile', { database }, options),
  );
  return { sql, file };
}

const invalid = (message: string): AppError => new AppError({ code: 'invalid', message });
