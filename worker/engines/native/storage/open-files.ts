// The files that connections of this process have open, as their own or attached. When a process closes any descriptor of a file, the system
// drops every lock that the process holds on it, so descriptors of a file are closed when no connection uses it any more.
import { statSync } from 'node:fs';

interface Use {
  connections: number;
  readonly closings: (() => void)[];
}

/** Device and inode of a file, which several names may lead to; empty if it does not exist yet. */
export function identityOf(location: string): string {
  const stats = statSync(location, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

export class OpenFiles {
  readonly #uses = new Map<string, Use>();

  isUsed(identity: string): boolean {
    return this.#uses.has(identity);
  }

  /** Call when a connection has opened it. */
  add(identity: string): void {
    const use = this.#uses.get(identity);
    if (use) use.connections++;
    else this.#uses.set(identity, { connections: 1, closings: [] });
  }

  /** Call when a connection has closed it. @param close closes its descriptors */
  remove(identity: string, close: () => void = () => undefined): void {
    const use = this.#uses.get(identity);
    use?.closings.push(close);
    if (use === undefined || --use.connections > 0) return;
    this.#uses.delete(identity);
    for (const closing of use.closings) closing();
  }
}
