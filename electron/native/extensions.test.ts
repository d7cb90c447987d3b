// Which extensions main gives to an engine: only files that the user chose for this database, as the user approved them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
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
  const [extension] = await extensions.of(SHOP!);
  expect(extension).toMatchObject({ path, sha256: asked[0]!.sha256, fileName: 'vec0.so', why: null });
  expect(await extensions.of(OTHER!)).toEqual([]);
  // It has to be chosen for another one, too, but not approved again.
  await extensions.add(OTHER!, path, ask);
  expect(asked).toHaveLength(1);
  expect(await extensions.of(OTHER!)).toMatchObject([{ why: null }]);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'extensions.json')).mode & 0o077).toBe(0);
});

test('a file that is not approved is not listed', async () => {
  approves = false;
  expect(await extensions.add(SHOP!, path, ask)).toEqual({ changed: false });
  restart();
  expect(await extensions.of(SHOP!)).toEqual([]);
});

test('a file that has changed is not loaded before it is approved again, anywhere', async () => {
  for (const database of [SHOP!, OTHER!]) await extensions.add(database, path, ask);
  writeFileSync(path, 'second');
  const changed = { why: CHANGED_SINCE_APPROVED, awaitsApproval: true };
  for (const database of [SHOP!, OTHER!]) expect(await extensions.of(database)).toMatchObject([changed]);
  const { id } = (await extensions.of(SHOP!))[0]!;
  approves = false;
  expect(await extensions.approve(SHOP!, id, ask)).toEqual({ changed: false });
  expect(await extensions.of(SHOP!)).toMatchObject([changed]);
  approves = true;
  expect(await extensions.approve(SHOP!, id, ask)).toEqual({ changed: true });
  expect(asked.at(-1)).toMatchObject({ hasChanged: true });
  restart();
  expect(await extensions.of(SHOP!)).toMatchObject([{ why: null }]);
});

test('a list or an approval from elsewhere loads nothing', async () => {
  const store = join(folder, 'extensions.json');
  // A list alone, as another program, or another computer, might have it.
  writeFileSync(store, JSON.stringify({ lists: { [SHOP!]: [path] } }));
  restart();
  expect(await extensions.of(SHOP!)).toMatchObject([{ awaitsApproval: true, why: expect.any(String) as string }]);
  // With the approval of another file.
  writeFileSync(store, JSON.stringify({ lists: { [SHOP!]: [path] }, approved: { '/elsewhere/vec0.so': 'x' } }));
  restart();
  expect(await extensions.of(SHOP!)).toMatchObject([{ awaitsApproval: true }]);
  for (const damaged of ['', '[]', '{"lists": {"a1": "x"}}', '{"lists": 1, "approved": []}']) {
    writeFileSync(store, damaged);
    restart();
    expect(await extensions.of(SHOP!)).toEqual([]);
  }
});

test('what is gone, or is no file, says so', async () => {
  mkdirSync(join(folder, 'folder'));
  expect(await extensions.add(SHOP!, join(folder, 'folder'), ask)).toMatchObject({ why: expect.any(String) as string });
  expect(await extensions.add(SHOP!, join(folder, 'none'), ask)).toMatchObject({ why: expect.any(String) as string });
  expect(asked).toEqual([]);
  await extensions.add(SHOP!, path, ask);
  rmSync(path);
  expect(await extensions.of(SHOP!)).toMatchObject([{ why: expect.stringContaining('no file') as string }]);
});

test('one that is removed is no longer loaded, and an unknown one changes nothing', async () => {
  await extensions.add(SHOP!, path, ask);
  const { id } = (await extensions.of(SHOP!))[0]!;
  expect(extensions.remove(OTHER!, id)).toEqual({ changed: false });
  expect(await extensions.approve(SHOP!, 'none', ask)).toEqual({ changed: false });
  expect(extensions.remove(SHOP!, id)).toEqual({ changed: true });
  expect(await extensions.of(SHOP!)).toEqual([]);
  expect(readFileSync(join(folder, 'extensions.json'), 'utf8')).not.toContain(SHOP!);
});
