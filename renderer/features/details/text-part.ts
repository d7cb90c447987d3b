// The part of a text that is on screen: as it is, or indented if it is JSON. Long work is done in slices between frames.
import { useLayoutEffect, useMemo, useState } from 'react';
import { cut, visibleLines } from '#shared/visible-text.ts';
import { JsonIndenter, looksLikeJson } from './indent-json.ts';

/** Small enough for an instant layout, whatever the content. */
export const PART_CHARS = 100_000;
export const PART_LINES = 5000;
/** A part is longer if codes replace hidden characters. */
const MAX_SHOWN_CHARS = 2 * PART_CHARS;
const SLICE_MS = 6;
const BLOCK_CHARS = 500;
const ASCII = /^[\n\t\x20-\x7e]*$/;

export interface TextPart {
  readonly text: string;
  readonly isJson: boolean;
  /** Where it ends in the whole text, in characters. */
  readonly to: number;
  readonly totalChars: number;
  readonly hasDeeperLevels: boolean;
  readonly hasCodes: boolean;
}

/** The plain text, without delay. */
export function plainPart(text: string, from: number): TextPart {
  const to = endOfPart(text, from);
  return { ...shown(text.slice(from, to)), isJson: false, to, totalChars: text.length, hasDeeperLevels: false };
}

/** Yields between slices; returns null if the text is not JSON. */
export function* jsonPart(text: string, from: number, isCut: boolean): Generator<undefined, TextPart | null> {
  if (!looksLikeJson(text)) return null;
  const indenter = new JsonIndenter(text, { from, maxChars: PART_CHARS, maxLines: PART_LINES, isCut });
  for (;;) {
    const read = indenter.read();
    if (read === null) return null;
    if (read !== 'more') return { ...read, ...shown(read.text), isJson: true };
    yield;
  }
}

/** @param from first character of the part @param isCut the text is only the beginning of the value */
export function useTextPart(text: string, from: number, isCut: boolean): TextPart {
  const [read, setRead] = useState<{ readonly of: readonly unknown[]; readonly part: TextPart | null } | null>(null);
  // Runs before painting, so that what the first slice reads is shown at once.
  useLayoutEffect(() => {
    const reading = jsonPart(text, from, isCut);
    let timer: ReturnType<typeof setTimeout>;
    const go = (): void => {
      const untilMs = performance.now() + SLICE_MS;
      do {
        const { done, value } = reading.next();
        if (done) return setRead({ of: [text, from, isCut], part: value });
      } while (performance.now() < untilMs);
      timer = setTimeout(go);
    };
    go();
    return () => clearTimeout(timer);
  }, [text, from, isCut]);
  const plain = useMemo(() => plainPart(text, from), [text, from]);
  const isOurs = read !== null && [text, from, isCut].every((each, index) => each === read.of[index]);
  return (isOurs && read.part) || plain;
}

/**
 * The text in pieces that are laid out one by one. Breaking a paragraph into lines takes time that grows with the square of its length as
 * soon as it is not ASCII (measured in Chromium 108: 8,000 Arabic letters 400 ms, in pieces 38). Pieces end with a line, else after a
 * space, else anywhere.
 */
export function blocksOf(text: string): readonly string[] {
  if (ASCII.test(text)) return [text];
  const blocks: string[] = [];
  for (let at = 0; at < text.length;) {
    const block = text.slice(at, wholeCharacter(text, at + BLOCK_CHARS));
    const isLast = at + block.length >= text.length;
    const end = isLast ? block.length : block.lastIndexOf('\n') + 1 || block.lastIndexOf(' ') + 1 || block.length;
    blocks.push(block.slice(0, end));
    at += end;
  }
  return blocks;
}

function shown(part: string): Pick<TextPart, 'text' | 'hasCodes'> {
  const text = visibleLines(part);
  // Lines that end with CR LF are shown as lines.
  return { text: cut(text, MAX_SHOWN_CHARS), hasCodes: text !== part && text !== part.replaceAll('\r\n', '\n') };
}

function endOfPart(text: string, from: number): number {
  let to = Math.min(text.length, from + PART_CHARS);
  for (let at = from - 1, lines = 0; lines < PART_LINES; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at >= to) break;
    if (lines === PART_LINES - 1) to = at + 1;
  }
  return wholeCharacter(text, to);
}

/** `to`, or one less if that is between the halves of a surrogate pair. */
const wholeCharacter = (text: string, to: number): number =>
  to < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(to - 1, to + 1)) ? to - 1 : to;
