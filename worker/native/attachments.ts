// The files that windows attach to files in place, as long as this process runs: a connection that was closed to save memory gets them again.
// Each is watched while it is attached: what others commit to it may change the result of a query.
import { MOST_ATTACHED, problemOfAttachedName } from '#shared/attached-files.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { AttachedState } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from '../sessions/clock.ts';
import { FileWatch } from './file-watch.ts';

interface Attachment extends AttachedState {
  readonly path: string;
}

interface AttachmentsContext {
  readonly clock: Clock;
  readonly fileOf: (file: DatabaseId) => Pick<Attachment, 'fileName' | 'path'>;
  /** Something was committed to a file that is attached to the database; `schema`: its tables may be others now. */
  readonly changed: (database: DatabaseId, schema: boolean) => void;
}

/** The open connection of a database, and the watches on the files that are attached to it. */
interface Watched {
  readonly connection: Connection;
  readonly watches: readonly FileWatch[];
}

export class Attachments {
  readonly #context: AttachmentsContext;
  readonly #all = new Map<DatabaseId, readonly Attachment[]>();
  readonly #watched = new Map<DatabaseId, Watched>();

  constructor(context: AttachmentsContext) {
    this.#context = context;
  }

  of(database: DatabaseId): readonly AttachedState[] {
    return this.#of(database).map(({ name, file, fileName, why }) => ({ name, file, fileName, why }));
  }

  /** Call with each connection that is opened. A file that cannot be attached now is noted. Returns whether one can that could not, or the other way around. */
  attachAll(database: DatabaseId, connection: Connection): boolean {
    const before = this.#of(database);
    const after = before.map((attachment) => ({ ...attachment, why: whyNot(connection, attachment) }));
    if (after.length > 0) this.#all.set(database, after);
    this.#watched.set(database, { connection, watches: [] });
    this.#watch(database);
    return after.some(({ why }, at) => (why === null) !== (before[at]!.why === null));
  }

  /** Call before the connection is closed. */
  end(database: DatabaseId): void {
    for (const watch of this.#watched.get(database)?.watches ?? []) watch.end();
    this.#watched.delete(database);
  }

  /** Call outside of transactions. One that was noted as not attached is tried again. @throws AppError */
  add(database: DatabaseId, connection: Connection, name: string, file: DatabaseId): void {
    const all = this.#of(database);
    const others = all.filter((other) => other.file !== file);
    if (all.find((other) => other.file === file)?.why === null) return;
    const taken = others.map((other) => other.name);
    const problem = problemOfAttachedName(name, taken);
    if (problem !== null) throw AppError.invalid(problem);
    if (others.length >= MOST_ATTACHED)
      throw AppError.unavailable(`At most ${MOST_ATTACHED} files can be attached. Detach one of them first.`);
    const { fileName, path } = this.#context.fileOf(file);
    connection.attach!({ name, location: path, isWritable: false });
    this.#all.set(database, [...others, { name, file, fileName, path, why: null }]);
    this.#watch(database);
  }

  /** Call outside of transactions. @throws AppError */
  remove(database: DatabaseId, connection: Connection, name: string): void {
    const all = this.#of(database);
    const found = all.find((attachment) => attachment.name === name);
    if (!found) return;
    if (found.why === null) connection.detach!(name);
    this.#all.set(
      database,
      all.filter((attachment) => attachment !== found),
    );
    this.#watch(database);
  }

  /** Watches what is attached now. What happened to it before counts as a change: the connection may have been closed in between. */
  #watch(database: DatabaseId): void {
    const watched = this.#watched.get(database);
    if (!watched) return;
    const { connection, watches: before } = watched;
    const { clock, changed } = this.#context;
    for (const watch of before) watch.end();
    const events = { changed: (schema: boolean) => changed(database, schema), held: () => undefined };
    const watches = this.#of(database)
      .filter(({ why }) => why === null)
      .map(({ name, path }) => new FileWatch(path, connection, clock, events, name));
    this.#watched.set(database, { connection, watches });
    // Later, because the connection may be about to be opened.
    if (before.length + watches.length > 0) clock.after(0, () => changed(database, true));
  }

  #of(database: DatabaseId): readonly Attachment[] {
    return this.#all.get(database) ?? [];
  }
}

function whyNot(connection: Connection, { name, path }: Attachment): string | null {
  try {
    connection.attach!({ name, location: path, isWritable: false });
    return null;
  } catch (thrown) {
    return toErrorData(thrown).message;
  }
}
