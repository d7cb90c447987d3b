// A libSQL server for a test, and another client of it.
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { ensureSqld } from '../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../build/sqld/start-sqld.ts';
import type { RunningSqld, SqldOptions } from '../../build/sqld/start-sqld.ts';

/** Skips the test where there is no such server. */
export async function startServer(options: Omit<SqldOptions, 'program'> = {}): Promise<RunningSqld> {
  const sqld = await ensureSqld();
  test.skip('why' in sqld, 'why' in sqld ? sqld.why : '');
  return startSqld({ program: 'why' in sqld ? '' : sqld.program, ...options });
}

/** Saves a connection the way its dialog does. */
export async function saveConnection(page: Page, draft: Readonly<Record<string, unknown>>): Promise<void> {
  const saved = await page.evaluate(
    (part) =>
      (window as unknown as { sidelite: { remote: { save(draft: unknown): Promise<unknown> } } }).sidelite.remote.save({
        ...{ database: null, name: 'Shop', color: 'green', readOnly: false, production: false, token: '' },
        ...part,
      }),
    draft,
  );
  expect(saved).toHaveProperty('connection');
}

/** Runs statements as another client does, and returns the first value of each. */
export const onServer = (url: string, ...statements: readonly string[]): Promise<readonly unknown[]> =>
  run(url, null, statements);

interface OtherClient {
  /** See {@link onServer}. */
  run(...statements: readonly string[]): Promise<readonly unknown[]>;
  /** Status of a request that reads: 401 if the server does not accept the token. */
  status(): Promise<number>;
}

export const asClient = (url: string, token: string): OtherClient => ({
  run: (...statements) => run(url, token, statements),
  status: async () => (await send(url, token, ['SELECT 1'])).status,
});

function send(url: string, token: string | null, statements: readonly string[]): Promise<Response> {
  const requests = statements.map((sql) => ({ type: 'execute', stmt: { sql } }));
  return fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    // A connection that is kept may be closed by the server just as the next request is sent.
    headers: {
      'Content-Type': 'application/json',
      Connection: 'close',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ baton: null, requests: [...requests, { type: 'close' }] }),
  });
}

async function run(url: string, token: string | null, statements: readonly string[]): Promise<readonly unknown[]> {
  const reply = await send(url, token, statements);
  const { results } = (await reply.json()) as {
    results: {
      type: string;
      error?: { message: string };
      response: { result?: { rows: { value?: unknown }[][] } };
    }[];
  };
  return results.slice(0, statements.length).map(({ type, error, response }) => {
    if (type === 'error') throw new Error(error?.message);
    return response.result?.rows[0]?.[0]?.value ?? null;
  });
}

export const SHOP = [
  'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL)',
  "INSERT INTO item VALUES (1, 'ant', 1.5), (2, 'bee', 2.5), (3, 'cat', 9223372036854775807)",
  'CREATE TABLE big (id INTEGER PRIMARY KEY, n INTEGER, t TEXT)',
  "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) INSERT INTO big SELECT x, x * 1000000000000000, 'row ' || x FROM c",
];
