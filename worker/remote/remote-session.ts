// The session that handlers receive for a window that works with a database on a server.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { InPlaceSession, type InPlaceContext } from '../native/in-place-session.ts';
import type { ClientWindow } from '../sessions/window-session.ts';
import type { EditUndo } from './edit-undo.ts';
import type { WritePermission } from './write-permission.ts';

export interface RemoteContext extends InPlaceContext {
  readonly permission: WritePermission;
  readonly undo: EditUndo;
  /** Name of the connection. */
  readonly nameOf: () => string;
  readonly shows: (window: ClientWindow, isShown: boolean) => void;
}

export class RemoteSession extends InPlaceSession {
  readonly #remote: RemoteContext;

  constructor(window: ClientWindow, context: RemoteContext) {
    super(window, context);
    this.#remote = context;
  }

  get undo(): EditUndo {
    return this.#remote.undo;
  }

  get asksBeforeWriting(): boolean {
    return this.#remote.permission.isNeeded;
  }

  /** @throws AppError `refused` where the user must be asked first */
  assertMayWrite(): void {
    this.#remote.permission.assert(this.#remote.nameOf());
  }

  /** Returns a function to be called when the work has ended. @throws as {@link assertMayWrite} */
  beginWriting(): () => void {
    this.assertMayWrite();
    return this.#remote.permission.begin();
  }

  /** Permits a change that is rolled back. Returns a function to call when the work has ended. */
  beginTrying(): () => void {
    return this.#remote.permission.begin();
  }

  allowWriting(untilMs: number): void {
    this.#remote.permission.allowUntil(untilMs);
  }

  override show(ids: readonly DatabaseId[]): Promise<void> {
    this.#remote.shows(this.window, ids.length > 0);
    return super.show(ids);
  }

  override end(): void {
    this.#remote.shows(this.window, false);
    super.end();
  }
}
