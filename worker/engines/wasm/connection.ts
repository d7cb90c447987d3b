// One open database: the order in which it is opened, its statements and its file.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, OpenOptions } from '../engine.ts';
import type { SahFilePool } from './file-pool.ts';
import type { Sqlite } from './load.ts';

export function openConnection(_sqlite: Sqlite, _pool: SahFilePool | null, location: string, _options: OpenOptions): Connection {
  throw new AppError({ code: 'unavailable', message: `${location} can not be opened yet.` });
}
