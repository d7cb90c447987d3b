// The files that a command attaches to its database.
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { MOST_ATTACHED, problemOfAttachedName } from '#shared/attached-files.ts';
import type { AttachedPath } from '#shared/native-link.ts';
import { UsageError } from './parse.ts';
import type { CommandSession } from './session.ts';

/** @param database the file that they are attached to @throws UsageError */
export function attachedOf(
  { options, pathOf }: Pick<CommandSession, 'options' | 'pathOf'>,
  database: string,
): readonly AttachedPath[] {
  const files = (['attach', 'attach-writable'] as const).flatMap((option) =>
    options.texts(option).map((text) => readAttached(option, text, pathOf)),
  );
  if (files.length > MOST_ATTACHED)
    throw new UsageError(
      `${files.length} files are to be attached, and SQLite attaches at most ${MOST_ATTACHED} here.`,
    );
  const paths = [realPathOf(database)];
  files.forEach(({ name, path }, at) => {
    const problem = problemOfAttachedName(name, files.slice(0, at).map((other) => other.name)); // prettier-ignore
    if (problem !== null) throw new UsageError(problem);
    if (paths.includes(path))
      throw new UsageError(`“${basename(path)}” is the database itself, or is attached under another name.`);
    paths.push(path);
  });
  return files;
}

function readAttached(option: string, text: string, pathOf: (name: string) => string): AttachedPath {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || file === '') throw new UsageError(`--${option} takes a name and a file, as in --${option} old=old.db.`);
  if (file === '-') throw new UsageError('Standard input cannot be attached. Save it as a file first.');
  return { name, path: realPathOf(pathOf(file)), isWritable: option === 'attach-writable' };
}

/** A file named through any link is the same file. What is missing is named by the engine. */
const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
