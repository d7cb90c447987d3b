// Git in the folder of a test, and the commits of a database in it.
import { spawnSync } from 'node:child_process';
import Sqlite from 'better-sqlite3';
import type { SideliteApp } from '../sidelite-app.ts';

const IDENTITY = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];

export function git(app: SideliteApp, ...words: string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync('git', [...IDENTITY, ...words], { cwd: app.folder, encoding: 'utf8' });
  return { code: status, out: stdout + stderr };
}

/** Changes the database as another program would, and commits that under the text of the change. */
export function commitChange(app: SideliteApp, file: string, sql: string): void {
  const other = new Sqlite(file);
  other.exec(sql);
  other.close();
  const { code, out } = git(app, 'commit', '-q', '-a', '-m', sql);
  if (code !== 0) throw new Error(`git commit: ${out}`);
}
