// The fixtures of stories on a libSQL server: `server` with two tables, `emptyServer` without any, `distantServer` with the same two behind a
// proxy that delays. They end with the test, which is skipped where there is no such server.
import type { Page } from '@playwright/test';
import type { ProxyControls } from '../build/sqld/proxy-controls.ts';
import { startTestServer } from '../build/sqld/test-server.ts';
import { expect, test as base } from './fixtures.ts';
import { AppWindow } from './pages/app-window.ts';
import { onServer, saveConnection, SHOP, startServer } from './support/server.ts';

/** A server, and whoever else uses it. */
export class StoryServer {
  #running: Awaited<ReturnType<typeof startServer>>;
  #args: readonly string[];

  private constructor(running: Awaited<ReturnType<typeof startServer>>, args: readonly string[]) {
    this.#running = running;
    this.#args = args;
  }

  static async start(args: readonly string[] = []): Promise<StoryServer> {
    return new StoryServer(await startServer({ args }), args);
  }

  get url(): string {
    return this.#running.url;
  }

  /** Runs as another client; resolves with the first value of each statement. */
  run(...statements: readonly string[]): Promise<readonly unknown[]> {
    return onServer(this.url, ...statements);
  }

  /** Ends the server as a power cut would. */
  kill(): Promise<void> {
    return this.#running.kill();
  }

  /** Call after {@link kill}: starts at the same address, with the same database. */
  async startAgain(args = this.#args): Promise<void> {
    const { port, folder } = this.#running;
    this.#args = args;
    this.#running = await startServer({ port, folder, args });
  }

  remove(): Promise<void> {
    return this.#running.remove();
  }

  /** Saves a connection called “Shop” in the app, and opens its database. */
  async openIn(page: Page, draft: Readonly<Record<string, unknown>> = {}): Promise<AppWindow> {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: this.url, ...draft });
    await view.openFromLibrary('Shop');
    return view;
  }
}

/** A server behind a proxy. */
interface DistantServer {
  readonly url: string;
  readonly controls: ProxyControls;
}

interface ServerFixtures {
  readonly distantServer: DistantServer;
  readonly emptyServer: StoryServer;
  readonly server: StoryServer;
}

export const test: ReturnType<typeof base.extend<ServerFixtures>> = base.extend<ServerFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
  emptyServer: async ({}, use) => {
    const server = await StoryServer.start();
    await use(server);
    await server.remove();
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
  distantServer: async ({}, use) => {
    const distant = await startTestServer();
    base.skip('why' in distant, 'why' in distant ? distant.why : '');
    if ('why' in distant) return;
    const url = distant.url('shop').replace(/\/$/, '');
    await onServer(url, ...SHOP);
    await use({ url, controls: distant.controls });
    await distant.end();
  },

  server: async ({ emptyServer }, use) => {
    await emptyServer.run(...SHOP);
    await use(emptyServer);
  },
});

export { expect };
