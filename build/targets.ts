// How each part of the product is bundled: two pages with their workers for Chromium, three CommonJS files for Electron; and the engine
// it is compared with that no browser loads as its package ships it.
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { withBoundedParquet } from './bounded-parquet.ts';
import { ENGINE_PACKAGES } from './engine-packages.ts';
import { inRoot } from './paths.ts';

// The oldest engine that runs us is Electron 22: Chromium 108 in windows, Node 16 in the main process.
const CHROMIUM_TARGET = 'chrome108';
const NODE_TARGET = 'node16';
/** Engines of Node that are only compared with: packages where the app runs from its sources, missing in the packaged one. */
const THIRD_PARTY_ADDONS = ['libsql', /^@tursodatabase\//, 'sqlite3'];
/** Node version that better-sqlite3 requires. */
const NATIVE_TARGET = 'node22';
const LIGHTNINGCSS_TARGET = { chrome: 108 << 16 };

// Libraries mark parts for React's server side, which we do not have; timings are of no use in a second's work.
const QUIET = { moduleLevelDirective: false, bundlerTimings: false };

const common: InlineConfig = { configFile: false, envDir: false, logLevel: 'warn', publicDir: false };

/** A page and everything it loads. `page` is the HTML file; its folder becomes the root of the served tree. */
export function pageConfig(folder: 'renderer' | 'worker', page: string, outDir: string): InlineConfig {
  return {
    ...common,
    root: inRoot(folder),
    // Every text of ours and of a database passes there: `#jsx/jsx-runtime`.
    oxc: { jsx: { runtime: 'automatic', importSource: '#jsx', development: false } },
    css: { transformer: 'lightningcss', lightningcss: { targets: LIGHTNINGCSS_TARGET } },
    plugins: [withoutUnusedSqliteWorkers(), withBoundedParquet()],
    worker: {
      format: 'es',
      plugins: () => [withoutUnusedSqliteWorkers(), withBoundedParquet()],
      rolldownOptions: { checks: QUIET },
    },
    build: {
      outDir: join(outDir, 'app'),
      emptyOutDir: false,
      target: CHROMIUM_TARGET,
      cssTarget: CHROMIUM_TARGET,
      sourcemap: true,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4096,
      // Chromium 108 preloads modules on its own, and the policy forbids the inline script of the polyfill.
      modulePreload: { polyfill: false },
      // The policy allows fonts and scripts from files only, never from data: addresses.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: inRoot(folder, page),
        checks: QUIET,
        // Everything that a page needs to start is one file: main spends some milliseconds on each file it serves.
        output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
      },
    },
  };
}

/** One file for the main process or a preload: a sandboxed preload can load no second file, so nothing is split off. */
export function electronConfig(entry: string, outDir: string): InlineConfig {
  return {
    ...common,
    root: inRoot('electron'),
    ssr: { target: 'node', noExternal: true },
    build: {
      ssr: true,
      outDir: join(outDir, 'electron'),
      emptyOutDir: false,
      target: NODE_TARGET,
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        input: inRoot('electron', entry),
        checks: QUIET,
        external: ['electron', ...builtinModules, /^node:/],
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  };
}

/** One module for a process of Node and its threads: of the engines, and of the command line. Packages with a binary stay beside it. */
export function nativeConfig([folder, entry]: readonly [string, string], outDir: string): InlineConfig {
  return {
    ...common,
    root: inRoot(folder),
    plugins: [withBoundedParquet()],
    ssr: { target: 'node', noExternal: true },
    build: {
      ssr: true,
      outDir: join(outDir, 'native'),
      emptyOutDir: false,
      target: NATIVE_TARGET,
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        input: inRoot(folder, entry),
        checks: QUIET,
        external: [...ENGINE_PACKAGES, ...THIRD_PARTY_ADDONS, ...builtinModules, /^node:/],
        output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  };
}

/**
 * An engine that is only compared with, whose modules name each other by package, which no browser resolves: `index.js`, with its worker
 * and its wasm beside it.
 */
export function thirdPartyConfig(entry: string, outDir: string): InlineConfig {
  return {
    ...common,
    root: inRoot(),
    // Wherever the folder is served.
    base: './',
    plugins: [withoutCodeFromText()],
    worker: {
      format: 'es',
      plugins: () => [withoutCodeFromText()],
      rolldownOptions: { checks: QUIET, output: { entryFileNames: '[name].js' } },
    },
    build: {
      outDir,
      target: CHROMIUM_TARGET,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: inRoot(entry),
        checks: QUIET,
        preserveEntrySignatures: 'exports-only',
        output: { entryFileNames: 'index.js', assetFileNames: '[name][extname]' },
      },
    },
  };
}

/** emnapi tries whether code may be made of text, which the policy refuses and reports; it manages without. */
function withoutCodeFromText(): Plugin {
  const trial = 'f = new Function();';
  return {
    name: 'sidelite:without-code-from-text',
    transform: {
      filter: { id: /@emnapi\/runtime\/dist\// },
      handler(code) {
        if (!code.includes(trial)) this.error(`emnapi no longer contains ${trial}`);
        return { code: code.replace(trial, 'return false;'), map: null };
      },
    },
  };
}

/**
 * SQLite's wasm module offers two workers of its own that we never start: the proxy of the `opfs` VFS and the promiser API.
 * Left in, each would be bundled with a second copy of SQLite. A release that words them differently must fail the build.
 */
function withoutUnusedSqliteWorkers(): Plugin {
  const unused = [
    [/new URL\("sqlite3-opfs-async-proxy\.js", import\.meta\.url\)/, 'new URL("about:blank")'],
    [/new Worker\(new URL\("sqlite3-worker1\.mjs", import\.meta\.url\), \{ type: "module" \}\)/, 'null'],
  ] as const;
  return {
    name: 'sidelite:without-unused-sqlite-workers',
    enforce: 'pre',
    transform: {
      filter: { id: /@sqlite\.org\/sqlite-wasm\/dist\/index\.mjs$/ },
      handler(code) {
        let result = code;
        for (const [worker, nothing] of unused) {
          if (!worker.test(result)) this.error(`SQLite's wasm module no longer contains ${String(worker)}`);
          result = result.replace(worker, nothing);
        }
        return { code: result, map: null };
      },
    },
  };
}
