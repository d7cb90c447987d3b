// SQLite's callbacks for one connection.
import type { ChangeWatch } from './changes/change-watch.ts';
import type { HookTarget } from './runtime/hooks.ts';
import type { Pointer } from './runtime/raw.ts';
import type { Authorizer } from './statements/authorizer.ts';
import type { DatabaseFile } from './storage/database-file.ts';

export class HookHandlers implements HookTarget {
  /** See {@link Connection.onProgress}. */
  progressHandler: (() => boolean) | null = null;
  readonly #watch: ChangeWatch;
  readonly #authorizer: Authorizer;
  readonly #file: DatabaseFile;

  constructor(watch: ChangeWatch, authorizer: Authorizer, file: DatabaseFile) {
    this.#watch = watch;
    this.#authorizer = authorizer;
    this.#file = file;
  }

  row(operation: number, schema: Pointer, table: Pointer, oldRowid: bigint, newRowid: bigint): void {
    this.#watch.row(operation, schema, table, oldRowid, newRowid);
  }

  commit(): boolean {
    return this.#watch.commit();
  }

  rollback(): void {
    this.#watch.rollback();
    this.#file.log?.rolledBack();
  }

  authorize(action: number, first: Pointer, second: Pointer, schema: Pointer): number {
    return this.#authorizer.decide(action, first, second, schema);
  }

  progress(): boolean {
    try {
      return this.progressHandler?.() === true;
    } catch {
      // An exception must not unwind SQLite's own frames.
      return true;
    }
  }
}
