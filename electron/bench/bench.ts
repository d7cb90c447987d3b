// Everything main needs for measurements: the turn of a window, engines, further starts and windows of the app.
import type { Broker } from '../broker.ts';
import type { ComparisonCopyFiles } from '../files/comparison-copies.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import type { WindowPlacement } from '../windows/window-placements.ts';
import { AppStarts } from './app-starts.ts';
import { BenchEngines } from './bench-engines.ts';
import { BenchTurn } from './bench-turn.ts';
import type { OrderedJob } from './job.ts';
import { SecondWindow } from './second-window.ts';

interface BenchOptions {
  readonly windows: AppWindows;
  readonly broker: Broker;
  readonly comparisonCopies: ComparisonCopyFiles;
  readonly sandbox: boolean;
  /** For the first window. */
  readonly job: OrderedJob | null;
  /** A folder in the profile. */
  profile(name: string): string;
  openWindow(place: WindowPlacement, hash: string): AppWindow;
}

export class Bench {
  readonly turn: BenchTurn;
  readonly engines: BenchEngines;
  readonly starts: AppStarts;
  readonly secondWindow: SecondWindow;
  readonly job: OrderedJob | null;

  constructor({ windows, broker, comparisonCopies, sandbox, job, profile, openWindow }: BenchOptions) {
    this.job = job;
    this.turn = new BenchTurn(windows);
    this.engines = new BenchEngines(this.turn, broker, profile('bench'));
    const dropsCaches = job?.job.dropsCaches ?? false;
    this.starts = new AppStarts({ folder: profile('bench-starts'), comparisonCopies, sandbox, dropsCaches });
    this.secondWindow = new SecondWindow(openWindow);
  }

  /** Ends the measurement of this window, if there is one. */
  end(window: AppWindow): void {
    this.starts.end(window);
    this.secondWindow.end(window);
    this.engines.end(window);
  }

  async mayQuit(): Promise<boolean> {
    // An ordered job has no user to ask.
    const may = this.job !== null || (await this.turn.mayEnd(null, 'Quit'));
    // This precedes saving the window places for the next start.
    if (may) this.secondWindow.destroy();
    return may;
  }

  destroy(): void {
    this.engines.destroy();
    this.starts.destroy();
  }
}
