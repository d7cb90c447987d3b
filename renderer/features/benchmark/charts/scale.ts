// Maps values to pixels, linearly or logarithmically, with ticks at round values.

export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const TICKS = 5;
/** Beyond this spread, the small values would overlap. */
const LOG_FROM = 20;

/**
 * Linear from zero, or logarithmic if the largest value is many times the smallest. With `isClose`, the axis does not begin at zero
 * if the values lie close together.
 */
export function timeScale(values: readonly number[], pixels: Range, isClose = false): Scale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return linearScale(0, 1, pixels);
  let [low, high] = [Infinity, 0];
  for (const value of positive) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high / low > LOG_FROM) return logScale(low, high, pixels);
  const isFar = !isClose || low < high / 2;
  const pad = (high - low) / 10 || high / 20;
  return isFar ? linearScale(0, high, pixels) : linearScale(low - pad, high + pad, pixels);
}

export function linearScale(low: number, high: number, { from, to }: Range): Scale {
  const top = high > low ? high : low + 1;
  const step = roundStep((top - low) / TICKS);
  const [start, end] = [Math.floor(low / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step];
  const ticks: number[] = [];
  for (let at = 0; start + at * step <= end + step / 1e6; at++) ticks.push(Number((start + at * step).toPrecision(12)));
  return { ticks, at: (value) => from + ((value - start) / (end - start)) * (to - from) };
}

export function logScale(low: number, high: number, { from, to }: Range): Scale {
  const [bottom, top] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const end = top > bottom ? top : bottom + 1;
  const decades = end - bottom;
  const every = Math.max(1, Math.ceil(decades / TICKS));
  const ticks: number[] = [];
  for (let power = bottom; power <= end; power += every) {
    ticks.push(10 ** power);
    if (decades <= 2 && power < end) ticks.push(2 * 10 ** power, 5 * 10 ** power);
  }
  const floor = 10 ** bottom;
  return {
    ticks,
    // A sample of 0 is shorter than the step of the clock; it is drawn at the edge.
    at: (value) => from + ((Math.log10(Math.max(value, floor)) - bottom) / decades) * (to - from),
  };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}
