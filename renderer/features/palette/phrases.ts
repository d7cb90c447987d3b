// Finds an item by whole words: those of its label, and those of the phrases that people use for it.
import type { Match } from './fuzzy.ts';

const WORD_SCORE = 10;
const LETTER_SCORE = 8;
const WHOLE_WORD_BONUS = 12;
const WHOLE_PHRASE_BONUS = 14;
/** Less than what the same words in a label are worth. */
const PHRASE_COST = 6;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_&]+/gu) ?? [];

/** Each typed word occurs in the label. */
export function hasWords(typed: string, label: string): boolean {
  const text = label.toLowerCase();
  const words = wordsOf(typed);
  return words.length > 0 && words.every((word) => text.includes(word));
}

export interface PhraseMatch extends Match {
  readonly phrase: string;
  readonly isNamed: true;
}

/**
 * Each typed word begins a word of one of the phrases or of the label, and one begins a word of the phrase.
 *
 * @param phrases separated by commas
 */
export function matchPhrases(typed: string, label: string, phrases: string): PhraseMatch | null {
  const words = wordsOf(typed);
  const ofLabel = wordsOf(label);
  let best: PhraseMatch | null = null;
  for (const phrase of phrases.split(', ')) {
    const ofPhrase = wordsOf(phrase);
    const own = words.map((word) => wordScore(word, ofPhrase));
    const scores = words.map((word, index) => own[index] ?? wordScore(word, ofLabel));
    if (words.length === 0 || own.every((score) => score === null) || scores.includes(null)) continue;
    const whole = words.length === ofPhrase.length && ofPhrase.every((word, index) => word === words[index]);
    const score = scores.reduce<number>((sum, one) => sum + one!, whole ? WHOLE_PHRASE_BONUS : 0) - PHRASE_COST;
    if (!best || score > best.score) best = { score, places: [], phrase, isNamed: true };
  }
  return best;
}

function wordScore(typed: string, words: readonly string[]): number | null {
  if (!words.some((word) => word.startsWith(typed))) return null;
  const length = [...typed].length;
  return WORD_SCORE + LETTER_SCORE * (length - 1) + (words.includes(typed) ? WHOLE_WORD_BONUS : 0);
}
