// Values on their way to better-sqlite3, which takes every JavaScript number as REAL and names parameters in its own way.
import { AppError } from '#shared/protocol/errors.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { assertFits } from '../../integer-range.ts';
import type { ParameterToken } from './statement-shape.ts';

export type NativeValue = null | number | bigint | string | Uint8Array;
/** Arguments that are spread into `run` and `iterate`. */
export type NativeArguments = readonly (readonly NativeValue[] | Readonly<Record<string, NativeValue>>)[];

/** The parameters of one statement, by number. */
export class ParameterList {
  readonly count: number;
  readonly #tokens: readonly ParameterToken[];
  /** Names by number, starting at 1; null is a plain `?` or a skipped number. */
  readonly #names: readonly (string | null)[];
  readonly #isPlain: boolean;

  constructor(tokens: readonly ParameterToken[]) {
    this.#tokens = tokens;
    this.count = Math.max(0, ...tokens.map(({ index }) => index));
    const names: (string | null)[] = Array.from({ length: this.count + 1 }, () => null);
    for (const { index, name } of tokens) if (name !== null) names[index] = name;
    this.#names = names;
    this.#isPlain = names.every((name) => name === null);
  }

  /** @throws AppError `invalid`, `too-big` */
  toArguments(params: readonly Value[]): NativeArguments {
    if (params.length > this.count) {
      throw AppError.invalid('There are more values than the statement has parameters.');
    }
    if (this.count === 0) return [];
    const values: NativeValue[] = [];
    for (let index = 0; index < this.count; index++) values.push(toNative(params[index] ?? null));
    return this.#isPlain ? [values] : this.#byName(values);
  }

  /** Whether a value has bytes that no JavaScript string can carry: they go as a blob, and {@link castingText} makes text of it. */
  hasRawText(params: readonly Value[]): boolean {
    for (const value of params) if (typeof value === 'object' && value !== null && isRawText(value)) return true;
    return false;
  }

  /** `sql` with each parameter that is bound to raw text cast to it. The `+` takes the affinity of the cast away again. */
  castingText(sql: string, params: readonly Value[]): string {
    let text = '';
    let at = 0;
    for (const { index, from, to } of this.#tokens) {
      const value = params[index - 1];
      if (typeof value !== 'object' || value === null || !isRawText(value)) continue;
      text += `${sql.slice(at, from)}(+CAST(${sql.slice(from, to)} AS TEXT))`;
      at = to;
    }
    return text + sql.slice(at);
  }

  #byName(values: readonly NativeValue[]): NativeArguments {
    const plain: NativeValue[] = [];
    const named: Record<string, NativeValue> = Object.create(null) as Record<string, NativeValue>;
    for (let index = 1; index <= this.count; index++) {
      const name = this.#names[index]!;
      if (name === null) plain.push(values[index - 1]!);
      else named[name] = values[index - 1]!;
    }
    return [plain, named];
  }
}

/** @throws AppError `too-big` */
export function toNative(value: Value): NativeValue {
  switch (typeof value) {
    case 'number':
      // -0 is only kept as a REAL.
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
    case 'bigint':
      assertFits(value);
      return value;
    case 'string':
      return value;
    default:
      if (value === null) return null;
      if (isReal(value)) return value.real;
      return isRawText(value) ? value.textBytes : value;
  }
}
