// Delimiters that hardly any program writes: `#`, `$`, `@`, `¬`, and several characters such as `|~|`. They are looked for only where nearly
// every line has them, the first one too.

/** All but the last are in addresses, prices, and words, too. */
const SINGLE = ['#', '$', '@', '¬'];
const RUN = /[|~^#$@:!*+&=§¦¬¶]{2,5}/g;
const BEGINNING_LINES = 100;
const MOST_RUNS = 4;
const NEARLY_ALL = 0.9;

/** @param sample text. @returns candidates, which have to explain the file (`one-column.ts`) */
export function rareDelimiters(sample: string): readonly string[] {
  const lines: string[] = [];
  for (const [line] of sample.matchAll(/[^\r\n]+/g)) if (lines.push(line) === BEGINNING_LINES) break;
  const [first = ''] = lines;
  const runs = [...new Set(Array.from(first.matchAll(RUN), ([run]) => run))]
    .filter((run) => isSymmetric(run) && !isAroundCells(run, lines))
    .slice(0, MOST_RUNS);
  return [...SINGLE.filter((one) => first.includes(one)), ...runs].filter(
    (delimiter) => lines.filter((line) => line.includes(delimiter)).length >= NEARLY_ALL * lines.length,
  );
}

/** In `5 $|6 $` and `a|#b`, signs of a cell are beside the delimiter. */
const isSymmetric = (run: string): boolean => [...run].reverse().join('') === run;

/** In `*a*|*b*` they are on both sides of it, and so they are at the ends of the line. */
const isAroundCells = (run: string, lines: readonly string[]): boolean =>
  lines.filter((line) => line.startsWith(run.at(-1)!) && line.endsWith(run[0]!)).length * 2 >= lines.length;

/** Written between cells by programs as a matter of habit. */
const USUAL = new Set([',', ';', '\t', '|', '¦', '§', '||', ';;', ':', ' ', '\x1f', '\x01', '\x14']);

export const isRare = (delimiter: string): boolean => delimiter !== '' && !USUAL.has(delimiter);

/** No text has it, as prices have `$`, and names of programs `::`. */
export const isOnlyDelimiter = (delimiter: string): boolean => /[|~^§¦¬¶]/.test(delimiter);
