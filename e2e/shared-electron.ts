// One process of Electron for the stories of a Playwright worker, which start their apps in it one after another: each with a storage and a
// profile of its own, in new windows. A start of the process is most of what a short story would wait for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';

/** What `hosted-apps.cjs` offers in main. */
interface Host {
  sideliteHost: {
    start(options: HostedApp): Promise<void>;
    end(): Promise<void>;
  };
}

interface HostedApp {
  readonly profile: string;
  readonly partition: string;
  /** Words after the program's name. */
  readonly words: readonly string[];
}

export const HOSTED_APPS = join(import.meta.dirname, 'hosted-apps.cjs');

/** The process keeps a little of every storage it has had: a new one now and then keeps that bounded. */
const MOST_STORIES = 40;

export class SharedElectron {
  /** What Chromium keeps of all stories. */
  readonly folder = mkdtempSync(join(tmpdir(), 'sidelite-e2e-electron-'));
  /** The temporary folder of the process. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'sl-'));
  #electron: ElectronApplication | null = null;
  #stories = 0;

  /** The running process; null if the next story has to start one. */
  get electron(): ElectronApplication | null {
    return this.#electron;
  }

  /** @returns the name of a storage that no story has had */
  newPartition(): string {
    return `persist:story-${++this.#stories}`;
  }

  /** It was started. */
  took(electron: ElectronApplication): void {
    this.#electron = electron;
    electron.process().once('exit', () => this.#electron === electron && (this.#electron = null));
  }

  async start(app: HostedApp): Promise<void> {
    await this.#electron!.evaluate(
      (_electron, options) => (globalThis as unknown as Host).sideliteHost.start(options),
      app,
    );
  }

  /** Ends the app of a story in order. The process stays, unless it has served many. */
  async end(): Promise<void> {
    await this.#electron?.evaluate(() => (globalThis as unknown as Host).sideliteHost.end());
    if (this.#stories % MOST_STORIES === 0) await this.quit();
  }

  async quit(): Promise<void> {
    await this.#electron?.close();
    this.#electron = null;
  }

  async dispose(): Promise<void> {
    await this.quit();
    for (const folder of [this.folder, this.temporary]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
