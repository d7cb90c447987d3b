// The files that windows attach to files in place, as long as this process runs: a connection that was closed to save memory gets them again.
import { MOST_ATTACHED, problemOfAttachedName } from '#shared/attached-files.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { AttachedState } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';

interface Attachment extends AttachedState {
  readonly path: string;
}

export class Attachments {
  readonly #fileOf: (file: DatabaseId) => Pick<Attachment, 'fileName' | 'path'>;
  readonly #all = new Map<DatabaseId, readonly Attachment[]>();

  constructor(fileOf: (file: DatabaseId) => Pick<Attachment, 'fileName' | 'path'>) {
    this.#fileOf = fileOf;
  }

  of(database: DatabaseId): readonly AttachedState[] {
    return this.#of(database).map(({ name, file, fileName, why }) => ({ name, file, fileName, why }));
  }

  /** Call with each connection that is opened. A file that cannot be attached now is noted. Returns whether one can that could not, or the other way around. */
  attachAll(database: DatabaseId, connection: Connection): boolean {
    const before = this.#of(database);
    const after = before.map((attachment) => ({ ...attachment, why: whyNot(connection, attachment) }));
    if (after.length > 0) this.#all.set(database, after);
    return after.some(({ why }, at) => (why === null) !== (before[at]!.why === null));
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
    const { fileName, path } = this.#fileOf(file);
    connection.attach!({ name, location: path, isWritable: false });
    this.#all.set(database, [...others, { name, file, fileName, path, why: null }]);
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
