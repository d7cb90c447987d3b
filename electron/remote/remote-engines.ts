// The processes of remote databases: one for each connection that a window has opened, so that a slow server holds up no other database.
import { MessageChannelMain } from 'electron';
import type { RemoteTarget } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { RemoteDraft, RemoteTest } from '#shared/protocol/remote.ts';
import { PROCESS_PORTS_TAG } from '#shared/shell-api.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { ENGINE_PORTS } from '../ipc/channels.ts';
import { startNativeProcess } from '../native/native-process.ts';
import { WindowEngine } from '../native/window-engine.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import type { Connections } from './connections.ts';

const cannotConnect = (why: string): string =>
  `Sidelite cannot connect to servers. ${why} Databases of the library work without that.`;
const GAVE_UP =
  'The connection stopped four times within a minute, so it is not restarted automatically. Open the database again to connect.';
/** A server may say nothing for long; whoever waits for a test wants to know sooner. */
const TEST_TIMEOUT_MS = 20_000;

interface Running {
  readonly engine: WindowEngine;
  readonly slot: number;
  /** Target its process was given; null before it has started. */
  target: RemoteTarget | null;
}

const isSameServer = (before: RemoteTarget, after: RemoteTarget): boolean =>
  before.url === after.url &&
  before.name === after.name &&
  before.readOnly === after.readOnly &&
  before.production === after.production;

export class RemoteEngines {
  readonly #windows: AppWindows;
  readonly #files: FileTokens;
  readonly connections: Connections;
  readonly #engines = new Map<DatabaseId, Running>();
  readonly #nextSlot: () => number;

  /** @param nextSlot for the numbers of the next process */
  constructor(windows: AppWindows, files: FileTokens, connections: Connections, nextSlot: () => number) {
    this.#windows = windows;
    this.#files = files;
    this.connections = connections;
    this.#nextSlot = nextSlot;
  }

  /** Gives the window its ports. Returns why not. */
  open(window: AppWindow, database: DatabaseId): string | null {
    if (!this.connections.find(database)) return 'This connection no longer exists. Connect again.';
    const { engine } = this.#engines.get(database) ?? this.#add(database);
    const why = engine.serve(window);
    return why === null ? null : cannotConnect(why);
  }

  /** The connection was saved. With another token, its process continues; for any other change that it has to know, it is restarted. */
  changed(database: DatabaseId): void {
    const running = this.#engines.get(database);
    if (!running) return;
    const { engine, slot, target: before } = running;
    const target = this.#targetOf(database, slot);
    if (before === null || !isSameServer(before, target)) return engine.restart();
    running.target = target;
    if (before.token !== target.token) engine.tell({ t: 'reach', target });
  }

  remove(database: DatabaseId): void {
    this.#engines.get(database)?.engine.destroy();
    this.#engines.delete(database);
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    for (const { engine } of this.#engines.values()) engine.forget(window);
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#engines.values()].map(({ engine }) => engine.settle()));
  }

  destroy(): void {
    for (const { engine } of this.#engines.values()) engine.destroy();
  }

  /** Connects in a process of its own, which ends with the answer. */
  test(draft: RemoteDraft): Promise<RemoteTest> {
    const read = this.connections.reachDraft(draft);
    if ('why' in read) return Promise.resolve(read);
    return new Promise((resolve) => {
      const process = startNativeProcess('remote.mjs', [], {
        answered: (message) => message.t === 'tested' && end(message.result),
        exited: () => end({ why: 'The connection ended unexpectedly. The log says why.' }),
      });
      if ('why' in process) return resolve({ why: cannotConnect(process.why) });
      const timeout = setTimeout(
        () => end({ why: `The server did not answer within ${TEST_TIMEOUT_MS / 1000} seconds.` }),
        TEST_TIMEOUT_MS,
      );
      const end = (result: RemoteTest): void => {
        clearTimeout(timeout);
        resolve(result);
        process.kill();
      };
      process.tell({ t: 'reach', target: { ...read.target, slot: 0 } });
      // Nothing is written to files here.
      process.tell({ t: 'init' }, [new MessageChannelMain().port2]);
      process.tell({ t: 'test' });
    });
  }

  #add(database: DatabaseId): Running {
    const slot = this.#nextSlot();
    const engine = new WindowEngine({
      windows: this.#windows,
      script: 'remote.mjs',
      args: [],
      files: this.#files,
      name: 'remote engine',
      first: () => ({ t: 'reach', target: (running.target = this.#targetOf(database, slot)) }),
      answered: (message) => {
        if (message.t === 'wrote') this.connections.noteWritten(database, message.index);
      },
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({
        channel: ENGINE_PORTS,
        message: { tag: PROCESS_PORTS_TAG, generation, database, slot },
      }),
    });
    const running: Running = { engine, slot, target: null };
    this.#engines.set(database, running);
    return running;
  }

  #targetOf(database: DatabaseId, slot: number): RemoteTarget {
    return { ...this.connections.reach(database)!, slot };
  }
}
