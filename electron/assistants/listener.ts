// The socket on which running `sidelite mcp` processes reach the app. Any program of the same user can connect: so everything that comes in is
// bounded, nothing that is sent is run here, and a proposal is only shown to a person.
import { chmod } from 'node:fs';
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { linesOf } from '../command/mcp/lines.ts';
import { PRIVATE_FILE } from '../files/file-access.ts';
import type { Assistants } from './assistants.ts';
import { MOST_MESSAGE_BYTES, MOST_WAIT_MS, publishAddress, requestIn } from './protocol.ts';
import type { FromApp, LinkReply, LinkRequest } from './protocol.ts';

const MOST_CONNECTIONS = 16;
/** A connection reads no further requests until one of these is answered. */
const MOST_PENDING = 32;
const HELLO_TIMEOUT_MS = 5000;

export class AssistantListener {
  readonly #assistants: Assistants;
  readonly #profile: string;
  readonly #log: (line: string) => void;
  readonly #sockets = new Map<Socket, number | null>();
  #server: Server | null = null;
  #secret = '';
  #remove: () => void = () => undefined;

  constructor(assistants: Assistants, profile: string, log: (line: string) => void) {
    this.#assistants = assistants;
    this.#profile = profile;
    this.#log = log;
  }

  /** Does nothing if it listens already. Where no socket can be made, the log says why, and assistants are served as without the app. */
  start(): void {
    if (this.#server !== null) return;
    try {
      const { address, remove } = publishAddress(this.#profile);
      [this.#secret, this.#remove] = [address.secret, remove];
      const server = createServer((socket) => void this.#serve(socket));
      this.#server = server;
      server.maxConnections = MOST_CONNECTIONS;
      server.on('error', (error) => {
        this.#log(`assistants cannot reach the app: ${error.message}`);
        this.stop();
      });
      // Its folder belongs to this user alone from the beginning, so nothing is lost if this fails, as it does for a pipe of Windows.
      server.listen(address.path, () => chmod(address.path, PRIVATE_FILE, () => undefined));
    } catch (error) {
      this.#log(`assistants cannot reach the app: ${String(error)}`);
      this.stop();
    }
  }

  /** Ends all connections. */
  stop(): void {
    const server = this.#server;
    this.#server = null;
    server?.close();
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#remove();
    this.#remove = () => undefined;
  }

  /** Tells the process that it has no more to ask, after what it still waits for, and hears nothing more from it. */
  end(session: number): void {
    this.#assistants.end(session);
    for (const [socket, of] of this.#sockets)
      if (of === session) setImmediate(() => socket.end(lineOf({ ended: true }), () => socket.destroy()));
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.set(socket, null);
    const late = setTimeout(() => socket.destroy(), HELLO_TIMEOUT_MS);
    // The loop over its lines ends then, too.
    socket.on('error', () => socket.destroy());
    const pending = new Set<Promise<void>>();
    try {
      for await (const line of linesOf(socket as AsyncIterable<Uint8Array>, MOST_MESSAGE_BYTES)) {
        const request = requestIn(line);
        const session = this.#sockets.get(socket) ?? null;
        if (request === null || (session === null) !== (request.ask === 'hello')) break;
        if (request.ask === 'hello') {
          if (!this.#isSecret(request.secret)) break;
          clearTimeout(late);
          this.#sockets.set(socket, this.#assistants.begin(request.client, request.files));
          await sent(socket, { id: request.id });
          continue;
        }
        const answer = this.#replyTo(session!, request).then((reply) => sent(socket, { id: request.id, ...reply }));
        pending.add(answer);
        void answer.finally(() => pending.delete(answer));
        while (pending.size >= MOST_PENDING) await Promise.race(pending);
      }
    } catch {
      // The other end has gone.
    } finally {
      clearTimeout(late);
      socket.destroy();
      const session = this.#sockets.get(socket) ?? null;
      this.#sockets.delete(socket);
      if (session !== null) this.#assistants.end(session);
    }
  }

  async #replyTo(session: number, request: Exclude<LinkRequest, { ask: 'hello' }>): Promise<Partial<LinkReply>> {
    switch (request.ask) {
      case 'called':
        this.#assistants.noteCalls(session, request.tool, request.times);
        return {};
      case 'propose': {
        const { file: path, sql, reason } = request;
        return this.#assistants.propose(session, { path, sql, reason }) ?? {};
      }
      case 'decision': {
        const state = await this.#decided(session, request.proposal, Math.min(request.waitMs, MOST_WAIT_MS));
        return state === null ? {} : { state };
      }
      case 'withdraw':
        this.#assistants.withdraw(session, request.proposal);
        return {};
    }
  }

  /** Resolves when a person has decided, or after that time with what is so then. */
  #decided(session: number, proposal: string, waitMs: number): Promise<string | null> {
    const now = (): string | null => this.#assistants.stateOf(session, proposal);
    const isOpen = (): boolean => ['waiting', 'keeping'].includes(now() ?? '');
    if (!isOpen()) return Promise.resolve(now());
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        off();
        resolve(now());
      };
      const timer = setTimeout(settle, waitMs);
      const off = this.#assistants.onChange(() => isOpen() || settle());
    });
  }

  #isSecret(given: string): boolean {
    const [one, other] = [Buffer.from(given), Buffer.from(this.#secret)];
    return one.length === other.length && timingSafeEqual(one, other);
  }
}

const lineOf = (reply: FromApp): string => `${JSON.stringify(reply)}\n`;

/** A client that does not read its replies waits for itself. */
const sent = (socket: Socket, reply: LinkReply): Promise<void> =>
  new Promise((resolve) => {
    if (socket.writable) socket.write(lineOf(reply), () => resolve());
    else resolve();
  });
