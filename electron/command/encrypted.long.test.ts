// Commands on files that SQLCipher itself has made, and apsw with SQLite3 Multiple Ciphers; those programs read them again afterwards.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CIPHER_PROGRAMS } from '../../build/cipher-packages.test-suite.ts';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { ensurePypiPackages } from '../../build/pypi-packages.ts';

const packages = await ensurePypiPackages(CIPHER_PROGRAMS);
const RAW = `x'${'5a'.repeat(32)}${'01'.repeat(16)}'`;

/** Opens a database with SQLCipher or apsw, by the PRAGMAs of the first arguments, and prints what the last one returns. */
const PYTHON = `
import json, os, sys
program, path, pragmas, script, query = sys.argv[1:6]
if program == 'sqlcipher':
    from sqlcipher3 import dbapi2
    db = dbapi2.connect(path, isolation_level=None)
else:
    import apsw
    db = apsw.Connection(path)
for pragma in json.loads(pragmas): db.execute('PRAGMA ' + pragma).fetchall()
for statement in json.loads(script): db.execute(statement).fetchall()
rows = db.execute(query).fetchall() if query else []
print(json.dumps(rows), flush=True)
if len(sys.argv) > 6: os._exit(0)
db.close()
`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

interface File {
  readonly program: 'sqlcipher' | 'apsw';
  readonly pragmas: readonly string[];
  /** Options of the command, and its key. */
  readonly words?: readonly string[];
  readonly key?: string;
  /** Ends without closing the file. */
  readonly isLeft?: true;
  readonly script?: readonly string[];
}

/** The table that nothing is done to makes the file larger than what a key is tried on. */
const MAKE = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)',
  "INSERT INTO t (a) VALUES ('one'), ('two')",
  'CREATE TABLE large AS SELECT zeroblob(200000)',
];
const sqlcipher = (...pragmas: string[]): File => ({ program: 'sqlcipher', pragmas: ["key = 'secret'", ...pragmas] });
const apsw = (cipher: string): File => ({ program: 'apsw', pragmas: [`cipher = '${cipher}'`, "key = 'secret'"] });

const FILES: Readonly<Record<string, File>> = {
  'SQLCipher 4': sqlcipher(),
  'SQLCipher 3': sqlcipher('cipher_compatibility = 3'),
  'SQLCipher 2': sqlcipher('cipher_compatibility = 2'),
  'SQLCipher 1': sqlcipher('cipher_compatibility = 1'),
  'a raw key': { program: 'sqlcipher', pragmas: [`key = "${RAW}"`], key: RAW },
  'other settings': {
    ...sqlcipher('kdf_iter = 1000', 'cipher_page_size = 8192'),
    words: ['--kdf-iterations', '1000', '--cipher-page-size', '8192'],
  },
  'a plain header': {
    program: 'sqlcipher',
    pragmas: [`key = "${RAW}"`, 'cipher_plaintext_header_size = 32'],
    key: RAW,
    words: ['--plain-header', '32'],
  },
  'a log that was left': { ...sqlcipher(), script: ['PRAGMA journal_mode = WAL', ...MAKE], isLeft: true },
  'a journal that was left': {
    ...sqlcipher(),
    script: [
      ...MAKE, 'PRAGMA cache_size = 5', 'BEGIN',
      'INSERT INTO t (a) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT hex(zeroblob(500)) FROM n',
    ], // prettier-ignore
    isLeft: true,
  },
  ChaCha20: apsw('chacha20'),
  'AES-256': apsw('aes256cbc'),
  'AES-128': apsw('aes128cbc'),
  RC4: apsw('rc4'),
  Ascon: apsw('ascon128'),
};

function ask({ program, pragmas, isLeft }: File, script: readonly string[], query: string): unknown {
  const args = [program, join(at.folder, 'file.db'), JSON.stringify(pragmas), JSON.stringify(script), query];
  const output = execFileSync('python3', ['-c', PYTHON, ...args, ...(isLeft && script.length > 0 ? ['left'] : [])], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'folder' in packages ? packages.folder : '' },
  });
  return JSON.parse(output.toString());
}

test.skipIf('why' in packages).each(Object.entries(FILES))('%s', async (name, file) => {
  ask(file, file.script ?? MAKE, '');
  const words = [...(file.words ?? []), '--key-file', 'key.txt'];
  at.write('key.txt', 'another password');
  // Without what needs a raw key. A journal that was left is still there, and whole.
  const wrong = await at.run(['run', '-', 'file.db', '--key-file', 'key.txt'], 'SELECT 1');
  expect(wrong).toMatchObject({ code: file.words?.includes('--plain-header') ? 1 : 6, out: '' });
  at.write('key.txt', file.key ?? 'secret');
  const done = await at.run(['run', '-', 'file.db', ...words], "INSERT INTO t (a) VALUES ('three'); SELECT a FROM t;");
  expect(done).toMatchObject({ code: 0, out: 'a\none\ntwo\nthree\n', err: '' });
  expect(ask(file, [], 'SELECT a FROM t')).toEqual([['one'], ['two'], ['three']]);
  expect(ask(file, [], 'PRAGMA integrity_check')).toEqual([['ok']]);
  // Version 1 has no digests to check.
  if (file.program === 'sqlcipher' && name !== 'SQLCipher 1')
    expect(ask(file, [], 'PRAGMA cipher_integrity_check')).toEqual([]);
});
