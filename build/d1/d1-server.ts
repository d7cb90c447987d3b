// D1 databases for tests, on loopback: the real engine behind a small worker that offers `/raw` as Cloudflare's HTTP interface does. What
// the worker answers where nothing was measured (refused tokens) follows Cloudflare's documentation.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isWorthAnotherTry, noteFailure, readFailure } from '../download-again.ts';
import { inRoot, userCache } from '../paths.ts';

const MOST = 60;

/** The part of it that is used. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

export interface D1Server {
  /** URL of a database; each name is a database that is empty at first. */
  url(database: string): string;
  end(): Promise<void>;
}

/** Tokens that the worker accepts, beside none at all; any other one is refused. */
export const D1_TOKENS = { all: 'token-for-all', read: 'token-for-reading' } as const;

const WORKER = `
const json = (status, body) => Response.json({ errors: [], messages: [], result: [], success: false, ...body }, { status });
const refuse = (status, code, message) => json(status, { errors: [{ code, message }] });
export default {
  async fetch(request, env) {
    const [, id, endpoint] = /^\\/client\\/v4\\/accounts\\/[^/]+\\/d1\\/database\\/([^/]+)\\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
    const token = request.headers.get('authorization')?.replace('Bearer ', '');
    if (token === 'malformed') return refuse(400, 6003, 'Invalid request headers');
    if (token !== undefined && !Object.values(${JSON.stringify(D1_TOKENS)}).includes(token)) return refuse(401, 10000, 'Authentication error');
    const database = env[id];
    if (!database) return refuse(404, 7404, 'The database ' + id + ' could not be found');
    const { batch, ...single } = await request.json();
    const statements = (batch ?? [single]).map(({ sql, params = [] }) => ({ sql, params }));
    if (token === ${JSON.stringify(D1_TOKENS.read)} && statements.some(({ sql }) => /^(insert|update|delete|create|drop|alter)/i.test(sql)))
      return refuse(403, 10000, 'Authentication error');
    // As the documentation says.
    if (statements.some(({ params }) => params.some((value) => typeof value !== 'string'))) return refuse(400, 7400, 'params: Expected string');
    const resultsFormat = endpoint === 'raw' ? 'ROWS_AND_COLUMNS' : 'ARRAY_OF_OBJECTS';
    const reply = await database.fetcher.fetch('http://d1/query?resultsFormat=' + resultsFormat, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(statements) });
    const result = await reply.json();
    return Array.isArray(result) ? json(200, { success: true, result }) : refuse(400, 7500, result.error);
  },
};`;

/** `why`: it is not available here. */
export async function startD1(most = MOST): Promise<D1Server | { readonly why: string }> {
  const ensured = await ensureMiniflare();
  if ('why' in ensured) return ensured;
  const { Miniflare } = (await import(ensured.module)) as { Miniflare: new (options: unknown) => Miniflare };
  const ids = Array.from({ length: most }, (_, at) => `database${at}`);
  const server = new Miniflare({
    modules: true,
    script: WORKER,
    host: '127.0.0.1',
    port: 0,
    d1Databases: Object.fromEntries(ids.map((id) => [id, id])),
    compatibilityDate: '2026-07-01',
  });
  const { origin } = await server.ready;
  const names: string[] = [];
  return {
    url(database) {
      if (!names.includes(database)) names.push(database);
      const id = ids[names.indexOf(database)];
      if (id === undefined) throw new Error(`There are only ${most} databases.`);
      return `${origin}/client/v4/accounts/test/d1/database/${id}`;
    },
    end: () => server.dispose(),
  };
}

const VERSION = '4.20260730.0';
const INSTALL_MS = 300_000;
const LISTS = ['package.json', 'package-lock.json'];

const run = promisify(execFile);

/** `module`: the address to import it from. `why`: it is not available here. */
type EnsuredMiniflare = { readonly module: string } | { readonly why: string };

/**
 * Miniflare for tests (MIT), with the D1 engine of Cloudflare's own runtime: installed once for all checkouts, from a lockfile with the
 * checksums of all its packages, never started for a user, never shipped.
 */
async function ensureMiniflare(): Promise<EnsuredMiniflare> {
  const folder = userCache(`miniflare-${VERSION}`);
  const { href: module } = pathToFileURL(join(folder, 'node_modules', 'miniflare', 'dist', 'src', 'index.js'));
  if (existsSync(folder)) return { module };
  const failed = userCache('miniflare-download-failed');
  if (!(await isWorthAnotherTry(readFailure(failed), VERSION, async () => false)))
    return { why: 'Miniflare for tests could not be downloaded a short while ago' };
  try {
    await install(folder);
    return { module };
  } catch (error) {
    noteFailure(failed, VERSION, 'failed');
    return { why: `Miniflare for tests cannot be had: ${String((error as Error).message).split('\n')[0]}` };
  }
}

async function install(folder: string): Promise<void> {
  mkdirSync(userCache(), { recursive: true });
  const making = mkdtempSync(userCache('miniflare-download-'));
  try {
    for (const list of LISTS) copyFileSync(inRoot('build', 'd1', 'packages', list), join(making, list));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', args, { cwd: making, timeout: INSTALL_MS });
    // Rename atomically, because several test runners may want it at the same time; the first one wins.
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
