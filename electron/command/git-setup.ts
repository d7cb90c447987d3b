// `sidelite git-setup`: lets Git show and merge SQLite databases row by row in one repository, and takes that back.
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { gitText, type GitCall } from '../git/run-git.ts';
import { printText } from './io.ts';
import { UsageError } from './parse.ts';

const PATTERNS = ['*.db', '*.db3', '*.sqlite', '*.sqlite3'];
/** The name under which Git knows both drivers. */
const DRIVER = 'sidelite';

interface Setting {
  readonly key: string;
  readonly value: string;
  /** What a value that Sidelite has written ends with, whatever its program is. */
  readonly end: string;
}

interface Plan {
  /** Null: the file stays as it is. `''`: it is removed. */
  readonly attributes: string | null;
  readonly settings: readonly { readonly setting: Setting; readonly now: string | null }[];
  /** Sentences on what stays. */
  readonly kept: readonly string[];
}

export async function runGitSetup({ options, cwd, signal, files, tell, program }: CommandSession): Promise<Outcome> {
  const call = { cwd, signal };
  const folder = await topLevel(call);
  const path = join(folder, '.gitattributes');
  const before = attributesAt(path);
  const isUndo = options.flag('undo') === true;
  const settings = settingsFor(program ?? ['sidelite']);
  const plan = isUndo ? await undoing(before, settings, call) : await doing(before, settings, patternsOf(options.texts('pattern')), call); // prettier-ignore
  for (const sentence of plan.kept) tell.say(sentence);
  if (plan.attributes === null && plan.settings.length === 0) {
    tell.say(isUndo ? 'There is nothing to undo.' : 'All of it is written already.');
    return { exitCode: EXIT.done, summary: { changed: false } };
  }
  const isJson = options.flag('json') === true;
  if (!isJson) await printText(shownPlan(plan, before, path, isUndo));
  if (options.flag('yes') !== true) {
    tell.say('Nothing was written yet. Run it again with --yes to write this.');
    return { exitCode: EXIT.done, summary: { changed: false } };
  }
  // First what Git only uses once the other is there.
  for (const { setting } of plan.settings) await configure(setting, isUndo, call);
  if (plan.attributes === '') rmSync(path);
  else if (plan.attributes !== null) await files.write(path, new TextEncoder().encode(plan.attributes));
  return { exitCode: EXIT.done, summary: { changed: true } };
}

/** @throws AppError `not-found` outside of a work tree */
async function topLevel(call: GitCall): Promise<string> {
  const { code, text } = await gitText(['rev-parse', '--show-toplevel'], call);
  if (code === 0) return text.replace(/\r?\n$/, '');
  throw AppError.notFound('This folder is in no work tree of a Git repository. Nothing was changed.');
}

/** @throws AppError `invalid` for what Git would not read */
function attributesAt(path: string): string {
  if (!existsSync(path)) return '';
  if (!lstatSync(path).isFile())
    throw AppError.invalid(`“${path}” is a link or a folder, which Git does not read. Nothing was changed.`);
  return readFileSync(path, 'utf8');
}

/** @throws UsageError */
function patternsOf(given: readonly string[]): readonly string[] {
  const wrong = given.find((pattern) => /[\s"\\\p{Cc}]/u.test(pattern) || /^[#![]|^$/.test(pattern));
  if (wrong !== undefined) throw new UsageError(`--pattern takes a pattern such as *.db, not “${wrong}”.`);
  return given.length > 0 ? given : PATTERNS;
}

/** Git gives these values to a shell. */
function settingsFor(program: readonly string[]): readonly Setting[] {
  const words = program.map(quoted).join(' ');
  const setting = (key: string, end: string): Setting => ({ key, value: `${words} ${end}`, end });
  return [
    { key: `merge.${DRIVER}.name`, value: 'SQLite databases, row by row', end: 'row by row' },
    setting(`merge.${DRIVER}.driver`, 'merge %O %A %B -o %A'),
    setting(`diff.${DRIVER}.textconv`, 'dump --stable'),
  ];
}

/** For a shell; Git itself replaces what begins with % in a merge driver. */
const quoted = (word: string): string =>
  /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;

async function valueOf({ key }: Setting, call: GitCall): Promise<string | null> {
  const { code, text } = await gitText(['config', '--local', '--null', '--get', key], call);
  return code === 0 ? text.replace(/\0$/, '') : null;
}

async function doing(
  before: string,
  settings: readonly Setting[],
  patterns: readonly string[],
  call: GitCall,
): Promise<Plan> {
  const found = await Promise.all(settings.map(async (setting) => ({ setting, now: await valueOf(setting, call) })));
  const other = found.find(({ setting, now }) => now !== null && !now.endsWith(setting.end));
  if (other !== undefined)
    throw AppError.exists(
      `The repository has a setting ${other.setting.key} that Sidelite did not write (“${other.now}”). Nothing was changed. Remove it first.`,
    );
  const lines = patterns.map((pattern) => `${pattern} -text diff=${DRIVER} merge=${DRIVER}`);
  const attributes = withBlock(before, lines);
  return {
    attributes: attributes === before ? null : attributes,
    settings: found.filter(({ setting, now }) => now !== setting.value),
    kept: [],
  };
}

async function undoing(before: string, settings: readonly Setting[], call: GitCall): Promise<Plan> {
  const found = await Promise.all(settings.map(async (setting) => ({ setting, now: await valueOf(setting, call) })));
  const known = found.filter(({ now }) => now !== null);
  const attributes = withoutBlock(before);
  return {
    attributes: attributes === before ? null : attributes,
    settings: known.filter(({ setting, now }) => now!.endsWith(setting.end)),
    kept: known.flatMap(({ setting, now }) =>
      now!.endsWith(setting.end) ? [] : [`${setting.key} stays, because Sidelite did not write it.`],
    ),
  };
}

/** @throws AppError `io` */
async function configure({ key, value }: Setting, isUndo: boolean, call: GitCall): Promise<void> {
  const words = isUndo ? ['--unset', key] : [key, value];
  const { code, said } = await gitText(['config', '--local', ...words], call);
  if (code !== 0) throw AppError.io(`Git could not change ${key}: ${said.trim()}`);
}

function shownPlan({ attributes, settings }: Plan, before: string, path: string, isUndo: boolean): string {
  const lines: string[] = [];
  if (attributes !== null) {
    const [less, more] = isUndo ? [attributes, before] : [before, attributes];
    const own = more.split('\n').filter((line) => line !== '' && !less.split('\n').includes(line));
    lines.push(attributes === '' ? `Removes ${path}:` : `${isUndo ? 'Removes from' : 'Writes to'} ${path}:`);
    lines.push(...own.map((line) => `  ${line}`));
  }
  if (settings.length > 0) {
    lines.push(`${isUndo ? 'Removes from' : 'Writes to'} the configuration of the repository, which all its worktrees share:`); // prettier-ignore
    lines.push(...settings.map(({ setting, now }) => `  ${setting.key} = ${isUndo ? now : setting.value}`));
  }
  return `${lines.join('\n')}\n`;
}

// The lines that Sidelite has in a .gitattributes file, between two comments, so that exactly those can be removed again.

const BEGIN = '# Written by sidelite git-setup';
/** The line before had no end, and gets it back. */
const BEGIN_AFTER_OPEN_LINE = `${BEGIN}, after a line without an end`;
const END = '# End of what sidelite git-setup wrote';
const BLOCK = new RegExp(
  `(\\r?\\n)?(?<![^\\n])${BEGIN}(, after a line without an end)?\\r?\\n(?:.*\\n)*?${END}(?:\\r?\\n|$)`,
);

/** The text with these lines at its end, or in the place where earlier ones were. */
export function withBlock(text: string, lines: readonly string[]): string {
  const found = BLOCK.exec(text);
  const isOpen = found ? found[2] !== undefined : text !== '' && !text.endsWith('\n');
  const block = [isOpen ? BEGIN_AFTER_OPEN_LINE : BEGIN, ...lines, END].map((line) => `${line}\n`).join('');
  if (found) return text.slice(0, found.index) + (found[1] ?? '') + block + text.slice(found.index + found[0].length);
  return `${text}${isOpen ? '\n' : ''}${block}`;
}

export function withoutBlock(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const rest = text.slice(found.index + found[0].length);
  // What was added after it begins a new line.
  const isOpen = found[2] !== undefined && rest === '';
  return text.slice(0, found.index) + (isOpen ? '' : (found[1] ?? '')) + rest;
}
