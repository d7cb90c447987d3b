// How much of a text is written as no language writes: decoded with the wrong encoding, letters become signs, or capitals within words.

/** Signs of one of these are in a word only where the encoding is wrong; controls are nowhere. */
const IN_WORDS =
  /\p{L}[\p{S}\p{No}\u00a1\u00a6\u00a7\u00b6\u00bf]\p{Ll}|(?<!\p{L}|\d)[±¶¼½¾¿]\p{Ll}|(?<!\p{L}|\d)\p{Sc}\p{Ll}|\p{Ll}[¼½¾¶±³¹](?!\p{L})/gu;
const CONTROLS = /[\u0080-\u009f\ufffd]/g;
const CAPITAL_WITHIN = /\p{Ll}(?![A-Z])\p{Lu}/gu;
/** Alphabets with Latin letters have accents on some of them, not on whole words. */
const ACCENTS = /(?:(?![A-Za-z])\p{Script=Latin}){6,}/gu;
/** Letters of another alphabet beside Latin ones. */
const TWO_ALPHABETS = /[a-zA-Z](?=[^\p{Script=Latin}])\p{L}|(?=[^\p{Script=Latin}])\p{L}[a-zA-Z]/gu;
/** A final sigma within a word, and letters with two accents at its beginning, are no Greek. */
const NOT_GREEK = /ς(?=\p{L})|(?<!\p{L})[ΰΐ]/gu;
const BEYOND_ASCII = /[^\0-\x7f]/g;
/** One of them says more than any letter. */
const WEIGHT_OF_CONTROL = 5;
const MOST_BYTES = 1 << 16;

/** 0: all of it may be text of some language. */
export function oddShare(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, MOST_BYTES), { stream: true });
  const count = (pattern: RegExp): number => (text.match(pattern) ?? []).reduce((sum, { length }) => sum + length, 0);
  const found = (pattern: RegExp): number => (text.match(pattern) ?? []).length;
  const odd =
    found(IN_WORDS) +
    found(CAPITAL_WITHIN) +
    found(TWO_ALPHABETS) +
    found(NOT_GREEK) +
    count(ACCENTS) +
    found(CONTROLS) * WEIGHT_OF_CONTROL;
  return odd === 0 ? 0 : odd / Math.max(1, found(BEYOND_ASCII));
}
