// What the text of `sidelite import` leaves out, and how to get it.
import type { Options } from './parse.ts';

/** Encodings that a file shows by itself. */
const CERTAIN = /^utf-/i;

/** Where the encoding is a guess. @param isNoted for `ascii`: the file had more than ASCII, or something else to be said */
export function encodingHint(options: Options, encoding: string, isNoted: boolean): readonly string[] {
  const isGuess = encoding.toLowerCase() === 'ascii' ? isNoted : !CERTAIN.test(encoding);
  return isGuess && !options.has('encoding') ? ['--encoding NAME chooses another encoding.'] : [];
}

/** Where only the first are said. @param listed how many the summary has at most */
export function moreHint(name: string, all: number, said: number, listed: number): readonly string[] {
  if (all <= said) return [];
  const which = all > listed ? `the first ${listed.toLocaleString('en-US')}` : 'all of them';
  return [`${name}: ${(all - said).toLocaleString('en-US')} more; --json lists ${which}.`];
}
