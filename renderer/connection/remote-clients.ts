// The clients of remote databases: one for each, because each is served by a process of its own.
import { sameSlot, slotOfReader, slotOfWork } from '#shared/protocol/index.ts';
import type { DatabaseId, ReaderId, Work } from '#shared/protocol/index.ts';
import { connectRemote } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import type { WindowIdentity } from './reconnecting-client.ts';

export interface RemoteClient {
  readonly database: DatabaseId;
  readonly client: ReconnectingClient;
  /** Whether this process runs the work. */
  owns(work: Pick<Work, 'id'>): boolean;
}

type Follow = (remote: RemoteClient) => (() => void) | void;

export class RemoteClients {
  readonly #identify: () => Promise<WindowIdentity>;
  readonly #all = new Map<DatabaseId, RemoteClient>();
  readonly #slots = new Map<DatabaseId, number>();
  /** Functions that are called with each client, and the functions that end this. */
  readonly #follows = new Map<Follow, (() => void)[]>();

  constructor(identify: () => Promise<WindowIdentity>) {
    this.#identify = identify;
  }

  /** Client of a remote database; created with the first request, which waits until main has sent the ports. */
  of(database: DatabaseId): ReconnectingClient {
    return (this.#all.get(database) ?? this.#add(database)).client;
  }

  get all(): readonly RemoteClient[] {
    return [...this.#all.values()];
  }

  /** Null for a client that is not of a remote database. */
  databaseOf(client: ReconnectingClient): DatabaseId | null {
    return this.all.find((remote) => remote.client === client)?.database ?? null;
  }

  ofReader(reader: ReaderId): ReconnectingClient | null {
    return this.#ofSlot(slotOfReader(reader))?.client ?? null;
  }

  ofWork(work: Pick<Work, 'id'>): ReconnectingClient | null {
    return this.#ofSlot(slotOfWork(work.id))?.client ?? null;
  }

  async show(databases: readonly DatabaseId[]): Promise<void> {
    const shown = new Set(databases);
    await Promise.all(this.all.map(({ database, client }) => client.show(shown.has(database) ? [database] : [])));
  }

  /** Calls `follow` with each client, including clients that are created later. Returns a function that ends this. */
  followAll(follow: Follow): () => void {
    const ends = this.all.flatMap((remote) => follow(remote) ?? []);
    this.#follows.set(follow, ends);
    return () => {
      this.#follows.delete(follow);
      for (const end of ends) end();
    };
  }

  #add(database: DatabaseId): RemoteClient {
    const connect: ConstructorParameters<typeof ReconnectingClient>[0] = (onPorts) =>
      connectRemote(database, (ports, slot) => {
        this.#slots.set(database, slot);
        onPorts(ports);
      });
    const remote: RemoteClient = {
      database,
      client: new ReconnectingClient(connect, this.#identify),
      owns: (work) => this.#ofSlot(slotOfWork(work.id)) === remote,
    };
    this.#all.set(database, remote);
    for (const [follow, ends] of this.#follows) {
      const end = follow(remote);
      if (end) ends.push(end);
    }
    return remote;
  }

  #ofSlot(slot: number | null): RemoteClient | null {
    if (slot === null) return null;
    const known = [...this.#slots].find(([, each]) => sameSlot(each, slot));
    return known ? (this.#all.get(known[0]) ?? null) : null;
  }
}
