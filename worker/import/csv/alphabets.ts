// Tells encodings with one byte for each letter by the alphabets of languages: all letters of a short text belong to one of them.
import { oddShare } from './odd-letters.ts';

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

export interface FoundAlphabet {
  readonly encoding: string;
  readonly language: string;
}

/**
 * The only encoding in which all letters belong to one language, where they do not in `usual`, the one that looks likeliest. Null: there is none, or
 * too few letters tell.
 */
export function byAlphabet(bytes: Uint8Array, usual: string): FoundAlphabet | null {
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
export const hasLetters = (bytes: Uint8Array, encoding: string): boolean =>
  /(?![ªµº])[^\P{L}\0-\x7f]|[\u0080-\u009f]/u.test(decoded(bytes, encoding));

/** Kanji of Shift_JIS begin with bytes that no usual character of the other encodings with two bytes has. */
export function isShiftJis(bytes: Uint8Array): boolean {
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
