// The readings of a file that are nearly as likely as the detected one, for as long as nothing else is chosen: choosing one keeps them, to
// go back.
import type { DetectedSource, FileReading, ImportOptions } from '#shared/protocol/index.ts';

export interface NearReadings {
  /** The first one is detected. */
  readonly readings: readonly FileReading[];
  /** What was chosen beside the options that tell them apart. */
  readonly given: Partial<ImportOptions>;
}

/** @param chosen what `detected` was asked with */
export function nearAfter(
  before: NearReadings | null,
  chosen: Partial<ImportOptions>,
  { readings, options }: DetectedSource,
): NearReadings | null {
  if (before !== null && readingAt(before, options) >= 0) {
    const isSame = JSON.stringify(sorted(withoutReading(before, chosen))) === JSON.stringify(sorted(before.given));
    if (isSame) return before;
  }
  return readings.length > 0 ? { readings, given: chosen } : null;
}

/** The place of the reading that these options are; -1: none. */
export function readingAt({ readings }: NearReadings, options: ImportOptions): number {
  const isRead = ({ options: telling }: FileReading): boolean =>
    Object.entries(telling).every(([name, value]) => options[name as keyof ImportOptions] === value);
  return readings.findIndex(isRead);
}

/** What is chosen once the reading at a place is; the detected one is not a choice. */
export const chosenWith = (near: NearReadings, at: number, chosen: Partial<ImportOptions>): Partial<ImportOptions> => ({
  ...withoutReading(near, chosen),
  ...(at > 0 && near.readings[at]!.options),
});

function withoutReading({ readings }: NearReadings, chosen: Partial<ImportOptions>): Partial<ImportOptions> {
  const telling = readings[0]!.options;
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => !(name in telling)));
}

const sorted = (options: Partial<ImportOptions>): readonly (readonly [string, unknown])[] =>
  Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
