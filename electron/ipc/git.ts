// What a window may ask about the Git repository of a file that it has open in place: its commits, and a copy of the file from one of them.
import { basename, dirname } from 'node:path';
import { toAppError } from '#shared/protocol/errors.ts';
import type { GitRevisionReply } from '#shared/git.ts';
import { newRestoredName } from '#shared/replicas.ts';
import { roomIn } from '../files/free-space.ts';
import { forPeople } from '../files/source-file.ts';
import type { TemporaryDatabases } from '../files/temporary-databases.ts';
import { commitsOf, isInRepository, readFileAt } from '../git/file-revisions.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { AppWindow } from '../windows/registry.ts';

const GONE = 'This file is no longer open. Open it again.';
const IS_PAST =
  'This is a temporary copy of an earlier state, read from a Git repository. To change it, export it as a SQLite file and open that.';

/** @param temporary where the copies are kept */
export function serveGit({ answer }: TrustedIpc, temporary: TemporaryDatabases, native: NativeEngine): void {
  const running = new WeakMap<AppWindow, AbortController>();
  /** A window has one dialog: what it asks for ends what it asked for before. */
  const begin = (window: AppWindow): AbortSignal => {
    if (!running.has(window)) window.browserWindow.on('closed', () => running.get(window)?.abort());
    running.get(window)?.abort();
    const abort = new AbortController();
    running.set(window, abort);
    return abort.signal;
  };
  answer('git.isInRepository', async (window, locationId) => {
    const path = native.pathOf(window, text(locationId));
    return path !== null && (await isInRepository(path));
  });
  answer('git.commits', async (window, locationId) => {
    const path = native.pathOf(window, text(locationId));
    if (path === null) return { why: GONE };
    const signal = begin(window);
    return commitsOf(path, signal).then((commits) => ({ commits }), failed);
  });
  answer('git.open', async (window, argument) => {
    const asked = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<string, unknown>;
    const path = native.pathOf(window, text(asked['locationId']));
    if (path === null) return { why: GONE };
    return openRevision(path, text(asked['revision']).trim(), window, { temporary, native, signal: begin(window) });
  });
  answer('git.stop', (window) => running.get(window)?.abort());
}

interface Opening {
  readonly temporary: TemporaryDatabases;
  readonly native: NativeEngine;
  readonly signal: AbortSignal;
}

async function openRevision(
  path: string,
  revision: string,
  window: AppWindow,
  { temporary, native, signal }: Opening,
): Promise<GitRevisionReply> {
  const { name: id, path: target } = temporary.create(window, newRestoredName);
  try {
    const hash = await readFileAt(path, revision, target, { signal, roomBytes: await roomIn(dirname(target)) });
    // The window may have been closed in the meantime.
    if (temporary.pathOf(window, id) === null) return { why: GONE };
    const database = await native.openTemporary(window, {
      ...{ id, path: target, name: `${basename(path)} at ${hash}`, whyReadOnly: IS_PAST },
      displayPath: `read from commit ${hash} of ${forPeople(path)}`,
    });
    return { database, hash };
  } catch (thrown) {
    temporary.remove(window, id);
    return failed(thrown);
  }
}

const failed = (thrown: unknown): { readonly why: string } => ({ why: toAppError(thrown).message });
