// State: whether the benchmark measures, in this window or in another, so that others do not disturb it.
import type { BenchElsewhere } from '#shared/bench/shell.ts';
import type { StateCreator } from 'zustand';

export interface MeasuringSlice {
  /** How far the run of this window is, from 0 to 1; null without one. */
  readonly measuringHere: number | null;
  /** Two at once would measure each other: only one window does. */
  readonly measuringElsewhere: BenchElsewhere | null;
}

export const createMeasuringSlice: StateCreator<MeasuringSlice, [], [], MeasuringSlice> = () => ({
  measuringHere: null,
  measuringElsewhere: null,
});
