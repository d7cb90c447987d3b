// Names, addresses, and other texts out of the word lists.
import type { SampleText } from '../protocol/sample-rows.ts';
import { combined, oneOf } from './values.ts';
import type { Values } from './values.ts';
import {
  CITIES,
  COLORS,
  COMPANY_KINDS,
  COUNTRIES,
  CURRENCIES,
  FAMILY_NAMES,
  FILE_ENDINGS,
  GIVEN_NAMES,
  HOSTS,
  JOBS,
  LANGUAGES,
  STREETS,
  STREET_KINDS,
  WORDS,
} from './word-lists.ts';

const [GIVEN, FAMILY] = [GIVEN_NAMES.length, FAMILY_NAMES.length];

/** Removes accents and capitals, for addresses. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^a-z0-9]/gi, (char) => (char === 'ø' ? 'o' : ''))
    .toLowerCase();
const PLAIN_GIVEN = GIVEN_NAMES.map(plain);
const PLAIN_FAMILY = FAMILY_NAMES.map(plain);

const digits = (value: number, length: number): string => String(value).padStart(length, '0');
const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

const TEXTS: Readonly<Record<SampleText, () => Values>> = {
  'full-name': () => combined([GIVEN, FAMILY], ([given, family]) => `${GIVEN_NAMES[given!]} ${FAMILY_NAMES[family!]}`),
  'given-name': () => oneOf(GIVEN_NAMES),
  'family-name': () => oneOf(FAMILY_NAMES),
  'user-name': () => combined([GIVEN, FAMILY, 1000], ([given, family, number]) => `${PLAIN_GIVEN[given!]}.${PLAIN_FAMILY[family!]}${number}`), // prettier-ignore
  email: () =>
    combined(
      [GIVEN, FAMILY, 1000, HOSTS.length],
      ([given, family, number, host]) => `${PLAIN_GIVEN[given!]}.${PLAIN_FAMILY[family!]}${number}@${HOSTS[host!]}`,
    ),
  // 555-01xx is reserved for fiction.
  phone: () => combined([800, 100], ([area, number]) => `+1 ${area! + 200} 555 01${digits(number!, 2)}`),
  company: () =>
    combined([FAMILY, WORDS.length, COMPANY_KINDS.length], ([family, word, kind]) => `${FAMILY_NAMES[family!]} ${capital(WORDS[word!]!)} ${COMPANY_KINDS[kind!]}`), // prettier-ignore
  job: () => oneOf(JOBS),
  street: () =>
    combined([STREETS.length, STREET_KINDS.length, 199], ([name, kind, number]) => `${number! + 1} ${STREETS[name!]} ${STREET_KINDS[kind!]}`), // prettier-ignore
  city: () => oneOf(CITIES),
  'post-code': () => combined([90_000], ([number]) => String(number! + 10_000)),
  country: () => oneOf(COUNTRIES.map(([, name]) => name)),
  'country-code': () => oneOf(COUNTRIES.map(([code]) => code)),
  url: () =>
    combined([HOSTS.length, WORDS.length, WORDS.length, 100], ([host, first, second, number]) => `https://${HOSTS[host!]}/${WORDS[first!]}/${WORDS[second!]}-${number}`), // prettier-ignore
  slug: () => combined([WORDS.length, WORDS.length, 1000], ([first, second, number]) => `${WORDS[first!]}-${WORDS[second!]}-${number}`), // prettier-ignore
  color: () => oneOf(COLORS),
  currency: () => oneOf(CURRENCIES),
  language: () => oneOf(LANGUAGES),
  'file-name': () =>
    combined([WORDS.length, 1000, FILE_ENDINGS.length], ([word, number, ending]) => `${WORDS[word!]}-${number}.${FILE_ENDINGS[ending!]}`), // prettier-ignore
  // 198.18.0.0/15 is reserved for tests (RFC 2544).
  'ip-address': () => combined([2, 256, 256], ([second, third, fourth]) => `198.${second! + 18}.${third}.${fourth}`),
  uuid: () => ({
    kind: 'open',
    make(random) {
      const [a, b, c, d] = [random.next(), random.next(), random.next(), random.next()];
      const variant = ((c >>> 16) & 0x3fff) | 0x8000;
      return `${hex(a, 8)}-${hex(b >>> 16, 4)}-4${hex(b & 0xfff, 3)}-${hex(variant, 4)}-${hex(c & 0xffff, 4)}${hex(d, 8)}`;
    },
  }),
  json: () =>
    combined([WORDS.length, WORDS.length, 10_000, 2], ([first, second, number, flag]) => `{"name":"${WORDS[first!]}","tags":["${WORDS[second!]}"],"size":${number},"active":${flag === 1}}`), // prettier-ignore
};

export const textValues = (of: SampleText): Values => TEXTS[of]();

/** Makes `from` to `to` words: a title, or a sentence if there are many. */
export function wordValues(from: number, to: number): Values {
  const [least, most] = [Math.max(1, Math.min(from, to)), Math.max(1, from, to)];
  const isSentence = most > 5;
  const write = (words: readonly string[]): string => {
    const text = words.join(' ');
    return isSentence ? `${capital(text)}.` : text;
  };
  const sizes = Array.from({ length: most - least + 1 }, (_, more) => WORDS.length ** (least + more));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size > 2 ** 52)
    return {
      kind: 'open',
      make: (random) =>
        write(Array.from({ length: least + random.below(most - least + 1) }, () => WORDS[random.below(WORDS.length)]!)),
    };
  return {
    kind: 'counted',
    size,
    at(index) {
      let rest = index;
      let count = 0;
      while (rest >= sizes[count]!) rest -= sizes[count++]!;
      const words = Array.from({ length: least + count }, () => {
        const word = WORDS[rest % WORDS.length]!;
        rest = Math.floor(rest / WORDS.length);
        return word;
      });
      return write(words);
    },
  };
}
