// The temporary folder of a whole run: whatever is left in it at the end was forgotten by a test or by the app.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { one, type Counts } from './counts.ts';

/** The packaged app is tried as another user, too: like the system's own folder, for all, each of whom removes only what is theirs. */
const FOR_ALL = 0o1777;
const SHOWN = 20;
/** Caches that tools have in the temporary folder: of Node, and of what electron-builder reads its configuration with. */
const NO_CACHES = { NODE_DISABLE_COMPILE_CACHE: '1', JITI_FS_CACHE: 'false' };

export interface TemporaryFolder {
  /** Names what is left. After a test that failed that is no failure of its own: one that was cut off could not clean up. */
  check(hasFailedTests: boolean): Counts;
  remove(): void;
}

/** From now on it is that of this process, and of those that it starts. */
export function openTemporaryFolder(): TemporaryFolder {
  // Short, because programs have sockets in it, whose paths are limited to some hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), 'sl-'));
  chmodSync(folder, FOR_ALL);
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  Object.assign(process.env, NO_CACHES);
  return {
    check(hasFailedTests) {
      const left = readdirSync(folder);
      console.log(
        `\n== Temporary files\n${left.length === 0 ? 'ok     none are left' : leftLines(left, hasFailedTests)}`,
      );
      return one(left.length === 0 || hasFailedTests);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function leftLines(left: readonly string[], hasFailedTests: boolean): string {
  const more = left.length > SHOWN ? [`and ${left.length - SHOWN} more`] : [];
  const title = hasFailedTests ? 'Left, perhaps by what failed:' : 'FAILED These are left:';
  return [title, ...left.slice(0, SHOWN), ...more].join('\n  ');
}
