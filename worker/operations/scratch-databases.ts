// Private databases that last as long as one operation.
import type { Connection } from '../engines/engine.ts';
import type { Scratch, ScratchStore } from '../transfer/scratch.ts';

export class ScratchDatabases {
  readonly #store: ScratchStore;
  readonly #made: Scratch[] = [];
  readonly #open = new Map<Scratch, Connection>();

  constructor(store: ScratchStore) {
    this.#store = store;
  }

  async make(): Promise<Scratch> {
    const scratch = await this.#store.make();
    this.#made.push(scratch);
    return scratch;
  }

  open(scratch: Scratch, options: { readonly create?: boolean } = {}): Connection {
    const connection = this.#open.get(scratch) ?? scratch.open({ durability: 'balanced', scratch: true, ...options });
    this.#open.set(scratch, connection);
    return connection;
  }

  removeAll(): void {
    for (const connection of this.#open.values()) connection.close();
    for (const scratch of this.#made) scratch.remove();
  }
}
