// Parses the words of a command line into what they ask for, or into the sentence that says what is wrong with them.
import { parseArgs } from 'node:util';
import { COMMAND_NAMES, isHelp, isVersion, withoutSwitches } from '#shared/command-names.ts';
import { COMMANDS, type CommandSpec, type OptionSpec } from './options.ts';

export interface Invocation {
  readonly kind: 'command';
  readonly command: CommandSpec;
  readonly operands: readonly string[];
  readonly options: Options;
}

export type Parsed =
  | Invocation
  | { readonly kind: 'help'; readonly command: CommandSpec | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

/** A wrong command line, found only when more is known than its words. */
export class UsageError extends Error {}

/** Given options by name: a value, several, on or off. */
export class Options {
  readonly #given: ReadonlyMap<string, readonly (string | boolean)[]>;

  constructor(given: ReadonlyMap<string, readonly (string | boolean)[]>) {
    this.#given = given;
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#given.get(name)?.at(-1);
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): readonly string[] {
    return (this.#given.get(name) ?? []).filter((value) => typeof value === 'string');
  }

  /** Undefined when neither it nor its opposite was given. */
  flag(name: string): boolean | undefined {
    const value = this.#given.get(name)?.at(-1);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** @throws UsageError */
  count(name: string, preset: number): number {
    const text = this.text(name);
    if (text === undefined) return preset;
    const value = Number(text);
    if (/^\d+(\.\d+)?$/.test(text) && Number.isFinite(value)) return value;
    throw new UsageError(`--${name} takes a number, not “${text}”.`);
  }

  /** @throws UsageError */
  whole(name: string, preset: number): number {
    const value = this.count(name, preset);
    if (Number.isSafeInteger(value)) return value;
    throw new UsageError(`--${name} takes a whole number, not “${this.text(name)}”.`);
  }
}

export function parse(words: readonly string[]): Parsed {
  const [first = '--help', ...rest] = withoutSwitches(words);
  if (isVersion(first)) return { kind: 'version' };
  if (isHelp(first)) return { kind: 'help', command: COMMANDS.find(({ name }) => name === rest[0]) ?? null };
  const command = COMMANDS.find(({ name }) => name === first);
  if (!command) return wrong(`There is no command “${first}”.${didYouMean(first, COMMAND_NAMES)}`);
  const { tokens } = parseArgs({
    args: withEmptyValues(rest, command.options),
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      command.options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', multiple: true, ...(short !== undefined && { short }) },
      ]),
    ),
  });
  const given = new Map<string, (string | boolean)[]>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const read = readOption(command.options, token);
    if (typeof read === 'string') return wrong(`${read} See “sidelite ${first} --help”.`);
    given.set(read.name, [...(given.get(read.name) ?? []), read.value]);
  }
  if (given.get('help')?.at(-1) === true) return { kind: 'help', command };
  const { least, most, what } = command.operands;
  if (operands.length < least) return wrong(`“${first}” needs ${what}. Usage: ${command.usage}`);
  if (operands.length > most) return wrong(`“${operands[most]}” was not expected. Usage: ${command.usage}`);
  const twice = command.options.find(({ name, several }) => !several && (given.get(name)?.length ?? 0) > 1);
  if (twice) return wrong(`--${twice.name} was given more than once.`);
  return { kind: 'command', command, operands, options: new Options(given) };
}

/** An option whose value may be left out gets an empty one before another option, and at the end. */
function withEmptyValues(words: readonly string[], options: readonly OptionSpec[]): string[] {
  const optional = new Set(options.filter((option) => option.isValueOptional).map(({ name }) => `--${name}`));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, at) => {
    const next = words[at + 1];
    const isLeftOut = at < end && optional.has(word) && (next === undefined || /^-./.test(next));
    return isLeftOut ? `${word}=` : word;
  });
}

const wrong = (message: string): Parsed => ({ kind: 'wrong', message });

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Returns the sentence that says what is wrong. */
function readOption(
  options: readonly OptionSpec[],
  { name, rawName, value, inlineValue }: OptionToken,
): string | { readonly name: string; readonly value: string | boolean } {
  const option = options.find((candidate) => candidate.name === name);
  const negated = name.startsWith('no-') ? options.find((candidate) => candidate.name === name.slice(3)) : undefined;
  if (!option && (!negated || negated.value !== undefined)) {
    const names = options.map((candidate) => candidate.name);
    return `There is no option ${rawName}.${didYouMean(name, names, '--')}`;
  }
  const isFlag = (option ?? negated)!.value === undefined;
  if (isFlag) {
    if (value !== undefined) return `${rawName} takes no value.`;
    return option ? { name, value: true } : { name: negated!.name, value: false };
  }
  if (value === undefined) return `${rawName} needs a value: ${rawName} ${option!.value}.`;
  // More likely an option whose value was forgotten than a value.
  if (inlineValue !== true && /^-./.test(value))
    return `${rawName} needs a value. To give it one that begins with a dash, write --${name}=${value}.`;
  return { name, value };
}

/** Empty where nothing is like it. */
export function didYouMean(word: string, names: readonly string[], prefix = ''): string {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best ? ` Did you mean ${prefix}${best.name}?` : '';
}

/** Letters to add, drop, replace, or swap with their neighbor. */
function editDistance(a: string, b: string): number {
  // A typo does not change the length by that much.
  if (Math.abs(a.length - b.length) > b.length) return Infinity;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
