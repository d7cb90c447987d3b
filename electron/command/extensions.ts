// The extensions that a command loads. Whoever runs it has named the files, which is the approval: no list, setting, or file names one here.
import { basename } from 'node:path';
import type { NativeFile } from '#shared/native-link.ts';
import { forPeople } from '../files/source-file.ts';
import { UsageError } from './parse.ts';
import type { CommandSession } from './session.ts';

/** @throws UsageError */
export function extensionsOf({
  options,
  pathOf,
}: Pick<CommandSession, 'options' | 'pathOf'>): Pick<NativeFile, 'extensions' | 'trustsSchema'> {
  const extensions = options.texts('extension').map((name) => {
    if (name === '-') throw new UsageError('An extension is a file, and cannot be standard input.');
    const path = pathOf(name);
    return { id: path, fileName: basename(path), displayPath: forPeople(path), path, sha256: null, why: null };
  });
  const trusts = options.flag('trust-schema') === true;
  if (extensions.length > 0) return { extensions, ...(trusts && { trustsSchema: true }) };
  if (trusts) throw new UsageError('--trust-schema is about functions of extensions. Specify one with --extension.');
  return {};
}
