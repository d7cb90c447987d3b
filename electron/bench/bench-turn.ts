// Decides which window may measure: one in the whole app at a time. The other windows, and a user who closes it, are told about it.
import { dialog } from 'electron';
import type { BenchElsewhere, BenchJobProgress } from '#shared/bench/shell.ts';
import { bringToFront, tell, windowTitle } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

export class BenchTurn {
  readonly #windows: AppWindows;
  #owner: AppWindow | null = null;
  #progress: BenchJobProgress | null = null;
  #asking: Promise<boolean> | null = null;
  readonly #following = new WeakSet<AppWindow>();

  constructor(windows: AppWindows) {
    this.#windows = windows;
  }

  /** Null if the window has the turn now; otherwise the window that has it. */
  take(window: AppWindow): BenchElsewhere | null {
    if (this.#owner === null) {
      this.#owner = window;
      this.#progress = null;
      this.#tellOthers();
    }
    return this.#elsewhere(window);
  }

  give(window: AppWindow): void {
    if (this.#owner !== window) return;
    this.#owner = null;
    this.#progress = null;
    this.#tellOthers();
  }

  isOf(window: AppWindow): boolean {
    return this.#owner === window;
  }

  tell(window: AppWindow, progress: BenchJobProgress): void {
    if (this.#owner !== window) return;
    this.#progress = progress;
    this.#tellOthers();
  }

  follow(window: AppWindow): void {
    this.#following.add(window);
    this.#say(window);
  }

  show(): void {
    if (this.#owner === null) return;
    bringToFront(this.#owner);
    void tell(this.#owner, 'menu.chosen', () => 'benchmark.show');
  }

  /** Asks the user before ending a measurement. Without `window`, of whichever window is measuring. */
  async mayEnd(window: AppWindow | null, verb: 'Close' | 'Quit'): Promise<boolean> {
    const owner = this.#owner;
    if (owner === null || (window !== null && owner !== window)) return true;
    this.#asking ??= this.#ask(owner, verb).finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #ask(owner: AppWindow, verb: 'Close' | 'Quit'): Promise<boolean> {
    bringToFront(owner);
    const done = this.#progress ? ` ${Math.floor(this.#progress.share * 100)}% is done.` : '';
    const { response } = await dialog.showMessageBox(owner.browserWindow, {
      type: 'question',
      message: `${windowTitle(owner)} is running a benchmark. Stop it?`,
      detail: `${done} The results so far are kept with the runs; the rest is not measured.`.trim(),
      buttons: [`Stop and ${verb}`, 'Continue Benchmark'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    // The measurement may have ended in the meantime.
    return response === 0 || this.#owner === null;
  }

  #elsewhere(window: AppWindow): BenchElsewhere | null {
    if (this.#owner === null || this.#owner === window) return null;
    return { windowTitle: windowTitle(this.#owner), progress: this.#progress };
  }

  #say(window: AppWindow): void {
    void tell(window, 'bench.elsewhere', () => this.#elsewhere(window), 'run');
  }

  #tellOthers(): void {
    for (const window of this.#windows.all) if (this.#following.has(window)) this.#say(window);
  }
}
