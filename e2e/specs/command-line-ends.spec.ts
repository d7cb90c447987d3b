// Commands of the app that a signal, a reader or a full disk stands in the way of: how they end, and what they leave behind.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { runCommand, startCommand, writeInFolder } from '../support/command.ts';
import { integrityOf } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';

const isRoot = process.getuid?.() === 0;

/** Long enough to be stopped in the middle. */
function writeMany(app: SideliteApp): string {
  const rows = Array.from({ length: 1_500_000 }, (_, at) => `${at},text ${at}\n`);
  return writeInFolder(app, 'many.csv', `id,name\n${rows.join('')}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends an import, and the database is as before`, { tag: '@long' }, async ({ idleApp }) => {
    const file = makeShop(idleApp);
    writeMany(idleApp);
    const before = readFileSync(file);
    const running = startCommand(idleApp, ['import', 'many.csv', '--into', 'shop.db', '--progress']);
    await running.says(/\d rows: /);
    running.child.kill(signal);
    const ended = await running.ended;
    // Shells call either 128 and the number of the signal.
    expect([ended.code, ended.signal]).toEqual(
      ended.signal === null ? [signal === 'SIGINT' ? 130 : 143, null] : [null, signal],
    );
    // The process has ended at once. Whoever opens the file next rolls back, and whoever writes to it removes the journal.
    expect(integrityOf(file)).toBe('ok');
    expect(readFileSync(file).equals(before)).toBe(true);
    writeInFolder(idleApp, 'rows.csv', 'id,name\n7,emu\n');
    expect(await runCommand(idleApp, ['import', 'rows.csv', '--into', 'shop.db', '-t', 'item'])).toMatchObject({
      code: 0,
    });
    expect(readdirSync(idleApp.folder).filter((name) => name.startsWith('shop.db'))).toEqual(['shop.db']);
  });

test('a reader that has seen enough ends an export without a word', { tag: '@long' }, async ({ idleApp }) => {
  makeShop(idleApp);
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT i FROM n';
  const running = startCommand(idleApp, ['export', 'shop.db', '--sql', numbers]);
  running.child.stdout!.once('data', () => running.child.stdout!.destroy());
  expect(await running.ended).toMatchObject({ code: 141, err: '' });
});

test.describe('on a small disk', () => {
  test.skip(!isRoot, 'only root can mount a disk of a given size');
  let disk = '';
  test.beforeEach(({ idleApp }) => {
    disk = join(idleApp.folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
  });
  test.afterEach(() => void execFileSync('umount', ['-l', disk]));

  test('a full disk has its own exit code, and nothing half done is left', { tag: '@long' }, async ({ idleApp }) => {
    writeMany(idleApp);
    const imported = await runCommand(idleApp, ['import', 'many.csv', '--into', 'disk/new.db']);
    expect(imported).toMatchObject({ code: 7, err: expect.stringMatching(/full/) as unknown });
    expect(readdirSync(disk)).toEqual([]);
    expect((await runCommand(idleApp, ['import', 'many.csv', '--into', 'large.db'])).code).toBe(0);
    const exported = await runCommand(idleApp, ['export', 'large.db', '-t', 'many', '-o', 'disk/out.csv']);
    expect(exported).toMatchObject({ code: 7, err: expect.stringMatching(/disk is full/) as unknown });
    expect(readdirSync(disk)).toEqual([]);
  });
});
