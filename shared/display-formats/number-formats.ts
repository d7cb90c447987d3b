// Numbers that stand for sizes, durations, amounts, addresses, and truth values.
import type { Value } from '../protocol/values.ts';
import {
  decimalFrom,
  decimalOf,
  decimalText,
  fractionText,
  grouped,
  integerOf,
  integerValue,
  realFromDecimal,
  realOf,
  rounded,
} from './exact-number.ts';
import type { Decimal } from './exact-number.ts';
import { problem } from './format.ts';
import type { DisplayFormat, Parsed } from './format.ts';

const NUMBER = { group: 'number', hasZone: false, takesNull: true } as const;
const TOO_LARGE = problem('This number needs more than 64 bits.');

const stored64 = (integer: bigint): Parsed => {
  const value = integerValue(integer);
  return value === null ? TOO_LARGE : { value };
};

/** An integer where the value replaced is one and it can be one, otherwise a REAL. */
function numberLike(decimal: Decimal, stored: Value): Parsed {
  const unit = 10n ** BigInt(decimal.scale);
  if (realOf(stored) === null && decimal.digits % unit === 0n) return stored64(decimal.digits / unit);
  const value = realFromDecimal(decimal);
  return value === null ? problem('A REAL cannot keep all these digits. Enter fewer.') : { value };
}

/** Without its thousands separators; null if those are misplaced. */
function plainDecimal(text: string): Decimal | null {
  const typed = text.trim();
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(typed)) return null;
  return decimalFrom(typed.replaceAll(',', ''));
}

function groupedDecimal(decimal: Decimal): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)/.exec(decimalText(decimal)) ?? [];
  return sign + grouped(whole) + rest;
}

/** Edited as stored: the text leaves most digits out. */
function sizeFormat(id: string, name: string, base: bigint, units: readonly string[]): DisplayFormat {
  return {
    ...NUMBER,
    id,
    name,
    classes: ['integer'],
    show(value) {
      const bytes = integerOf(value);
      if (bytes === null) return null;
      let size = bytes < 0n ? -bytes : bytes;
      if (size < base) return bytes === 1n ? '1 byte' : `${bytes} bytes`;
      let power = 0;
      // In tenths, so that 999,960 bytes are 1.0 MB, not 1000.0 KB.
      const tenths = (): bigint => (size * 20n + base ** BigInt(power)) / (base ** BigInt(power) * 2n);
      while (power < units.length && tenths() >= base * 10n) power++;
      size = tenths();
      return `${bytes < 0n ? '-' : ''}${size / 10n}.${size % 10n} ${units[power - 1]}`;
    },
  };
}

/** “1:02:05”: hours, minutes, and seconds with all their digits. */
function durationFormat(id: string, name: string, unitScale: number): DisplayFormat {
  return {
    ...NUMBER,
    id,
    name,
    classes: ['integer', 'real'],
    show(value) {
      const count = decimalOf(value);
      if (!count) return null;
      const size = count.digits < 0n ? -count.digits : count.digits;
      const unit = 10n ** BigInt(count.scale + unitScale);
      const seconds = size / unit;
      const two = (part: bigint): string => String(part).padStart(2, '0');
      const clock = `${seconds / 3600n}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
      return `${count.digits < 0n ? '-' : ''}${clock}${fractionText(size % unit, count.scale + unitScale)}`;
    },
    parse(text, _zone, stored) {
      const found = /^([+-]?)(?:(\d+):)?(\d+):([0-5]\d)(?:\.(\d+))?$/.exec(text.trim());
      const [, sign, hours, minutes, seconds, fraction = ''] = found ?? [];
      if (!found || (hours !== undefined && (minutes!.length !== 2 || Number(minutes) > 59)))
        return problem('Enter a duration such as 1:02:05, or 2:05 for minutes and seconds.');
      const whole = BigInt(hours ?? 0) * 3600n + BigInt(minutes!) * 60n + BigInt(seconds!);
      const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
      const scale = fraction.length - unitScale;
      const count = scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
      if (realOf(stored) === null && count.digits % 10n ** BigInt(count.scale) !== 0n)
        return problem(`${name} are stored as integers here. Enter fewer digits.`);
      return numberLike(count, stored);
    },
  };
}

const MONEY: DisplayFormat = {
  ...NUMBER,
  id: 'money',
  name: 'Amount with two digits',
  classes: ['integer', 'real'],
  show(value) {
    const amount = decimalOf(value);
    return amount && groupedDecimal(rounded(amount, 2));
  },
  parse(text, _zone, stored) {
    const amount = plainDecimal(text);
    return amount ? numberLike(amount, stored) : problem('Enter an amount such as 1,234.50.');
  },
};

const CENTS: DisplayFormat = {
  ...NUMBER,
  id: 'cents',
  name: 'Amount in hundredths (cents)',
  classes: ['integer'],
  show(value) {
    const cents = integerOf(value);
    return cents === null ? null : groupedDecimal({ digits: cents, scale: 2 });
  },
  parse(text) {
    const amount = plainDecimal(text);
    if (!amount || amount.scale > 2)
      return problem('Enter an amount such as 1,234.50, with at most two digits after the point.');
    return stored64(amount.digits * 10n ** BigInt(2 - amount.scale));
  },
};

const IPV4: DisplayFormat = {
  ...NUMBER,
  id: 'ipv4',
  name: 'IPv4 address',
  classes: ['integer'],
  show(value) {
    const address = integerOf(value);
    if (address === null || address < 0n || address > 0xffff_ffffn) return null;
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
  },
  parse(text) {
    const parts = text.trim().split('.');
    const isAddress =
      parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
    if (!isAddress) return problem('Enter an address such as 192.168.0.1.');
    return { value: parts.reduce((address, part) => address * 256 + Number(part), 0) };
  },
};

/** Pairs of texts that mean false and true. */
const WORDS = [
  ['f', 't'],
  ['false', 'true'],
  ['n', 'y'],
  ['no', 'yes'],
] as const;

const BOOLEAN: DisplayFormat = {
  ...NUMBER,
  id: 'boolean',
  name: 'True or false',
  classes: ['integer', 'text'],
  takesNull: false,
  show(value) {
    if (value === 0 || value === 1) return value === 1 ? 'true' : 'false';
    if (typeof value !== 'string') return null;
    const pair = pairOf(value);
    return pair && (value.toLowerCase() === pair[1] ? 'true' : 'false');
  },
  parse(text, _zone, stored) {
    const typed = text.trim().toLowerCase();
    const at = typed === '0' || typed === '1' ? Number(typed) : pairOf(typed)?.indexOf(typed as never);
    if (at === undefined) return problem('Enter true or false.');
    if (typeof stored !== 'string') return { value: at };
    const pair = pairOf(stored)!;
    const word = pair[at]!;
    // It means the same already, however it is written.
    if (word === stored.toLowerCase()) return { value: stored };
    return { value: stored === stored.toLowerCase() ? word : cased(word, stored) };
  },
};

const pairOf = (text: string): (typeof WORDS)[number] | null =>
  WORDS.find((pair) => (pair as readonly string[]).includes(text.toLowerCase())) ?? null;

/** In capitals, or with a capital, as the text it replaces. */
const cased = (word: string, like: string): string =>
  like === like.toUpperCase() ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1);

export const NUMBER_FORMATS: readonly DisplayFormat[] = [
  BOOLEAN,
  sizeFormat('bytes', 'Size (KB, MB)', 1000n, ['KB', 'MB', 'GB', 'TB', 'PB', 'EB']),
  sizeFormat('bytes-binary', 'Size (KiB, MiB)', 1024n, ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']),
  durationFormat('seconds', 'Duration in seconds', 0),
  durationFormat('milliseconds', 'Duration in milliseconds', 3),
  MONEY,
  CENTS,
  IPV4,
];
