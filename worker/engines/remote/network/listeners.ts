// Event streams of a connection: all of them end with the connection.
import type { Listening } from './blocking-http.ts';

export class Listeners {
  readonly #listen: (table: string) => Listening;
  readonly #open = new Set<Listening>();

  constructor(listen: (table: string) => Listening) {
    this.#listen = listen;
  }

  add(table: string): Listening {
    const listening = this.#listen(table);
    this.#open.add(listening);
    return {
      get state() {
        return listening.state;
      },
      get heard() {
        return listening.heard;
      },
      end: () => {
        if (this.#open.delete(listening)) listening.end();
      },
    };
  }

  end(): void {
    for (const listening of this.#open) listening.end();
  }
}
