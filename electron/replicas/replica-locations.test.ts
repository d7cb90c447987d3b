import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StorageDraft } from '#shared/replicas.ts';
import {
  configurationOf,
  environmentFor,
  replicaInFolder,
  replicaInStorage,
  readStorageDraft,
} from './replica-locations.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sidelite-places-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const draft = (part: Partial<StorageDraft> = {}): StorageDraft => ({
  ...{ address: 's3://backups/2026/shop.db/', endpoint: '', region: '', keyId: '', secret: '' },
  ...part,
});
const storage = (part?: Partial<StorageDraft>) => {
  const location = replicaInStorage(draft(part));
  if ('why' in location) throw new Error(location.why);
  return location;
};

it('finds a replica in the folder, in its parent, and beside the database', () => {
  for (const name of ['shop.db', '.shop.db-litestream']) mkdirSync(join(folder, name, 'ltx', '0'), { recursive: true });
  const path = join(folder, 'shop.db');
  expect(replicaInFolder(path)).toMatchObject({ name: 'shop.db', replica: { type: 'file', path } });
  expect(replicaInFolder(join(path, 'ltx'))).toEqual(replicaInFolder(path));
  expect(replicaInFolder(join(folder, '.shop.db-litestream'))).toMatchObject({ name: 'shop.db' });
});

it('says what is in a folder that is no replica', () => {
  expect(replicaInFolder(folder)).toMatchObject({
    why: expect.stringMatching(/^There is no Litestream replica/) as string,
  });
  expect(replicaInFolder(join(folder, 'none'))).toMatchObject({
    why: expect.stringMatching(/is not a folder/) as string,
  });
  writeFileSync(join(folder, 'file'), '');
  expect(replicaInFolder(join(folder, 'file'))).toMatchObject({
    why: expect.stringMatching(/is not a folder/) as string,
  });
  mkdirSync(join(folder, 'a', 'ltx'), { recursive: true });
  expect(replicaInFolder(folder)).toMatchObject({ why: expect.stringMatching(/Choose one of them: “a”\./) as string });
  mkdirSync(join(folder, 'old', 'generations'), { recursive: true });
  expect(replicaInFolder(join(folder, 'old'))).toMatchObject({ why: expect.stringMatching(/0\.3/) as string });
});

it('keys of the storage go into the environment, and nowhere else', () => {
  const location = storage({ endpoint: 'https://minio.example.com', keyId: 'AKIA1', secret: 'very/secret' });
  expect(location).toMatchObject({ name: 'shop.db', displayPath: 's3://backups/2026/shop.db' });
  expect(configurationOf(location)).not.toMatch(/AKIA1|secret/);
  expect(JSON.parse(configurationOf(location))).toMatchObject({
    dbs: [{ replica: { type: 's3', bucket: 'backups', path: '2026/shop.db', endpoint: 'https://minio.example.com' } }],
  });
  const inherited = { PATH: '/bin', AWS_SESSION_TOKEN: 'other', AWS_ACCESS_KEY_ID: 'other' };
  expect(environmentFor(location, inherited)).toEqual({
    ...{ PATH: '/bin', AWS_EC2_METADATA_DISABLED: 'true' },
    ...{ AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'very/secret' },
  });
  expect(environmentFor(storage(), inherited)).toMatchObject(inherited);
});

it.each<[Partial<StorageDraft>, RegExp]>([
  [{ address: 'https://backups.s3.amazonaws.com/shop' }, /s3:\/\//],
  [{ address: 's3://' }, /s3:\/\//],
  [{ address: 's3://backups/shop?endpoint=http://evil' }, /s3:\/\//],
  [{ endpoint: 'http://minio.example.com' }, /https:/],
  [{ endpoint: 'https://user:pass@minio.example.com' }, /https:/],
  [{ keyId: 'AKIA1' }, /both keys/],
  [{ keyId: 'AK IA', secret: 'x' }, /ASCII/],
])('does not take %o', (part, why) => {
  expect(replicaInStorage(draft(part))).toMatchObject({ why: expect.stringMatching(why) as string });
});

it('takes an endpoint on this computer without encryption', () => {
  expect(storage({ endpoint: 'http://127.0.0.1:9000' }).replica).toMatchObject({ endpoint: 'http://127.0.0.1:9000' });
});

it('what a page sends in another form is refused without repeating it', () => {
  expect(() => readStorageDraft({ ...draft(), secret: { x: 'very/secret' } })).toThrow(
    /^A replica was sent in a form that cannot be read\.$/,
  );
});
