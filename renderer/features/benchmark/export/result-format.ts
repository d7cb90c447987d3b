// What of a result there is to save.
import type { BenchResult } from '#shared/bench/result.ts';
import type { ExportFormat } from '../../../workbench/export-format.ts';
import type { Scene } from '../charts/scene.ts';
import type { Timing } from '../results/timing.ts';

export interface ExportedView {
  readonly result: BenchResult;
  readonly title: string;
  readonly timing: Timing;
  /** What is on screen, as a picture; asked only where one is saved. */
  picture(): Scene;
}

export type ResultFormat = ExportFormat<ExportedView>;
