// Puts engines that Sidelite is compared with beside the bundle, as their packages ship them wherever a browser can load that: they find
// their own files by where they lie, and cost nothing until they are measured. `npm run package` leaves them out: together they weigh more
// than the app.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.ts';

/** From a package's folder to a folder of its name in `peers/`. */
const PEERS: readonly { readonly name: string; readonly from: string; readonly files: RegExp }[] = [
  // SQLite's own module once more, with the helper workers that the product's bundle leaves out.
  {
    name: 'sqlite-wasm',
    from: '@sqlite.org/sqlite-wasm/dist',
    files: /^(index\.mjs|sqlite3\.wasm|sqlite3-opfs-async-proxy\.js)$/,
  },
  { name: 'sql.js', from: 'sql.js/dist', files: /^sql-wasm-browser\.wasm$/ },
  { name: 'wa-sqlite/src', from: '@journeyapps/wa-sqlite/src', files: /^[\w-]+\.js$|^examples$|^examples\/\w+\.js$/ },
  { name: 'wa-sqlite/dist', from: '@journeyapps/wa-sqlite/dist', files: /^wa-sqlite(-async)?\.(mjs|wasm)$/ },
  {
    name: 'libsql-wasm',
    from: '@libsql/libsql-wasm-experimental/sqlite-wasm/jswasm',
    files: /^sqlite3(-bundler-friendly\.mjs|\.wasm|-opfs-async-proxy\.js)$/,
  },
  {
    name: 'pglite',
    from: '@electric-sql/pglite/dist',
    files: /^(fs\/)?(?!initdb\.js|templating)[\w-]+\.js$|^fs$|^(pglite|initdb)\.(js|wasm|data)$/,
  },
];

/** From a module of a package to a folder of its name in `peers/`. */
const BUNDLED: readonly { readonly name: string; readonly entry: string }[] = [
  { name: 'turso-wasm', entry: 'node_modules/@tursodatabase/database-wasm/dist/promise-default.js' },
];

/** Packages of Node that native ones consist of: they are looked for beside the native process. */
const NATIVE = ['libsql', '@libsql', '@neon-rs', 'detect-libc', '@tursodatabase', 'sqlite3'];

/** What the packaged app lacks, for this system: `bundled` and packages, as they lie in its `resources`. */
export function packPeers(bundled: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundled, join(folder, 'peers'), { recursive: true });
  for (const name of NATIVE) {
    const source = inRoot('node_modules', name);
    const filter = (path: string): boolean => !path.slice(source.length).includes('wasm');
    const target = join(folder, 'native', 'node_modules', name);
    if (existsSync(source)) cpSync(source, target, { recursive: true, filter });
  }
}

/** Into `folder`. A package that is not installed is left out; who measures it is told. */
export async function addPeers(folder: string): Promise<void> {
  for (const { name, from, files } of PEERS) {
    const source = inRoot('node_modules', from);
    if (!existsSync(source)) continue;
    cpSync(source, join(folder, name), {
      recursive: true,
      dereference: true,
      filter: (path) => path === source || files.test(path.slice(source.length + 1).replaceAll('\\', '/')),
    });
  }
  const installed = BUNDLED.filter(({ entry }) => existsSync(inRoot(entry)));
  if (installed.length === 0) return;
  const [{ build }, { peerConfig }] = await Promise.all([import('vite'), import('./targets.ts')]);
  for (const { name, entry } of installed) await build(peerConfig(entry, join(folder, name)));
}
