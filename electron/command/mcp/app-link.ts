// The way from `sidelite mcp` to the running app, if there is one that listens: tells it what is called, and offers it what is proposed, which a
// person keeps or discards there. Without the app everything is answered as well.
import { realpathSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { MOST_MESSAGE_BYTES, messageIn, readAddress } from '../../assistants/protocol.ts';
import type { LinkReply, LinkRequest } from '../../assistants/protocol.ts';
import { jsonLine } from '../io.ts';
import { linesOf } from './lines.ts';

/** An app that hangs longer is one that is not there: the connection to it is ended. */
const REPLY_TIMEOUT_MS = 3000;
/** The app reads no further requests while it has 32 to answer. A call beyond these hears what is so at once. */
const MOST_WAITS = 24;

type Ask<T> = T extends unknown ? Omit<T, 'id'> : never;

/** What has become of a proposal, for the assistant. */
export interface Decision {
  readonly decision: string;
  readonly written: boolean | null;
  readonly note: string;
  readonly proposal?: string;
}

const NOTES: Readonly<Record<string, string>> = {
  waiting:
    'A person has been shown this in Sidelite, and has not decided yet. Nothing was written so far. The tool “decision” with this “proposal” waits again.',
  kept: 'A person has kept this in Sidelite. The rows that were written are those the database had then.',
  discarded: 'A person has discarded this in Sidelite. Nothing was written.',
  withdrawn: 'The proposal was taken back. Nothing was written.',
  closed: 'The database was closed in Sidelite before a person decided. Nothing was written.',
};
const UNKNOWN = 'Whether this was written is not known: read the rows before proposing it again.';

export class AppLink {
  readonly #profile: string;
  readonly #files: readonly string[];
  #client = '';
  #connecting: Promise<Socket | null> | null = null;
  #isEnded = false;
  #lastId = 0;
  readonly #asked = new Map<number, (reply: LinkReply | null) => void>();
  readonly #uncounted = new Map<string, number>();
  #isCounting = false;
  readonly #waits = new Set<{ readonly proposal: string }>();
  #hasLeft = false;

  /** @param files paths of all databases */
  constructor(profile: string, files: readonly string[]) {
    this.#profile = profile;
    this.#files = files;
  }

  /** A person has ended the connection in the app. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** @param client its name and version */
  introduce(client: string): void {
    this.#client = client.slice(0, 1000);
    void this.#connected();
  }

  called(tool: string): void {
    this.#uncounted.set(tool, (this.#uncounted.get(tool) ?? 0) + 1);
    void this.#count();
  }

  /** Waits for a person. Null: there is no app that has the file open. @param signal takes it back */
  async offer(
    { path, sql, reason }: { readonly path: string; readonly sql: string; readonly reason: string },
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Decision | { readonly note: string } | null> {
    if (this.#hasLeft) return null;
    const reply = await this.#ask({ ask: 'propose', file: realPath(path), sql, reason });
    if (reply?.refused !== undefined) return { note: reply.refused };
    const proposal = reply?.proposal;
    if (proposal === undefined) return null;
    const withdraw = (): void => void this.#ask({ ask: 'withdraw', proposal });
    if (signal.aborted || this.#hasLeft) withdraw();
    signal.addEventListener('abort', withdraw);
    const decision = await this.decision(proposal, waitMs);
    signal.removeEventListener('abort', withdraw);
    return decision;
  }

  /** Waits for a person. */
  async decision(proposal: string, waitMs: number): Promise<Decision> {
    const wait = { proposal };
    const mayWait = this.#waits.size < MOST_WAITS;
    this.#waits.add(wait);
    const reply = await this.#ask({ ask: 'decision', proposal, waitMs: mayWait ? waitMs : 0 });
    this.#waits.delete(wait);
    const state = reply?.state === 'keeping' ? 'waiting' : (reply?.state ?? 'unknown');
    const note = NOTES[state];
    if (note === undefined) return { decision: 'unknown', written: null, note: UNKNOWN };
    return { decision: state, written: state === 'kept', note, ...(state === 'waiting' && { proposal }) };
  }

  /** Nobody hears of decisions any longer: takes back what a person has not decided. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    const proposals = new Set(Array.from(this.#waits, ({ proposal }) => proposal));
    await Promise.all(Array.from(proposals, (proposal) => this.#ask({ ask: 'withdraw', proposal })));
  }

  async close(): Promise<void> {
    (await this.#connecting)?.destroy();
  }

  async #count(): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    for (const [tool, times] of this.#uncounted) {
      this.#uncounted.delete(tool);
      if ((await this.#ask({ ask: 'called', tool, times })) !== null) continue;
      // Told to the next app.
      this.#uncounted.set(tool, (this.#uncounted.get(tool) ?? 0) + times);
      break;
    }
    this.#isCounting = false;
  }

  /** Null: there is no app, or it has gone. */
  async #ask(request: Ask<LinkRequest>): Promise<LinkReply | null> {
    const socket = await this.#connected();
    return socket === null ? null : this.#send(socket, request);
  }

  #send(socket: Socket, request: Ask<LinkRequest>): Promise<LinkReply | null> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(null);
      const waitMs = request.ask === 'decision' ? request.waitMs : 0;
      // Nobody waits for the reply to a count, and the end of the connection would take back what a person is looking at.
      const late = request.ask === 'called' ? null : setTimeout(() => socket.destroy(), waitMs + REPLY_TIMEOUT_MS);
      this.#asked.set(id, (reply) => {
        if (late !== null) clearTimeout(late);
        resolve(reply);
      });
      socket.write(jsonLine({ id, ...request }));
    });
  }

  #connected(): Promise<Socket | null> {
    if (this.#isEnded) return Promise.resolve(null);
    return (this.#connecting ??= this.#connect().then((socket) => {
      if (socket === null) this.#connecting = null;
      return socket;
    }));
  }

  async #connect(): Promise<Socket | null> {
    const address = readAddress(this.#profile);
    if (address === null) return null;
    const socket = connect(address.path);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#gone());
    void this.#listen(socket);
    const { secret } = address;
    const hello = { ask: 'hello', secret, client: this.#client, files: this.#files.slice(0, 100) } as const;
    return (await this.#send(socket, hello)) === null ? null : socket;
  }

  async #listen(socket: Socket): Promise<void> {
    try {
      for await (const line of linesOf(socket as AsyncIterable<Uint8Array>, MOST_MESSAGE_BYTES)) {
        const message = messageIn(line);
        if (message === null) continue;
        if ('ended' in message) this.#isEnded = true;
        else {
          this.#asked.get(message.id)?.(message);
          this.#asked.delete(message.id);
        }
      }
    } catch {
      // It has gone.
    }
    socket.destroy();
  }

  #gone(): void {
    this.#connecting = null;
    for (const resolve of this.#asked.values()) resolve(null);
    this.#asked.clear();
  }
}

/** As the app knows it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
