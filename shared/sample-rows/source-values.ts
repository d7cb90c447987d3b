// The values of a source, and what is wrong with one that a person has set.
import type { SampleSource } from '../protocol/sample-rows.ts';
import { dayNumber, momentValues } from './moments.ts';
import { patternValues } from './pattern.ts';
import { textValues, wordValues } from './texts.ts';
import { combined, oneOf } from './values.ts';
import type { Values } from './values.ts';

const MOST_BLOB_BYTES = 1 << 20;
const MOST_WORDS = 10_000;
/** With more decimals a factor is not exact. */
const MOST_DECIMALS = 12;

/** A whole sentence; null if nothing is wrong. */
export function sourceProblem(source: SampleSource): string | null {
  const isWhole = (...values: readonly number[]): boolean => values.every((value) => Number.isSafeInteger(value));
  switch (source.kind) {
    case 'sequence':
      return isWhole(source.start ?? 0, source.step) ? null : 'A sequence needs whole numbers.';
    case 'integer':
      if (!isWhole(source.from, source.to)) return 'Both ends of the range must be whole numbers.';
      if (source.to - source.from >= 2 ** 53) return 'The range is too large.';
      return source.from <= source.to ? null : 'The range ends before it begins.';
    case 'real':
      if (!Number.isFinite(source.from) || !Number.isFinite(source.to))
        return 'Both ends of the range must be numbers.';
      if (!isWhole(source.decimals) || source.decimals < 0 || source.decimals > MOST_DECIMALS)
        return `The number of decimals must be from 0 to ${MOST_DECIMALS}.`;
      return source.from <= source.to ? null : 'The range ends before it begins.';
    case 'moment': {
      const [from, to] = [dayNumber(source.from), dayNumber(source.to)];
      if (from === null || to === null) return 'A date is written like 2024-12-31.';
      return from <= to ? null : 'The range ends before it begins.';
    }
    case 'words':
      return isWhole(source.from, source.to) && source.from > 0 && source.to >= source.from && source.to <= MOST_WORDS
        ? null
        : `The number of words must be from 1 to ${MOST_WORDS}, the smaller one first.`;
    case 'list':
      return source.values.length > 0 ? null : 'The list is empty.';
    case 'pattern':
      return source.pattern === '' ? 'The pattern is empty.' : null;
    case 'blob':
      return isWhole(source.bytes) && source.bytes >= 0 && source.bytes <= MOST_BLOB_BYTES
        ? null
        : `The number of bytes must be from 0 to ${MOST_BLOB_BYTES}.`;
    default:
      return null;
  }
}

/**
 * The source must have no problems. `default` and `reference` have no values of their own.
 * @param after for a sequence without a start: the largest value of the column
 */
export function valuesOf(source: Exclude<SampleSource, { readonly kind: 'default' | 'reference' }>, after = 0): Values {
  switch (source.kind) {
    case 'null':
      return oneOf([null]);
    case 'constant':
      return oneOf([source.value]);
    case 'sequence': {
      const { step } = source;
      const start = source.start ?? after + step;
      return { kind: 'open', make: (_random, row) => start + row * step };
    }
    case 'integer':
      return combined([source.to - source.from + 1], ([index]) => source.from + index!);
    case 'real':
      return realValues(source);
    case 'moment':
      return momentValues(source.as, dayNumber(source.from)!, dayNumber(source.to)!);
    case 'text':
      return textValues(source.of);
    case 'words':
      return wordValues(source.from, source.to);
    case 'list':
      return oneOf([...new Set(source.values)]);
    case 'pattern':
      return patternValues(source.pattern);
    case 'blob':
      return blobValues(source.bytes);
  }
}

function realValues({ from, to, decimals }: Extract<SampleSource, { readonly kind: 'real' }>): Values {
  const factor = 10 ** decimals;
  const first = Math.ceil(from * factor - 1e-9);
  const count = Math.max(1, Math.floor(to * factor + 1e-9) - first + 1);
  // Division rounds correctly, so this is the number that its few decimals say, and its text has no more of them.
  return combined([count], ([index]) => (first + index!) / factor);
}

function blobValues(bytes: number): Values {
  const write = (byte: () => number): Uint8Array => {
    const blob = new Uint8Array(bytes);
    for (let at = 0; at < bytes; at++) blob[at] = byte();
    return blob;
  };
  if (bytes > 6) return { kind: 'open', make: (random) => write(() => random.next() >>> 24) };
  return combined(
    Array.from({ length: bytes }, () => 256),
    (indexes) => Uint8Array.from(indexes),
  );
}
