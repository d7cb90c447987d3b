// Detects the encoding of a text file from its beginning, with the reason for it.
import { analyse } from 'chardet';
import type { Evidence } from '#shared/protocol/import.ts';
import type { FileSample } from '../import-format.ts';
import { utf8Facts } from './odd-bytes.ts';
import { oddShare } from './odd-letters.ts';

// Tells encodings with one byte for each letter by the alphabets of languages: all letters of a short text belong to one of them.

interface Language {
  readonly name: string;
  /** Letters beyond ASCII, in lower case, or a script. */
  readonly letters: RegExp;
  /** Words of another alphabet have no letters of ASCII. */
  readonly mixed?: RegExp;
}

const language = (name: string, letters: string): Language => ({ name, letters: new RegExp(`^[${letters}]$`, 'u') });
const script = (name: string, letters: string): Language => ({
  ...language(name, letters),
  mixed: new RegExp(`[a-zA-Z][${letters}]|[${letters}][a-zA-Z]`, 'u'),
});

const WESTERN = [
  language('German', 'äöüß'),
  language('French', 'àâæçèéêëîïôœùûüÿ'),
  language('Spanish', 'áéíñóúüªº¡¿'),
  language('Portuguese', 'àáâãçéêíóôõúüªº'),
  language('Italian', 'àèéìíîòóùú'),
  language('Dutch', 'áèéëíïóöúü'),
  language('Danish or Norwegian', 'àæéêóòôøåäöü'),
  language('Swedish or Finnish', 'àäåéöüšž'),
  language('Icelandic', 'áéíóúýþæðöø'),
  language('Catalan', 'àçèéíïòóúü·'),
  language('Estonian', 'äõöüšž'),
  language('Albanian', 'çë'),
];
const CENTRAL = [
  language('Polish', 'ąćęłńóśźż'),
  language('Czech', 'áčďéěíňóřšťúůýž'),
  language('Slovak', 'áäčďéíĺľňóôŕšťúýž'),
  language('Hungarian', 'áéíóöőúüű'),
  language('Romanian', 'ăâîşţ'),
  language('Croatian', 'čćđšž'),
];
const CYRILLIC = [
  script('Russian', 'а-яё'),
  script('Ukrainian', 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'),
  script('Serbian', 'абвгдђежзијклљмнњопрстћуфхцчџш'),
];
const GREEK = [script('Greek', String.raw`\p{Script=Greek}`)];

/** By encodings, as `TextDecoder` names them. */
const LANGUAGES: Readonly<Record<string, readonly Language[]>> = {
  'windows-1252': WESTERN,
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  'windows-1254': [language('Turkish', 'çğıöşüâîû')],
  'windows-1257': [
    language('Lithuanian', 'ąčęėįšųūž'),
    language('Latvian', 'āčēģīķļņōŗšūž'),
    language('Estonian', 'äõöüšž'),
  ],
  'windows-1251': CYRILLIC,
  'koi8-r': CYRILLIC,
  'koi8-u': CYRILLIC,
  ibm866: CYRILLIC,
  'windows-1253': GREEK,
  'iso-8859-7': GREEK,
  'windows-1255': [script('Hebrew', String.raw`\p{Script=Hebrew}`)],
  'windows-1256': [script('Arabic', String.raw`\p{Script=Arabic}`)],
  'windows-874': [script('Thai', String.raw`\p{Script=Thai}`)],
};

const SIGNS = /[\0-\x7f\u00a0\u00a3\u00a7\u00a9\u00ab\u00ad\u00ae\u00b0\u00b7\u00bb‘’‚“”„–—…•€™№]/u;
const MOST_BYTES = 1 << 16;
/** A few letters of one kind may come from a foreign name. */
const FEW = 6;
const MOST_ODD = 0.02;

interface FoundAlphabet {
  readonly encoding: string;
  readonly language: string;
}

/**
 * The only encoding in which all letters belong to one language, where they do not in `usual`, the one that looks likeliest. Null: there is none, or
 * too few letters tell.
 */
function byAlphabet(bytes: Uint8Array, usual: string): FoundAlphabet | null {
  const own = LANGUAGES[usual];
  if (own === undefined) return null;
  const text = decoded(bytes, usual);
  if (languageOf(bytes, usual, text) !== null) return null;
  const found = new Map<string, FoundAlphabet>();
  for (const encoding of Object.keys(LANGUAGES)) {
    const other = decoded(bytes, encoding);
    if (encoding === usual || found.has(other) || !isTold(text, other)) continue;
    const one = languageOf(bytes, encoding, other);
    if (one !== null) found.set(other, { encoding, language: one });
  }
  return found.size === 1 ? [...found.values()][0]! : null;
}

/** Signs such as ½ look like letters of other encodings. */
const hasLetters = (bytes: Uint8Array, encoding: string): boolean =>
  /(?![ªµº])[^\P{L}\0-\x7f]|[\u0080-\u009f]/u.test(decoded(bytes, encoding));

/** Kanji of Shift_JIS begin with bytes that no usual character of the other encodings with two bytes has. */
function isShiftJis(bytes: Uint8Array): boolean {
  let [pairs, telling] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80 || (byte >= 0xa0 && byte < 0xe0)) continue;
    pairs++;
    if (byte < 0xa0) telling++;
    at++;
  }
  try {
    const text = new TextDecoder('shift_jis', { fatal: true }).decode(bytes);
    const isJapanese = /^[\0-\x7f\u3000-\u30ff\uff00-\uffef\p{Script=Han}]*$/u.test(text);
    return isJapanese && pairs >= 4 && telling * 2 >= pairs;
  } catch {
    return false;
  }
}

/** Fewer characters, or words with an even number of letters in another encoding, prove nothing. */
const FEWEST_CHINESE = 6;
const FEWEST_RUNS = 4;

/** Common characters of GB 2312 are pairs of bytes beyond ASCII, of which the first is in a narrow range. Cyrillic words may have pairs of letters, too, but next to none of the lower bytes. */
function isGb(bytes: Uint8Array): boolean {
  let [pairs, runs, common, low] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    while (at < bytes.length && bytes[at]! < 0x80) at++;
    if (at >= bytes.length) break;
    const [first, second = 0] = bytes.subarray(at, at + 2);
    const isPair = first! >= 0xa1 && first! <= 0xf7 && second >= 0xa1 && second < 0xff;
    if (!isPair) return false;
    if (first! >= 0xb0 && first! <= 0xd7) common++;
    if (first! < 0xc0 || second < 0xc0) low++;
    pairs++;
    if (at === 0 || bytes[at - 1]! < 0x80) runs++;
  }
  return pairs >= FEWEST_CHINESE && runs >= FEWEST_RUNS && common * 10 >= pairs * 9 && low * 4 >= pairs;
}

/** A damaged text has a few bytes that are no character, and one in another encoding many. */
function isBroken(text: string): boolean {
  const [broken, wide] = [/\ufffd/g, /[^\0-\x7f]/g].map((sign) => text.match(sign)?.length ?? 0);
  return broken! > 1 && broken! * 20 > wide!;
}

const decoded = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes.subarray(0, MOST_BYTES));

function languageOf(bytes: Uint8Array, encoding: string, text: string): string | null {
  const letters = [...new Set(text)].filter((letter) => !SIGNS.test(letter));
  const isIn = ({ letters: own, mixed }: Language): boolean =>
    mixed?.test(text) !== true &&
    letters.every((letter) => own.test(letter) || own.test(letter.toLowerCase()) || (letter === 'İ' && own.test('ı')));
  const one = LANGUAGES[encoding]!.find(isIn);
  return one !== undefined && oddShare(bytes, encoding) <= MOST_ODD ? one.name : null;
}

/** Enough characters differ. */
function isTold(text: string, other: string): boolean {
  const kinds = new Set<string>();
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === other[at]) continue;
    kinds.add(text[at]!);
    count++;
  }
  return count >= FEW || kinds.size >= 2;
}

interface DetectedEncoding {
  readonly encoding: string;
  readonly evidence: Evidence;
  /** There are only ASCII characters, in the sample at least. */
  readonly isAscii?: true;
  /** It does not look like text in any encoding: a picture, a program, something packed. */
  readonly isBinary?: true;
  /** Encodings that are nearly as likely, the likeliest first. */
  readonly rivals?: readonly string[];
}

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Checks, in this order, for a byte order mark, the positions of zeros, UTF-8, and at last the most likely encoding. */
export function detectEncoding({ bytes, isWhole }: FileSample): DetectedEncoding {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark) return found(mark[0], 'The file begins with its byte order mark.');
  const wide = wideEncoding(bytes);
  if (wide) return wide;
  const facts = utf8Facts(bytes, isWhole);
  if (bytes.length === 0) return found('utf-8', 'The file is empty.');
  const where = isWhole ? 'the file' : `the first ${(bytes.length >> 10).toLocaleString('en-US')} KB`;
  if (facts.sequences + facts.invalid === 0)
    return { ...found('utf-8', `There are only ASCII characters in ${where}.`), isAscii: true };
  const characters = `${facts.sequences.toLocaleString('en-US')} character${facts.sequences === 1 ? '' : 's'} beyond ASCII`;
  if (facts.invalid === 0) return found('utf-8', `${characters} in ${where}, all valid UTF-8.`);
  if (facts.sequences > facts.invalid * 10)
    return found(
      'utf-8',
      `${characters} are valid UTF-8; ${facts.invalid === 1 ? '1 byte is' : `${facts.invalid.toLocaleString('en-US')} bytes are`} not.`,
    );
  const detected = likeliest(bytes);
  // Letters of other encodings hardly ever look like UTF-8.
  const isNearUtf8 = facts.sequences >= facts.invalid;
  const near = isNearUtf8 ? { ...detected, rivals: ['utf-8', ...(detected.rivals ?? [])] } : detected;
  return isBinary(bytes) ? { ...near, isBinary: true } : near;
}

/**
 * One in fourteen random bytes is one of these; text of any encoding has next to none. NUL, which pads fields, is left aside, and so is what
 * delimits them.
 */
const CONTROLS = new Uint8Array(256).fill(1, 1, 32);
for (const character of '\x01\t\n\v\f\r\x14\x1a\x1b\x1c\x1d\x1e\x1f') CONTROLS[character.charCodeAt(0)] = 0;
const MOST_CONTROLS = 0.02;
const FEWEST_BYTES = 32;

function isBinary(bytes: Uint8Array): boolean {
  let controls = 0;
  let others = 0;
  for (const byte of bytes) {
    if (CONTROLS[byte] === 1) controls++;
    else if (byte !== 0) others++;
  }
  return bytes.length >= FEWEST_BYTES && controls > MOST_CONTROLS * (controls + others);
}

const found = (encoding: string, reason: string): DetectedEncoding => ({
  encoding,
  evidence: { option: 'encoding', reason },
});

const guessed = (encoding: string, reason: string): DetectedEncoding => ({
  encoding,
  evidence: { option: 'encoding', reason, isUnexpected: true },
});

/** Text has zeros only where a character has more bytes than it needs. */
function wideEncoding(bytes: Uint8Array): DetectedEncoding | null {
  const zeros = [0, 0, 0, 0];
  const length = bytes.length - (bytes.length % 4);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 4]!++;
  const share = zeros.map((count) => count / (length / 4));
  const isZero = (at: number): boolean => share[at]! > 0.5;
  const isUsed = (at: number): boolean => share[at]! < 0.1;
  const percent = (places: readonly number[]): string =>
    `${Math.round((places.reduce((sum, at) => sum + share[at]!, 0) / places.length) * 100)}%`;
  if (length < 8) return null;
  if (isUsed(0) && isZero(1) && isZero(2) && isZero(3))
    return found('utf-32le', `Of four bytes, the last three are zero (${percent([1, 2, 3])}).`);
  if (isUsed(3) && isZero(0) && isZero(1) && isZero(2))
    return found('utf-32be', `Of four bytes, the first three are zero (${percent([0, 1, 2])}).`);
  if (isUsed(0) && isUsed(2) && isZero(1) && isZero(3))
    return found('utf-16le', `Every second byte is zero (${percent([1, 3])}).`);
  if (isUsed(1) && isUsed(3) && isZero(0) && isZero(2))
    return found('utf-16be', `Every first byte of two is zero (${percent([0, 2])}).`);
  return null;
}

/** Less is as good as none: a few letters of one word look like any other encoding. */
const LEAST_CONFIDENCE = 25;

/** The letters of a few words look like those of several languages, of which the western ones are the usual. */
const SURE_CONFIDENCE = 33;
const USUAL = 'windows-1252';

/** Text of which so much is written as no language does is not in the encoding, if there is one in which far less is. */
const ODD = 0.1;
const FAR_LESS = 4;
/** Encodings with more bytes swallow letters, and are recognized by their own signs. */
const ONE_BYTE = /^(windows|iso|koi8)-/;

function likeliest(bytes: Uint8Array): DetectedEncoding {
  const known = analyse(bytes).flatMap(({ name, confidence }) => {
    const encoding = knownEncoding(name);
    const isPossible = encoding !== null && encoding !== 'utf-8' && !isBroken(decoded(bytes, encoding));
    return isPossible ? [{ name, confidence, encoding }] : [];
  });
  const [best] = known;
  const isUnknown = best === undefined || best.confidence < LEAST_CONFIDENCE;
  const usual = isUnknown ? USUAL : best.encoding;
  if (usual !== USUAL && !hasLetters(bytes, USUAL))
    return guessed(USUAL, 'The bytes are not UTF-8, and there are only signs beyond ASCII.');
  if (isUnknown && isShiftJis(bytes))
    return guessed('shift_jis', 'The bytes are not UTF-8, and all characters are Japanese in shift_jis.');
  if (isUnknown && isGb(bytes))
    return guessed('gb18030', 'The bytes are not UTF-8, and all characters are Chinese in gb18030.');
  const plausible = lessOdd(bytes, usual, known);
  if (plausible !== null)
    return {
      ...guessed(plausible, `The bytes are not UTF-8, and letters are where they belong in ${plausible}.`),
      rivals: [usual],
    };
  const alphabet = byAlphabet(bytes, usual);
  if (alphabet !== null)
    return {
      ...guessed(
        alphabet.encoding,
        `The bytes are not UTF-8, and all letters are those of ${alphabet.language} in ${alphabet.encoding}.`,
      ),
      rivals: [usual],
    };
  if (usual === USUAL && hasEuro(bytes))
    return {
      ...guessed('iso-8859-15', 'The bytes are not UTF-8, and € is where it belongs in iso-8859-15.'),
      rivals: [usual],
    };
  if (isUnknown)
    return {
      ...guessed(USUAL, 'The bytes are not UTF-8, and do not tell which encoding they are in.'),
      rivals: rivalsOf(known),
    };
  const { name, confidence, encoding } = best;
  const same = encoding.toUpperCase() === name.toUpperCase() ? '' : `, which is read as ${encoding}`;
  const chosen = guessed(encoding, `The bytes are not UTF-8 and look most like ${name} (${confidence}%)${same}.`);
  return confidence < SURE_CONFIDENCE && encoding !== USUAL ? { ...chosen, rivals: rivalsOf(known) } : chosen;
}

/** The sign that ISO 8859-15 has in place of ¤, which nobody writes, beside a number, and no letter of windows-1252 alone. */
const hasEuro = (bytes: Uint8Array): boolean =>
  /\d[ \u00a0]?\u00a4|\u00a4[ \u00a0]?\d/.test(new TextDecoder(USUAL).decode(bytes)) &&
  !bytes.some((byte) => byte >= 0x80 && byte < 0xa0);

/** Null: none, or what is found is as good. @param known the likeliest first */
function lessOdd(
  bytes: Uint8Array,
  found: string,
  known: readonly { readonly confidence: number; readonly encoding: string }[],
): string | null {
  const share = oddShare(bytes, found);
  if (share < ODD) return null;
  const others = known
    .filter(({ confidence, encoding }) => confidence > 0 && encoding !== found && ONE_BYTE.test(encoding))
    .map(({ encoding }) => ({ encoding, share: oddShare(bytes, encoding) }))
    .sort((a, b) => a.share - b.share);
  return others[0] !== undefined && others[0].share * FAR_LESS <= share ? others[0].encoding : null;
}

/** @param known the likeliest first */
function rivalsOf(known: readonly { readonly confidence: number; readonly encoding: string }[]): readonly string[] {
  const near = known.filter(({ confidence }) => confidence > 0 && confidence * 2 >= known[0]!.confidence);
  return [...new Set(near.map(({ encoding }) => encoding))];
}

/** The name that TextDecoder uses, which reads Latin-1 as Windows-1252. */
function knownEncoding(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}
