// The parts of a result that can be saved.
import type { BenchResult } from '#shared/bench/result.ts';
import type { ExportFormat } from '../../../workbench/export-format.ts';
import type { Scene } from '../charts/scene.ts';
import type { Timing } from '../results/timing.ts';

export interface ExportedView {
  readonly result: BenchResult;
  readonly title: string;
  readonly timing: Timing;
  /** A picture of what is on screen; called only by formats that save one. */
  picture(): Scene;
}

export type ResultFormat = ExportFormat<ExportedView>;
