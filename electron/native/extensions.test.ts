// Which extensions main gives to an engine: only files that the user chose for this database, as the user approved them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MOST_EXTENSION_BYTES } from '#shared/extensions.ts';
import type { Approval } from './extensions.ts';
import { Extensions } from './extensions.ts';

vi.mock('electron', () => ({ app: { getPath: () => '/home/none' } }));

const [SHOP, OTHER] = ['a1', 'b2'];
let folder: string;
let path: string;
let asked: Approval[];
let approves: boolean;
let extensions: Extensions;
const ask = async (approval: Approval): Promise<boolean> => (asked.push(approval), approves);
const restart = (): void => void (extensions = new Extensions(join(folder, 'extensions.json')));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-approved-'));
  path = join(folder, 'vec0.so');
  writeFileSync(path, 'first');
  [asked, approves] = [[], true];
  restart();
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is asked about once, loaded into the database it was chosen for, and remembered', async () => {
  expect(await extensions.add(SHOP!, path, ask)).toEqual({ changed: true });
  expect(asked).toMatchObject([{ path, hasChanged: false, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
  restart();
  const [extension] = extensions.of(SHOP!);
  expect(extension).toMatchObject({ path, sha256: asked[0]!.sha256, fileName: 'vec0.so', why: null });
  expect(extensions.of(OTHER!)).toEqual([]);
  // It has to be chosen for another one, too, but not approved again.
  await extensions.add(OTHER!, path, ask);
  expect(asked).toHaveLength(1);
  expect(extensions.of(OTHER!)).toMatchObject([{ why: null }]);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'extensions.json')).mode & 0o077).toBe(0);
});

test('a file that is not approved is not listed', async () => {
  approves = false;
  expect(await extensions.add(SHOP!, path, ask)).toEqual({ changed: false });
  restart();
  expect(extensions.of(SHOP!)).toEqual([]);
});

test('a file that has changed is loaded as it was approved or not at all, until it is approved again', async () => {
  for (const database of [SHOP!, OTHER!]) await extensions.add(database, path, ask);
  const first = asked[0]!.sha256;
  writeFileSync(path, 'second');
  const { id } = extensions.of(SHOP!)[0]!;
  approves = false;
  expect(await extensions.approve(SHOP!, id, ask)).toEqual({ changed: false });
  expect(asked.at(-1)).toMatchObject({ hasChanged: true, sha256: expect.not.stringContaining(first) as string });
  for (const database of [SHOP!, OTHER!]) expect(extensions.of(database)).toMatchObject([{ why: null, sha256: first }]);
  approves = true;
  expect(await extensions.approve(SHOP!, id, ask)).toEqual({ changed: true });
  restart();
  const { sha256 } = asked.at(-1)!;
  for (const database of [SHOP!, OTHER!]) expect(extensions.of(database)).toMatchObject([{ why: null, sha256 }]);
});

test('a list or an approval from elsewhere loads nothing', async () => {
  const store = join(folder, 'extensions.json');
  // A list alone, as another program, or another computer, might have it.
  writeFileSync(store, JSON.stringify({ lists: { [SHOP!]: [path] } }));
  restart();
  expect(extensions.of(SHOP!)).toMatchObject([{ awaitsApproval: true, why: expect.any(String) as string }]);
  // With the approval of another file.
  writeFileSync(store, JSON.stringify({ lists: { [SHOP!]: [path] }, approved: { '/elsewhere/vec0.so': 'x' } }));
  restart();
  expect(extensions.of(SHOP!)).toMatchObject([{ awaitsApproval: true }]);
  for (const damaged of ['', '[]', '{"lists": {"a1": "x"}}', '{"lists": 1, "approved": []}']) {
    writeFileSync(store, damaged);
    restart();
    expect(extensions.of(SHOP!)).toEqual([]);
  }
});

test('what is gone, no file, or too large, says so', async () => {
  mkdirSync(join(folder, 'folder'));
  expect(await extensions.add(SHOP!, join(folder, 'folder'), ask)).toMatchObject({ why: expect.any(String) as string });
  expect(await extensions.add(SHOP!, join(folder, 'none'), ask)).toMatchObject({ why: expect.any(String) as string });
  const huge = join(folder, 'huge');
  writeFileSync(huge, '');
  truncateSync(huge, MOST_EXTENSION_BYTES + 1);
  expect(await extensions.add(SHOP!, huge, ask)).toMatchObject({ why: expect.stringContaining('1 GB') as string });
  expect(asked).toEqual([]);
});

test('one that is removed is no longer loaded, and an unknown one changes nothing', async () => {
  await extensions.add(SHOP!, path, ask);
  const { id } = extensions.of(SHOP!)[0]!;
  expect(extensions.remove(OTHER!, id)).toEqual({ changed: false });
  expect(await extensions.approve(SHOP!, 'none', ask)).toEqual({ changed: false });
  expect(extensions.remove(SHOP!, id)).toEqual({ changed: true });
  expect(extensions.of(SHOP!)).toEqual([]);
  expect(readFileSync(join(folder, 'extensions.json'), 'utf8')).not.toContain(SHOP!);
});

test('what was given up stays so after a restart, until it is retried or the list changes', async () => {
  await extensions.add(SHOP!, path, ask);
  const { id } = extensions.of(SHOP!)[0]!;
  const changes = [
    () => extensions.retry(SHOP!),
    () => extensions.add(SHOP!, path, ask),
    () => extensions.approve(SHOP!, id, ask),
  ];
  for (const change of changes) {
    extensions.giveUp(SHOP!, 'crashed');
    restart();
    expect(extensions.of(SHOP!)).toMatchObject([{ why: expect.stringContaining('unexpectedly twice') as string }]);
    expect(await change()).toEqual({ changed: true });
    restart();
    expect(extensions.of(SHOP!)).toMatchObject([{ why: null }]);
  }
  extensions.giveUp(OTHER!, 'stopped');
  await extensions.add(OTHER!, path, ask);
  expect(extensions.of(OTHER!)).toMatchObject([{ why: null }]);
});

test('a schema is trusted once the user has agreed, in that database, and not longer than it has extensions', async () => {
  const agrees = async (): Promise<boolean> => approves;
  expect(await extensions.trustSchema(SHOP!, true, agrees)).toEqual({ changed: false });
  for (const database of [SHOP!, OTHER!]) await extensions.add(database, path, ask);
  approves = false;
  expect(await extensions.trustSchema(SHOP!, true, agrees)).toEqual({ changed: false });
  approves = true;
  expect(await extensions.trustSchema(SHOP!, true, agrees)).toEqual({ changed: true });
  restart();
  expect([extensions.trustsSchema(SHOP!), extensions.trustsSchema(OTHER!)]).toEqual([true, false]);
  approves = false;
  expect(await extensions.trustSchema(SHOP!, false, agrees)).toEqual({ changed: true });
  expect(extensions.trustsSchema(SHOP!)).toBe(false);
  approves = true;
  await extensions.trustSchema(SHOP!, true, agrees);
  extensions.remove(SHOP!, extensions.of(SHOP!)[0]!.id);
  await extensions.add(SHOP!, path, ask);
  expect(extensions.trustsSchema(SHOP!)).toBe(false);
});
