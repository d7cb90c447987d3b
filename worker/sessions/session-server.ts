// Serves windows over their ports: a session for each, events to all.
import type { Operations } from '#shared/protocol/index.ts';
import type { Events, HelloInfo } from '#shared/protocol/session.ts';
import { packedRowsTransfers } from '#shared/packed-rows/format.ts';
import type { Port } from '#shared/rpc/port.ts';
import { serve, type Handlers } from '#shared/rpc/server.ts';
import { ClientWindow } from './window-session.ts';

interface ServedSession {
  readonly window: ClientWindow;
  end(): void;
}

export class SessionServer<Session extends ServedSession> {
  readonly #handlers: Handlers<Operations, Session>;
  readonly #info: HelloInfo;
  readonly #begin: (window: ClientWindow) => Session;
  readonly #beforeReply: () => void;
  readonly #sessions = new Set<Session>();

  /** @param beforeReply called before each reply to any window: events it sends arrive before the reply does */
  constructor(
    handlers: Handlers<Operations, Session>,
    info: HelloInfo,
    begin: (window: ClientWindow) => Session,
    beforeReply: () => void = () => undefined,
  ) {
    this.#handlers = handlers;
    this.#info = info;
    this.#begin = begin;
    this.#beforeReply = beforeReply;
  }

  serve(windowId: string, port: Port): void {
    // A reloaded window can connect again before its old port is reported closed.
    for (const session of this.#sessions) if (session.window.windowId === windowId) this.#end(session);
    const window = new ClientWindow(windowId, (topic, value) => server.send(topic, value));
    const session = this.#begin(window);
    this.#sessions.add(session);
    const server = serve<Operations, Events, Session>(port, this.#handlers, {
      info: this.#info,
      session,
      transfers,
      beforeReply: this.#beforeReply,
      onClose: () => this.#end(session),
    });
  }

  /** Ends all sessions, which rolls back open transactions. */
  endAll(): void {
    for (const session of this.#sessions) this.#end(session);
  }

  broadcast<T extends keyof Events>(topic: T, value: Events[T]): void {
    for (const session of this.#sessions) session.window.send(topic, value);
  }

  #end(session: Session): void {
    if (this.#sessions.delete(session)) session.end();
  }
}

/** Pages of rows are transferred. All other values are small, or the worker keeps them. */
function transfers(value: unknown): readonly ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('page' in value) return transfers(value.page);
  if (!('rows' in value)) return [];
  const { rows } = value;
  return typeof rows === 'object' && rows !== null && 'slots' in rows ? packedRowsTransfers(rows as never) : [];
}
