// Which formats the values of a column may be stored in, judging by some of them and by the column's name. Only ever offered.
import { soundsLikeDate } from '../dates.ts';
import type { Value } from '../protocol/values.ts';
import { decimalOf, integerOf, realOf } from './exact-number.ts';
import { DISPLAY_FORMATS } from './formats.ts';

export interface SampledColumn {
  readonly name: string;
  readonly declaredType: string;
  /** Whole values of some rows. */
  readonly values: readonly Value[];
}

/** Null: the format is not likely. Otherwise, how likely it is beside others. */
type Likelihood = (column: SampledColumn, values: readonly Value[]) => number | null;

/** Ids of formats in which the values can be shown, the likeliest first. */
export function likelyFormats(column: SampledColumn): readonly string[] {
  const values = column.values.filter((value) => value !== null);
  const moments = values.filter((value) => !isNever(value));
  return DISPLAY_FORMATS.flatMap((format) => {
    const judged = format.group === 'date' ? moments : values;
    const likelihood = judged.length === 0 ? null : (LIKELIHOODS[format.id]?.(column, judged) ?? null);
    const fits = likelihood !== null && judged.every((value) => format.show(value, 'utc') !== null);
    return fits ? [{ id: format.id, likelihood }] : [];
  })
    .sort((a, b) => b.likelihood - a.likelihood)
    .map(({ id }) => id);
}

/** Numbers that programs store where there is no moment. */
const isNever = (value: Value): boolean =>
  value === 0 || value === -1 || value === 2n ** 63n - 1n || value === -(2n ** 63n);

const isDate = ({ name, declaredType }: SampledColumn): boolean =>
  soundsLikeDate(name, declaredType) || /(?:^|_)(?:on|time|ts|utc|seen|visit)(?:_|$)|date|time|visit/i.test(name);

/** Whether all numbers lie between two. */
const areAll = (values: readonly Value[], from: number, to: number): boolean =>
  values
    .map((value) => realOf(value) ?? (integerOf(value) === null ? NaN : Number(integerOf(value))))
    .every((number) => number >= from && number < to);

/** Numbers of recent decades. With a name for a date, and without. */
const between =
  (from: number, to: number, named: number, unnamed: number | null): Likelihood =>
  (column, values) =>
    !areAll(values, from, to) ? null : isDate(column) ? named : unnamed;

const named =
  (name: RegExp, likelihood: number, test: (values: readonly Value[]) => boolean = () => true): Likelihood =>
  (column, values) =>
    name.test(column.name) && test(values) ? likelihood : null;

const areIntegers = (values: readonly Value[]): boolean => values.every((value) => integerOf(value) !== null);
const areTexts = (values: readonly Value[]): boolean => values.every((value) => typeof value === 'string');
const areBytes = (values: readonly Value[]): boolean => values.every((value) => value instanceof Uint8Array);
/** Names of Core Data begin with Z. */
const isCoreData = ({ name }: SampledColumn): boolean => /^Z[A-Z]/.test(name);

/** Version and variant of RFC 9562. */
const isVersioned = (bytes: Uint8Array, versionAt: number): boolean =>
  bytes[versionAt]! >> 4 >= 1 && bytes[versionAt]! >> 4 <= 8 && bytes[8]! >> 6 === 2;

const uuids =
  (versionAt: number, likelihood: number): Likelihood =>
  (column, values) => {
    const blobs = values.filter((value) => value instanceof Uint8Array);
    if (blobs.length < values.length) return null;
    if (blobs.every((bytes) => bytes.length === 16 && isVersioned(bytes, versionAt))) return likelihood;
    return /uuid|guid/i.test(column.name) ? likelihood - 50 : null;
  };

const LIKELIHOODS: Readonly<Record<string, Likelihood>> = {
  'unix-s': between(6.3e8, 2.6e9, 90, 50),
  'unix-ms': between(6.3e11, 2.6e12, 90, 60),
  'unix-us': between(6.3e14, 2.6e15, 90, 60),
  'unix-ns': between(9.4e17, 2.6e18, 80, 50),
  webkit: between(1.22e16, 1.42e16, 90, 60),
  filetime: between(1.22e17, 1.42e17, 90, 60),
  ticks: between(6.27e17, 6.5e17, 92, 55),
  'mac-s': (column, values) => (areAll(values, 0, 1.6e9) && isDate(column) && isCoreData(column) ? 95 : null),
  'mac-ns': between(3.1e17, 9.4e17, 85, 40),
  julian: (column, values) =>
    !areAll(values, 2_415_020, 2_488_070)
      ? null
      : isDate(column)
        ? 90
        : values.every((value) => realOf(value) !== null)
          ? 55
          : null,
  excel: (column, values) => (areAll(values, 20_000, 70_000) && isDate(column) ? 70 : null),
  boolean: (column, values) => {
    const isFlag =
      /bool/i.test(column.declaredType) ||
      /^(is|has|can|should|was)(_|[A-Z])|active|enabled|deleted|flag|done/i.test(column.name);
    const isShort = areTexts(values) && values.every((value) => /^[tf]$/i.test(String(value)));
    return isFlag ? 80 : isShort ? 70 : null;
  },
  bytes: named(/size|bytes/i, 70, (values) => areIntegers(values) && values.some((value) => Number(value) >= 1000)),
  seconds: named(/duration|elapsed|(^|_)secs?$|seconds/i, 60),
  milliseconds: named(/millis|msec|(^|_)ms$|duration_?ms/i, 75),
  money: named(/price|amount|total|cost|balance|salary|(^|_)fee/i, 60, (values) =>
    values.some((value) => (decimalOf(value)?.scale ?? 0) > 0),
  ),
  cents: named(/cents/i, 80),
  ipv4: named(/(^|_)ip(v4)?(_|$)|ip_?addr/i, 80, (values) => values.some((value) => Number(value) >= 2 ** 24)),
  uuid: (column, values) =>
    areTexts(values)
      ? values.some((value) => !/^[0-9a-f]{8}-/.test(String(value)))
        ? 80
        : null
      : uuids(6, 90)(column, values),
  'uuid-windows': uuids(7, 80),
  hex: (_column, values) =>
    areBytes(values) && values.every((value) => [4, 8, 16, 20, 28, 32, 48, 64].includes((value as Uint8Array).length))
      ? 30
      : null,
  json: (_column, values) =>
    areBytes(values) || values.some((value) => typeof value === 'string' && /^\s*[[{][^\n]*\n/.test(value)) ? 70 : null,
  wkt: (_column, values) => (areBytes(values) ? 95 : null),
};
