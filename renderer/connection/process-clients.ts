// The clients of databases that a process of their own serves: one for each database on a server, and for each encrypted file.
import { sameSlot, slotOfReader, slotOfWork } from '#shared/protocol/index.ts';
import type { DatabaseId, ReaderId, Work } from '#shared/protocol/index.ts';
import { connectProcesses } from './connect.ts';
import type { HostPorts } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import type { WindowIdentity } from './reconnecting-client.ts';

export interface ProcessClient {
  readonly database: DatabaseId;
  readonly client: ReconnectingClient;
  /** Whether this process runs the work. */
  owns(work: Pick<Work, 'id'>): boolean;
}

type Follow = (process: ProcessClient) => (() => void) | void;

export class ProcessClients {
  readonly #identify: () => Promise<WindowIdentity>;
  readonly #all = new Map<DatabaseId, ProcessClient>();
  readonly #slots = new Map<DatabaseId, number>();
  /** Files of the native engine that have a process of their own for now. */
  readonly #apart = new Set<DatabaseId>();
  /** Functions that hand its ports to the client of a database. */
  readonly #receivers = new Map<DatabaseId, (ports: HostPorts) => void>();
  /** Functions that are called with each client, and the functions that end this. */
  readonly #follows = new Map<Follow, (() => void)[]>();

  constructor(identify: () => Promise<WindowIdentity>) {
    this.#identify = identify;
    connectProcesses((ports, database, slot) => {
      // Main knows the id of a file before this window does.
      this.of(database);
      this.#slots.set(database, slot);
      this.#receivers.get(database)!(ports);
    });
  }

  /** The client of a database; created with the first request, which waits until main has sent the ports. */
  of(database: DatabaseId): ReconnectingClient {
    return (this.#all.get(database) ?? this.#add(database)).client;
  }

  /** Notes whether main has opened a file of the native engine in a process of its own, because of its extensions. */
  setApart(database: DatabaseId, isApart: boolean): void {
    if (isApart) this.#apart.add(database);
    else this.#apart.delete(database);
  }

  isApart(database: DatabaseId): boolean {
    return this.#apart.has(database);
  }

  get all(): readonly ProcessClient[] {
    return [...this.#all.values()];
  }

  /** Null for a client of another kind. */
  databaseOf(client: ReconnectingClient): DatabaseId | null {
    return this.all.find((process) => process.client === client)?.database ?? null;
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
    const ends = this.all.flatMap((process) => follow(process) ?? []);
    this.#follows.set(follow, ends);
    return () => {
      this.#follows.delete(follow);
      for (const end of ends) end();
    };
  }

  #add(database: DatabaseId): ProcessClient {
    const process: ProcessClient = {
      database,
      client: new ReconnectingClient((onPorts) => this.#receivers.set(database, onPorts), this.#identify),
      owns: (work) => this.#ofSlot(slotOfWork(work.id)) === process,
    };
    this.#all.set(database, process);
    for (const [follow, ends] of this.#follows) {
      const end = follow(process);
      if (end) ends.push(end);
    }
    return process;
  }

  #ofSlot(slot: number | null): ProcessClient | null {
    if (slot === null) return null;
    const known = [...this.#slots].find(([, each]) => sameSlot(each, slot));
    return known ? (this.#all.get(known[0]) ?? null) : null;
  }
}
