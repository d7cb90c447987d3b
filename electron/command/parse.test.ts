import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { asksForCommand } from '#shared/command-names.ts';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import { helpOf } from './help.ts';
import { COMMANDS } from './options.ts';
import { parse, UsageError } from './parse.ts';
import type { Invocation } from './parse.ts';

function invocation(...words: string[]): Invocation {
  const parsed = parse(words);
  if (parsed.kind !== 'command') throw new Error(JSON.stringify(parsed));
  return parsed;
}
const complaint = (...words: string[]): string => {
  const parsed = parse(words);
  return parsed.kind === 'wrong' ? parsed.message : '';
};

describe('parsing', () => {
  it('never crashes, whatever the words, and says something about each', () => {
    const known = COMMANDS.flatMap(({ name, options }) => [name, ...options.map((option) => `--${option.name}`)]);
    const word = fc.oneof(
      fc.constantFrom(
        ...known,
        '-',
        '--',
        '-o',
        '-t',
        '-ot',
        '--no-',
        '--=',
        '--no-header=1',
        '--__proto__',
        '--constructor',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const parsed = parse(words);
        if (parsed.kind === 'wrong') expect(parsed.message).toMatch(/\S/);
        if (parsed.kind === 'help') expect(helpOf(parsed.command)).toContain('sidelite');
        if (parsed.kind === 'command') {
          expect(parsed.operands.length).toBeGreaterThanOrEqual(parsed.command.operands.least);
        }
      }),
      { seed: 1000, numRuns: seedCount(3000) },
    );
  });

  it('takes any value for an option, also those that begin with a dash when written with =', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(invocation('export', 'a.db', `--table=${value}`).options.text('table')).toBe(value);
        if (!/^-./.test(value)) expect(invocation('export', 'a.db', '-t', value).options.text('table')).toBe(value);
      }),
      { seed: 1000, numRuns: seedCount(100) },
    );
  });

  it('a misspelled option is named with the one that was meant', () => {
    const commands = fc.constantFrom(...COMMANDS);
    fc.assert(
      fc.property(commands, fc.nat(), fc.nat(), (command, which, where) => {
        const { name } = command.options[which % command.options.length]!;
        if (name.length < 4) return;
        const at = 1 + (where % (name.length - 2));
        const typed = name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
        if (typed === name) return;
        expect(complaint(command.name, `--${typed}`)).toContain(`Did you mean --${name}?`);
      }),
      { seed: 1001, numRuns: seedCount(100) },
    );
    expect(complaint('exprot', 'a.db')).toContain('Did you mean export?');
    expect(complaint('export', 'a.db', '--zzzzzz')).toBe('There is no option --zzzzzz. See “sidelite export --help”.');
  });

  it('an option without its value does not swallow the next one', () => {
    expect(complaint('import', 'a.csv', '--into', '--table', 't')).toContain('--into needs a value');
    expect(complaint('import', 'a.csv', '--into')).toContain('--into needs a value: --into DB');
    expect(complaint('export', 'a.db', '--json=yes')).toBe('--json takes no value. See “sidelite export --help”.');
  });

  it('counts operands, and takes what follows -- for one', () => {
    expect(complaint('run', 'a.sql')).toContain('“run” needs SCRIPT and DB.');
    expect(complaint('export', 'a.db', 'b.db')).toContain('“b.db” was not expected');
    expect(invocation('import', '--into', 'a.db', '--', '--odd name.csv', '-').operands).toEqual([
      '--odd name.csv',
      '-',
    ]);
  });

  it('flags are on, off or not given; what may come once comes once', () => {
    const { options } = invocation('export', 'a.db', '--no-header', '--bom', '-t', 'a', '--table', 'b');
    expect([options.flag('header'), options.flag('bom'), options.flag('ddl')]).toEqual([false, true, undefined]);
    expect(options.texts('table')).toEqual(['a', 'b']);
    expect(complaint('export', 'a.db', '--sql', 'a', '--sql', 'b')).toBe('--sql was given more than once.');
    expect(() => invocation('run', 'a', 'b', '--wait', 'long').options.count('wait', 1)).toThrow(UsageError);
  });

  it('passes over what is meant for Chromium', () => {
    const words = ['--no-sandbox', '--user-data-dir=/p', 'export', 'a.db', '--no-sandbox', '-t', 'x'];
    expect(asksForCommand(words)).toBe(true);
    expect(invocation(...words).operands).toEqual(['a.db']);
  });
});

describe('what opens a window', () => {
  it.each([[[]], [['a.db']], [['--no-sandbox']], [['./export']], [['a.db', 'import']], [['--smoke', 'a.db']]])(
    '%j',
    (words) => expect(asksForCommand(words)).toBe(false),
  );
});

it('every option of a format can be given, by its name with dashes', () => {
  const help = helpOf(COMMANDS.find(({ name }) => name === 'export')!);
  for (const id of Object.keys(DEFAULT_EXPORT_OPTIONS))
    expect(help).toContain(`--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
});

it('a count of lines, rows, or records is whole, and a time need not be', () => {
  const { options } = invocation('import', 'a.csv', '--into', 'b.db', '--skip-lines', '0.5', '--wait', '0.5');
  expect(options.count('wait', 1)).toBe(0.5);
  expect(() => options.whole('skip-lines', 0)).toThrow('--skip-lines takes a whole number, not “0.5”.');
  expect(options.whole('max-problems', 7)).toBe(7);
});
