// State: whether a benchmark is running, in this window or in another, so that other work does not disturb it.
import type { BenchElsewhere } from '#shared/bench/shell.ts';
import type { StateCreator } from 'zustand';

export interface MeasuringSlice {
  /** Progress of this window's run, from 0 to 1; null without one. */
  readonly measuringHere: number | null;
  /** The other window that is measuring. Only one window may measure at a time, because two would measure each other. */
  readonly measuringElsewhere: BenchElsewhere | null;
}

export const createMeasuringSlice: StateCreator<MeasuringSlice, [], [], MeasuringSlice> = () => ({
  measuringHere: null,
  measuringElsewhere: null,
});
