// PostgreSQL 15 for tests.
import { join } from 'node:path';
import { ensureDebianPrograms } from '../debian-programs.ts';
import { newFolder, output, removeFolder, startServer } from './database-server.ts';
import type { DatabaseServer, Program } from './database-server.ts';

/** PostgreSQL does not run as root: its own world has another user. */
const AS_USER = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

/** `why`: it is not available here. */
export async function startPostgres(): Promise<DatabaseServer | { readonly why: string }> {
  const packages = ['postgresql-15', 'postgresql-client-15'];
  const ensured = await ensureDebianPrograms({ name: 'postgresql-15', title: 'PostgreSQL', packages });
  if ('why' in ensured) return ensured;
  const { root } = ensured;
  const env = { ...process.env, LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu'), PGTZ: 'UTC' };
  const folder = newFolder();
  const program = (name: string, ...args: string[]): Program => {
    const asUser = process.getuid?.() === 0 ? AS_USER : [];
    const [file = '', ...rest] = [...asUser, join(root, 'usr/lib/postgresql/15/bin', name), ...args];
    return { file, args: rest, env };
  };
  const data = join(folder, 'data');
  try {
    const options = ['-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await output(program('initdb', '-D', data, ...options));
  } catch (error) {
    removeFolder(folder);
    return { why: `PostgreSQL does not start: ${String((error as Error).message)}` };
  }
  const to = ['-h', folder, '-U', 'tester', '-d', 'postgres'];
  const psql = program('psql', ...to, '-X', '-q', '-A', '-t', '-f', '-');
  const server = program('postgres', '-D', data, '-k', folder, '-c', 'listen_addresses=', '-F');
  const end = await startServer(server, () => output(psql, 'SELECT 1;'));
  return {
    sql: async (text) => (await output(psql, text)).toString(),
    dump: async (dumpOptions) => new Uint8Array(await output(program('pg_dump', ...to, ...dumpOptions))),
    async remove() {
      await end();
      removeFolder(folder);
    },
  };
}
