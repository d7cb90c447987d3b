// `npm run add-engine -- sqlite3`: compiles node-sqlite3 so that the benchmark can measure it. Its package has no engine in it: an install
// script downloads or compiles one. So it is no dependency; it is compiled on request, from the source in its package.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNpm } from './node-packages.mjs';
import { inRoot } from './paths.ts';
import { COMPILER, ensureSystemPackages } from './system-packages.mjs';
import { command } from './tool.ts';

/** The package to compile, and the packages it loads. */
const PACKAGES = ['sqlite3@6.0.1', 'bindings@1.5.0', 'file-uri-to-path@1.0.0', 'node-addon-api@8.9.2'];
/** Files to keep: the JavaScript and the addon, not the 10 MB of source. */
const ENGINE = ['package.json', 'LICENSE', 'lib', 'build/Release/node_sqlite3.node'];
const LOADED = ['node_modules/bindings', 'node_modules/file-uri-to-path'];

await command(import.meta, async ([name]) => {
  if (name !== 'sqlite3') {
    console.error('Say which engine: npm run add-engine -- sqlite3');
    return 2;
  }
  if (!ensureSystemPackages(COMPILER, 'compile node-sqlite3')) return 1;
  // Use a separate folder: npm would remove whatever the lockfile does not name, such as the tool chain’s Node.
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-engine-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  runNpm(['install', ...options, ...PACKAGES], folder);
  console.log('Compiling node-sqlite3, which takes a minute or two');
  const source = join(folder, 'node_modules', 'sqlite3');
  // Its compiler’s advice is for its authors.
  process.env['CFLAGS'] = process.env['CXXFLAGS'] = '-w';
  runNpm(['run', '--silent', 'rebuild'], source);
  const target = inRoot('node_modules', 'sqlite3');
  rmSync(target, { recursive: true, force: true });
  for (const file of ENGINE) cpSync(join(source, file), join(target, file), { recursive: true });
  // Nest these packages, apart from the project’s own.
  for (const part of LOADED) cpSync(join(folder, part), join(target, part), { recursive: true });
  console.log('Done. To measure it: npm run -s bench -- --suite wasm-run --quick --engine sqlite3');
  return 0;
});
