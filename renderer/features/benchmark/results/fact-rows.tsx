// Facts as rows of a name and a value; what a name means is shown on hover.
import type { ReactNode } from 'react';

/** Null or undefined: unknown, and left out. */
export type FactRow = readonly [name: string, value: ReactNode, meaning?: string];

interface FactRowsProps {
  readonly facts: readonly FactRow[];
  /** Side by side where there is room. */
  readonly isNarrow?: boolean;
}

export function FactRows({ facts, isNarrow = false }: FactRowsProps): ReactNode {
  return (
    <dl className={isNarrow ? 'figures small bench-facts' : 'figures small bench-facts bench-facts-wide'}>
      {facts.map(
        ([name, value, meaning = TERMS[name]]) =>
          value !== null &&
          value !== undefined && (
            <div key={name} title={meaning}>
              <dt className="fixed dim">{name}</dt>
              <dd className="shrink-x break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const TERMS: Readonly<Record<string, string>> = {
  Median: 'Half of the samples are smaller, half are larger.',
  '95% interval':
    'Where the median would be in 95 of 100 repetitions, estimated by drawing the rounds again and again.',
  p90: '90 of 100 samples are at most this.',
  p95: '95 of 100 samples are at most this.',
  p99: '99 of 100 samples are at most this.',
  'Per second': 'How often this fits into a second, by the median.',
  'Spread (MAD)': 'Median absolute deviation: half of the samples differ from the median by less than this.',
  'Variation (CV)': 'Coefficient of variation: the standard deviation as a share of the mean.',
  Outliers: 'Samples farther from the middle half than 1.5 times its width (mild) or 3 times (severe).',
  'Window busy': 'How long receiving the rows kept the thread of the window busy.',
  'Clock step': 'The smallest time that the clock of the engine can tell from zero.',
  'Clock step of the window': 'The smallest time that the clock of the window can tell from zero.',
  Batch: 'Short work is run several times for one sample, so that the clock can measure it.',
  Checksum: 'Computed from all values that were read. It must be the same on every engine.',
  'Settings read back': 'What the engine reports after the settings of the profile were set.',
  Seed: 'Random choices are drawn from this number: the same seed makes the same data.',
  'Cross-origin isolated': 'Only then are clocks precise, and memory can be shared between threads.',
  Disturbances: 'Events that may have made samples slower, such as a hidden window.',
};
