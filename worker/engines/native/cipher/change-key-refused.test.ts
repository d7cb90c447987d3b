// Changing a key: what is refused, what becomes of the file, and what is left beside it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync,
  writeFileSync,
} from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdOpen, runIn } from '../storage/other-program.test-suite.ts';
import { changeKey } from './change-key.ts';
import {
  change, Ciphered, contentOf, everything, EVERYTHING, expectRefused, folder, keyFor, make, open, quickKey, saying, trials, useFolders, path,
} from './changed-file.test-suite.ts'; // prettier-ignore

useFolders();

describe('refused, and all is as it was', () => {
  const TO = quickKey('new');

  it('no key before and after', () => {
    make('plain');
    expectRefused(null, null, { code: 'invalid' });
  });

  it('a wrong key, none, or one too many', () => {
    make('sqlcipher4');
    expectRefused(quickKey('wrong'), TO, { code: 'not-a-database' });
    expectRefused(null, TO, { code: 'not-a-database', message: saying(/is encrypted, or no SQLite database/) });
    rmSync(path);
    make('plain');
    expectRefused(quickKey('old'), TO, { code: 'invalid' });
  });

  it('what is no database', () => {
    writeFileSync(path, '');
    expectRefused(null, TO, { code: 'invalid', message: saying(/is empty/) });
    writeFileSync(path, 'some text that is long enough'.repeat(100));
    expectRefused(null, TO, { code: 'not-a-database' });
    rmSync(path);
    expectRefused(null, TO, { code: 'not-found' });
    mkdirSync(path);
    expect(() => change(null, TO)).toThrow(expect.objectContaining({ code: 'not-a-database' }));
  });

  it.each([
    ['reads nothing at the moment', 'SELECT 1 FROM t'],
    ['reads', 'BEGIN; SELECT 1 FROM t'],
    ['writes', 'BEGIN IMMEDIATE'],
    ['has the log open', 'PRAGMA journal_mode = WAL; SELECT 1 FROM t'],
  ])('another program has the file open, and %s', async (_what, sql) => {
    make('plain');
    const other = await holdOpen(path, sql);
    const inUse = { code: 'locked', message: saying(/nother program .*node, process \d+/) };
    try {
      for (const to of [TO, keyFor('rc4', 'new')]) {
        const before = readFileSync(path);
        expect(() => change(null, to)).toThrow(expect.objectContaining(inUse));
        expect(readFileSync(path).equals(before)).toBe(true);
        expect(readdirSync(folder).filter((name) => name.includes('key'))).toEqual([]);
      }
    } finally {
      other.kill('SIGKILL');
      await new Promise((resolve) => other.once('exit', resolve));
    }
    change(null, TO);
    expect(contentOf('sqlcipher4', 'new')).toMatchObject({ check: [['ok']] });
  });

  it('a file with a second name', () => {
    make('plain');
    linkSync(path, join(folder, 'second.db'));
    expectRefused(null, TO, { code: 'unavailable', message: saying(/hard links/) });
  });

  it('a damaged file', () => {
    make(
      'plain',
      `${EVERYTHING}; CREATE TABLE large AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(500) FROM n`,
    );
    const content = readFileSync(path);
    content.fill(0xff, 4096 * 30, 4096 * 32);
    writeFileSync(path, content);
    expectRefused(null, TO, { code: 'corrupt', message: saying(/is damaged/) });
  });

  it('a name that ends with a space', () => {
    make('plain');
    copyFileSync(path, `${path} `);
    expect(() => change(null, TO, `${path} `)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  it.runIf(process.platform !== 'win32')('what this user may not write to, or rename', () => {
    make('plain');
    chmodSync(trials, 0o777);
    const denied = { code: 'io', message: saying(/cannot be written to\. Nothing was changed/) };
    for (const [file, inside] of [
      [0o666, 0o555],
      [0o444, 0o777],
      [0o666, 0o1777],
    ] as const) {
      chmodSync(path, file);
      chmodSync(folder, inside);
      // Root owns both, and is the only one who may take names out of a folder with the sticky bit.
      if (inside !== 0o1777 || process.geteuid!() === 0) asNobody(() => expectRefused(null, TO, denied));
    }
    chmodSync(path, 0o666);
    chmodSync(folder, 0o777);
    asNobody(() => change(null, TO));
    expect(contentOf('sqlcipher4', 'new')).toMatchObject({ check: [['ok']] });
  });

  it.runIf(process.platform === 'linux' && process.geteuid!() === 0)('where there is no room', () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    try {
      const full = join(disk, 'file.db');
      const made = open('sqlcipher4', 'old', [], full);
      made.exec(`${EVERYTHING}; CREATE TABLE large AS SELECT randomblob(1100000)`);
      made.close();
      const before = readFileSync(full);
      for (const to of [TO, null]) {
        expect(() => change(quickKey('old'), to, full)).toThrow(
          expect.objectContaining({ code: 'full', message: saying(/no room beside “file\.db”/) }),
        );
        expect(readdirSync(disk)).toEqual(['file.db']);
        expect(readFileSync(full).equals(before)).toBe(true);
      }
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

/** Root may write to everything. */
function asNobody(action: () => void): void {
  if (process.geteuid!() !== 0) return action();
  process.seteuid!(65_534);
  try {
    action();
  } finally {
    process.seteuid!(0);
  }
}

describe('the file', () => {
  it('keeps its permissions, and is private before', () => {
    make('plain');
    chmodSync(path, 0o640);
    const steps = changeKey(Ciphered, { path, from: null, to: quickKey('new'), folder: trials });
    steps.next();
    const [part] = readdirSync(folder).filter((name) => name.endsWith('.sidelite-key-part'));
    expect(statSync(join(folder, part!)).mode & 0o777).toBe(0o600);
    for (const _ of steps);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is not replaced if another program has put another one there', () => {
    make('plain');
    const steps = changeKey(Ciphered, { path, from: null, to: quickKey('new'), folder: trials });
    steps.next();
    renameSync(path, join(folder, 'moved.db'));
    writeFileSync(path, 'another file');
    expect(() => {
      for (const _ of steps);
    }).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(readFileSync(path, 'utf8')).toBe('another file');
    expect(readdirSync(folder)).toEqual(['file.db', 'moved.db']);
  });

  it('is not replaced if another program has written to it without a lock', () => {
    make('plain');
    const steps = changeKey(Ciphered, { path, from: null, to: quickKey('new'), folder: trials });
    const changed = readFileSync(path);
    changed[changed.length - 1]! ^= 1;
    steps.next();
    writeFileSync(path, changed);
    expect(() => {
      for (const _ of steps);
    }).toThrow(expect.objectContaining({ code: 'conflict', message: saying(/written to/) }));
    expect([readFileSync(path).equals(changed), readdirSync(folder)]).toEqual([true, ['file.db']]);
  });

  it.runIf(process.platform === 'linux')('is not replaced while a program waits for it', async () => {
    make('plain');
    const steps = changeKey(Ciphered, { path, from: null, to: quickKey('new'), folder: trials });
    steps.next();
    const other = await holdOpen(path, '');
    try {
      expect(() => {
        for (const _ of steps);
      }).toThrow(expect.objectContaining({ code: 'locked' }));
      await runIn(other, 'INSERT INTO empty VALUES (1)');
    } finally {
      other.kill('SIGKILL');
      await new Promise((resolve) => other.once('exit', resolve));
    }
    const db = open('plain');
    expect(db.prepare('SELECT a FROM empty').pluck(true).all()).toEqual([1]);
    db.close();
  });

  it.runIf(process.platform === 'linux')('is replaced in a folder that this user cannot list', () => {
    make('plain');
    for (const [each, mode] of [[trials, 0o777], [folder, 0o333], [path, 0o666]] as const) chmodSync(each, mode); // prettier-ignore
    asNobody(() => change(null, quickKey('new')));
    chmodSync(folder, 0o777);
    expect(readdirSync(folder)).toEqual(['file.db']);
    expect(contentOf('sqlcipher4', 'new')).toMatchObject({ check: [['ok']] });
  });

  it('is replaced behind a link, which stays one', () => {
    make('plain');
    const link = join(folder, 'link.db');
    symlinkSync('file.db', link);
    change(null, quickKey('new'), link);
    expect(readlinkSync(link)).toBe('file.db');
    expect(contentOf('sqlcipher4', 'new')).toMatchObject({ check: [['ok']] });
  });

  it.each(['DELETE', 'WAL'])('stays as it is, also in %s mode, if nobody wants the change any more', (mode) => {
    make('plain', `PRAGMA journal_mode = ${mode}; ${EVERYTHING}`);
    const before = everything();
    for (let pauses = 0; ; pauses++) {
      const steps = changeKey(Ciphered, {
        path,
        from: null,
        to: quickKey('new'),
        folder: trials,
      });
      let done = false;
      for (let at = 0; at <= pauses && !done; at++) done = steps.next().done === true;
      if (done) break;
      steps.return(null);
      expect(everything()).toEqual(before);
    }
    expect(everything()).not.toEqual(before);
  });

  it.each(['plain', 'sqlcipher4'] as const)(
    'of %s cannot be read or written to by others from the copy to the swap',
    (from) => {
      make(from);
      let pauses = 0;
      for (const _ of changeKey(Ciphered, { path, from: keyFor(from, 'old'), to: quickKey('new'), folder: trials })) {
        pauses++;
        const other = open(from, 'old', [], path, 0);
        expect(() => other.exec('SELECT * FROM empty')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
        other.close();
      }
      expect(pauses).toBeGreaterThan(10);
      expect(contentOf('sqlcipher4', 'new')).toMatchObject({ check: [['ok']] });
    },
  );
});

describe('what an earlier attempt has left', () => {
  const backup = (): string => `${path}.before-key-change`;

  it('parts, and a second name of the file, are removed', () => {
    make('plain');
    linkSync(path, backup());
    for (const suffix of ['', '-journal'])
      writeFileSync(join(folder, `.file.db.0123abcd.sidelite-key-part${suffix}`), 'part');
    writeFileSync(join(folder, '.other.db.0123abcd.sidelite-key-part'), 'of another file');
    change(null, quickKey('new'));
    expect(readdirSync(folder)).toEqual(['.other.db.0123abcd.sidelite-key-part', 'file.db']);
  });

  it('a copy of the file is removed, too', () => {
    make('plain');
    copyFileSync(path, backup());
    change(null, quickKey('new'));
    expect(readdirSync(folder)).toEqual(['file.db']);
  });

  it('the file as it was before is explained', () => {
    make('plain');
    copyFileSync(path, backup());
    const old = readFileSync(path);
    rmSync(path);
    make('sqlcipher4');
    expectRefused(quickKey('old'), null, {
      code: 'exists',
      message: saying(/“file\.db\.before-key-change” is in the way.+Delete/),
    });
    expectRefused(quickKey('wrong'), null, {
      code: 'not-a-database',
      message: saying(/“file\.db\.before-key-change” beside it/),
    });
    expect(readFileSync(backup()).equals(old)).toBe(true);
    rmSync(backup());
    change(quickKey('old'), null);
    expect(readdirSync(folder)).toEqual(['file.db']);
  });
});
