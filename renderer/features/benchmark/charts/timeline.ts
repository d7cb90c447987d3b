// Samples in the order they were taken: shows whether the machine became slower or faster in the meantime.
import type { CellUnit } from '#shared/bench/result.ts';
import { median, roundMeans } from '#shared/bench/statistics.ts';
import { formatRatio, formatTime } from '../results/labels.ts';
import { verticalAxis } from './box-plot.ts';
import type { Shape, Scene } from './scene.ts';
import { timeScale } from './scale.ts';

interface Timeline {
  readonly title: string;
  readonly unit: CellUnit;
  readonly samples: readonly number[];
  readonly perRound: number;
  readonly width: number;
  readonly height: number;
}

const LEFT = 58;
const BOTTOM = 20;
const TOP = 8;
const RIGHT = 8;
const MOST_DOTS = 1_500;

export function timeline({ title, unit, samples, perRound, width, height }: Timeline): Scene {
  const scale = timeScale(samples, { from: height - BOTTOM, to: TOP }, true);
  const step = (width - LEFT - RIGHT) / Math.max(1, samples.length - 1);
  const xOf = (index: number): number => LEFT + index * step;
  const every = Math.max(1, Math.ceil(samples.length / MOST_DOTS));
  const rounds = roundMeans(samples, perRound);
  const middle = scale.at(median(samples));
  const marks: Shape[] = [...verticalAxis(scale, unit, LEFT, width - RIGHT)];
  const shown = samples.flatMap((sample, index) => (index % every === 0 ? [{ sample, index }] : []));
  for (const { sample, index } of shown)
    marks.push({ kind: 'dot', x: xOf(index), y: scale.at(sample), r: 1.8, ink: 'dim', opacity: 0.6 });
  marks.push({ kind: 'line', x1: LEFT, y1: middle, x2: width - RIGHT, y2: middle, ink: 'accent', dash: [4, 3] });
  if (perRound > 1 && rounds.length > 1)
    marks.push({
      kind: 'path',
      points: rounds.map((value, round) => [xOf((round + 0.5) * perRound - 0.5), scale.at(value)] as const),
      ink: 'accent',
      width: 1.5,
    });
  marks.push({ kind: 'text', x: LEFT, y: height - 5, text: 'first sample', ink: 'faint', size: 10 });
  marks.push({ kind: 'text', x: width - RIGHT, y: height - 5, text: 'last', ink: 'faint', size: 10, align: 'end' });
  return {
    width,
    height,
    label: `${title}: ${samples.length} samples in order. ${driftText(samples)}`,
    marks,
    stops: shown.map(({ sample, index }) => ({
      x: xOf(index),
      y: scale.at(sample),
      text: `Sample ${index + 1} of ${samples.length}: ${formatTime(sample, unit)}`,
    })),
  };
}

/** The last third over the first. */
export function drift(samples: readonly number[]): number | null {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return null;
  const first = median(samples.slice(0, third));
  return first > 0 ? median(samples.slice(-third)) / first : null;
}

const STEADY = 0.05;

export function driftText(samples: readonly number[]): string {
  const change = drift(samples);
  if (change === null) return 'Too few samples to detect drift.';
  const share = `The last third took ${formatRatio(change)} as long as the first third`;
  return Math.abs(change - 1) <= STEADY ? `${share}: steady.` : `${share}: it drifted.`;
}
