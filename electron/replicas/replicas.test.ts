// Tests with Litestream itself, if available, and with a program that behaves as Litestream does when a restore takes long or fails.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureLitestream } from '../../build/litestream/ensure-litestream.ts';
import { makeReplica } from '../../build/litestream/make-replica.ts';
import { inPlaceId } from '#shared/protocol/in-place.ts';
import type { ReplicaMoment } from '#shared/replicas.ts';
import { replicaInFolder, replicaInStorage } from './replica-locations.ts';
import { LitestreamProgram } from './program.ts';
import { Replicas } from './replicas.ts';

const litestream = await ensureLitestream();
const skipped = 'why' in litestream ? litestream.why : '';
const program = 'program' in litestream ? litestream.program : '';
const WINDOW = { windowId: 'window-1' };
const why = (pattern: RegExp) => ({ why: expect.stringMatching(pattern) as string });

let folder: string;
let temporary: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-replicas-'));
  temporary = join(folder, 'temporary');
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function replicasWith(path: string): Promise<Replicas> {
  const chosen = new LitestreamProgram(join(folder, 'litestream.json'), '');
  expect(await chosen.choose(path)).toMatchObject({ path });
  return new Replicas(temporary, chosen, (line) => logged.push(line));
}

function named(replicas: Replicas, path: string): string {
  const location = replicaInFolder(path);
  if ('why' in location) throw new Error(location.why);
  return replicas.name(WINDOW.windowId, location).token;
}

async function momentsOf(replicas: Replicas, token: string): Promise<readonly ReplicaMoment[]> {
  const reply = await replicas.moments(WINDOW.windowId, token);
  if ('why' in reply) throw new Error(reply.why);
  return reply.moments;
}

function contentsOf(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare('SELECT name FROM item ORDER BY id')
      .all()
      .map(({ name }) => name);
  } finally {
    database.close();
  }
}

describe.skipIf(skipped)(`with Litestream${skipped && ` (${skipped})`}`, () => {
  /** Made once: a folder with a name that no address of Litestream can contain, and when each step was written. */
  let made: string;
  let replica: string;
  const written: { readonly from: number; readonly to: number }[] = [];
  beforeAll(async () => {
    made = mkdtempSync(join(tmpdir(), 'sidelite-replica-'));
    const plain = join(made, 'plain');
    const database = join(made, 'shop.db');
    const steps = [
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant')",
      "INSERT INTO item VALUES (2, 'bee')",
      "UPDATE item SET name = 'cat' WHERE id = 1",
      'DELETE FROM item WHERE id = 2',
    ];
    for (const step of steps) {
      const from = Date.now();
      await makeReplica(program, { path: database, replica: plain, steps: [step] });
      written.push({ from, to: Date.now() });
    }
    replica = join(made, 'a b #%41?é', 'shop.db');
    mkdirSync(join(replica, '..'));
    // Keep the times of the files, which are the moments.
    execFileSync('cp', ['-rp', plain, replica]);
  });
  afterAll(() => rmSync(made, { recursive: true, force: true }));

  it('each moment has the time at which it was written, and is restored with what was in the database then', async () => {
    const replicas = await replicasWith(program);
    const token = named(replicas, replica);
    const moments = await momentsOf(replicas, token);
    const oldestFirst = [...moments].reverse();
    const contents: unknown[] = [];
    for (const [index, { from, to }] of written.entries()) {
      const { txid, atMs } = oldestFirst[index]!;
      expect(atMs).toBeGreaterThanOrEqual(Math.floor(from / 1000) * 1000);
      expect(atMs).toBeLessThanOrEqual(to);
      const file = await replicas.restore(WINDOW.windowId, token, txid);
      if (!('restored' in file)) throw new Error('not restored');
      expect(file.name).toMatch(/^shop\.db as of \d{4}-\d\d-\d\d \d\d:\d\d/);
      contents.push(contentsOf(file.path));
    }
    expect(moments).toHaveLength(4);
    expect(contents).toEqual([['ant'], ['ant', 'bee'], ['cat', 'bee'], ['cat']]);
    // Only these are left of it, and they go with the window.
    expect(readdirSync(temporary)).toHaveLength(4);
    replicas.removeAllOf({ windowId: 'another' });
    expect(readdirSync(temporary)).toHaveLength(4);
    replicas.removeAllOf(WINDOW);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('a file is removed with its database, and after a crash at the next start', async () => {
    const replicas = await replicasWith(program);
    const token = named(replicas, replica);
    const [newest] = await momentsOf(replicas, token);
    const file = await replicas.restore(WINDOW.windowId, token, newest!.txid);
    if (!('restored' in file)) throw new Error('not restored');
    expect(replicas.discard('another', inPlaceId(file.restored))).toBeNull();
    expect(existsSync(file.path)).toBe(true);
    expect(replicas.discard(WINDOW.windowId, inPlaceId(file.restored))).toBe(file.restored);
    expect(existsSync(file.path)).toBe(false);
    await replicas.restore(WINDOW.windowId, token, newest!.txid);
    expect(readdirSync(temporary)).toHaveLength(1);
    await replicasWith(program);
    expect(existsSync(temporary)).toBe(false);
  });

  it('a replica that is damaged, incomplete, or gone is explained, and leaves nothing', async () => {
    const replicas = await replicasWith(program);
    const copy = join(folder, 'shop.db');
    execFileSync('cp', ['-rp', replica, copy]);
    const token = named(replicas, copy);
    const [newest] = await momentsOf(replicas, token);
    const [, second, third] = readdirSync(join(copy, 'ltx', '0')).sort();
    truncateSync(join(copy, 'ltx', '0', second!), 300);
    const restore = () => replicas.restore(WINDOW.windowId, token, newest!.txid);
    expect(await restore()).toEqual(why(/^A file of the replica is damaged.*Nothing was opened/));
    rmSync(join(copy, 'ltx', '0', third!));
    expect(await restore()).toEqual(why(/missing, or have been merged or removed/));
    rmSync(copy, { recursive: true });
    expect(await replicas.moments(WINDOW.windowId, token)).toEqual(why(/^Litestream found nothing to restore/));
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('another window neither lists nor restores it, and a page cannot ask for what was not listed', async () => {
    const replicas = await replicasWith(program);
    const token = named(replicas, replica);
    const [newest] = await momentsOf(replicas, token);
    expect(await replicas.moments('another', token)).toEqual(why(/no longer knows/));
    expect(await replicas.restore('another', token, newest!.txid)).toEqual(why(/no longer knows/));
    expect(await replicas.restore(WINDOW.windowId, token, '../../x')).toEqual(why(/no longer knows/));
    replicas.leave(WINDOW.windowId, token);
    expect(await replicas.restore(WINDOW.windowId, token, newest!.txid)).toEqual(why(/no longer knows/));
  });
});

describe.skipIf(process.platform === 'win32')('with a program that behaves so', () => {
  const LIST = JSON.stringify([
    { min_txid: '0000000000000001', max_txid: '0000000000000001', timestamp: '2026-11-20T14:00:00Z' },
  ]);

  /** @param restores what it does with the path it is to restore to */
  async function behaving(
    restores: string,
  ): Promise<{ readonly replicas: Replicas; restore(): Promise<unknown>; readonly token: string }> {
    const script = join(folder, 'litestream');
    writeFileSync(
      script,
      `#!/bin/sh
case "$1" in
  version) echo 0.5.17 ;;
  ltx) echo '${LIST}' ;;
  restore)
    echo "$*" > '${join(folder, 'arguments')}'
    while [ "$1" != -o ]; do shift; done
    path=$2
    ${restores} ;;
esac
`,
    );
    chmodSync(script, 0o755);
    mkdirSync(join(folder, 'shop.db', 'ltx'), { recursive: true });
    const replicas = await replicasWith(script);
    const token = named(replicas, join(folder, 'shop.db'));
    const [moment] = await momentsOf(replicas, token);
    return { replicas, token, restore: () => replicas.restore(WINDOW.windowId, token, moment!.txid) };
  }

  it('a restore says how far it is, and Stop ends the program and removes what it wrote', async () => {
    const { replicas, token, restore } = await behaving(
      `echo $$ > '${join(folder, 'process')}'; echo half > "$path.tmp"; exec sleep 1000`,
    );
    const restoring = restore();
    await vi.waitUntil(() => replicas.written(WINDOW.windowId, token) === 5, { timeout: 30_000 });
    expect(await restore()).toEqual(why(/already working/));
    replicas.stop('another', token);
    replicas.stop(WINDOW.windowId, token);
    expect(await restoring).toEqual({ stopped: true });
    const processId = Number(readFileSync(join(folder, 'process'), 'utf8'));
    expect(() => process.kill(processId, 0)).toThrow(/ESRCH/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('a window that is closed meanwhile gets no file', async () => {
    const { replicas, token, restore } = await behaving('echo half > "$path.tmp"; exec sleep 1000');
    const restoring = restore();
    await vi.waitUntil(() => replicas.written(WINDOW.windowId, token) > 0, { timeout: 30_000 });
    replicas.removeAllOf(WINDOW);
    expect(await restoring).toEqual({ stopped: true });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    [
      'Error: decode database: write page 3: write x.tmp: no space left on device',
      /^The disk is full.*Nothing was kept/,
    ],
    ['Error: open x: permission denied', /do not have permission to read/],
    ['flag provided but not defined: -txid', /too old/],
    ['Error: something new', /^Litestream failed: something new$/],
  ])('explains “%s”', async (printed, expected) => {
    const { restore } = await behaving(`echo half > "$path.tmp"; echo '${printed}' >&2; exit 1`);
    expect(await restore()).toEqual(why(expected));
    expect(logged).toEqual([`litestream restore: ${printed}`]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('does without a shell, and with the location in a file', async () => {
    const { restore } = await behaving('echo whole > "$path"');
    expect(await restore()).toMatchObject({ name: expect.stringContaining('shop.db as of') as string });
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).not.toContain(join(folder, 'shop.db'));
  });

  it('keys reach the program in its environment, and neither a message nor the log, even if it prints them', async () => {
    const { replicas } = await behaving('true');
    const location = replicaInStorage({
      ...{ address: 's3://backups/shop.db', endpoint: '', region: '' },
      ...{ keyId: 'AKIA1', secret: 'very/secret' },
    });
    if ('why' in location) throw new Error(location.why);
    const script = join(folder, 'litestream');
    const { token } = replicas.name(WINDOW.windowId, location);
    writeFileSync(
      script,
      `#!/bin/sh\n[ "$1" = version ] && echo 0.5.17 && exit\nenv | grep ^AWS_ | sort >&2\nexit 1\n`,
    );
    const reply = JSON.stringify(await replicas.moments(WINDOW.windowId, token));
    expect(logged[0]).toContain('AWS_ACCESS_KEY_ID=•••');
    expect(logged[0]).toContain('AWS_SECRET_ACCESS_KEY=•••');
    expect(reply + logged.join('')).not.toMatch(/AKIA1|very/);
  });

  it('finds the program on the PATH, not in the current folder, and refuses what is not Litestream', async () => {
    await behaving('true');
    const store = join(folder, 'other.json');
    const found = await new LitestreamProgram(store, `.::${folder}`).find();
    expect(found).toEqual({ version: '0.5.17', path: join(folder, 'litestream') });
    const none = new LitestreamProgram(store, '');
    expect(await none.choose('/bin/echo')).toEqual(why(/is not Litestream/));
    expect(await none.choose(join(folder, 'nothing'))).toEqual(why(/is not Litestream/));
    writeFileSync(join(folder, 'litestream'), '#!/bin/sh\necho v0.3.13\n');
    expect(await none.choose(join(folder, 'litestream'))).toEqual(why(/0\.3\.13.*0\.5 or later/));
    expect(existsSync(store)).toBe(false);
  });
});
