import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const work = mkdtempSync(join(tmpdir(), 'sidelite-packages-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const app = join(work, 'app');
const home = join(work, 'home');

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const says = (who: string): string => `module.exports = { from: ${JSON.stringify(who)} };`;

put(join(app, 'node_modules', 'inside', 'index.js'), says('inside'));
put(
  join(app, 'node_modules', 'parent', 'index.js'),
  `try { module.exports = { from: require('planted').from }; } catch (e) { module.exports = { from: e.code }; }`,
);
for (const name of ['planted', 'inside']) {
  put(join(work, 'node_modules', name, 'index.js'), says('planted above'));
  put(join(home, '.node_modules', name, 'index.js'), says('planted at home'));
}
put(join(work, 'elsewhere', 'index.js'), says('linked'));
symlinkSync(join(work, 'elsewhere'), join(app, 'node_modules', 'linked'));

/** Loads `specifier` in a thread of a process whose script lies in `app`. */
function load(specifier: string, confined = true): string {
  const script = join(app, `load-${confined ? 'confined' : 'free'}.mjs`);
  const module = pathToFileURL(join(import.meta.dirname, 'confine-packages.ts')).href;
  put(
    script,
    `import { isMainThread, Worker, workerData } from 'node:worker_threads';
    if (isMainThread) new Worker(new URL(import.meta.url), { workerData: process.argv[2] });
    else {
      ${confined ? `(await import(${JSON.stringify(module)})).confinePackages(${JSON.stringify(app)});` : ''}
      console.log(await import(workerData).then((m) => m.default?.from ?? 'builtin', (e) => e.code));
    }`,
  );
  const env = { ...process.env, HOME: home, NODE_PATH: join(work, 'node_modules') };
  return execFileSync(process.execPath, [script, specifier], { env, encoding: 'utf8' }).trim();
}

it('packages in the folder, built-in modules and files of packages are loaded', () => {
  expect(load('inside')).toBe('inside');
  expect(load('node:sqlite')).toBe('builtin');
  expect(load(pathToFileURL(join(app, 'node_modules', 'inside', 'index.js')).href)).toBe('inside');
});

it('a package that others have planted above the folder counts as not installed', () => {
  // Node loads it without the hook: otherwise this would show nothing.
  expect(load('planted', false)).toBe('planted above');
  expect(load('planted')).toBe('ERR_MODULE_NOT_FOUND');
});

it('nor does a package inside, by `require`, or a link get at what lies outside', () => {
  expect(load('parent', false)).toBe('planted above');
  expect(load('parent')).toBe('MODULE_NOT_FOUND');
  expect(load('linked')).toBe('ERR_MODULE_NOT_FOUND');
});
