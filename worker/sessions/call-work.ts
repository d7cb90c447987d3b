// Work on a database for a request of a window: in its name, and ended by its cancel and by Stop in it.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { OperationSession, WorkKind, WorkRequest } from './session.ts';

type Call = Pick<CallContext<never, OperationSession>, 'session' | 'id' | 'onCancel'>;

/** The title, or more about the work. */
type Work = string | Omit<WorkRequest<unknown>, 'window' | 'kind' | 'call' | 'onCancel' | 'body'>;

/** Runs `body` as a read when its turn comes. @throws AppError `not-found` when the window has not opened the database */
export function reading<T>(call: Call, database: DatabaseId, work: Work, body: WorkRequest<T>['body']): Promise<T> {
  return enqueue('read', call, database, work, body);
}

/** Runs `body` as a write when its turn comes. @throws as {@link reading} */
export function writing<T>(call: Call, database: DatabaseId, work: Work, body: WorkRequest<T>['body']): Promise<T> {
  return enqueue('write', call, database, work, body);
}

function enqueue<T>(
  kind: WorkKind,
  { session, id, onCancel }: Call,
  database: DatabaseId,
  work: Work,
  body: WorkRequest<T>['body'],
): Promise<T> {
  const more = typeof work === 'string' ? { title: work } : work;
  return session.database(database).enqueue({ window: session.window, kind, call: id, onCancel, ...more, body });
}
