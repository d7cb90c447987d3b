// Matches a regular expression in time linear in the text, whatever the expression is: all ways to match are followed at once, as sets of
// states, and sets that were met before are remembered (Thompson's construction with a lazy deterministic automaton).
import { AppError } from '../protocol/errors.ts';
import { WORD } from './parse.ts';
import type { Assertion, CodeRanges, Node } from './parse.ts';

/** Instructions of a program; a character costs at most about one step for each of them. */
const MOST_INSTRUCTIONS = 2000;
/** Sets of states that are remembered; past that, all are forgotten. */
const MOST_SETS = 1000;
/** Steps between two calls of `tick`: one for a character, and one for each instruction where a set of states is not remembered. */
const TICK_STEPS = 1 << 14;

type Instruction =
  | { readonly kind: 'chars'; readonly ranges: CodeRanges }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  /** Continues with the next one, and also at `to`. */
  | { readonly kind: 'split'; to: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

function compile(node: Node): readonly Instruction[] {
  const program: Instruction[] = [];
  const add = <T extends Instruction>(instruction: T): T => {
    if (program.length >= MOST_INSTRUCTIONS)
      throw AppError.invalid('This regular expression is too large. Use fewer repetitions.');
    program.push(instruction);
    return instruction;
  };
  const write = (part: Node): void => {
    switch (part.kind) {
      case 'chars':
      case 'assert':
        add(part);
        return;
      case 'all':
        part.parts.forEach(write);
        return;
      case 'any': {
        const ends = part.parts.map((each, at) => {
          const split = at < part.parts.length - 1 ? add({ kind: 'split', to: 0 }) : null;
          write(each);
          const end = add({ kind: 'jump', to: 0 });
          if (split) split.to = program.length;
          return end;
        });
        for (const end of ends) end.to = program.length;
        return;
      }
      case 'repeat': {
        for (let count = 0, length = -1; count < part.least && length < program.length; count++) {
          // A part that adds no instruction, such as `()`, is not repeated: nested repetitions of it would never end.
          length = program.length;
          write(part.part);
        }
        if (part.most === Infinity) {
          const split = add({ kind: 'split', to: 0 });
          const from = program.length - 1;
          write(part.part);
          add({ kind: 'jump', to: from });
          split.to = program.length;
          return;
        }
        const splits: { to: number }[] = [];
        for (let count = part.least; count < part.most; count++) {
          splits.push(add({ kind: 'split', to: 0 }));
          write(part.part);
        }
        for (const split of splits) split.to = program.length;
      }
    }
  };
  write(node);
  add({ kind: 'match' });
  return program;
}

/** What precedes a position in the text. */
type Before = 'start' | 'word' | 'other';

interface States {
  /** Instructions that have been reached at this position, before assertions. */
  readonly at: readonly number[];
  readonly before: Before;
  /** Next states by class of the next character; the last entry is for the end of the text. Undefined: not computed yet. */
  readonly next: (States | 'match' | undefined)[];
}

const FIRST_BITS = 128;

export class Automaton {
  readonly #program: readonly Instruction[];
  /** Starts of the character classes: no instruction tells characters of one class apart. */
  readonly #bounds: readonly number[];
  readonly #classOfAscii = new Uint16Array(FIRST_BITS);
  readonly #isWord: readonly boolean[];
  readonly #sets = new Map<string, States>();

  constructor(node: Node) {
    this.#program = compile(node);
    const bounds = new Set([0]);
    const all = this.#program.flatMap((each) => (each.kind === 'chars' ? each.ranges : []));
    for (const [from, to] of [...all, ...WORD]) {
      bounds.add(from);
      bounds.add(to + 1);
    }
    this.#bounds = [...bounds].sort((a, b) => a - b);
    for (let code = 0; code < FIRST_BITS; code++) this.#classOfAscii[code] = this.#search(code);
    this.#isWord = this.#bounds.map((code) => WORD.some(([from, to]) => code >= from && code <= to));
  }

  /**
   * Whether the expression matches anywhere in `text`.
   * @param tick called now and then in long texts; what it throws ends the search
   */
  test(text: string, tick?: () => void): boolean {
    let states: States | 'match' = this.#set([0], 'start');
    for (let at = 0, steps = 0; at < text.length; at++) {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) at++;
      const symbol: number = code < FIRST_BITS ? this.#classOfAscii[code]! : this.#search(code);
      const known: States | 'match' | undefined = states.next[symbol];
      steps += known ? 1 : this.#program.length;
      states = known ?? this.#step(states, symbol);
      if (states === 'match') return true;
      if (steps < TICK_STEPS) continue;
      steps = 0;
      tick?.();
    }
    const end = this.#bounds.length;
    return (states.next[end] ?? this.#step(states, end)) === 'match';
  }

  #search(code: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#bounds[middle]! <= code) low = middle;
      else high = middle;
    }
    return low;
  }

  #step(states: States, symbol: number): States | 'match' {
    const next = this.#stepped(states, symbol);
    states.next[symbol] = next;
    return next;
  }

  #stepped({ at, before }: States, symbol: number): States | 'match' {
    const isEnd = symbol === this.#bounds.length;
    const isWord = this.#isWord[symbol] === true;
    const code = this.#bounds[symbol] ?? -1;
    const seen = new Set<number>();
    // A match may begin at the next place, too.
    const reached = new Set([0]);
    const open = [...at];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const instruction = this.#program[state]!;
      switch (instruction.kind) {
        case 'match':
          return 'match';
        case 'jump':
          open.push(instruction.to);
          break;
        case 'split':
          open.push(state + 1, instruction.to);
          break;
        case 'assert':
          if (holds(instruction.assertion, before, isEnd, isWord)) open.push(state + 1);
          break;
        case 'chars':
          if (!isEnd && instruction.ranges.some(([from, to]) => code >= from && code <= to)) reached.add(state + 1);
      }
    }
    return this.#set([...reached], isWord ? 'word' : 'other');
  }

  #set(at: readonly number[], before: Before): States {
    const sorted = [...at].sort((a, b) => a - b);
    const key = `${before} ${sorted.join(' ')}`;
    const known = this.#sets.get(key);
    if (known) return known;
    if (this.#sets.size >= MOST_SETS) this.#forget();
    const states: States = { at: sorted, before, next: [] };
    this.#sets.set(key, states);
    return states;
  }

  #forget(): void {
    for (const states of this.#sets.values()) states.next.length = 0;
    this.#sets.clear();
  }
}

function holds(assertion: Assertion, before: Before, isEnd: boolean, isWord: boolean): boolean {
  switch (assertion) {
    case 'start':
      return before === 'start';
    case 'end':
      return isEnd;
    case 'word':
      return (before === 'word') !== isWord;
    case 'no-word':
      return (before === 'word') === isWord;
  }
}
