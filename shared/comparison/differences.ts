// Compares two results by their digests: the pages that differ, whether only the order does, and which rows the other side lacks.
import { DIGEST_PAGE_ROWS } from '../protocol/compare.ts';
import type { ComparedResult, FoundRows, ResultDigest } from '../protocol/compare.ts';

/** `order`: both hold the same rows. */
type Verdict = 'identical' | 'order' | 'content';

type Compared = Pick<ComparedResult, 'rows' | 'digest'>;

export interface DigestComparison {
  readonly verdict: Verdict;
  /** Indexes of the pages that differ, including those that one side lacks. */
  readonly pages: readonly number[];
  /** Buckets whose rows differ. */
  readonly buckets: readonly number[];
}

export function compareDigests(left: Compared, right: Compared): DigestComparison {
  const pages = differingPages(left.digest, right.digest);
  const buckets = differingBuckets(left.digest, right.digest);
  // Bucket sums alone could hide a row that adds zero, so the row counts are compared too.
  const sameRows = buckets.length === 0 && left.rows === right.rows;
  return { verdict: !sameRows ? 'content' : pages.length === 0 ? 'identical' : 'order', pages, buckets };
}

function differingPages({ pages: left }: ResultDigest, { pages: right }: ResultDigest): number[] {
  const differing: number[] = [];
  for (let page = 0; page < Math.max(left.length, right.length); page++)
    if (left[page] !== right[page]) differing.push(page);
  return differing;
}

function differingBuckets({ buckets: left }: ResultDigest, { buckets: right }: ResultDigest): number[] {
  const differing: number[] = [];
  for (let word = 0; word < left.length; word += 2)
    if (left[word] !== right[word] || left[word + 1] !== right[word + 1]) differing.push(word / 2);
  return differing;
}

/** The row hashes of some pages, concatenated, and the total number of rows. */
interface PageHashes {
  readonly hashes: Float64Array;
  readonly rows: number;
}

/** Positions of rows that differ, in order, including positions that one side lacks. */
export function differingRows(pages: readonly number[], left: PageHashes, right: PageHashes): number[] {
  const positions: number[] = [];
  let [leftAt, rightAt] = [0, 0];
  for (const page of pages) {
    const start = page * DIGEST_PAGE_ROWS;
    const leftRows = rowsOfPage(start, left.rows);
    const rightRows = rowsOfPage(start, right.rows);
    for (let row = 0; row < Math.max(leftRows, rightRows); row++) {
      const isSame = row < leftRows && row < rightRows && left.hashes[leftAt + row] === right.hashes[rightAt + row];
      if (!isSame) positions.push(start + row);
    }
    leftAt += leftRows;
    rightAt += rightRows;
  }
  return positions;
}

const rowsOfPage = (start: number, rows: number): number => Math.max(0, Math.min(DIGEST_PAGE_ROWS, rows - start));

export interface OnlyHere {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Positions of rows that the other side lacks, or has fewer times. Equal rows at the same position are matched first. */
export function rowsOnlyHere(left: FoundRows, right: FoundRows): OnlyHere {
  const leftByPosition = byPosition(left);
  const rightByPosition = byPosition(right);
  const isPaired = (position: number): boolean =>
    leftByPosition.has(position) && leftByPosition.get(position) === rightByPosition.get(position);
  const waiting = new Map<number, number[]>();
  for (const [position, hash] of rightByPosition)
    if (!isPaired(position)) waiting.set(hash, [...(waiting.get(hash) ?? []), position]);
  const only: number[] = [];
  for (const [position, hash] of leftByPosition)
    if (!isPaired(position) && waiting.get(hash)?.shift() === undefined) only.push(position);
  return { left: only, right: [...waiting.values()].flat().sort((a, b) => a - b) };
}

function byPosition({ positions, hashes }: FoundRows): Map<number, number> {
  const byPlace = new Map<number, number>();
  positions.forEach((position, index) => byPlace.set(position, hashes[index]!));
  return byPlace;
}
