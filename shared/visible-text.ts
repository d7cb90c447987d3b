// Text from outside, as it may appear beside text of ours: what cannot be seen, or changes the reading direction of what follows, is shown
// as a code.

/**
 * Controls, line and paragraph separators, lone surrogates, bidirectional controls (UAX #9), and everything that fonts leave out
 * (`Default_Ignorable_Code_Point`: zero-width characters, fillers, tags, variation selectors).
 */
const CLASSES = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_C}\p{DI}\ufff9-\ufffb`;
/** More marks on one letter than any language has: they cover what is around them, and laying out a million takes hours. */
const EXCESS = String.raw`(?<=\p{M}{12})\p{M}`;
const HIDDEN = new RegExp(`[${CLASSES}]|\\p{M}{13}`, 'u');
const EACH_HIDDEN = new RegExp(`[${CLASSES}]|${EXCESS}`, 'gu');
const EACH_HIDDEN_IN_LINES = new RegExp(`(?![\\n\\t])(?:[${CLASSES}]|${EXCESS})`, 'gu');

/** Characters around a joiner of emoji, or of scripts that join their letters: there it is part of the spelling. */
const JOINING = String.raw`(?!\p{Script=Latin}|\p{DI}|\p{ASCII})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
const JOINS_BEFORE = new RegExp(`(?:${JOINING}|\\p{Extended_Pictographic}\\ufe0f)$`, 'u');
const JOINS_AFTER = new RegExp(`^${JOINING}`, 'u');
const VARIES_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Unified_Ideograph}]$/u;
const KEY_CAP_BEFORE = /[0-9#*]$/;

/** Letters that are read from right to left, alone or with what belongs between them. */
const RTL = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const RTL_TEXT = new RegExp(`${RTL}(?:[\\p{N}\\p{M} _./'-]*${RTL})*`, 'gu');

const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 20_000;
/** Most texts: nothing else is looked for in them. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/** Whether `text` holds anything that {@link visibleText} would show as a code; joiners count, wherever they are. */
export const hasHidden = (text: string): boolean => HIDDEN.test(text);

/**
 * One line, with Unicode's pictures for control characters (`⏎`, `⇥`, `␀`) and `[U+202E]` for everything else that is hidden. Linear.
 */
export const visibleLine = (text: string): string => (HIDDEN.test(text) ? text.replace(EACH_HIDDEN, shown) : text);

/** The same over several lines. */
export const visibleLines = (text: string): string =>
  HIDDEN.test(text) ? text.replaceAll('\r\n', '\n').replace(EACH_HIDDEN_IN_LINES, shown) : text;

/** A name from a database or a file system: one line of at most 200 characters. */
export const visibleName = (name: string): string => visibleLine(cut(name, MAX_NAME_CHARS));

/**
 * A text with such names in it, at most 20,000 characters, for a place where nothing shows but this text. Lines stay. Letters that are read from right to left get
 * first-strong isolates (UAX #9), so that digits and signs after a name stay there; it must not be applied twice.
 */
export const visibleText = (text: string): string =>
  PLAIN.test(text)
    ? cut(text, MAX_TEXT_CHARS)
    : visibleLines(cut(text, MAX_TEXT_CHARS)).replace(RTL_TEXT, '\u2068$&\u2069');

/** The text with “…” at its end if it was cut, never between the halves of a surrogate pair. */
export const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${firstChars(text, maxChars)}…`;

/** Share of the characters that {@link cutMiddle} keeps of the end. */
const END = 2 / 3;

/** The text with “…” in it if it was cut: of a path, the name of the file stays. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const endChars = Math.floor(maxChars * END);
  const end = text.slice(-endChars);
  const isHalf = end.charCodeAt(0) >= 0xdc00 && end.charCodeAt(0) <= 0xdfff;
  return `${firstChars(text, maxChars - endChars)}…${isHalf ? end.slice(1) : end}`;
}

/** The first characters of the text, without half a surrogate pair at the end. */
export function firstChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}

function shown(character: string, at: number, text: string): string {
  const code = character.codePointAt(0)!;
  if (code === 13 && text.charCodeAt(at + 1) === 10) return '';
  if (code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029) return '⏎';
  if (code === 9) return '⇥';
  if (code < 32) return String.fromCharCode(0x2400 + code);
  if (code === 127) return '␡';
  if (
    isSpelling(code, text.slice(Math.max(0, at - 3), at), text.slice(at + character.length, at + character.length + 2))
  )
    return character;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

function isSpelling(code: number, before: string, after: string): boolean {
  if (code === 0x200c || code === 0x200d) return JOINS_BEFORE.test(before) && JOINS_AFTER.test(after);
  if (code === 0xfe0e || code === 0xfe0f)
    return VARIES_BEFORE.test(before) || (KEY_CAP_BEFORE.test(before) && after.startsWith('\u20e3'));
  return code >= 0xe0100 && code <= 0xe01ef && VARIES_BEFORE.test(before);
}
