// MariaDB for tests, in the version that Debian has.
import { join } from 'node:path';
import { ensureDebianPrograms } from '../debian-programs.ts';
import { newFolder, output, removeFolder, startServer } from './database-server.ts';
import type { DatabaseServer, Program } from './database-server.ts';

const DATABASE = 'tested';

/** `why`: it is not available here. */
export async function startMariadb(): Promise<DatabaseServer | { readonly why: string }> {
  const packages = ['mariadb-server-core', 'mariadb-client'];
  const ensured = await ensureDebianPrograms({ name: 'mariadb', title: 'MariaDB', packages });
  if ('why' in ensured) return ensured;
  const usr = join(ensured.root, 'usr');
  const env = { ...process.env, LD_LIBRARY_PATH: join(usr, 'lib/x86_64-linux-gnu') };
  const folder = newFolder();
  const [data, socket] = [join(folder, 'data'), join(folder, 's')];
  const program = (place: string, ...args: string[]): Program => ({
    file: join(usr, place),
    args: ['--no-defaults', ...args],
    env,
  });
  // As root it wants to be told that it may.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  try {
    const options = [`--basedir=${usr}`, `--datadir=${data}`, '--auth-root-authentication-method=normal'];
    await output(program('bin/mariadb-install-db', ...options, '--skip-test-db', ...user));
  } catch (error) {
    removeFolder(folder);
    return { why: `MariaDB does not start: ${String((error as Error).message)}` };
  }
  const own = [
    `--lc-messages-dir=${join(usr, 'share/mysql')}`,
    `--character-sets-dir=${join(usr, 'share/mysql/charsets')}`,
  ];
  const places = [`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(folder, 'pid')}`, '--skip-networking'];
  const server = program('sbin/mariadbd', ...places, ...own, ...user);
  const to = [`--socket=${socket}`, '--user=root', '--default-character-set=utf8mb4'];
  const client = program('bin/mariadb', ...to, '--batch', '--raw', '--skip-column-names');
  const end = await startServer(server, () => output(client, `CREATE DATABASE IF NOT EXISTS ${DATABASE};`));
  return {
    sql: async (text) => (await output(client, `USE ${DATABASE};\n${text}`)).toString(),
    dump: async (options) => new Uint8Array(await output(program('bin/mariadb-dump', ...to, ...options, DATABASE))),
    async remove() {
      await end();
      removeFolder(folder);
    },
  };
}
