// The values of a source, and what is wrong with one that a person has set.
import type { SampleSource, SampleTime, SampleText } from '../protocol/sample-rows.ts';
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

// Texts after a pattern: `AA-####` gives `KX-4711`.

const DIGITS = Array.from('0123456789');
const UPPER = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const LOWER = Array.from('abcdefghijklmnopqrstuvwxyz');
const SETS: Readonly<Record<string, readonly string[]>> = {
  '#': DIGITS,
  A: UPPER,
  a: LOWER,
  '*': [...LOWER, ...DIGITS],
};

/** `#` a digit, `A` and `a` a letter, `*` either, `{red|green}` one of a list, `\` before a character that stands for itself. */
function patternValues(pattern: string): Values {
  const parts = partsOf(pattern);
  return combined(
    parts.map(({ length }) => length),
    (indexes) => {
      let text = '';
      for (let at = 0; at < parts.length; at++) text += parts[at]![indexes[at]!]!;
      return text;
    },
  );
}

function partsOf(pattern: string): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  const chars = Array.from(pattern);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const close = char === '{' ? chars.indexOf('}', at) : -1;
    if (char === '\\' && at + 1 < chars.length) parts.push([chars[++at]!]);
    else if (close > 0) {
      parts.push([
        ...new Set(
          chars
            .slice(at + 1, close)
            .join('')
            .split('|'),
        ),
      ]);
      at = close;
    } else parts.push(Object.hasOwn(SETS, char) ? SETS[char]! : [char]);
  }
  return parts;
}

// Days and times between two dates, as SQLite's date functions read them.

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Null for anything but a day of the calendar, `YYYY-MM-DD`. */
function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || dayText(ms / DAY_MS) !== text ? null : ms / DAY_MS;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Uses Howard Hinnant’s `civil_from_days` algorithm, which is several times as fast as a Date. */
function dayText(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * ofYear + 2) / 153);
  const month = part < 10 ? part + 3 : part - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(ofYear - Math.floor((153 * part + 2) / 5) + 1)}`;
}

const timeText = (second: number): string =>
  `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;

/** @param from the number of a day; `to`: the last one */
function momentValues(as: SampleTime, from: number, to: number): Values {
  const days = to - from + 1;
  switch (as) {
    case 'date':
      return combined([days], ([day]) => dayText(from + day!));
    case 'time':
      return combined([DAY_SECONDS], ([second]) => timeText(second!));
    case 'datetime':
      return combined([DAY_SECONDS, days], ([second, day]) => `${dayText(from + day!)} ${timeText(second!)}`);
    case 'unix':
      return combined([days * DAY_SECONDS], ([second]) => from * DAY_SECONDS + second!);
    case 'unix-ms':
      return combined([days * DAY_MS], ([ms]) => from * DAY_MS + ms!);
  }
}

// Names, addresses, and other texts out of the word lists.

// Words that sample rows are made of, written for this purpose. Addresses and numbers are those reserved for examples.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split(',')
    .map((line) => line.trim());

const GIVEN_NAMES = words(`
  Ada Adam Agnes Alba Alice Amir Anna Anton Aria Arthur Astrid Aylin Beatrice Ben Björn Boris Camille Carla Carlos Chloé Clara Daniel
  David Diego Dora Edith Elena Elias Emil Emma Erik Esther Eva Fatima Felix Filip Finn Freya Gabriel George Grace Greta Hana Hannah
  Henry Hugo Ida Ines Ingrid Isaac Ivan Jakob Jana Jasper João Johanna José Julia Kai Karim Katja Klara Lars Laura Lea Leon Lena Liam
  Lina Lucas Lucía Magnus Maja Marco Maria Marta Matteo Maya Mei Mila Mohamed Nadia Nina Noah Nora Olga Oliver Omar Oscar Paula Pedro
  Petra Priya Quentin Rosa Ruben Samir Sara Selma Sofia Søren Tara Theo Tomas Uma Vera Viktor Walter Wei Yara Yusuf Zoe Zofia`);

const FAMILY_NAMES = words(`
  Abbott Adler Almeida Andersen Baker Barros Bauer Becker Berg Bianchi Blanc Böhm Carter Castro Chen Clarke Costa Cruz Dahl Dubois
  Eriksen Evans Fischer Fontaine Ford Franco Garcia Gomez Graf Gray Green Hansen Harris Haas Hoffmann Holm Hughes Ivanov Jensen
  Johansson Jones Kaya Keller Kim King Klein Koch Kowalski Kumar Lambert Lang Larsen Lee Leroy Lind Lopez Lund Marino Martin Meyer
  Miller Moreau Morel Moretti Müller Murphy Nagy Nielsen Novak Nowak Olsen Ortiz Park Patel Pereira Petit Popov Ramos Reed Ricci Roy
  Rossi Roux Russo Sato Schmidt Silva Singh Smith Sokolov Stein Suzuki Tanaka Thomas Torres Vega Vogel Wagner Walker Wang Weber White
  Wilson Wolf Wood Wright Yilmaz Young Zhang Ziegler`);

const WORDS = words(`
  able acorn after amber anchor apple april arch arrow ash autumn bank barley basin bay beach bell berry birch bird blue board boat
  book branch brass bread breeze brick bridge bright brook brown brush calm camp candle canvas cape card castle cedar chain chair chalk
  change chart city clay clear cliff clock cloud clover coal coast cobalt coin cold copper coral cork corner cotton country cover crane
  creek crown crystal curtain daisy dawn day deep deer delta desert dock door dove dream drift dune dust early earth east easy echo edge
  elm ember empty equal even evening fair falcon fall far farm feather fern field fig fine fire first fish flag flame flax fleet flint
  floor flower fog folk forest fork fox free fresh frost fruit full garden gate gentle ginger glass globe gold good grain grand granite
  grape grass gravel great green grove half hand harbor hare harvest haven hawk hazel heart heather hedge high hill holly home honey
  horn horse house ice indigo ink inland iris iron island ivory ivy jade jar jasmine journey juniper kettle key kind kite knot lake lamp
  land lane lantern large lark last late laurel lavender leaf lemon level light lily lime linen lion little local lock long loop lotus
  low lucky lunar lynx mango map maple marble march market marsh meadow melon merry mild mill mint mirror mist model moon morning moss
  mountain narrow near nest new night noble noon north note nut oak oasis ocean oil old olive onyx open orange orchard otter oval owl
  paper park part path peach pearl pebble pepper pilot pine place plain plum pocket point pond poppy port prairie prime pure quail
  quarry quartz quick quiet rain raven ready red reed ridge ring ripe river road robin rock roof room root rope rose round row ruby sage
  sail salt sand sea season second seed shade shadow shell shore short silent silk silver simple sky slate slow small smooth snow soft
  soil south spark spice spring spruce square star steady steel stone storm straw stream street strong summer sun swan sweet table tall
  tea thyme tide tiger timber time token top torch tower town trail tree true tulip under upper vale valley velvet view village vine
  violet walnut warm water wave west wheat whole wide wild willow wind window winter wise wolf wood wool yard year yellow young zephyr`);

const CITIES = lines(`
  Aarhus, Accra, Amsterdam, Ankara, Athens, Austin, Bangkok, Barcelona, Basel, Berlin, Bogotá, Boston, Bratislava, Bristol, Brno, Brussels,
  Bucharest, Budapest, Cairo, Calgary, Cape Town, Chicago, Cologne, Copenhagen, Cork, Dakar, Delhi, Denver, Dublin, Edinburgh, Florence, Gdańsk,
  Geneva, Genoa, Ghent, Glasgow, Graz, Hamburg, Hanoi, Helsinki, Istanbul, Jakarta, Kraków, Kyoto, Lagos, Leeds, Leipzig, Lima, Lisbon, London,
  Lyon, Madrid, Malmö, Manila, Marseille, Melbourne, Milan, Montreal, Mumbai, Munich, Nairobi, Nantes, Naples, Osaka, Oslo, Ottawa, Paris,
  Perth, Porto, Portland, Prague, Quito, Reykjavík, Riga, Rome, Rotterdam, Salzburg, San Diego, Santiago, São Paulo, Seattle, Seoul, Seville,
  Singapore, Sofia, Stockholm, Sydney, Tallinn, Tokyo, Toronto, Toulouse, Tunis, Turin, Utrecht, Valencia, Vancouver, Vienna, Vilnius, Warsaw,
  Wellington, York, Zagreb, Zurich`);

/** Codes and names in pairs. */
const COUNTRIES = lines(`
  AR Argentina, AT Austria, AU Australia, BE Belgium, BG Bulgaria, BR Brazil, CA Canada, CH Switzerland, CL Chile, CN China, CO Colombia,
  CZ Czechia, DE Germany, DK Denmark, EE Estonia, EG Egypt, ES Spain, FI Finland, FR France, GB United Kingdom, GH Ghana, GR Greece, HR Croatia,
  HU Hungary, ID Indonesia, IE Ireland, IN India, IS Iceland, IT Italy, JP Japan, KE Kenya, KR South Korea, LT Lithuania, LV Latvia, MA Morocco,
  MX Mexico, MY Malaysia, NG Nigeria, NL Netherlands, NO Norway, NZ New Zealand, PE Peru, PH Philippines, PL Poland, PT Portugal, RO Romania,
  SE Sweden, SG Singapore, SI Slovenia, SK Slovakia, TH Thailand, TN Tunisia, TR Türkiye, UA Ukraine, US United States, UY Uruguay, VN Vietnam,
  ZA South Africa`).map((line) => [line.slice(0, 2), line.slice(3)] as const);

const STREETS = words(`
  Acorn Ash Beech Birch Bridge Brook Castle Cedar Chapel Church Cliff Copper Elm Field Forest Garden Grove Harbor Hazel High Hill Lake
  Linden Main Maple Market Meadow Mill North Oak Orchard Park Pine River School South Spring Station Stone Summer Sunset Valley Walnut
  Water West Willow`);
const STREET_KINDS = words('Street Road Avenue Lane Way Place Square');

const COMPANY_KINDS = lines('Ltd, Inc, GmbH, AG, SA, & Co, Group, Works, Labs, Partners');
const JOBS = lines(`
  accountant, actor, analyst, architect, baker, biologist, carpenter, chemist, clerk, cook, designer, developer, doctor, driver, editor,
  electrician, engineer, farmer, gardener, geologist, historian, journalist, judge, lawyer, librarian, mechanic, musician, nurse, painter,
  pharmacist, photographer, pilot, plumber, professor, secretary, shop assistant, surveyor, tailor, teacher, technician, translator, vet,
  watchmaker, writer`);
const COLORS = words(
  'amber black blue brown coral cyan gold gray green indigo ivory lime magenta maroon navy olive orange pink purple red silver teal violet white yellow',
);
const CURRENCIES = words('AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY KRW MXN NOK NZD PLN SEK TRY USD ZAR');
const LANGUAGES = words(
  'ar bg cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk vi zh',
);
const FILE_ENDINGS = words('txt pdf png jpg csv json md zip html svg mp3 docx');

/** Reserved for examples (RFC 2606). */
const HOSTS = words('mail.example post.example web.example example.com example.org example.net');

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

const textValues = (of: SampleText): Values => TEXTS[of]();

/** Makes `from` to `to` words: a title, or a sentence if there are many. */
function wordValues(from: number, to: number): Values {
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
