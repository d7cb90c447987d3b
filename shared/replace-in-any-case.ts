// Replaces a text in another one in any case of its ASCII letters, as LIKE finds it: what `replace_nocase` returns on both engines.
import { AppError } from './protocol/errors.ts';
import { lowered } from './text-patterns.ts';

/** SQLite's own limit is 1,000,000,000 bytes; a string of V8 holds 512 MB. */
const MAX_CHARS = 500_000_000;
/** Each part of a text takes ten times the memory of its characters, so they are joined now and then. */
const JOIN_PARTS = 10_000;

/**
 * Takes time linear in `text`, for a short `find`. An empty `find` replaces nothing, as in SQLite's `replace`.
 *
 * @param tick called now and then in long texts; what it throws ends the work
 * @throws AppError `invalid` if `text` may have had bytes that are no UTF-8, which nobody could write back, or if the result is too long
 */
export function replaceInAnyCase(
  text: string,
  find: string,
  replacement: string,
  tick: () => void = () => undefined,
): string {
  if (find === '') return text;
  if (text.includes('\ufffd'))
    throw AppError.invalid(
      'A text has bytes that are not UTF-8, or the character U+FFFD, which stands for such bytes. It can be replaced only with the same case.',
    );
  // Letters of ASCII have the same length in both cases, so positions are the same.
  const [folded, wanted] = [lowered(text), lowered(find)];
  let done = '';
  let parts: string[] = [];
  let length = 0;
  let from = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at));
    length += at - from + replacement.length;
    from = at + find.length;
    if (length > MAX_CHARS) throw AppError.invalid('A text would be too long with the replacement.');
    if (parts.length < JOIN_PARTS) continue;
    done += [...parts, ''].join(replacement);
    parts = [];
    tick();
  }
  return done + [...parts, text.slice(from)].join(replacement);
}
