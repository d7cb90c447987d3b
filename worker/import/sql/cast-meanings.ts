// What casts make of literals, where that is certain: the same value in another type. Null: the cast may change the value, as rounding and
// cutting do, so the value is not read.
import { asText } from './byte-text.ts';
import { isSign, isWord, type SqlToken } from './tokens.ts';

/** Tokens of one literal: a text with its prefix, a number with its sign, NULL, … */
export type Literal = readonly SqlToken[];

/** @param lengths what stands in parentheses after the type; `max` is Infinity */
export type CastMeaning = (value: Literal, lengths: readonly number[]) => Literal | null;

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const INTEGER = /^-?\d{1,40}$/;
const MAX_DIGITS = 400;
const BIT_STRING = /^[bx]/i;

/** A text, and not bits. */
const textOf = ([token, second]: Literal): string | null =>
  token?.kind === 'string' && second === undefined && !BIT_STRING.test(token.text) ? token.value : null;

/** Digits as written, with a sign. */
function numberOf(value: Literal): string | null {
  const isNegative = isSign(value[0], '-');
  const token = value[isNegative ? 1 : 0];
  return token?.kind === 'number' && value.length === (isNegative ? 2 : 1) && token.text.length < MAX_DIGITS
    ? (isNegative ? '-' : '') + token.text
    : null;
}

/** A number, or a text that is one. */
function digitsOf(value: Literal): string | null {
  const text = (numberOf(value) ?? textOf(value))?.replace(/^(-?)\./, '$10.');
  return text !== undefined && text.length < MAX_DIGITS && PLAIN.test(text) ? text : null;
}

const tokenOf = (kind: SqlToken['kind'], text: string, value: string, at: number): SqlToken => ({
  kind,
  text,
  value,
  at,
});

export const textLiteral = (value: string, [first]: Literal): Literal => [
  tokenOf('string', `'${value}'`, value, first?.at ?? 0),
];

function numberLiteral(digits: string, [first]: Literal): Literal {
  const bare = digits.replace(/^-/, '');
  const at = first?.at ?? 0;
  const number = tokenOf('number', bare, bare, at);
  return bare === digits ? [number] : [tokenOf('sign', '-', '-', at), number];
}

const integer =
  (least: bigint, most: bigint): CastMeaning =>
  (value) => {
    const digits = numberOf(value) ?? textOf(value) ?? '';
    if (!INTEGER.test(digits)) return null;
    const whole = BigInt(digits);
    return whole >= least && whole <= most ? numberLiteral(String(whole), value) : null;
  };

export const signed = integer(-(2n ** 63n), 2n ** 63n - 1n);
export const unsigned = integer(0n, 2n ** 64n - 1n);
export const year = integer(1901n, 2155n);
/** Texts have other words for it. */
export const bit: CastMeaning = (value) => (numberOf(value) === null ? null : integer(0n, 1n)(value, []));

/** With as many decimals as the type has. @param standard the lengths of the type without any; null: no limit */
export const decimal =
  (standard: readonly [number, number] | null): CastMeaning =>
  (value, lengths) => {
    const digits = digitsOf(value);
    const [all, places] = lengths.length > 0 ? [lengths[0]!, lengths[1] ?? 0] : (standard ?? [Infinity, null]);
    if (digits === null || places === null) return digits === null ? null : numberLiteral(digits, value);
    const [whole = '', decimals = ''] = digits.split('.');
    const isKept = decimals.length <= places && places <= all && whole.replace(/^-?0?/, '').length <= all - places;
    const zeros = isKept ? '0'.repeat(Math.min(places, MAX_DIGITS) - decimals.length) : '';
    return isKept ? numberLiteral(places === 0 ? whole : `${whole}.${decimals}${zeros}`, value) : null;
  };

/** @param most digits that the type always keeps */
const floating =
  (most: number): CastMeaning =>
  (value, lengths) => {
    const given = numberOf(value) ?? textOf(value) ?? '';
    const text = given.length < MAX_DIGITS ? given : '';
    const digits = /^-?((?:\d|\.(?=\d))*)(?:e[+-]?\d{1,3})?$/i.exec(text)?.[1]?.replace('.', '').replace(/^0+/, '');
    const number = Number(text);
    if (digits === undefined || text === '' || digits.length > most || lengths.length > 0 || !Number.isFinite(number))
      return null;
    return numberLiteral(String(number).includes('e') ? text : String(number), value);
  };

export const single = floating(6);
export const double = floating(15);

/** A text as it is, if it is not cut; a number as its digits. @param standard the length of the type without any */
export const varying =
  (standard = Infinity): CastMeaning =>
  (value, [most = standard]) => {
    const text = textOf(value);
    if (text !== null) return text.length <= most || asText(text).length <= most ? value : null;
    const digits = numberOf(value);
    return digits !== null && PLAIN.test(digits) && digits.length <= most ? textLiteral(digits, value) : null;
  };

/** A text of exactly the length of its type, which is neither cut nor filled up. */
export const fixed =
  (standard: number): CastMeaning =>
  (value, [length = standard]) => {
    const text = textOf(value);
    return text !== null && asText(text).length === length ? value : null;
  };

/** A text that its type only checks, or writes in another way. */
export const asWritten: CastMeaning = (value) => (textOf(value) === null ? null : value);

const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
const ZONE = '(Z|[+-]\\d\\d(?::?\\d\\d)?)?';
const DAY = new RegExp(`^(\\d{4})-(\\d\\d?)-(\\d\\d?)(?:[ T]${CLOCK})?$`);
const MOMENT = new RegExp(`^\\d{4}-\\d\\d-\\d\\d[ T](${CLOCK})(?:\\.(\\d{1,9}))?${ZONE}$`);
const TIME = new RegExp(`^-?(\\d{2,3}):[0-5]\\d:[0-5]\\d(?:\\.(\\d{1,9}))?${ZONE}$`);
/** The longest time of MySQL is 838:59:59. */
const MOST_HOURS = 838;

/** The day of a text, `2020-01-31`; null where it has none. MySQL has days that are zero. */
function dayOf(text: string): string | null {
  const found = DAY.exec(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
  if (found === null) return null;
  const day = [found[1], ...found.slice(2).map((part) => part.padStart(2, '0'))].join('-');
  const time = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  return isDay || day.startsWith('0000-00') ? day : null;
}

export const date: CastMeaning = (value) => {
  const day = dayOf(textOf(value) ?? '');
  return day === null ? null : textLiteral(day, value);
};

export interface Precision {
  /** Digits of fractions of a second. */
  readonly digits: number;
  readonly hasZone: boolean;
}

/** As it is written, with a time. @param isKept of the time and the fraction */
export const moment =
  ({ digits, hasZone }: Precision, isKept: (time: string, fraction: string) => boolean = () => true): CastMeaning =>
  (value, [most = digits]) => {
    const text = textOf(value) ?? '';
    if (text.length <= 10) {
      const day = dayOf(text);
      return day === null ? null : textLiteral(`${day} 00:00:00`, value);
    }
    const [, time = '', fraction = '', zone] = MOMENT.exec(text) ?? [];
    const isExact = time !== '' && fraction.length <= most && (hasZone || zone === undefined) && isKept(time, fraction);
    return isExact && dayOf(text.slice(0, 10)) !== null ? value : null;
  };

/** As it is written, or the time of a moment. */
export const timeOfDay =
  ({ digits, hasZone }: Precision): CastMeaning =>
  (value, [most = digits]) => {
    const text = textOf(value) ?? '';
    const ofDay = MOMENT.exec(text);
    if (ofDay !== null) return ofDay[2] === undefined && ofDay[3] === undefined ? textLiteral(ofDay[1]!, value) : null;
    const [, hours, fraction = '', zone] = TIME.exec(text) ?? [];
    const isExact = Number(hours) <= MOST_HOURS && fraction.length <= most && (hasZone || zone === undefined);
    return isExact ? value : null;
  };

/** PostgreSQL's words for true and false. */
export const boolean: CastMeaning = (value) => {
  if (isWord(value[0], 'TRUE', 'FALSE')) return value;
  const found = /^(?:(t|true|y|yes|on|1)|f|false|n|no|off|0)$/i.exec(numberOf(value) ?? textOf(value) ?? '');
  const word = found?.[1] === undefined ? 'FALSE' : 'TRUE';
  return found && [tokenOf('word', word, word, value[0]!.at)];
};

/** Digits of bits, neither cut nor filled up. @param isFixed exactly so many */
export const bits =
  (isFixed: boolean): CastMeaning =>
  (value, [most = isFixed ? 1 : Infinity]) => {
    const text = value.length === 1 && value[0]!.kind === 'string' ? value[0]!.value : '';
    return /^[01]+$/.test(text) && (isFixed ? text.length === most : text.length <= most) ? value : null;
  };
