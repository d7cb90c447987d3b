// Edits that are too large to be sent to a server at once, in words.
import { AppError, inParts } from '#shared/protocol/errors.ts';

/** @param what the sentence that says what is too large, and for what */
export const tooLarge = (what: string, detail: Readonly<Record<string, string | number | boolean>> = {}): AppError =>
  AppError.refused(
    inParts(
      what,
      'Nothing was changed. Change fewer rows at a time; new rows can also be imported, which sends them in parts.',
    ),
    { detail: { kind: 'too-large', ...detail } },
  );

/** Formats bytes as SI megabytes, the unit in which servers state their limits. */
export const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 })} MB`;
