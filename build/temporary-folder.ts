// The temporary folder of a whole run: whatever is left in it at the end was forgotten by a test or by the app.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILED_BY_NODE } from './paths.ts';

/** The packaged app is tried as another user, too: like the system's own folder, for all, each of whom removes only what is theirs. */
const FOR_ALL = 0o1777;
const SHOWN = 20;
/** Caches that tools would have in the temporary folder: of Node, and of what electron-builder reads its configuration with. */
const CACHES = { NODE_COMPILE_CACHE: COMPILED_BY_NODE, JITI_FS_CACHE: 'false' };

/** The driver of the stories removes its own a moment after its app has ended, unless it ends itself before that. */
const OF_DRIVER = /^playwright-artifacts-/;
/** A file of unit tests all of which are skipped has no end at which its folder would be removed (`own-temporary-folder.ts`). */
const OF_SKIPPED_TESTS = /^u-/;

export interface TemporaryFolder {
  /** Names what is left. @returns whether nothing is */
  check(): boolean;
  remove(): void;
}

/** From now on it is that of this process, and of those that it starts. */
export function openTemporaryFolder(): TemporaryFolder {
  // Short, because programs have sockets in it, whose paths are limited to some hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), 'sl-'));
  chmodSync(folder, FOR_ALL);
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  Object.assign(process.env, CACHES);
  return {
    check() {
      const isEmpty = (name: string): boolean => readdirSync(join(folder, name)).length === 0;
      const left = readdirSync(folder).filter(
        (name) => !OF_DRIVER.test(name) && !(OF_SKIPPED_TESTS.test(name) && isEmpty(name)),
      );
      console.log(`\n== Temporary files\n${left.length === 0 ? 'ok     none are left' : leftLines(left)}`);
      return left.length === 0;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function leftLines(left: readonly string[]): string {
  const more = left.length > SHOWN ? [`and ${left.length - SHOWN} more`] : [];
  return ['These are left:', ...left.slice(0, SHOWN), ...more].join('\n  ');
}
